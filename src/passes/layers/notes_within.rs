//! Notes that stand in the classic and that nothing marks: an editor's 伯峻案 after a reading of
//! 釋文. They are not cut out, since nothing shows where they end; but what has them is doubtful, and
//! said.

use std::sync::LazyLock;

use regex::Regex;

use crate::diag::Diagnostic;
use crate::model::{Certainty, Document, Evidence, EvidenceKind, LayerKind, Segment, is_decided};
use crate::text::pattern;

/// Words of notes on the text that a classic does not have, each kind a group.
static WORDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?P<editor>(?:^|[，。；：！？」”’\s])[\p{Han}--[謹谨臣]]{0,3}[案按]：)",
        r"|(?P<readings>[釋释]文(?:云|作|曰)|[：，。；音云][\p{Han}--[謀谋一不相]]{2}[切反][。，；])",
        r"|(?P<copies>[各諸诸今俗宋元]本[作無无同]|本[並并亦]?作「|\p{Han}[藏堂]本)",
    ))
});
/// Passages of the classic with such words from which a text is reported, and one in so many.
const LEAST: usize = 5;
const ONE_IN: usize = 50;
/// How certain it is that a piece with them is classic.
const CERTAINTY: f64 = 0.3;

/// Runs after the layers are known.
pub(super) fn report(document: &mut Document) {
    // A text without notes is plain, and its words are its own.
    let is_note = |s: &Segment| s.layer.kind() == LayerKind::Note;
    if document.settled || !document.segments.iter().any(is_note) {
        return;
    }
    let classic = |s: &&Segment| s.layer.kind() == LayerKind::Base;
    let mut kinds = [0; 3];
    let (mut all, mut found) = (0, vec![]);
    for (n, segment) in document.segments.iter().enumerate().filter(|(_, s)| classic(s)) {
        all += 1;
        let words = document.words(segment.span);
        let Some(captures) = WORDS.captures(&words) else { continue };
        let names = ["editor", "readings", "copies"];
        let has = |name| usize::from(captures.name(name).is_some());
        kinds.iter_mut().zip(names).for_each(|(kind, name)| *kind += has(name));
        found.push(n);
    }
    let several = kinds.iter().filter(|kind| **kind > 1).count() > 1;
    if !several || found.len() < LEAST || found.len() * ONE_IN < all {
        return;
    }
    let first = document.segments[found[0]].span;
    let message = format!(
        "{} of {all} pieces of the classic have words of notes in them (釋文云, 案：, 某本作), which \
         nothing sets apart",
        found.len()
    );
    let hint = "give a plain copy of the classic with --with, or decide them with “zhushu review”";
    document.diagnostics.push(Diagnostic::warning("notes-in-classic", first, message).hint(hint));
    for n in found {
        let segment = &mut document.segments[n];
        if segment.certainty.get() > CERTAINTY && !is_decided(&segment.evidence) {
            segment.certainty = Certainty::new(CERTAINTY);
            segment.evidence.push(Evidence::of(EvidenceKind::GlossForm));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Layer;

    #[test]
    fn pieces_with_words_of_notes_are_doubtful() {
        let with = "吸风饮露，释文云：吸，许及切。不食五谷；";
        let without = "心如渊泉，形如处女；不偎不爱，仙圣为之臣；";
        let editor = "不畏不怒，伯峻案：畏读为威。愿悫为之使；";
        let pieces: Vec<(Layer, &str)> = [with, without, editor, with, editor, with]
            .into_iter()
            .flat_map(|words| [(Layer::Jing, words), (Layer::Zhu, "注也。")])
            .collect();
        let mut document = Document::of_pieces(&pieces);
        report(&mut document);
        let codes: Vec<&str> = document.diagnostics.iter().map(|d| &*d.code).collect();
        assert_eq!(codes, ["notes-in-classic"]);
        let doubtful = document.segments.iter().filter(|s| s.certainty.get() < 0.5);
        assert_eq!(doubtful.count(), 5);
        let mut plain = Document::of_pieces(&[(Layer::Jing, without), (Layer::Zhu, with)]);
        report(&mut plain);
        assert!(plain.diagnostics.is_empty());
    }
}
