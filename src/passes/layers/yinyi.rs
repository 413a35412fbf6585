//! Separates 音義 (readings of characters) from other text after a ○, by form: X音Y, X YZ反,
//! 依註音, 又如字, 後同.
//!
//! Assumes that a ○ inside a note opens something new, as in 句讀 and the prints with 釋文. A piece
//! is 音義 if it consists mostly of such glosses (with remarks between them, such as 蔽膝也), not
//! if it merely contains one: 反 and 音 are also ordinary words (即反位, 八音). A single gloss must
//! be the whole piece, and is more certain if its head occurs in the text before.

use std::sync::LazyLock;

use regex::Regex;

use crate::model::{Certainty, Document, Evidence, EvidenceKind, Layer, LayerKind, Segment};
use crate::passes::context::Context;
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{circles, is_content};

/// A gloss: its head, whose reading it is, the reading, further readings, and their scope.
static GLOSS: LazyLock<Regex> = LazyLock::new(|| {
    let reading = "(?:音.|[^反音]{2}反|[^切音]{2}切|如字|[平上去入]聲|本[又亦或]作.|[又亦]作.)";
    let whose = "(?:[依從][註注字]|[又一或舊並竝劉徐沈戚李鄭王范])";
    let scope =
        "(?:(?:[後后下][文章]?|[註注]文?|篇[內内]|[並竝皆])+(?:皆|並)?(?:同|放此)(?:[者也])?)";
    let pattern =
        format!("([^反音]{{1,3}}?){whose}?{whose}?{reading}(?:{whose}?{whose}?{reading}|{scope})*");
    Regex::new(&pattern).expect("a fixed pattern")
});
/// The source of the readings, before the first gloss.
static SOURCE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        "^(?:圖解|[釋释]文(?:[云雲曰])?|[陸陆]氏?(?:[德徳]明)?(?:音[義义])?(?:[云雲曰])?|音[義义])",
    )
    .expect("a fixed pattern")
});
/// Characters before 反 as a verb (即反位), which never spell a final.
const BEFORE_VERB: &str = "即遂而乃既俱復";
/// Least share of a piece with several glosses that these must fill.
const MIN_GLOSS_SHARE: f64 = 0.6;
/// How far back the head of a single gloss is searched, in characters.
const MAX_CHARS_BACK: usize = 300;

/// Least number of pieces after a ○ that show how a text uses ○, and the least share of them with a
/// gloss for ○ to mark readings.
const MIN_PIECES: usize = 5;
const MIN_GLOSSED_SHARE: f64 = 0.7;
/// Certainty that another piece of such a text is 音義 too.
const HABIT_CERTAINTY: f64 = 0.85;

/// Runs the pass.
pub fn run(document: &mut Document, _: &Context<'_>) {
    if circles(document.source.text()).next().is_none() {
        return;
    }
    let habit = habit(document);
    let segments = std::mem::take(&mut document.segments);
    let mut out = Vec::with_capacity(segments.len());
    for s in segments {
        if may_have_readings(document, &s) {
            out.extend(pieces(document, s, habit));
        } else {
            out.push(s);
        }
    }
    document.segments = out.into();
}

/// True for a note, not yet 音義, that has a ○.
fn may_have_readings(document: &Document, s: &Segment) -> bool {
    s.layer.kind() == LayerKind::Note
        && s.layer != Layer::Yin
        && circles(document.slice(s.span)).next().is_some()
}

/// True if nearly all pieces after a ○ in the notes have a gloss. Then the ○ marks 陸德明's
/// readings, as in the prints with 釋文, not a second commentator.
fn habit(document: &Document) -> bool {
    let (mut all, mut glossed) = (0usize, 0usize);
    for s in document.segments.iter().filter(|s| may_have_readings(document, s)) {
        for (piece, _) in cut(document, s.span).into_iter().filter(|p| p.1) {
            all += 1;
            glossed += usize::from(GLOSS.is_match(&bare(document, piece)));
        }
    }
    all >= MIN_PIECES && glossed as f64 >= MIN_GLOSSED_SHARE * all as f64
}

/// A span cut at its circles, and whether each piece opens with a circle.
fn cut(document: &Document, span: Span) -> Vec<(Span, bool)> {
    let text = document.source.text();
    let inside = circles(document.slice(span)).filter(|at| *at > 0).map(|at| span.start() + at);
    let cuts: Vec<usize> =
        std::iter::once(span.start()).chain(inside).chain([span.end()]).collect();
    let opens = |at: usize| text[at..].starts_with(['○', '◯', '〇']);
    cuts.windows(2).map(|w| (Span::new(w[0], w[1]), opens(w[0]))).collect()
}

/// The segment cut at its ○: 音義 as its own layer, the rest joined again.
fn pieces(document: &Document, whole: Segment, habit: bool) -> Vec<Segment> {
    let mut out: Vec<Segment> = vec![];
    for (span, opens) in cut(document, whole.span) {
        let by_habit = || {
            habit.then(|| {
                (
                    Certainty::new(HABIT_CERTAINTY),
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

/// The content characters, without the ○ before them.
fn bare(document: &Document, span: Span) -> String {
    document.words(span).chars().skip(1).filter(|c| is_content(*c)).collect()
}

/// Certainty and evidence if `span` is 音義.
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
    let certainty = match found.len() {
        1 if first.start() > 0 || last.end() < glosses.len() || is_verb(first.as_str()) => {
            return None;
        }
        1 if occurs_before(document, span.start(), found[0].1) => 0.985,
        1 => 0.8,
        _ if first.start() > 0 || share < MIN_GLOSS_SHARE => return None,
        _ => 0.6 + 0.395 * share,
    };
    let glosses = if found.len() == 1 { "gloss" } else { "glosses" };
    let detail = format!(
        "{} {glosses} of the forms X音Y, XY反 … fill {covered} of {all} characters",
        found.len()
    );
    Some((Certainty::new(certainty), Evidence::new(EvidenceKind::GlossForm, detail)))
}

/// True if 反 is a verb, “goes back to”, as in 爵即反.
fn is_verb(gloss: &str) -> bool {
    let mut back = gloss.chars().rev();
    back.next() == Some('反') && back.next().is_some_and(|c| BEFORE_VERB.contains(c))
}

fn occurs_before(document: &Document, at: usize, head: &str) -> bool {
    let text = document.source.text();
    let from = text[..at].char_indices().rev().nth(MAX_CHARS_BACK).map_or(0, |(i, _)| i);
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
        ]
        .into();
        run(&mut d, &Context::new(&Default::default()));
        d.check().unwrap();
        d.segments.last().unwrap().layer
    }

    #[test]
    fn glosses_and_remarks_are_distinguished() {
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
    fn a_note_is_cut_only_at_circles_before_readings() {
        let text = "建猶樹也○此鼓在東○鼗音桃";
        let mut d = Document::new(Arc::new(Source::from_text("t", text)), "plain");
        d.segments = vec![Segment::marked(Layer::Zhu, Span::new(0, text.len()))].into();
        run(&mut d, &Context::new(&Default::default()));
        let got: Vec<_> = d.segments.iter().map(|s| (s.layer, d.slice(s.span))).collect();
        assert_eq!(got, [(Layer::Zhu, "建猶樹也○此鼓在東"), (Layer::Yin, "○鼗音桃")]);
    }
}
