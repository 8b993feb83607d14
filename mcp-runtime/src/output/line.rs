//! A message as one line, whatever the reader takes for the end of one.

/// The JSON text without anything that a reader could take for a line break.
///
/// "Messages are delimited by newlines, and MUST NOT contain embedded newlines" (basic/transports/stdio), and in an
/// event stream a newline ends a `data` line. Raw newlines are white space between tokens, of JSON that a handler had as
/// text. U+2028, U+2029 and U+0085 are allowed inside JSON strings, but widespread readers (`readline` of Node,
/// `splitlines` of Python) end a line there, so they are escaped.
pub(crate) fn on_one_line(json: Vec<u8>) -> Vec<u8> {
    // In blocks, and without a branch for each byte, so that it costs an ordinary message next to nothing.
    let is_suspect = |byte: u8| matches!(byte, b'\n' | b'\r' | 0xE2 | 0xC2);
    let suspect = |block: &[u8]| block.iter().fold(false, |found, byte| found | is_suspect(*byte));
    if !json.chunks(64).any(suspect) {
        return json;
    }
    let mut line = Vec::with_capacity(json.len() + 16);
    let mut rest = json.as_slice();
    while let Some(at) = rest.iter().position(|byte| is_suspect(*byte)) {
        let (before, found) = rest.split_at(at);
        line.extend_from_slice(before);
        let (replacement, width): (&[u8], usize) = match found {
            [b'\n' | b'\r', ..] => (b" ", 1),
            [0xE2, 0x80, 0xA8, ..] => (br"\u2028", 3),
            [0xE2, 0x80, 0xA9, ..] => (br"\u2029", 3),
            [0xC2, 0x85, ..] => (br"\u0085", 2),
            _ => (&found[..1], 1),
        };
        line.extend_from_slice(replacement);
        rest = &found[width..];
    }
    line.extend_from_slice(rest);
    line
}

#[cfg(test)]
mod tests {
    use super::on_one_line;

    fn line(json: &str) -> String {
        String::from_utf8(on_one_line(json.as_bytes().to_vec())).expect("it stays text")
    }

    #[test]
    fn line_breaks_of_every_kind_are_gone_and_mean_the_same() {
        assert_eq!(line("{\"a\":\r\n  1,\n\"b\":\"x\\ny\"}"), "{\"a\":    1, \"b\":\"x\\ny\"}");
        assert_eq!(line("\"a\u{2028}b\u{2029}c\u{85}\""), r#""a\u2028b\u2029c\u0085""#);
    }

    #[test]
    fn other_text_is_untouched() {
        let text = format!("\"{}caf\u{e9} \u{a9} \u{20ac} \u{201c} \u{1f600} \\u2028\"", "x".repeat(200));
        assert_eq!(line(&text), text);
    }
}
