//! Tests: shared numbers, and numbers that stay after corrections.

use std::collections::HashMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::lay::MAX_MISSING_CHARS;
use crate::corpus::{Library, Loci};
use crate::model::{Document, Layer, Segment};
use crate::passes::{Context, Stage};
use crate::source::{Source, Span};

/// 經 plain, 注 in ( ), labels in [ ].
fn document(id: &str, text: &str) -> Document {
    let mut d = Document::new(Arc::new(Source::from_text(format!("{id}.txt"), text)), "test");
    let mut at = 0;
    for (i, c) in text.char_indices() {
        let layer = match c {
            '(' | '[' => Some((Layer::Jing, i)),
            ')' => Some((Layer::Zhu, i + 1)),
            ']' => Some((Layer::Label, i + 1)),
            _ => None,
        };
        let Some((layer, end)) = layer.filter(|(_, end)| *end > at) else { continue };
        d.segments.push(Segment::marked(layer, Span::new(at, end)));
        at = end;
    }
    if at < text.len() {
        d.segments.push(Segment::marked(Layer::Jing, Span::new(at, text.len())));
    }
    d.number();
    d.meta.work = Some("儀禮".into());
    d.meta.work_key = Some("yili".into());
    d.meta.chapter = Some("鄉射禮".into());
    d.meta.number = Some(5);
    d
}

/// Runs the passes that give loci.
fn run(documents: Vec<Document>) -> Library {
    let mut library =
        Library { documents: documents.into_iter().map(Arc::new).collect(), ..Library::default() };
    for stage in [Stage::Structure, Stage::References] {
        let context = Context::new(&library);
        let passes = || {
            crate::passes::PASSES
                .iter()
                .filter(|p| p.stage == stage && ["divisions", "loci"].contains(&p.name))
        };
        let next = |d: &Arc<Document>| {
            let mut d = (**d).clone();
            passes().for_each(|p| (p.run)(&mut d, &context));
            d.check().unwrap();
            Arc::new(d)
        };
        library.documents = library.documents.iter().map(next).collect();
    }
    library
}

/// Locus and text of every unit.
fn loci(d: &Document) -> Vec<(String, String)> {
    let loci = Loci::of(d);
    loci.units()
        .map(|u| (loci.name(u.span).unwrap().to_string(), d.slice(u.span).to_string()))
        .collect()
}

fn names(d: &Document) -> Vec<String> {
    loci(d).into_iter().map(|(name, _)| name.trim_start_matches("yili.05.").to_string()).collect()
}

const WHOLE: &str = "眾賓繼射釋獲皆如初(注一)司射所作唯上耦(注二)[右眾賓射]卒射釋獲者遂以所執餘獲升自西階盡階不升堂(注三)告于賓曰左右卒射降反位坐委餘獲于中西(注四)興共而俟[右告卒射]司馬袒決執弓升命取矢如初獲者許諾以旌負侯如初(注五)";
const PART: &str = "卒射,釋獲者遂以所執餘獲升自西階,盡階不升堂。告於賓曰:「左右卒射。」降,反位,坐委餘獲于中西。興共而俟。(注)司馬袒決執弓升,命取矢如初。獲者許諾,以旌負侯如初。";

#[test]
fn a_text_alone_is_numbered_by_its_labels_and_runs() {
    let library = run(vec![document("a", WHOLE)]);
    let want = [
        "1.1",
        "1.1.zhu",
        "1.2",
        "1.2.zhu",
        "1.2.label",
        "2.1",
        "2.1.zhu",
        "2.2",
        "2.2.zhu",
        "2.3",
        "2.3.label",
        "3.1",
        "3.1.zhu",
    ];
    assert_eq!(names(&library.documents[0]), want);
}

#[test]
fn a_fragment_takes_sections_from_the_whole_and_gives_it_sentences() {
    let library = run(vec![document("a", WHOLE), document("b", PART)]);
    let [a, b] = [0, 1].map(|i| &library.documents[i]);
    let want = [
        "1.1",
        "1.1.zhu",
        "1.2",
        "1.2.zhu",
        "1.2.label",
        "2.1",
        "2.1.zhu",
        "2.2",
        "2.3",
        "2.3.zhu",
        "2.4",
        "2.4.label",
        "3.1",
        "3.2",
        "3.2.zhu",
    ];
    assert_eq!(names(a), want);
    assert_eq!(names(b), ["2.1", "2.2", "2.3", "2.4", "2.4.zhu", "3.1", "3.2"]);
    assert_eq!(
        b.divisions.iter().map(|d| (d.n, d.title.as_deref())).collect::<Vec<_>>(),
        [(2, Some("[右告卒射]")), (3, None)]
    );
    assert_eq!(a.divisions.len(), 3);
}

#[test]
fn a_sentence_that_a_note_interrupts_has_parts() {
    let d = document("a", "卒射,(注)釋獲者升。(注)告於賓曰:「左右卒射。」降。反位。興。");
    assert_eq!(
        names(&run(vec![d]).documents[0]),
        ["0.1a", "0.1.zhu", "0.1b", "0.1.zhu2", "0.2", "0.3", "0.4", "0.5"]
    );
}

#[test]
fn a_fragment_is_numbered_from_the_section_in_the_manifest() {
    let mut d = document("a", WHOLE);
    d.meta.first_section = Some(23);
    assert_eq!(names(&run(vec![d]).documents[0])[0], "23.1");
}

#[test]
fn a_text_that_shares_nothing_is_numbered_by_itself() {
    let other =
        "主人朝服乃速賓賓朝服出迎再拜主人答再拜退賓送再拜賓及眾賓遂從之及門主人一相出迎于門外";
    let library = run(vec![document("a", WHOLE), document("b", other)]);
    assert_eq!(names(&library.documents[1]), ["0.1"]);
}

/// All sentences of the bundled text that marks its layers, by locus.
fn bundled() -> &'static str {
    include_str!("../../../../corpus/yili-07-judou.md")
}

fn by_locus(text: &str) -> HashMap<String, String> {
    let library =
        crate::pipeline::convert(Source::from_text("yili-07-judou.md", text), None).unwrap();
    loci(&library.documents[0]).into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]
    /// Correcting a character, or running again, leaves every locus on its text.
    #[test]
    fn correcting_a_character_moves_no_locus(at in 0usize..10_000) {
        let text = bundled();
        let classic: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| ('\u{4E00}'..='\u{9FFF}').contains(c)).collect();
        let (i, c) = classic[at % classic.len()];
        prop_assume!(!"右注疏案音云曰".contains(c));
        let corrected = format!("{}甲{}", &text[..i], &text[i + c.len_utf8()..]);
        let (before, again, after) = (by_locus(text), by_locus(text), by_locus(&corrected));
        prop_assert_eq!(&before, &again);
        let moved: Vec<_> = before.iter().filter(|(name, words)| after.get(*name).is_none_or(|w| w != *words)).collect();
        prop_assert!(moved.len() <= 1, "{} → 甲 at {}: {:?}", c, i, &moved[..moved.len().min(4)]);
    }
}

/// The places between characters of the classic in [`WHOLE`].
fn places() -> Vec<usize> {
    let mut closes = None;
    let within = |(i, c): (usize, char)| {
        closes = match c {
            '(' => Some(')'),
            '[' => Some(']'),
            _ if closes == Some(c) => None,
            _ => closes,
        };
        (closes.is_none() && !")]".contains(c)).then_some(i)
    };
    WHOLE.char_indices().filter_map(within).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    /// A locus must not lead to one text in one witness and to another in the other.
    #[test]
    fn a_long_addition_of_a_witness_has_numbers_that_no_other_text_has(
        place in any::<prop::sample::Index>(),
        length in MAX_MISSING_CHARS + 1..MAX_MISSING_CHARS + 20,
    ) {
        let places = places();
        let at = *place.get(&places);
        let added: String = ('가'..).take(length).collect();
        let longer = format!("{}{added}{}", &WHOLE[..at], &WHOLE[at..]);
        // The longest witness gives the numbers; it must be the one without the addition.
        let first: String = WHOLE.chars().chain(('걀'..).take(length + 60)).collect();
        let library = run(vec![document("a", &first), document("b", &longer)]);
        let own = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_lowercase()).to_string();
        let taken: HashMap<String, String> =
            loci(&library.documents[0]).into_iter().map(|(name, text)| (own(&name), text)).collect();
        for (name, text) in loci(&library.documents[1]) {
            if text.contains(|c| added.contains(c)) {
                prop_assert_eq!(taken.get(&own(&name)), None, "{} is {}", name, text);
            }
        }
    }
}
