//! Lines of a child's output, whatever bytes it sends.

use std::io::{ErrorKind, Read};
use std::time::Instant;

/// The longest line that is kept, in bytes; the rest of a longer one is dropped.
pub const MAX_LINE: usize = 64 * 1024;

/// A line of output, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The text; bytes that are no UTF-8 are replaced by U+FFFD.
    pub text: String,
    /// When its last byte was read.
    pub at: Instant,
}

/// Reads lines until the end of input, or until `take` says that nobody wants more.
///
/// A last line without an end counts as a line.
pub(super) fn read_lines(mut input: impl Read, mut take: impl FnMut(Line) -> bool) {
    let mut buffer = vec![0; 16 * 1024];
    let mut line = Vec::new();
    loop {
        let read = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => break, // a pipe that cannot be read has nothing more to say
        };
        let at = Instant::now();
        let mut rest = &buffer[..read];
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            push_limited(&mut line, &rest[..end]);
            if !take(Line { text: text_of(&line), at }) {
                return;
            }
            line.clear();
            rest = &rest[end + 1..];
        }
        push_limited(&mut line, rest);
    }
    if !line.is_empty() {
        take(Line { text: text_of(&line), at: Instant::now() });
    }
}

fn push_limited(line: &mut Vec<u8>, bytes: &[u8]) {
    let room = MAX_LINE - line.len();
    line.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

fn text_of(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_end_matches('\r').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Input that comes in pieces of a few bytes, as pipes may give it.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let n = self.1.min(self.0.len());
            buffer[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    fn lines(input: &[u8], piece: usize) -> Vec<String> {
        let mut lines = Vec::new();
        read_lines(Pieces(input, piece), |line| {
            lines.push(line.text);
            true
        });
        lines
    }

    #[test]
    fn pieces_do_not_matter() {
        for piece in [1, 2, 3, 100] {
            assert_eq!(lines(b"one\n\ntwo\r\nthr\xffee", piece), ["one", "", "two", "thr\u{fffd}ee"]);
        }
    }

    #[test]
    fn a_huge_line_is_cut_and_the_next_is_whole() {
        let mut input = vec![b'x'; 3 * MAX_LINE];
        input.extend_from_slice(b"\nnext\n");
        let lines = lines(&input, 7000);
        assert_eq!((lines[0].len(), lines[1].as_str()), (MAX_LINE, "next"));
    }

    #[test]
    fn reading_ends_when_nobody_listens() {
        let mut count = 0;
        read_lines(&b"1\n2\n3\n"[..], |_| {
            count += 1;
            count < 2
        });
        assert_eq!(count, 2);
    }
}
