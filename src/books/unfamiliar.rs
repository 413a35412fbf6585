//! Warns of a text that is all classic, and has the words of a known one and many others: notes
//! that nothing marks, as those in another typeface, or in a column without a name.

use super::identify::Identified;
use crate::diag::{Diagnostic, MORE_THAN_CLASSIC};
use crate::model::{Document, LayerKind};

/// Share of a chapter's patterns that the text must have to be compared with it.
const MIN_OF_CHAPTER: f64 = 0.5;
/// Share of the text's patterns that must be of the work. The 公羊傳, whose words of the 春秋 are
/// those of the 左傳 too, has .55, damaged copies of others .58, the 論語 with all its notes .45.
const MIN_OF_TEXT: f64 = 0.5;

/// The warning, if the text is one to warn of.
pub(super) fn remark(document: &Document, identified: &Identified) -> Option<Diagnostic> {
    let mut texts = document.segments.iter().filter(|s| s.layer.is_text());
    let work = &identified.best().filter(|best| best.listed)?.work;
    let is_of_work = |m: &&super::profile::Match| {
        m.work == *work && m.is_certain() && m.share() >= MIN_OF_CHAPTER
    };
    let of_text = identified.chapters.iter().find(is_of_work)?.of_text;
    let is_other = |kind| !matches!(kind, LayerKind::Base | LayerKind::Structure);
    if of_text >= MIN_OF_TEXT || texts.any(|s| is_other(s.layer.kind())) {
        return None;
    }
    let message = format!(
        "only {:.0} % of the words are those of the known text of {work}: the rest may be notes that \
         nothing marks",
        of_text * 100.0
    );
    let hint = "mark the notes, by brackets or small type, name the format with --from, or give a \
                plain copy of the classic with --with";
    Some(Diagnostic::warning(MORE_THAN_CLASSIC, None, message).hint(hint))
}

#[cfg(test)]
mod tests {
    use crate::pipeline;
    use crate::source::Source;

    /// True if a text is warned of.
    fn is_warned_of(text: String) -> bool {
        let library = pipeline::convert(Source::from_text("a.txt", text), None).unwrap();
        library
            .documents
            .iter()
            .flat_map(|d| &d.diagnostics)
            .any(|d| d.code == super::MORE_THAN_CLASSIC)
    }

    #[test]
    fn a_classic_with_as_many_other_words_is_warned_of() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/yili-07-judou.md");
        let bundled = std::fs::read_to_string(path).unwrap();
        let source = Source::from_text("a.md", bundled);
        let library = pipeline::convert(source, None).unwrap();
        let document = &library.documents[0];
        let classic = document.of_layer(crate::model::Layer::Jing);
        let classic: Vec<_> = classic.map(|s| document.words(s.span)).collect();
        let plain: String = classic.iter().map(|words| format!("{words}\n\n")).collect();
        let other =
            "夫人之有生，其性各異，其志不同，故觀其所好，可以知其所惡，察其所安，可以知其所危。";
        let with_notes: String = classic.iter().map(|w| format!("{w}\n\n{other}\n\n")).collect();
        assert!(!is_warned_of(plain));
        assert!(is_warned_of(with_notes));
    }
}
