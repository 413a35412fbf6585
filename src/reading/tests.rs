//! The chapter and its groupings, on small documents and on documents made at random.

use proptest::prelude::*;

use super::*;
use crate::model::Layer;
use crate::model::Layer::*;
use crate::model::{Certainty, Division, Document};
use crate::source::Source;

fn id(d: &Document, p: &Portion) -> String {
    d.segments[p.segment()].id.to_string()
}

/// Passages as ids of segments: `x1+z1 z2 [h1|s1 s2]`.
fn shape(d: &Document) -> Vec<String> {
    let block = |b: &Block| b.portions.iter().map(|p| id(d, p)).collect::<Vec<_>>().join("+");
    let said = |c: &SubCommentary| {
        let blocks: Vec<_> = c.blocks.iter().map(block).collect();
        let header: String = c.header.iter().map(|p| id(d, p)).collect();
        format!("[{header}|{}]", blocks.join(" "))
    };
    let one = |p: &Passage| {
        let all: Vec<_> = p.text.iter().map(block).chain(p.commentaries.iter().map(said)).collect();
        all.join(" ")
    };
    let chapter = Chapter::of(d);
    Passages::of(&chapter, d).iter().map(|p| one(&p)).collect()
}

fn divide(d: &mut Document, n: u32, from: usize, to: usize) {
    let (title, evidence) = (None, vec![]);
    d.divisions.push(Division {
        n,
        title,
        span: Span::new(from, to),
        certainty: Certainty::SURE,
        evidence,
    });
}

#[test]
fn a_passage_is_classic_with_what_is_said_about_it() {
    let d = Document::of_pieces(&[
        (Jing, "一。"),
        (Zhu, "注。"),
        (Blank, "\n\n"),
        (Mark, "[疏]"),
        (ShuHeader, "首。"),
        (Shu, "疏。"),
        (Blank, "\n\n"),
        (Jing, "二。"),
        (Zhu, "注。"),
        (Jing, "三。"),
        (Blank, "\n\n"),
        (Jing, "四。"),
    ]);
    assert_eq!(shape(&d), ["x1 z1 [h1|s1]", "x2 z2", "x3", "x4"]);
    let chapter = Chapter::of(&d);
    // x1 to the 疏 are one group, then x2 z2, x3, x4.
    assert_eq!(groups(&chapter, &d), [0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3]);
    let all: Vec<_> = paragraphs(&chapter)
        .iter()
        .map(|p| p.header.iter().chain(&p.portions).map(|p| id(&d, p)).collect::<String>())
        .collect();
    assert_eq!(all, ["x1z1", "h1s1", "x2z2x3", "x4"]);
}

#[test]
fn a_note_inside_a_sentence_stays_there_and_so_does_an_editors_note() {
    let d = Document::of_pieces(&[
        (Jing, "一,"),
        (Zhu, "注"),
        (Jing, "二。"),
        (Zhu, "注"),
        (An, "案"),
        (Zhu, "注"),
        (Jing, "三。"),
    ]);
    assert_eq!(shape(&d), ["x1+z1+x2 z2+a1+z3", "x3"]);
}

#[test]
fn a_paragraph_of_commentary_ends_with_its_line_but_an_editors_note_ends_nothing() {
    let d = Document::of_pieces(&[
        (Jing, "一。"),
        (Shu, "甲。"),
        (An, "案。"),
        (Shu, "乙。"),
        (Blank, "\n"),
        (Shu, "丙。"),
    ]);
    assert_eq!(shape(&d), ["x1 [|s1+a1+s2 s3]"]);
    let layers: Vec<_> =
        paragraphs(&Chapter::of(&d)).iter().map(|p| (p.layer, p.portions.len())).collect();
    assert_eq!(layers, [(Jing, 1), (Shu, 3), (Shu, 1)]);
}

#[test]
fn a_note_on_its_own_line_belongs_to_the_text_before_it() {
    let shown = |d: &Document| {
        let all = paragraphs(&Chapter::of(d)).into_iter();
        let one = |p: Paragraph| p.header.iter().chain(&p.portions).map(|p| id(d, p)).collect();
        all.map(one).collect::<Vec<String>>()
    };
    let d = Document::of_pieces(&[
        (Heading, "題"),
        (Blank, "\n"),
        (Yin, "音。"),
        (Blank, "\n"),
        (Jing, "一。"),
        (Zhu, "注。"),
        (Blank, "\n"),
        (Mark, "○"),
        (Yin, "音。"),
        (Blank, "\n"),
        (Yin, "音。"),
        (Blank, "\n"),
        (Jing, "二。"),
        (Blank, "\n"),
        (Shu, "疏。"),
        (Blank, "\n"),
        (Yin, "音。"),
    ]);
    // Notes that no text is before are alone: after a heading, after a sub-commentary.
    assert_eq!(shown(&d), ["t1", "y1", "x1z1y2y3", "x2", "s1", "y4"]);
    // Text after a note that is alone is no part of its paragraph.
    let d = Document::of_pieces(&[(Heading, "題"), (Blank, "\n"), (Zhu, "注。"), (Jing, "一。")]);
    assert_eq!(shown(&d), ["t1", "z1", "x1"]);
}

#[test]
fn a_segment_that_two_sections_share_is_cut_into_fragments() {
    let mut d = Document::of_pieces(&[(Jing, "一。二。三。四。"), (Zhu, "注。")]);
    // A division that begins inside a sentence begins with it.
    divide(&mut d, 1, 9, 12);
    divide(&mut d, 2, 12, 24);
    let chapter = Chapter::of(&d);
    let sections: Vec<_> = chapter.sections.iter().map(|s| s.division).collect();
    assert_eq!(sections, [None, Some(0), Some(1), None]);
    let fragments: Vec<_> = chapter.portions.iter().map(|p| chapter.fragment(p)).collect();
    assert_eq!(fragments, [Some("I"), Some("M"), Some("F"), None]);
}

#[test]
fn gaps_say_what_is_between_elements_of_text() {
    let d = Document::of_pieces(&[
        (Jing, "一。"),
        (Furniture, "頁\n"),
        (Jing, "二。"),
        (Mark, "○"),
        (Zhu, "注"),
        (Blank, "\n"),
        (Zhu, "注"),
    ]);
    let gaps: Vec<_> = Chapter::of(&d)
        .text()
        .map(|(_, e)| (e.gap.ends_paragraph(), e.gap.blank_line(), e.gap.furniture()))
        .collect();
    assert_eq!(
        gaps,
        [(false, false, false), (true, false, true), (false, false, false), (true, true, false)]
    );
}

#[test]
fn pointers_name_sentences_and_prefer_words() {
    let text = "卒射。降,反位。\n坐";
    let d = Document::of_pieces(&[(Jing, text), (Blank, "\n"), (Zhu, "注。")]);
    let chapter = ChapterText::of(&d);
    let at = text.find('反').unwrap();
    assert_eq!(chapter.word_range(Span::new(at, at + 6)).unwrap().to_string(), "x1.2:2-x1.2:4");
    assert_eq!(chapter.word_range(Span::new(0, text.len())).unwrap().to_string(), "x1.1:0-x1.3:1");
    let ids = |from, to| {
        let all = chapter.pointed(Span::new(from, to)).map(|e| chapter.id(e).to_string());
        all.collect::<Vec<_>>().join(" ")
    };
    // The full stop alone points at its sentence; with words beside it the words count.
    assert_eq!(ids(6, 9), "x1.1");
    assert_eq!(ids(6, 12), "x1.2");
    // A blank between segments may have no element.
    assert_eq!(ids(text.len(), text.len() + 1), "");
    assert!(chapter.word_range(Span::new(text.len(), text.len() + 1)).is_none());
}

#[test]
fn segments_without_sound_ids_are_numbered() {
    let mut d = Document::new(std::sync::Arc::new(Source::from_text("a.txt", "一")), "test");
    d.segments = vec![crate::model::Segment::marked(Jing, Span::new(0, 3))].into();
    for wrong in ["", "x", "1", "X1", "xx1", "x1.2"] {
        d.segments[0].id = wrong.into();
        assert_eq!(ChapterText::of(&d).document.segments[0].id, "x1", "{wrong}");
    }
    d.segments[0].id = "x7".into();
    assert_eq!(ChapterText::of(&d).document.segments[0].id, "x7");
}

fn pieces() -> impl Strategy<Value = Vec<(Layer, &'static str)>> {
    let layers = vec![
        Jing,
        Jing,
        Zhu,
        Zhu,
        An,
        Shu,
        ShuHeader,
        Layer::Named(crate::model::Commentary::JISHI),
        Label,
        Heading,
        Translation,
        Undivided,
        Mark,
        Furniture,
        Blank,
        Blank,
        Other,
    ];
    let texts = vec!["一,", "二。", "三。四。", "五", "。", "\n", " "];
    prop::collection::vec((prop::sample::select(layers), prop::sample::select(texts)), 0..40)
}

fn document() -> impl Strategy<Value = Document> {
    (pieces(), prop::collection::vec(0..4usize, 0..8)).prop_map(|(pieces, cuts)| {
        let mut d = Document::of_pieces(&pieces);
        // Divisions from one character to another; some leave a stretch out.
        let starts: Vec<usize> = d.source.text().char_indices().map(|(i, _)| i).collect();
        let mut at = 0;
        for (n, cut) in cuts.into_iter().enumerate() {
            let (from, to) = (at + cut, at + cut + 5);
            let Some(end) = starts.get(to).copied() else { break };
            divide(&mut d, n as u32 + 1, starts[from], end);
            at = to;
        }
        d
    })
}

proptest! {
    #[test]
    fn every_character_is_in_one_element_one_portion_and_one_section(d in document()) {
        let chapter = Chapter::of(&d);
        let mut at = 0;
        for e in &chapter.elements {
            prop_assert_eq!(e.span.start(), at);
            prop_assert!(d.segments[e.segment()].span.contains(e.span));
            at = e.span.end();
        }
        prop_assert_eq!(at, d.source.text().len());
        let portions = chapter.sections.iter().flat_map(|s| s.portions.clone());
        prop_assert!(portions.eq(0..chapter.portions.len()));
        let elements = chapter.portions.iter().flat_map(|p| p.elements().clone());
        prop_assert!(elements.eq(0..chapter.elements.len()));
        prop_assert!(chapter.sections.windows(2).all(|s| s[0].division != s[1].division));
    }

    #[test]
    fn groupings_keep_all_text_in_order_and_stay_inside_sections(d in document()) {
        let chapter = Chapter::of(&d);
        let text: Vec<_> = chapter.text().map(|(p, _)| p.clone()).collect();
        let division = |p: &Portion| chapter.first(p).division();

        let passages: Vec<_> = Passages::of(&chapter, &d).iter().collect();
        let all: Vec<_> = passages.iter().flat_map(|p| p.portions().cloned()).collect();
        prop_assert_eq!(&all, &text);
        prop_assert!(passages.iter().all(|one| one.portions().all(|p| division(p) == one.division)));

        let paragraphs = paragraphs(&chapter);
        let parts = |p: &Paragraph| p.header.iter().chain(&p.portions).cloned().collect::<Vec<_>>();
        let all: Vec<_> = paragraphs.iter().flat_map(parts).collect();
        prop_assert_eq!(&all, &text);
        prop_assert!(
            paragraphs.iter().all(|one| parts(one).iter().all(|p| division(p) == one.division))
        );

        let groups = groups(&chapter, &d);
        prop_assert_eq!(groups.len(), d.segments.len());
        prop_assert!(groups.windows(2).all(|g| g[0] <= g[1]));
    }

    #[test]
    fn pointers_lie_where_the_span_does(d in document(), from in 0..60usize, len in 0..30usize) {
        let starts: Vec<usize> =
            d.source.text().char_indices().map(|(i, _)| i).chain([d.source.text().len()]).collect();
        let at = |i: usize| starts[i.min(starts.len() - 1)];
        let span = Span::new(at(from), at(from + len));
        let chapter = ChapterText::of(&d);
        let met = chapter.meet(span);
        for e in chapter.elements[met.clone()].iter().chain(chapter.pointed(span)) {
            prop_assert!(e.span.overlap(span) > 0 || span.is_empty());
        }
        prop_assert_eq!(met.is_empty(), chapter.word_range(span).is_none());
    }
}
