//! Diagnostics about the bytes of a source.

use rustc_hash::FxHashSet;

use encoding_rs::GBK;

use super::{KeptBytes, Source, Span};
use crate::diag::Diagnostic;

/// Below this certainty a person should check the encoding.
const SURE: f64 = 0.9;

/// A line is UTF-8 if it is so by this many bytes that follow others.
const MIN_OTHER_BYTES: usize = 16;

/// Bytes, or characters, that one diagnostic shows.
const FEW: usize = 8;

/// Stretches of six or more characters of the upper half of Latin-1, each with its place.
fn latin_runs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_latin = |c: char| ('\u{A1}'..='\u{FF}').contains(&c);
    let mut at = 0;
    let runs = text.split_inclusive(move |c| !is_latin(c)).map(move |part| {
        let from = at;
        at += part.len();
        (from, part.trim_end_matches(|c| !is_latin(c)))
    });
    runs.filter(|(_, run)| run.len() >= 12 && run.len() % 4 == 0)
}

impl Source {
    /// Reports an encoding that may be wrong, and bytes that do not decode, line by line.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut all: Vec<_> = self.doubtful().into_iter().collect();
        let bad: Vec<&KeptBytes> = self.kept.iter().filter(|k| k.undecodable).collect();
        let line = |k: &KeptBytes| self.line_of(k.span.start());
        all.extend(bad.chunk_by(|a, b| line(a) == line(b)).map(|bad| self.undecodable_at(bad)));
        all.extend(self.mixed());
        all.extend(self.lost());
        all.extend(self.misread());
        all.extend(self.odd_ends());
        all
    }

    /// Signs that end lines in some programs, where lines have no other ends.
    fn odd_ends(&self) -> Option<Diagnostic> {
        let text = self.text();
        let mut signs = text.match_indices(['\u{85}', '\u{2028}', '\u{2029}']);
        let (first, sign) = signs.next()?;
        let (all, ends) = (signs.count() + 1, text.matches(['\n', '\r']).count());
        let code = format!("U+{:04X}", sign.chars().next().map_or(0, u32::from));
        let span = Span::new(first, first + sign.len());
        let message =
            format!("{all} signs such as {code} may be ends of lines; they are read as none");
        let hint = "replace them by line feeds, if lines are meant";
        let warning = || Diagnostic::warning("odd-line-ends", span, message).hint(hint);
        (all > ends).then(warning)
    }

    /// Lines that are UTF-8 in a file of another encoding.
    fn mixed(&self) -> Option<Diagnostic> {
        if self.encoding() == "UTF-8" {
            return None;
        }
        let bytes = self.bytes();
        let mut lines = bytes.split(|b| *b == b'\n').enumerate().filter_map(|(n, line)| {
            let words = std::str::from_utf8(line).ok()?;
            // Few characters may be so by chance: each has three bytes that fit.
            (words.len() - words.chars().count() >= MIN_OTHER_BYTES).then(|| (n + 1, words.trim()))
        });
        let (first, words) = lines.next()?;
        let words: String = words.chars().take(FEW).collect();
        let (all, named) = (lines.count() + 1, self.encoding());
        let message = format!(
            "{all} lines are UTF-8, though the file is {named}, such as line {first}: “{words}…”"
        );
        let hint = "what they say is misread; save the file in one encoding";
        Some(Diagnostic::warning("mixed-encodings", None, message).hint(hint))
    }

    /// Words that another program read byte by byte: Latin letters without a gap, which as bytes
    /// are Chinese (Ö÷ÈËÐþ¹Ú for 主人玄冠). No language writes six of these in a row.
    fn misread(&self) -> Option<Diagnostic> {
        let mut all = latin_runs(self.text()).filter_map(|(at, run)| {
            let bytes: Vec<u8> = run.chars().filter_map(|c| u8::try_from(c as u32).ok()).collect();
            let words = GBK.decode_without_bom_handling_and_without_replacement(&bytes)?;
            Some((Span::new(at, at + run.len()), words.into_owned()))
        });
        let (span, words) = all.next()?;
        let message = format!(
            "{} places are Chinese that was read as Latin letters, such as “{words}”",
            all.count() + 1
        );
        let hint = "another copy of the text may be sound; the characters stay as they are";
        Some(Diagnostic::warning("misread-characters", span, message).hint(hint))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_that_was_read_as_latin_letters_is_named() {
        let codes = |text: &str| -> Vec<String> {
            let source = Source::from_text("a.txt", text);
            source.diagnostics().into_iter().map(|d| d.message).collect()
        };
        let said = codes("學而時習之Ö÷ÈËÐþ¹Ú有朋自遠方來");
        assert!(said.len() == 1 && said[0].contains("主人玄冠"), "{said:?}");
        assert!(codes("學而 tête-à-tête, où êtes-vous? Ööö").is_empty());
    }

    #[test]
    fn a_file_of_two_encodings_is_named() {
        let (one, other) = ("學而時習之不亦說乎，有朋自遠方來。\n", "主人玄冠朝服，緇帶素韠。\n");
        let bytes =
            [GBK.encode(&one.repeat(9)).0.into_owned(), other.repeat(9).into_bytes()].concat();
        let source = Source::decode("a.txt", bytes, Some("gb18030")).expect("it is text");
        let said: Vec<_> = source.diagnostics().into_iter().map(|d| d.message).collect();
        assert!(said.iter().any(|m| m.starts_with("9 lines are UTF-8")), "{said:?}");
    }

    #[test]
    fn ends_of_lines_that_are_none_here_are_named() {
        let codes = |text: &str| {
            let all = Source::from_text("a.txt", text).diagnostics();
            all.into_iter().filter(|d| d.code == "odd-line-ends").count()
        };
        assert_eq!(codes("學而\u{2028}時習\u{2028}不亦說乎"), 1);
        assert_eq!(codes("學而\n時習\u{85}不亦\n說乎\n"), 0);
    }
}
