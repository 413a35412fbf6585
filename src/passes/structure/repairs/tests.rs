//! Tests of the repairs.

use std::sync::Arc;

use super::*;
use crate::corpus::Library;
use crate::model::{Layer, Segment};
use crate::source::Source;

fn document(name: &str, text: &str) -> Document {
    let mut d = Document::new(Arc::new(Source::from_text(name, text)), "test");
    d.segments = vec![Segment::marked(Layer::Undivided, d.source.span())].into();
    d
}

/// The repairs of a text among others, as `damaged→intended`, with their certainties.
fn repairs(text: &str, others: &[&str]) -> Vec<(String, f64)> {
    let others = others
        .iter()
        .enumerate()
        .map(|(n, t)| Arc::new(document(&format!("w{n}.txt"), t)))
        .collect();
    let library = Library { documents: others, ..Library::default() };
    let mut d = document("text.txt", text);
    run(&mut d, &Context::new(&library));
    d.check().unwrap();
    d.readings
        .iter()
        .map(|r| (format!("{}→{}", d.slice(r.span), r.reading), r.certainty.get()))
        .collect()
}

fn names(found: &[(String, f64)]) -> Vec<&str> {
    found.iter().map(|(n, _)| n.as_str()).collect()
}

const CONVERTED: &str = "[疏]釋曰:雲“東麵”者,案《大射》雲:“西麵北上。”又雲讚者複位,搢撲,若幹純。";

#[test]
fn a_converted_text_is_repaired() {
    let found = repairs(CONVERTED, &[]);
    assert_eq!(
        names(&found),
        ["雲→云", "麵→面", "雲→云", "麵→面", "雲→云", "讚→贊", "複→復", "撲→扑", "幹→干"]
    );
    assert!(found.iter().all(|(_, certainty)| *certainty > 0.9), "{found:?}");
}

#[test]
fn correct_words_are_not_repaired() {
    let text =
        format!("{CONVERTED}天油然作雲氣。黃帝以雲紀。雲門大卷。骨幹。爭鬥。複道。磨麵粉。後日。");
    assert_eq!(repairs(&text, &[]).len(), repairs(CONVERTED, &[]).len());
}

#[test]
fn quoted_words_are_repaired_as_where_they_are_from() {
    let names_of =
        |text: &str| names(&repairs(text, &[])).into_iter().filter(|n| n.starts_with('幹')).count();
    let text = format!("若幹純、若幹奇。{CONVERTED}");
    // Of the two in the text and the one in the commentary.
    assert_eq!(names_of(&text), 3);
    assert_eq!(names_of(&format!("{text}注“賢猶”至“幹奇”。")), 4);
    // Not without marks, not other words, and not what is also written where nothing is repaired.
    assert_eq!(names_of(&format!("{text}注賢猶至幹奇。")), 3);
    assert_eq!(names_of(&format!("{text}注“骨幹”。")), 3);
    assert_eq!(names_of(&format!("{text}木幹奇也。注“賢猶”至“幹奇”。")), 3);
}

#[test]
fn a_good_copy_is_left_alone() {
    let text = "云“東面”者,又云贊者復位,搢扑,若干純。雲從龍,複道,讚歎,撲滅,宮商角徵羽,幹,禦寇。";
    assert_eq!(repairs(text, &[]), []);
}

#[test]
fn simplified_text_is_left_alone_and_is_not_a_witness() {
    assert_eq!(repairs("夏官大仆职云：“仆人师”，宾东面，赞者复位，若干纯。", &[]), []);
    let text = format!("{CONVERTED}公尊後就物而待之也。");
    assert_eq!(
        repairs(&text, &["公尊后就物而待之，执弓坐设礼宾与众宾东阶"]).len(),
        repairs(&text, &[]).len()
    );
}

#[test]
fn modern_words_are_not_signs() {
    assert_eq!(
        repairs("注視了一下,並不複雜,自己醜陋,佔人便宜,其餘人,而後就座,三十餘里。", &[]),
        []
    );
}

#[test]
fn punctuation_and_line_ends_make_no_difference() {
    let text = "釋曰：雲「東\n麵」者，案《大射》\n雲：『西麵』。";
    assert_eq!(names(&repairs(text, &[])), ["雲→云", "麵→面", "雲→云", "麵→面"]);
}

#[test]
fn a_witness_raises_the_certainty_and_one_against_lowers_it() {
    let text = format!("{CONVERTED}樂作而後就物,公則複就而待。");
    let last = |others: &[&str]| repairs(&text, others).last().unwrap().1;
    assert!(last(&["就物公則復就而待之"]) > last(&[]));
    assert!(last(&["就物公則複就而待之,復"]) < last(&[]), "a text that has 復 elsewhere has 複");
    assert_eq!(
        last(&["就物公則複就而待之"]),
        last(&[]),
        "a text without 復 may be damaged in the same way"
    );
    assert_eq!(last(&["就物君乃復就而待之"]), last(&[]), "another place is not a witness");
}

#[test]
fn every_reading_has_evidence() {
    let library = Library::default();
    let mut d = document("text.txt", CONVERTED);
    run(&mut d, &Context::new(&library));
    assert!(d.readings.iter().all(|r| !r.evidence.is_empty()));
    assert_eq!(d.source.text(), CONVERTED);
    assert_eq!(d.diagnostics.iter().filter(|d| d.code == "script-table").count(), 1);
}

/// A careless table, applied to a bundled text that is not damaged.
const CARELESS: [(char, char); 14] = [
    ('云', '雲'),
    ('面', '麵'),
    ('復', '複'),
    ('后', '後'),
    ('干', '幹'),
    ('乾', '幹'),
    ('斗', '鬥'),
    ('贊', '讚'),
    ('升', '昇'),
    ('家', '傢'),
    ('當', '噹'),
    ('同', '衕'),
    ('盡', '儘'),
    ('席', '蓆'),
];

#[test]
fn damage_of_a_bundled_text_is_found_and_nothing_else() {
    for file in ["corpus/yili-05-jishi.txt", "corpus/yili-07-judou.md"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let undamaged = std::fs::read_to_string(path).unwrap();
        assert_eq!(repairs(&undamaged, &[]), [], "{file}");
        let damaged = |c| CARELESS.iter().find(|(from, _)| *from == c).map_or(c, |(_, to)| *to);
        let text: String = undamaged.chars().map(damaged).collect();
        let mut d = document("text.txt", &text);
        run(&mut d, &Context::new(&Library::default()));
        let made = d.readings.iter().filter(|r| r.certainty.get() >= 0.5);
        let right = |r: &&Reading| {
            undamaged[char_at(&text, &undamaged, r.span.start())..].starts_with(r.reading.as_str())
        };
        let (right, wrong): (Vec<_>, Vec<_>) = made.partition(right);
        let names: Vec<String> = wrong
            .iter()
            .map(|r| {
                let at = char_at(&text, &undamaged, r.span.start());
                format!("{}: {} for {}", r.span.start(), r.reading, &undamaged[at..at + 9])
            })
            .collect();
        let all = text.chars().zip(undamaged.chars()).filter(|(x, y)| x != y).count();
        let (precision, recall) = (
            right.len() as f64 / (right.len() + wrong.len()) as f64,
            right.len() as f64 / all as f64,
        );
        assert!(
            precision >= 0.98 && recall >= 0.9,
            "{file}: {precision:.3} {recall:.3} of {all}: {names:?}"
        );
    }
}

/// The byte of `other` at which the same character is as at byte `at` of `text`.
fn char_at(text: &str, other: &str, at: usize) -> usize {
    other.chars().take(text[..at].chars().count()).map(char::len_utf8).sum()
}
