//! References as tab-separated lines: a header, then one on each line.

use std::io;

use crate::corpus::refs::{CitedPlace, Reference};
use crate::text::cell::uncalculated;

const HEAD: &str = "locus\tplace\tlayer\tkind\tstatus\tcert\twork\twords\tquoted\ttarget\ttarget_place\ttarget_words\tevidence";

/// Writes the lines. Tabs and line ends inside the text become blanks.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(references: &[Reference<'_>], out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "{HEAD}")?;
    for r in references {
        let (from, link) = (&r.from, r.link);
        let quoted =
            link.quoted.map(|q| CitedPlace { span: q, ..from.clone() }.words()).unwrap_or_default();
        let quoted = uncalculated(&quoted);
        let locus =
            |p: &CitedPlace<'_>| p.locus.as_ref().map(ToString::to_string).unwrap_or_default();
        let to =
            r.to.as_ref()
                .map(|t| [locus(t), t.line(), uncalculated(&t.words()).into_owned()])
                .unwrap_or_default()
                .join("\t");
        writeln!(
            out,
            "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{quoted}\t{to}\t{}",
            locus(from),
            from.line(),
            link.layer,
            link.kind.id(),
            link.status.id(),
            link.certainty,
            uncalculated(link.work.as_deref().unwrap_or_default()),
            uncalculated(&from.words()),
            crate::writers::codes(&link.evidence)
        )?;
    }
    Ok(())
}
