//! basic/transports/stdio: "Messages are delimited by newlines."

use bytes::Bytes;

use super::super::framing::{Framer, Line};

fn message(text: impl Into<Vec<u8>>) -> Line {
    Line::Message(Bytes::from(text.into()))
}

/// The lines of `input`, read in pieces of `piece` bytes.
fn lines(input: &[u8], piece: usize, limit: usize) -> Vec<Line> {
    let mut framer = Framer::new(limit);
    let mut lines = Vec::new();
    let mut rest = input;
    while !rest.is_empty() {
        let space = framer.space();
        let count = space.len().min(piece).min(rest.len());
        space[..count].copy_from_slice(&rest[..count]);
        rest = &rest[count..];
        framer.filled(count);
        lines.extend(std::iter::from_fn(|| framer.next_line()));
    }
    lines.extend(framer.last_line());
    lines
}

/// However the stream is cut, the lines are the same.
fn assert_lines(input: &[u8], limit: usize, expected: &[Line]) {
    for piece in [1, 2, 3, 7, 1000, 64 * 1024, usize::MAX] {
        assert_eq!(lines(input, piece, limit), expected, "in pieces of {piece}");
    }
}

#[test]
fn lines_end_with_a_newline_or_the_stream() {
    assert_lines(b"one\ntwo\n", 10, &[message("one"), message("two")]);
    assert_lines(b"one\ntwo", 10, &[message("one"), message("two")]);
    assert_lines(b"", 10, &[]);
}

#[test]
fn carriage_returns_and_blank_lines_are_tolerated() {
    assert_lines(b"\r\n\none\r\n \t \ntwo\r\n\r", 3, &[message("one"), message("two")]);
}

#[test]
fn a_line_of_the_limit_is_taken_and_one_more_is_not() {
    assert_lines(b"12345\r\n123456\r\n1", 5, &[message("12345"), Line::TooLong, message("1")]);
    assert_lines(b"123456", 5, &[Line::TooLong]);
    assert_lines(b"12345\r", 5, &[message("12345")]);
}

#[test]
fn a_line_that_is_too_long_is_told_once_and_skipped() {
    let mut input = vec![b'x'; 300_000];
    input.extend_from_slice(b"\nnext\n");
    input.extend(std::iter::repeat_n(b'y', 300_000));
    assert_lines(&input, 100_000, &[Line::TooLong, message("next"), Line::TooLong]);
}

#[test]
fn lines_of_all_sizes_come_whole() {
    let sizes = [1, 8191, 8192, 8193, 65_535, 65_536, 65_537, 200_000, 3, 100_000, 1];
    let expected: Vec<Line> = sizes.iter().map(|size| message(vec![b'x'; *size])).collect();
    let mut input = Vec::new();
    for size in sizes {
        input.extend(std::iter::repeat_n(b'x', size));
        input.push(b'\n');
    }
    for piece in [1000, 64 * 1024, usize::MAX] {
        assert_eq!(lines(&input, piece, 200_000), expected, "in pieces of {piece}");
    }
}

#[test]
fn a_large_line_stays_where_it_was_read() {
    let mut framer = Framer::new(100_000);
    let space = framer.space();
    space[..20_001].fill(b'x');
    space[20_000] = b'\n';
    let place = space.as_ptr();
    framer.filled(20_001);
    let Some(Line::Message(line)) = framer.next_line() else { panic!("it is a line") };
    assert_eq!((line.as_ptr(), line.len()), (place, 20_000));
}

#[test]
fn a_small_line_does_not_hold_the_buffer() {
    let mut framer = Framer::new(100_000);
    let space = framer.space();
    space[..6].copy_from_slice(b"small\n");
    let place = space.as_ptr();
    framer.filled(6);
    let Some(Line::Message(line)) = framer.next_line() else { panic!("it is a line") };
    assert_ne!(line.as_ptr(), place);
    // The buffer is used again.
    assert_eq!(framer.space().as_ptr(), place);
}
