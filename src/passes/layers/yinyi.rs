//! Tells 音義 (readings of characters) from other words that follow a ○, by their form: X音Y, X
//! YZ反, 依註音, 又如字, 後同.
//!
//! Assumes that a ○ inside a note opens something new, as 句讀 and the prints with 釋文 have it. A
//! piece counts as 音義 when such glosses fill it (remarks between them, such as 蔽膝也, are part
//! of the habit), not when it merely holds one: 反 and 音 are also ordinary words (即反位, 八音). A
//! lone gloss must be all there is, and its head ought to occur in the words glossed.

use std::sync::LazyLock;

use regex::Regex;

use crate::model::{Certainty, Document, Evidence, EvidenceKind, Layer, LayerKind, Segment};
use crate::passes::context::Context;
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{circles, is_content};

/// A gloss: what is glossed, whose reading it is, the reading, further readings, and how far it
/// holds.
static GLOSS: LazyLock<Regex> = LazyLock::new(|| {
    let reading = "(?:音.|[^反音]{2}反|[^切音]{2}切|如字|[平上去入]聲|本[又亦或]作.|[又亦]作.)";
    let whose = "(?:[依從][註注字]|[又一或舊並竝劉徐沈戚李鄭王范])";
    let scope =
        "(?:(?:[後后下][文章]?|[註注]文?|篇[內内]|[並竝皆])+(?:皆|並)?(?:同|放此)(?:[者也])?)";
    let pattern =
        format!("([^反音]{{1,3}}?){whose}?{whose}?{reading}(?:{whose}?{whose}?{reading}|{scope})*");
    Regex::new(&pattern).expect("a fixed pattern")
});
/// Where the readings are from, before the first gloss.
static SOURCE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        "^(?:圖解|[釋释]文(?:[云雲曰])?|[陸陆]氏?(?:[德徳]明)?(?:音[義义])?(?:[云雲曰])?|音[義义])",
    )
    .expect("a fixed pattern")
});
/// Characters that stand before 反 as a verb (即反位) and never spell a final.
const BEFORE_VERB: &str = "即遂而乃既俱復";
/// Glosses must fill at least this share of a piece of several.
const FILLS: f64 = 0.6;
/// How far back the head of a lone gloss is looked for, in characters.
const BACK: usize = 300;

/// Pieces after a ○ that say what a text uses it for, at least; and the share that must hold a
/// gloss to be its habit.
const ENOUGH: usize = 5;
const HABIT: f64 = 0.7;
/// How sure it is that a further piece of such a text is 音義 too.
const BY_HABIT: f64 = 0.85;

/// Runs the pass.
pub fn run(document: &mut Document, _: &Context<'_>) {
    if circles(document.source.text()).next().is_none() {
        return;
    }
    let habit = habit(document);
    let segments = std::mem::take(&mut document.segments);
    let mut out = Vec::with_capacity(segments.len());
    for s in segments {
        if is_asked(document, &s) {
            out.extend(pieces(document, s, habit));
        } else {
            out.push(s);
        }
    }
    document.segments = out;
}

/// True for a note, not yet 音義, that has a ○.
fn is_asked(document: &Document, s: &Segment) -> bool {
    s.layer.kind() == LayerKind::Note
        && s.layer != Layer::Yin
        && circles(document.slice(s.span)).next().is_some()
}

/// True if nearly all that follows a ○ in the notes of a text holds a gloss: then it is the mark of
/// 陸德明, as in the prints with 釋文, and not that of a second commentator.
fn habit(document: &Document) -> bool {
    let (mut all, mut glossed) = (0usize, 0usize);
    for s in document.segments.iter().filter(|s| is_asked(document, s)) {
        for (piece, _) in cut(document, s.span).into_iter().filter(|p| p.1) {
            all += 1;
            glossed += usize::from(GLOSS.is_match(&bare(document, piece)));
        }
    }
    all >= ENOUGH && glossed as f64 >= HABIT * all as f64
}

/// A stretch cut at its circles, and whether a circle opens the piece.
fn cut(document: &Document, span: Span) -> Vec<(Span, bool)> {
    let text = document.source.text();
    let inside = circles(document.slice(span)).filter(|at| *at > 0).map(|at| span.start() + at);
    let cuts: Vec<usize> =
        std::iter::once(span.start()).chain(inside).chain([span.end()]).collect();
    let opens = |at: usize| text[at..].starts_with(['○', '◯', '〇']);
    cuts.windows(2).map(|w| (Span::new(w[0], w[1]), opens(w[0]))).collect()
}

/// The segment cut at its ○, each 音義 in its own layer and the rest joined again as it was.
fn pieces(document: &Document, whole: Segment, habit: bool) -> Vec<Segment> {
    let mut out: Vec<Segment> = vec![];
    for (span, opens) in cut(document, whole.span) {
        let by_habit = || {
            habit.then(|| {
                (
                    Certainty::new(BY_HABIT),
                    Evidence::new(
                        EvidenceKind::CircleHabit,
                        "nearly every ○ in the notes opens readings",
                    ),
                )
            })
        };
        let judged = opens.then(|| judge(document, span).or_else(by_habit)).flatten();
        match (judged, out.last_mut()) {
            (Some((certainty, why)), _) => {
                out.push(Segment::inferred(Layer::Yin, span, certainty, vec![why]))
            }
            (None, Some(last)) if last.layer == whole.layer => {
                last.span = Span::new(last.span.start(), span.end())
            }
            (None, _) => out.push(Segment { span, ..whole.clone() }),
        }
    }
    out
}

/// The characters that carry words, without the ○ before them.
fn bare(document: &Document, span: Span) -> String {
    document.words(span).chars().skip(1).filter(|c| is_content(*c)).collect()
}

/// Certainty and evidence if the words of `span` are 音義.
fn judge(document: &Document, span: Span) -> Option<(Certainty, Evidence)> {
    let bare = bare(document, span);
    let glosses = SOURCE.find(&bare).map_or(&bare[..], |m| &bare[m.end()..]);
    let found: Vec<_> = GLOSS
        .captures_iter(glosses)
        .filter_map(|c| Some((c.get(0)?, c.get(1)?.as_str())))
        .collect();
    let (first, last) = (found.first()?.0, found.last()?.0);
    let covered: usize = found.iter().map(|(m, _)| m.as_str().chars().count()).sum();
    let all = glosses.chars().count();
    let share = covered as f64 / all as f64;
    let p = match found.len() {
        1 if first.start() > 0 || last.end() < glosses.len() || is_verb(first.as_str()) => {
            return None;
        }
        1 if occurs_before(document, span.start(), found[0].1) => 0.985,
        1 => 0.8,
        _ if first.start() > 0 || share < FILLS => return None,
        _ => 0.6 + 0.395 * share,
    };
    let glosses = if found.len() == 1 { "gloss" } else { "glosses" };
    let detail = format!(
        "{} {glosses} of the forms X音Y, XY反 … fill {covered} of {all} characters",
        found.len()
    );
    Some((Certainty::new(p), Evidence::new(EvidenceKind::GlossForm, detail)))
}

/// True for such as 爵即反: 反 "goes back to".
fn is_verb(gloss: &str) -> bool {
    let mut back = gloss.chars().rev();
    back.next() == Some('反') && back.next().is_some_and(|c| BEFORE_VERB.contains(c))
}

fn occurs_before(document: &Document, at: usize, head: &str) -> bool {
    let text = document.source.text();
    let from = text[..at].char_indices().rev().nth(BACK).map_or(0, |(i, _)| i);
    let before = Key::of(text, Span::new(from, at)).chars;
    Key::of(head, Span::new(0, head.len())).chars.iter().any(|c| before.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Commentary;
    use crate::source::Source;
    use std::sync::Arc;

    const JU: Layer = Layer::Named(Commentary::JU);

    fn layer_of(before: &str, piece: &str) -> Layer {
        let text = format!("{before}{piece}");
        let mut d = Document::new(Arc::new(Source::from_text("t.md", text.as_str())), "judou");
        let cut = before.len();
        d.segments = vec![
            Segment::marked(Layer::Zhu, Span::new(0, cut)),
            Segment::marked(JU, Span::new(cut, text.len())),
        ];
        run(&mut d, &Context::new(&Default::default()));
        d.check().unwrap();
        d.segments.last().unwrap().layer
    }

    #[test]
    fn glosses_are_told_from_remarks() {
        for yin in [
            "○鑮音博",
            "○參依註音糝素感反干依註音豻五旦反",
            "○還音旋後同",
            "○圖解錯音厝个音幹",
            "○純之閏反又章允反",
            "○朝直遥反緇側其反韠音畢蔽膝也繒自陵反",
            "○陸氏觚依註音觶",
            "○長，丁丈反。別，彼列反。稚音值。行，下孟反，下文皆同。",
        ] {
            assert_eq!(layer_of("鑮還錯純觚", yin), Layer::Yin, "{yin}");
        }
        for ju in [
            "○公授賓爵即反位",
            "○三耦反位反次北面西北上之位",
            "○亦獻後布席也",
            "○八音克諧",
            "○首三句為一聨慶叶疆音羌正令二句又自相叶",
            "○",
        ] {
            assert_eq!(layer_of("公授賓", ju), JU, "{ju}");
        }
    }

    #[test]
    fn a_note_is_cut_at_its_circles_only_where_readings_follow() {
        let text = "建猶樹也○此鼓在東○鼗音桃";
        let mut d = Document::new(Arc::new(Source::from_text("t", text)), "plain");
        d.segments = vec![Segment::marked(Layer::Zhu, Span::new(0, text.len()))];
        run(&mut d, &Context::new(&Default::default()));
        let got: Vec<_> = d.segments.iter().map(|s| (s.layer, d.slice(s.span))).collect();
        assert_eq!(got, [(Layer::Zhu, "建猶樹也○此鼓在東"), (Layer::Yin, "○鼗音桃")]);
    }
}
