//! A text whose lines alternate with those of its translation: a line of the classic, the same in
//! modern Chinese, and so on; headings may stand between.
//!
//! Both halves are judged as wholes and line by line: the second line of each pair is modern prose,
//! the first is not. A classic alone, a translation alone, and mixed passages fail.

use std::sync::Arc;

use super::{HEAD, MAX_TITLE_CHARS, is_modern_prose};
use crate::diag::{Diagnostic, Error};
use crate::model::thresholds::RECOGNISED_BY_FORM;
use crate::model::{Cover, Document, Evidence, EvidenceKind, Layer};
use crate::source::Source;
use crate::text::class::{ends_clause, ends_sentence};
use crate::text::{self, Line};

/// Least number of pairs.
const MIN_PAIRS: usize = 3;
/// So much larger is the share of lines with modern words among the second ones.
const MIN_DIFFERENCE: f64 = 0.5;

/// Recognises pairs of lines.
pub fn sniff(head: &str) -> u8 {
    let start = super::start(head);
    if start.starts_with(['<', '{', '[', '#']) || head.contains('\t') {
        return 0;
    }
    // Further on the sample of a long text has pieces, which may begin with either.
    let head = &head[..super::floor(head, HEAD)];
    if alternates(head, &roles(head)) { 70 } else { 0 }
}

/// The lines that are not empty, with their layers. The lines after a heading begin with a classic.
fn roles(text: &str) -> Vec<(Line, Layer)> {
    let mut next = Layer::Jing;
    let lines = text::lines(text).into_iter().filter(|l| !l.words.is_empty());
    let role = |line: Line| {
        let layer = if is_heading(&text[line.words.range()]) { Layer::Heading } else { next };
        next = if layer == Layer::Jing { Layer::Translation } else { Layer::Jing };
        (line, layer)
    };
    lines.map(role).collect()
}

fn is_heading(words: &str) -> bool {
    words.chars().count() <= MAX_TITLE_CHARS
        && !words.chars().any(|c| ends_sentence(c) || ends_clause(c))
}

fn alternates(text: &str, roles: &[(Line, Layer)]) -> bool {
    let of = |wanted: Layer| {
        let lines = roles.iter().filter(move |(_, layer)| *layer == wanted);
        lines.map(|(line, _)| &text[line.words.range()]).collect::<Vec<_>>()
    };
    let (classic, translation) = (of(Layer::Jing), of(Layer::Translation));
    if translation.len() < MIN_PAIRS || classic.len() > translation.len() + 1 {
        return false;
    }
    let share = |lines: &[&str]| {
        let modern = lines.iter().filter(|l| l.contains(['的', '了'])).count();
        modern as f64 / lines.len() as f64
    };
    share(&translation) - share(&classic) >= MIN_DIFFERENCE
        && is_modern_prose(&translation.join("\n"))
        && !is_modern_prose(&classic.join("\n"))
}

/// Reads. See the [module](self).
///
/// # Errors
/// None; the signature of readers requires a result.
pub fn read(source: Source) -> Result<Document, Error> {
    let source = Arc::new(source);
    let text = source.text();
    let mut cover = Cover::new(text);
    for (line, layer) in roles(text) {
        cover.to(line.words.start(), Layer::Blank);
        let evidence = Evidence::of(EvidenceKind::Layout);
        cover.inferred(line.words.end(), layer, RECOGNISED_BY_FORM, evidence);
    }
    cover.to(text.len(), Layer::Blank);
    let mut document = Document::new(Arc::clone(&source), "bitext");
    cover.finish_into(&mut document);
    let message = "lines of the classic and of its translation are read in turns";
    document.diagnostics.push(Diagnostic::info("lines-in-turns", None, message));
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: &str = "學而第一\n子曰：「學而時習之，不亦說乎？」\n孔子說：“學了又按時溫習，不是很高興的嗎？”\n\n子曰：「巧言令色，鮮矣仁。」\n孔子說：“花言巧語的人，仁德是很少的。”\n曾子曰：「吾日三省吾身。」\n曾子說：“我每天多次反省自己的言行。”\n";

    #[test]
    fn a_line_and_its_translation() {
        assert!(sniff(PAIRS) > 60);
        let d = read(Source::from_text("t.txt", PAIRS)).unwrap();
        d.check().unwrap();
        let of = |layer| d.of_layer(layer).map(|s| d.slice(s.span)).collect::<Vec<_>>();
        assert_eq!(of(Layer::Heading), ["學而第一"]);
        assert_eq!(of(Layer::Jing)[1], "子曰：「巧言令色，鮮矣仁。」");
        assert_eq!(of(Layer::Translation).len(), 3);
    }

    #[test]
    fn one_half_alone_is_something_else() {
        for kept in [0, 1] {
            let lines: Vec<&str> = PAIRS.lines().filter(|l| l.contains('：')).collect();
            let half: Vec<&str> = lines.into_iter().skip(kept).step_by(2).collect();
            assert_eq!(sniff(&half.repeat(4).join("\n")), 0);
        }
    }
}
