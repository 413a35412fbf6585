//! The alignment as tab-separated lines, for spreadsheets and `cut`: a header, then one bead on
//! each line.

use std::io;

use crate::model::{Alignment, Document};
use crate::source::Span;
use crate::text::cell::uncalculated;

/// Writes the lines. Line ends inside the text are left out, tabs become blanks.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(
    alignment: &Alignment,
    classic: &Document,
    translation: &Document,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    writeln!(out, "classic\ttranslation\tcert\tevidence")?;
    for bead in &alignment.beads {
        let (a, b) = (words(classic, &bead.source), words(translation, &bead.translation));
        writeln!(
            out,
            "{a}\t{b}\t{:.3}\t{}",
            bead.certainty.get(),
            super::reasons(bead).join("; ")
        )?;
    }
    Ok(())
}

fn words(document: &Document, spans: &[Span]) -> String {
    uncalculated(&document.line_of(spans).replace('\t', " ")).into_owned()
}
