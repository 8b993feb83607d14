//! Arithmetic expressions: a recursive-descent parser that evaluates as it reads.

use std::fmt;
use std::ops::RangeInclusive;

/// How deeply parentheses, signs and powers may nest; each level costs a few stack frames.
const DEPTH: usize = 200;

/// What the whole language consists of, for people and models.
pub const SYNTAX: &str = "\
# Expressions

- Numbers: `42`, `3.14`, `.5`, `6.02e23`
- Operators, loosest first: `+ -`, then `* / %` (remainder), then a sign, then `^` (power, from the right)
- Parentheses: `(1 + 2) * 3`
- Constants: `pi`, `e`, `tau`
- Functions of one number: `abs ceil floor round trunc sqrt cbrt exp ln log2 log10`, and in radians `sin cos tan asin acos atan`
- Functions of several: `min(a, b, ..)`, `max(a, b, ..)`, `pow(a, b)`, `hypot(a, b)`, `log(x, base)`
- `×`, `÷`, `−` and `**` mean `*`, `/`, `-` and `^`; every multiplication is written: `2 * pi`, not `2pi`
";

/// What is wrong with an expression, where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    /// The position in characters, from 1.
    position: usize,
    message: String,
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at character {}: {}", self.position, self.message)
    }
}

impl std::error::Error for ExpressionError {}

/// The value of an expression, as a calculator shows it.
///
/// ```
/// use mcp_examples::expression::calculate;
///
/// assert_eq!(calculate("2 + 2")?, "4");
/// assert_eq!(calculate("0.1 + 0.2")?, "0.3");
///
/// let error = calculate("2 + ").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "at character 5: expected a number, a name, `(` or a sign; found the end"
/// );
/// # Ok::<(), mcp_examples::expression::ExpressionError>(())
/// ```
pub fn calculate(expression: &str) -> Result<String, ExpressionError> {
    let mut parser = Parser { text: expression, at: 0, depth: 0 };
    let value = parser.sum()?;
    let Some(next) = parser.peek() else { return Ok(shown(value)) };
    let hint = match next {
        ',' => "write numbers without separators: `1000`, not `1,000`",
        _ => "between factors, write `*`",
    };
    parser.fail(format!("expected an operator (`+ - * / % ^`) or the end; found `{next}`; {hint}"))
}

/// Fifteen digits, which is what a double is good for; whole numbers as long as they are exact.
fn shown(value: f64) -> String {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        // Adding zero makes a negative zero positive.
        return format!("{}", value + 0.0);
    }
    let rounded: f64 = format!("{value:.14e}").parse().unwrap_or(value);
    if (1e-6..1e15).contains(&rounded.abs()) { format!("{rounded}") } else { format!("{rounded:e}") }
}

struct Parser<'a> {
    text: &'a str,
    /// In bytes.
    at: usize,
    depth: usize,
}

type Value = Result<f64, ExpressionError>;

impl Parser<'_> {
    /// `product (('+' | '-') product)*`
    fn sum(&mut self) -> Value {
        let mut value = self.product()?;
        loop {
            let start = self.skip_space();
            value = match self.take(&["+", "-", "−"]) {
                Some("+") => value + self.product()?,
                Some(_) => value - self.product()?,
                None => return Ok(value),
            };
            self.check(value, start)?;
        }
    }

    /// `signed (('*' | '/' | '%') signed)*`
    fn product(&mut self) -> Value {
        let mut value = self.signed()?;
        loop {
            let start = self.skip_space();
            let Some(operator) = self.take(&["*", "×", "·", "/", "÷", "%"]) else { return Ok(value) };
            let right = self.signed()?;
            value = match operator {
                "/" | "÷" | "%" if right == 0.0 => {
                    let message = format!("division by zero: the right side of `{operator}` is 0");
                    return Err(self.error_at(start, message));
                }
                "/" | "÷" => value / right,
                "%" => value % right,
                _ => value * right,
            };
            self.check(value, start)?;
        }
    }

    /// `('-' | '+') signed | power`
    fn signed(&mut self) -> Value {
        self.depth += 1;
        if self.depth > DEPTH {
            return self.fail(format!("nested more than {DEPTH} levels deep; calculate a part of it first"));
        }
        let value = match self.take(&["-", "−", "+"]) {
            Some("+") => self.signed(),
            Some(_) => self.signed().map(|value| -value),
            None => self.power(),
        };
        self.depth -= 1;
        value
    }

    /// `atom ('^' signed)?`, so that `2^3^2` is `2^(3^2)`, and `-2^2` is `-(2^2)`
    fn power(&mut self) -> Value {
        let base = self.atom()?;
        let start = self.skip_space();
        if self.take(&["^", "**"]).is_none() {
            return Ok(base);
        }
        let exponent = self.signed()?;
        if base == 0.0 && exponent < 0.0 {
            return Err(self.error_at(start, "division by zero: 0 to a negative power".to_owned()));
        }
        self.check(base.powf(exponent), start)
    }

    /// `number | name | name '(' sum (',' sum)* ')' | '(' sum ')'`
    fn atom(&mut self) -> Value {
        match self.peek() {
            Some('(') => {
                let start = self.at;
                self.at += 1;
                let value = self.sum()?;
                self.close(start)?;
                Ok(value)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '√' => self.name(),
            _ => {
                let found = self.found();
                self.fail(format!("expected a number, a name, `(` or a sign; found {found}"))
            }
        }
    }

    fn number(&mut self) -> Value {
        let rest = &self.text[self.at..];
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let mut len = digits(rest);
        if rest[len..].starts_with('.') {
            len += 1 + digits(&rest[len + 1..]);
        }
        // `2e` is two times `e` with the operator missing; `2e3` has an exponent.
        if let Some(exponent) = rest[len..].strip_prefix(['e', 'E']) {
            let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if digits(unsigned) > 0 {
                len = rest.len() - unsigned.len() + digits(unsigned);
            }
        }
        let start = self.at;
        self.at += len;
        match rest[..len].parse() {
            Ok(value) => self.check(value, start),
            Err(_) => Err(self.error_at(start, format!("`{}` is not a number", &rest[..len]))),
        }
    }

    fn name(&mut self) -> Value {
        let (start, rest) = (self.at, &self.text[self.at..]);
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '√').unwrap_or(rest.len());
        self.at += end;
        let written = &rest[..end];
        let name = if written == "√" { "sqrt".to_owned() } else { written.to_lowercase() };
        if let Some((_, value)) = CONSTANTS.iter().find(|(constant, _)| *constant == name) {
            return Ok(*value);
        }
        let Some(function) = FUNCTIONS.iter().find(|function| function.name == name) else {
            return Err(self.error_at(start, format!("nothing is called `{written}`; there are {}", names())));
        };
        let arguments = self.arguments(function.name)?;
        if !function.arity.contains(&arguments.len()) {
            let (least, most) = (function.arity.start(), function.arity.end());
            let takes = match (*least, *most) {
                (least, most) if least == most => format!("{least}"),
                (least, usize::MAX) => format!("{least} or more"),
                (least, most) => format!("{least} to {most}"),
            };
            let message = format!("`{name}` takes {takes} numbers; here are {}", arguments.len());
            return Err(self.error_at(start, message));
        }
        self.check((function.apply)(&arguments), start)
    }

    fn arguments(&mut self, name: &str) -> Result<Vec<f64>, ExpressionError> {
        let start = self.skip_space();
        if self.take(&["("]).is_none() {
            let found = self.found();
            return self.fail(format!("expected `(` behind `{name}`; found {found}"));
        }
        if self.take(&[")"]).is_some() {
            return Ok(Vec::new());
        }
        let mut arguments = vec![self.sum()?];
        while self.take(&[","]).is_some() {
            arguments.push(self.sum()?);
        }
        self.close(start)?;
        Ok(arguments)
    }

    /// The `)` for the `(` at `start`.
    fn close(&mut self, start: usize) -> Result<(), ExpressionError> {
        if self.take(&[")"]).is_some() {
            return Ok(());
        }
        let (found, opened) = (self.found(), self.position(start));
        self.fail(format!("expected an operator, or `)` for the `(` at character {opened}; found {found}"))
    }

    /// Refuses what no calculator shows.
    fn check(&self, value: f64, start: usize) -> Value {
        if value.is_nan() {
            Err(self.error_at(start, "the result is not a real number".to_owned()))
        } else if value.is_infinite() {
            Err(self.error_at(start, "the result is too large (over 1.79e308)".to_owned()))
        } else {
            Ok(value)
        }
    }

    /// Takes the first of these words that stands next; `**` is not two `*`.
    fn take(&mut self, words: &[&'static str]) -> Option<&'static str> {
        self.skip_space();
        let rest = &self.text[self.at..];
        let fits =
            |word: &&&'static str| rest.starts_with(**word) && (**word != "*" || !rest.starts_with("**"));
        let word = words.iter().find(fits)?;
        self.at += word.len();
        Some(word)
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.text[self.at..].chars().next()
    }

    fn skip_space(&mut self) -> usize {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.at
    }

    fn found(&mut self) -> String {
        self.peek().map_or_else(|| "the end".to_owned(), |c| format!("`{c}`"))
    }

    fn position(&self, at: usize) -> usize {
        self.text[..at].chars().count() + 1
    }

    fn error_at(&self, at: usize, message: String) -> ExpressionError {
        ExpressionError { position: self.position(at), message }
    }

    fn fail<T>(&self, message: String) -> Result<T, ExpressionError> {
        Err(self.error_at(self.at, message))
    }
}

const CONSTANTS: &[(&str, f64)] = &[
    ("pi", std::f64::consts::PI),
    ("π", std::f64::consts::PI),
    ("e", std::f64::consts::E),
    ("tau", std::f64::consts::TAU),
];

struct Function {
    name: &'static str,
    arity: RangeInclusive<usize>,
    apply: fn(&[f64]) -> f64,
}

const fn of_one(name: &'static str, apply: fn(&[f64]) -> f64) -> Function {
    Function { name, arity: 1..=1, apply }
}

const FUNCTIONS: &[Function] = &[
    of_one("abs", |n| n[0].abs()),
    of_one("acos", |n| n[0].acos()),
    of_one("asin", |n| n[0].asin()),
    of_one("atan", |n| n[0].atan()),
    of_one("cbrt", |n| n[0].cbrt()),
    of_one("ceil", |n| n[0].ceil()),
    of_one("cos", |n| n[0].cos()),
    of_one("exp", |n| n[0].exp()),
    of_one("floor", |n| n[0].floor()),
    Function { name: "hypot", arity: 2..=2, apply: |n| n[0].hypot(n[1]) },
    of_one("ln", |n| n[0].ln()),
    Function { name: "log", arity: 2..=2, apply: |n| n[0].log(n[1]) },
    of_one("log10", |n| n[0].log10()),
    of_one("log2", |n| n[0].log2()),
    Function { name: "max", arity: 1..=usize::MAX, apply: |n| n.iter().copied().fold(n[0], f64::max) },
    Function { name: "min", arity: 1..=usize::MAX, apply: |n| n.iter().copied().fold(n[0], f64::min) },
    Function { name: "pow", arity: 2..=2, apply: |n| n[0].powf(n[1]) },
    of_one("round", |n| n[0].round()),
    of_one("sin", |n| n[0].sin()),
    of_one("sqrt", |n| n[0].sqrt()),
    of_one("tan", |n| n[0].tan()),
    of_one("trunc", |n| n[0].trunc()),
];

fn names() -> String {
    let functions = FUNCTIONS.iter().map(|function| function.name);
    let constants = CONSTANTS.iter().map(|(name, _)| *name);
    functions.chain(constants).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn gives(expression: &str, value: &str) {
        assert_eq!(calculate(expression).as_deref(), Ok(value), "{expression}");
    }

    #[track_caller]
    fn fails(expression: &str, message: &str) {
        assert_eq!(calculate(expression).unwrap_err().to_string(), message, "{expression}");
    }

    #[test]
    fn operators_bind_as_in_school() {
        gives("2 + 2", "4");
        gives("2 + 3 * 4", "14");
        gives("(2 + 3) * 4", "20");
        gives("7 - 2 - 1", "4");
        gives("2 ^ 3 ^ 2", "512");
        gives("-2 ^ 2", "-4");
        gives("2 ^ -1", "0.5");
        gives("2 ** 10", "1024");
        gives("- - + 3", "3");
        gives("7 % 4 * 2", "6");
        gives("6 × 7 ÷ 2 − 1", "20");
    }

    #[test]
    fn numbers_have_many_forms() {
        gives(".5 + 1.", "1.5");
        gives("1.5e3", "1500");
        gives("2E-3", "0.002");
        gives("0.1 + 0.2", "0.3");
        gives("2 ^ 53", "9007199254740992");
        gives("1 / 3", "0.333333333333333");
        gives("-1 * 0", "0");
        gives("1 / 3e10", "3.33333333333333e-11");
        gives("10 ^ 21", "1e21");
    }

    #[test]
    fn names_are_functions_and_constants() {
        gives("sqrt(16) + abs(-2)", "6");
        gives("√(9)", "3");
        gives("min(3, 1, 2) + max(4)", "5");
        gives("log(8, 2)", "3");
        gives("round(PI * 100) / 100", "3.14");
        gives("ln(e)", "1");
    }

    #[test]
    fn a_mistake_is_told_with_its_place_and_what_would_be_right() {
        let operand = "expected a number, a name, `(` or a sign; found";
        fails("", &format!("at character 1: {operand} the end"));
        fails("2 + * 3", &format!("at character 5: {operand} `*`"));
        fails(
            "(1 + 2",
            "at character 7: expected an operator, or `)` for the `(` at character 1; found the end",
        );
        fails(
            "2 pi",
            "at character 3: expected an operator (`+ - * / % ^`) or the end; found `p`; between factors, write `*`",
        );
        fails(
            "1,000 + 1",
            "at character 2: expected an operator (`+ - * / % ^`) or the end; found `,`; \
             write numbers without separators: `1000`, not `1,000`",
        );
        fails(
            "1.2.3",
            "at character 4: expected an operator (`+ - * / % ^`) or the end; found `.`; between factors, write `*`",
        );
        fails("1 + .", "at character 5: `.` is not a number");
        fails("sqrt 2", "at character 6: expected `(` behind `sqrt`; found `2`");
        fails("pow(2)", "at character 1: `pow` takes 2 numbers; here are 1");
        fails("max()", "at character 1: `max` takes 1 or more numbers; here are 0");
        let unknown = calculate("é + sqr(2)").unwrap_err().to_string();
        assert!(
            unknown.starts_with("at character 1: nothing is called `é`; there are abs, acos,"),
            "{unknown}"
        );
    }

    #[test]
    fn what_has_no_value_is_refused() {
        fails("1 / (2 - 2)", "at character 3: division by zero: the right side of `/` is 0");
        fails("5 % 0", "at character 3: division by zero: the right side of `%` is 0");
        fails("0 ^ -1", "at character 3: division by zero: 0 to a negative power");
        fails("sqrt(-1)", "at character 1: the result is not a real number");
        fails("10 ^ 400", "at character 4: the result is too large (over 1.79e308)");
        fails("1e999", "at character 1: the result is too large (over 1.79e308)");
    }

    #[test]
    fn nesting_is_bounded() {
        let nested = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
        gives(&nested(150), "1");
        let too_deep = "nested more than 200 levels deep; calculate a part of it first";
        fails(&nested(100_000), &format!("at character 201: {too_deep}"));
        fails(&"-".repeat(100_000), &format!("at character 201: {too_deep}"));
        fails(&"2^".repeat(100_000), &format!("at character 401: {too_deep}"));
        fails(&"abs(".repeat(100_000), &format!("at character 801: {too_deep}"));
    }
}
