//! Reads lines that are not longer than a message may be.

use std::io::{self, BufRead, Read};

/// Most bytes of a message: a whole book may be given to be verified.
const MOST: u64 = 1 << 24;

/// What comes next.
pub(super) enum NextLine {
    /// A line, with its end.
    Words(Vec<u8>),
    /// A longer one, which was passed over.
    TooLong,
    /// Nothing.
    End,
}

/// Reads the next line.
///
/// # Errors
/// When reading fails.
pub(super) fn next(input: &mut impl BufRead) -> io::Result<NextLine> {
    let mut line = vec![];
    input.by_ref().take(MOST).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(NextLine::End);
    }
    if line.len() as u64 == MOST && !line.ends_with(b"\n") {
        pass_over(input)?;
        return Ok(NextLine::TooLong);
    }
    Ok(NextLine::Words(line))
}

fn pass_over(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let there = input.fill_buf()?;
        let (used, is_end) = match there.iter().position(|b| *b == b'\n') {
            Some(at) => (at + 1, true),
            None => (there.len(), there.is_empty()),
        };
        input.consume(used);
        if is_end {
            return Ok(());
        }
    }
}
