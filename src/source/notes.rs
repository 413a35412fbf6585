//! Diagnostics about the bytes of a source.

use rustc_hash::FxHashSet;

use super::{KeptBytes, Source, Span};
use crate::diag::Diagnostic;

/// Below this certainty a person should check the encoding.
const SURE: f64 = 0.9;

/// Bytes that one diagnostic shows.
const FEW: usize = 8;

impl Source {
    /// Reports an encoding that may be wrong, and bytes that do not decode, line by line.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut all: Vec<_> = self.doubtful().into_iter().collect();
        let bad: Vec<&KeptBytes> = self.kept.iter().filter(|k| k.undecodable).collect();
        let line = |k: &KeptBytes| self.line_of(k.span.start());
        all.extend(bad.chunk_by(|a, b| line(a) == line(b)).map(|bad| self.undecodable_at(bad)));
        all.extend(self.lost());
        all
    }

    /// Characters that the file itself has as U+FFFD: another program lost them.
    fn lost(&self) -> Option<Diagnostic> {
        let undecodable: FxHashSet<usize> = self.undecodable().map(Span::start).collect();
        let signs = self.text().match_indices('\u{FFFD}').map(|(at, _)| at);
        let mut lost = signs.filter(|at| !undecodable.contains(at));
        let first = lost.next()?;
        let message =
            format!("{} characters are lost: the file has U+FFFD for them", lost.count() + 1);
        let span = Span::new(first, first + '\u{FFFD}'.len_utf8());
        let hint = "another copy of the text may have them";
        Some(Diagnostic::warning("lost-characters", span, message).hint(hint))
    }

    fn doubtful(&self) -> Option<Diagnostic> {
        let d = &self.detected;
        let next = d.alternative.filter(|_| d.certainty < SURE)?;
        // What is detected is likelier than anything else.
        let is_named = d.certainty < 0.5;
        let message = if is_named {
            format!("the encoding is named as {}, but {next} is likelier ({})", d.encoding, d.why)
        } else {
            format!(
                "the encoding is probably {}, with certainty {:.2} ({})",
                d.encoding, d.certainty, d.why
            )
        };
        let hint = format!("if the text looks wrong, name its encoding, perhaps {next}");
        Some(Diagnostic::warning("encoding-uncertain", None, message).hint(hint))
    }

    fn undecodable_at(&self, bad: &[&KeptBytes]) -> Diagnostic {
        let bytes: Vec<u8> = bad.iter().flat_map(|k| k.bytes.iter().copied()).collect();
        let shown: Vec<_> = bytes.iter().take(FEW).map(|b| format!("{b:02X}")).collect();
        let more = if bytes.len() > FEW { " …" } else { "" };
        let (named, shown) = (self.encoding(), format!("{}{more}", shown.join(" ")));
        let message = match bytes.len() {
            1 => format!(
                "1 byte in this line does not decode as {named} ({shown}); kept, and shown as U+FFFD"
            ),
            n => format!(
                "{n} bytes in this line do not decode as {named} ({shown}); kept, and shown as U+FFFD"
            ),
        };
        let span = Span::new(bad[0].span.start(), bad[bad.len() - 1].span.end());
        Diagnostic::warning("undecodable-bytes", span, message)
    }
}
