//! The differences as tab-separated lines, for spreadsheets and `cut`: a header, then one
//! difference of one witness on each line.

use std::io;
use std::ops::Range;

use super::CollatedChapter;
use crate::collation::{CollatedWitness, Collation, IndirectReading};
use crate::corpus::Loci;
use crate::source::Span;
use crate::text::cell::uncalculated;

/// Writes the lines.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(chapters: &[CollatedChapter<'_>], out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(
        out,
        "class\tlocus\tbase\tbase_line\tbase_column\tbase_words\twitness\tline\tcolumn\twords"
    )?;
    for chapter in chapters {
        let collation = &chapter.collation;
        let base = &collation.witnesses[collation.base];
        let loci = Loci::of(base.document);
        for n in 0..collation.witnesses.len() {
            for d in collation.differences(n) {
                let own = &collation.witnesses[n];
                let locus = near(base, d.base.clone()).and_then(|span| loci.name(span));
                let cells =
                    [d.class.id().to_string(), locus.map(|l| l.to_string()).unwrap_or_default()];
                writeln!(
                    out,
                    "{}\t{}\t{}",
                    cells.join("\t"),
                    side(base, d.base),
                    side(own, d.own)
                )?;
            }
        }
        for reading in &chapter.reported {
            let locus = near(base, reading.base.clone()).and_then(|span| loci.name(span));
            let locus = locus.map(|l| l.to_string()).unwrap_or_default();
            let (theirs, own) = (side(base, reading.base.clone()), reported(collation, reading));
            writeln!(out, "reported-{}\t{locus}\t{theirs}\t{own}", reading.difference.id())?;
        }
    }
    Ok(())
}

/// Siglum with those of the witnesses that report it, line and column of the first report, and the
/// words.
fn reported(collation: &Collation<'_>, reading: &IndirectReading) -> String {
    let reporters: Vec<&str> =
        reading.reports.iter().map(|(n, _)| collation.witnesses[*n].siglum.as_str()).collect();
    let siglum = format!("{}({})", reading.siglum, reporters.join(","));
    let first = reading.reports.first();
    let place = first.map(|(n, at)| collation.witnesses[*n].document.source.place(at.start()));
    let place = place.map_or("\t".into(), |p| format!("{}\t{}", p.line, p.column));
    let (siglum, words) = (uncalculated(&siglum), uncalculated(&reading.words));
    format!("{siglum}\t{place}\t{words}")
}

/// The first stretch of some bytes in the source; if there are none, of the byte before them.
fn near(witness: &CollatedWitness<'_>, bytes: Range<usize>) -> Option<Span> {
    let before = || bytes.start.saturating_sub(1)..bytes.start;
    let own = witness.spans(bytes.clone());
    own.first().copied().or_else(|| witness.spans(before()).first().copied())
}

/// Siglum, line, column and words of one side.
fn side(witness: &CollatedWitness<'_>, bytes: Range<usize>) -> String {
    let place = witness.document.source.place(witness.place_of(bytes.clone()));
    let words = witness.shown(bytes);
    let siglum = uncalculated(&witness.siglum).into_owned();
    format!("{siglum}\t{}\t{}\t{}", place.line, place.column, uncalculated(&words))
}
