//! Glosses as tab-separated lines: a header, then one gloss on each line.

use std::io;

use crate::corpus::refs::CitedPlace;
use crate::reading::glosses::PlacedGloss;
use crate::text::cell::escaped;

const HEAD: &str = "headword\tkind\tsense\twho\tlayer\tlocus\turn\tplace\tdocument\tstart\tend\tcert\t\
    found\tlemma_start\tlemma_end\twords";

/// Writes the lines. In text, tabs, line ends and backslashes are written `\t`, `\n`, `\r`, `\\`,
/// as in other tables.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(glosses: &[PlacedGloss<'_>], out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "{HEAD}")?;
    let pair = |chars: Option<(usize, usize)>| {
        chars.map_or(["".into(), "".into()], |(a, b)| [a.to_string(), b.to_string()]).join("\t")
    };
    for g in glosses {
        let (gloss, from) = (&g.gloss, &g.from);
        let locus = from.locus.as_ref();
        writeln!(
            out,
            "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
            escaped(&gloss.headword),
            gloss.kind.id(),
            escaped(&gloss.sense),
            escaped(gloss.who.as_deref().unwrap_or_default()),
            gloss.layer,
            escaped(&locus.map(ToString::to_string).unwrap_or_default()),
            escaped(&locus.map(|l| l.urn(Some(&from.document.id))).unwrap_or_default()),
            escaped(&from.line()),
            escaped(&from.document.id),
            pair(Some(from.chars())),
            gloss.certainty,
            gloss.place.id(),
            pair(g.lemma.as_ref().map(CitedPlace::chars)),
            escaped(&from.words()),
        )?;
    }
    Ok(())
}
