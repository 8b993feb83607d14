//! URIs and URI templates (RFC 3986, RFC 6570), as far as a mistake in them can be told at compile time.

/// One variable of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    /// As written.
    pub(crate) name: String,
    /// Whether a URI can leave it out: in `{?x}`, `{&x}`, `{;x}`, `{#x}`.
    pub(crate) optional: bool,
    /// Where it is, counted in characters from one.
    pub(crate) position: usize,
}

/// The variables of a template; none in a fixed URI. A mistake is a sentence that says where.
pub(crate) fn variables(uri: &str) -> Result<Vec<Variable>, String> {
    check_scheme(uri)?;
    let mut variables = Vec::new();
    let mut at = 0;
    while at < uri.len() {
        let rest = &uri[at..];
        if let Some(inside) = rest.strip_prefix('{') {
            let Some(len) = inside.find('}') else {
                return Err(format!("`{{` at {} has no `}}`", place(uri, at)));
            };
            expression(uri, at + 1, &inside[..len], &mut variables)?;
            at += len + 2;
        } else {
            let len = rest.find('{').unwrap_or(rest.len());
            check_literal(uri, at, &rest[..len])?;
            at += len;
        }
    }
    Ok(variables)
}

/// `character 6`
fn place(uri: &str, at: usize) -> String {
    format!("character {}", position(uri, at))
}

fn position(uri: &str, at: usize) -> usize {
    uri[..at].chars().count() + 1
}

fn check_scheme(uri: &str) -> Result<(), String> {
    let legal = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    };
    match uri.split_once(':') {
        Some((scheme, rest)) if legal(scheme) => {
            if rest.is_empty() || rest == "//" {
                return Err(format!("a URI needs something behind `{uri}`"));
            }
            Ok(())
        }
        _ => {
            let rest = uri.trim_start_matches('/');
            Err(format!(
                "a URI begins with a scheme: write `file:///{rest}`, or a scheme of your own, `app://{rest}`"
            ))
        }
    }
}

fn check_literal(uri: &str, offset: usize, text: &str) -> Result<(), String> {
    for (i, char) in text.char_indices() {
        let at = place(uri, offset + i);
        match char {
            '}' => return Err(format!("`}}` at {at} has no `{{`")),
            '%' => {
                let digits = text[i + 1..].chars().take_while(char::is_ascii_hexdigit).take(2).count();
                if digits < 2 {
                    return Err(format!(
                        "`%` at {at} needs two hexadecimal digits; a percent sign itself is `%25`"
                    ));
                }
            }
            ' ' => return Err(format!("the space at {at} cannot be in a URI: write `%20`")),
            '"' | '<' | '>' | '\\' | '^' | '`' | '|' | '\0'..='\x1f' | '\x7f' => {
                let code = u32::from(char);
                return Err(format!("{char:?} at {at} cannot be in a URI: write `%{code:02X}`"));
            }
            _ => {}
        }
    }
    Ok(())
}

fn expression(uri: &str, offset: usize, inside: &str, variables: &mut Vec<Variable>) -> Result<(), String> {
    let operator = inside.chars().next().filter(|c| "+#./;?&=,!@|".contains(*c));
    if let Some(reserved @ ('=' | ',' | '!' | '@' | '|')) = operator {
        let at = place(uri, offset);
        return Err(format!("`{reserved}` at {at} has no meaning in RFC 6570: remove it"));
    }
    let optional = matches!(operator, Some('#' | ';' | '?' | '&'));
    let mut at = offset + usize::from(operator.is_some());
    for spec in inside[at - offset..].split(',') {
        let (name, explode) = spec.strip_suffix('*').map_or((spec, false), |name| (name, true));
        check_variable(uri, at, name)?;
        if explode && !matches!(operator, Some('/' | '+')) {
            let at = place(uri, at + name.len());
            return Err(format!(
                "`*` at {at} cannot be matched here: write `{{/{name}*}}` for several path segments"
            ));
        }
        if variables.iter().any(|variable| variable.name == name) {
            let at = place(uri, at);
            return Err(format!("`{name}` at {at} is in the template already: give it a name of its own"));
        }
        variables.push(Variable { name: name.to_owned(), optional, position: position(uri, at) });
        at += spec.len() + 1;
    }
    Ok(())
}

fn check_variable(uri: &str, offset: usize, name: &str) -> Result<(), String> {
    if name.is_empty() {
        let at = place(uri, offset);
        return Err(format!(
            "the variable at {at} has no name: write `{{name}}`, and give the function a parameter `name`"
        ));
    }
    if let Some((name, _)) = name.split_once(':') {
        let at = place(uri, offset + name.len());
        return Err(format!(
            "`:` at {at} cannot be matched: write `{{{name}}}` and check the length in the function"
        ));
    }
    let legal = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '.');
    if let Some((i, char)) = name.char_indices().find(|(_, char)| !legal(*char)) {
        let at = place(uri, offset + i);
        return Err(format!("`{char}` at {at} cannot be in a variable's name: use letters, digits and `_`"));
    }
    if name.split('.').any(str::is_empty) {
        let at = place(uri, offset);
        return Err(format!("`{name}` at {at} needs a letter on both sides of each dot"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Variable, variables};

    #[test]
    fn every_operator() {
        let found = variables("db://{a}/{+b}{/c,d}{.e}{/f*}{;g}{?h,i}{&j}{#k}").unwrap();
        let found: String =
            found.iter().map(|v| v.name.clone() + if v.optional { "? " } else { " " }).collect();
        assert_eq!(found, "a b c d e f g? h? i? j? k? ");
        assert_eq!(variables("db://schema"), Ok(vec![]));
    }

    #[test]
    fn positions_are_characters_from_one() {
        let b = Variable { name: "b".into(), optional: false, position: 8 };
        assert_eq!(variables("a:é/{b}").map(|v| v[0].clone()), Ok(Variable { position: 6, ..b.clone() }));
        assert_eq!(variables("db://x{b}").map(|v| v[0].clone()), Ok(b));
    }

    #[test]
    fn mistakes_say_where() {
        let mistake = |uri| variables(uri).unwrap_err();
        assert_eq!(
            mistake("/etc/hosts"),
            "a URI begins with a scheme: write `file:///etc/hosts`, or a scheme of your own, `app://etc/hosts`"
        );
        assert_eq!(mistake("db://{a"), "`{` at character 6 has no `}`");
        assert_eq!(mistake("db://a}"), "`}` at character 7 has no `{`");
        assert_eq!(mistake("db://a b"), "the space at character 7 cannot be in a URI: write `%20`");
        assert_eq!(mistake("db://a|b"), "'|' at character 7 cannot be in a URI: write `%7C`");
        assert_eq!(
            mistake("db://50%"),
            "`%` at character 8 needs two hexadecimal digits; a percent sign itself is `%25`"
        );
        assert_eq!(
            mistake("db://{}"),
            "the variable at character 7 has no name: write `{name}`, and give the function a parameter `name`"
        );
        assert_eq!(
            mistake("db://{a:3}"),
            "`:` at character 8 cannot be matched: write `{a}` and check the length in the function"
        );
        assert_eq!(
            mistake("db://{a-b}"),
            "`-` at character 8 cannot be in a variable's name: use letters, digits and `_`"
        );
        assert_eq!(
            mistake("db://{a}{a}"),
            "`a` at character 10 is in the template already: give it a name of its own"
        );
        assert_eq!(
            mistake("db://{?a*}"),
            "`*` at character 9 cannot be matched here: write `{/a*}` for several path segments"
        );
        assert_eq!(mistake("db://{=a}"), "`=` at character 7 has no meaning in RFC 6570: remove it");
    }
}
