//! The table of places. Texts are made from the bundled ones by edits of known kinds.

use std::ops::Range;
use std::sync::Arc;

use proptest::prelude::*;
use zhushu::collation::{CollatedLayers, CollatedWitness, Collation, DifferenceClass};
use zhushu::model::{Document, Layer, Segment};
use zhushu::source::{Source, Span};

use crate::support::corpus::library;

/// A text that is all 經.
fn text(words: &str) -> Document {
    let source = Arc::new(Source::from_text("a.txt", words));
    let mut document = Document::new(source, "test");
    document.push(Segment::marked(Layer::Jing, Span::new(0, words.len())));
    document
}

/// Collates texts with the first.
fn collated<R>(documents: &[Document], test: impl FnOnce(&Collation<'_>) -> R) -> R {
    let layers = CollatedLayers::of([Layer::Jing]);
    let witness = |(n, d)| CollatedWitness::of(d, format!("W{n}"), &layers);
    test(&Collation::of(documents.iter().enumerate().map(witness).collect(), 0))
}

/// Class, words of the base and words of the second text of each difference.
fn differences(base: &str, own: &str) -> Vec<(&'static str, String, String)> {
    collated(&[text(base), text(own)], |c| {
        let shown = |n: usize, bytes: Range<usize>| c.witnesses[n].shown(bytes);
        let found = c.differences(1).into_iter();
        found.map(|d| (d.class.id(), shown(0, d.base), shown(1, d.own))).collect()
    })
}

const PASSAGE: &str = "司射適堂西，命弟子設豐。弟子奉豐升，設于西楹之西，乃降。\
    勝者之弟子洗觶，升酌，南面坐奠于豐上；降，袒執弓，反位。司射遂袒執弓，挾一個，搢扑，北面于三耦之南。";

#[test]
fn each_kind_of_difference_has_its_class() {
    let changed = |from: &str, to: &str| {
        assert!(PASSAGE.contains(from), "{from}");
        differences(PASSAGE, &PASSAGE.replacen(from, to, 1))
    };
    let one = |class, a: &str, b: &str| vec![(class, a.to_string(), b.to_string())];
    assert_eq!(changed("洗觶", "洗爵"), one("substantive", "觶", "爵"));
    assert_eq!(changed("袒執弓", "執弓"), one("omission", "袒", ""));
    assert_eq!(changed("乃降", "乃復降"), one("addition", "", "復"));
    assert_eq!(changed("個", "箇"), one("graphic", "個", "箇"));
    assert_eq!(changed("上；", "上。"), one("punctuation", "；", "。"));
    assert_eq!(changed("，命", ",命"), vec![]);
    assert_eq!(changed("，乃降。勝者", "，\n  乃降。\n勝者"), vec![]);
}

#[test]
fn points_of_missing_words_are_missing_with_them() {
    let own = PASSAGE.replace("南面坐奠于豐上；", "");
    let found = differences(PASSAGE, &own);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].0, found[0].2.as_str()), ("omission", ""));
}

#[test]
fn a_text_without_points_differs_in_none_of_them() {
    let bare: String = PASSAGE.chars().filter(|c| !"，。；".contains(*c)).collect();
    assert_eq!(differences(PASSAGE, &bare), vec![]);
    assert_eq!(differences(&bare, PASSAGE), vec![]);
}

/// The bundled chapter, long enough for transpositions and lacunae.
fn chapter() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/yili-07-judou.md");
    let all = std::fs::read_to_string(path).expect("the bundled corpus");
    all.chars().filter(|c| !"<>/abcdefghijklmnopqrstuvwxyz#".contains(*c)).collect()
}

#[test]
fn exchanged_passages_are_one_transposition() {
    let chars: Vec<char> = chapter().chars().collect();
    let part = |r: Range<usize>| chars[r].iter().collect::<String>();
    let base = part(0..3000);
    let own = part(0..1000) + &part(1400..1600) + &part(1000..1400) + &part(1600..3000);
    let found = differences(&base, &own);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "transposition");
    assert_eq!(found[0].1, found[0].2);
}

#[test]
fn a_missing_leaf_is_a_lacuna_of_either_text() {
    let chars: Vec<char> = chapter().chars().collect();
    let part = |r: Range<usize>| chars[r].iter().collect::<String>();
    let (base, own) = (part(0..3000), part(0..1000) + &part(1300..3000));
    let class = |a: &str, b: &str| differences(a, b).iter().map(|d| d.0).collect::<Vec<_>>();
    assert_eq!(class(&base, &own), ["lacuna"]);
    assert_eq!(class(&own, &base), ["lacuna"]);
}

#[test]
fn forms_that_conversion_merged_are_damage_in_a_converted_text() {
    let base =
        PASSAGE.to_string() + "后稷，後世。面東，食麵。詩云：“雲漢”。于公，於民。干戚，幹事。";
    let own = base.replace('后', "後").replace('面', "麵").replace('云', "雲").replace('于', "於");
    let own = own.replace('干', "幹").replace('設', "设");
    let found = differences(&base, &own);
    for (class, a, b) in &found {
        assert_eq!(*class, if a == "設" { "graphic" } else { "damage" }, "{a} {b}");
    }
    assert!(found.len() > 5);
    let one = differences(&base, &base.replace('于', "於"));
    assert!(one.iter().all(|d| d.0 == "graphic"), "{one:?}");
}

#[test]
fn what_two_witnesses_add_is_aligned_between_them() {
    let a = PASSAGE.replace("乃降。", "");
    let b = PASSAGE.replace("乃降。", "乃下。");
    collated(&[text(&a), text(PASSAGE), text(&b)], |c| {
        let groups: Vec<Vec<(String, Vec<usize>)>> = (c.places.iter())
            .filter(|p| p.classes.iter().any(Option::is_some))
            .map(|p| c.readings(p).into_iter().map(|g| (g.words, g.witnesses)).collect())
            .collect();
        let both = vec![(String::new(), vec![0]), ("乃".to_string(), vec![1, 2])];
        assert!(groups.contains(&both), "{groups:?}");
    });
}

#[test]
fn a_formula_at_the_end_is_not_aligned_with_its_like_elsewhere() {
    let base: String = chapter().chars().take(1200).collect();
    let part = |r: Range<usize>| base.chars().skip(r.start).take(r.len()).collect::<String>();
    let formula = part(900..909);
    let found = differences(&base, &(part(0..800) + "豐" + &formula));
    let end: Vec<&str> = found.iter().map(|d| d.0).collect();
    assert_eq!(end, ["addition", "lacuna"], "{found:?}");
    assert!(found[0].2.contains(&formula));
}

#[test]
fn what_others_add_does_not_divide_a_lacuna() {
    let base: String = chapter().chars().take(2000).collect();
    let chars: Vec<char> = base.chars().collect();
    let part = |r: Range<usize>| chars[r].iter().collect::<String>();
    let (lost, added) = (part(0..500) + &part(800..2000), part(0..650) + "豐" + &part(650..2000));
    collated(&[text(&base), text(&lost), text(&added)], |c| {
        let classes = |n: usize| c.differences(n).iter().map(|d| d.class.id()).collect::<Vec<_>>();
        assert_eq!((classes(1), classes(2)), (vec!["lacuna"], vec!["addition"]));
    });
}

/// An edit at a place between 0 and 1 of a text.
#[derive(Clone, Debug)]
enum Edit {
    Delete(usize),
    Insert(String),
    Replace(String),
    Move(usize, f64),
    Unpunctuated,
}

fn edit() -> impl Strategy<Value = (f64, Edit)> {
    let words = "[一二三射弓豐觶雲云于於，。；\n 　&]{1,9}";
    let edits = prop_oneof![
        4 => prop_oneof![4 => 1..12usize, 1 => 40..400usize].prop_map(Edit::Delete),
        4 => words.prop_map(Edit::Insert),
        4 => words.prop_map(Edit::Replace),
        2 => (8..200usize, 0.0..1.0f64).prop_map(|(n, to)| Edit::Move(n, to)),
        1 => Just(Edit::Unpunctuated),
    ];
    (0.0..1.0f64, edits)
}

fn edited(words: &str, edits: &[(f64, Edit)]) -> String {
    let mut chars: Vec<char> = words.chars().collect();
    for (at, edit) in edits {
        let at = (*at * chars.len() as f64) as usize;
        match edit {
            Edit::Delete(n) => drop(chars.drain(at..(at + n).min(chars.len()))),
            Edit::Insert(new) => drop(chars.splice(at..at, new.chars())),
            Edit::Replace(new) => {
                let to = (at + new.chars().count()).min(chars.len());
                drop(chars.splice(at..to, new.chars()));
            }
            Edit::Move(n, to) => {
                let block: Vec<char> = chars.drain(at..(at + n).min(chars.len())).collect();
                let to = (*to * chars.len() as f64) as usize;
                drop(chars.splice(to..to, block));
            }
            Edit::Unpunctuated => chars.retain(|c| !"，。；：".contains(*c)),
        }
    }
    chars.into_iter().collect()
}

/// The promises of the table.
fn check(c: &Collation<'_>) {
    for (n, witness) in c.witnesses.iter().enumerate() {
        assert_eq!(c.restored(n), witness.words(), "witness {n}");
        let mut at = 0;
        for place in &c.places {
            assert_eq!(place.readings[n].start, at);
            at = place.readings[n].end;
        }
        assert_eq!(at, witness.words().len());
        for d in c.differences(n) {
            assert!(d.base.end <= c.witnesses[c.base].words().len(), "{d:?}");
            assert!(d.own.end <= witness.words().len(), "{d:?}");
        }
    }
    for place in &c.places {
        assert_eq!(place.classes[c.base], None);
        for n in (0..c.witnesses.len()).filter(|n| place.classes[*n].is_none()) {
            let content = |n: usize| {
                let shown = c.witnesses[n].shown(place.readings[n].clone());
                shown.chars().filter(|c| c.is_alphanumeric()).collect::<String>()
            };
            assert_eq!(content(n), content(c.base), "witness {n} agrees");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 48 } else { 400 }))]

    /// The table has every witness whole, and where it shows no difference there is none.
    #[test]
    fn every_witness_is_given_back_exactly(
        from in 0..9000usize,
        length in 0..2500usize,
        edits in prop::collection::vec(prop::collection::vec(edit(), 0..12), 1..4),
    ) {
        let base: String = chapter().chars().skip(from).take(length).collect();
        let mut documents = vec![text(&base)];
        documents.extend(edits.iter().map(|e| text(&edited(&base, e))));
        collated(&documents, check);
    }
}

/// Layers that interrupt each other, and marks of pages.
#[test]
fn every_text_of_the_corpus_is_given_back_in_every_layer() {
    let all = &library().documents;
    let chapter = |d: &&Arc<Document>| d.meta.chapter.as_deref() == Some("鄉射禮");
    let texts: Vec<&Document> = all.iter().filter(chapter).map(|d| &**d).collect();
    assert!(texts.len() > 2);
    for layers in [vec![Layer::Jing], vec![Layer::Zhu], vec![Layer::Jing, Layer::Zhu, Layer::Shu]] {
        let layers = CollatedLayers::of(layers);
        for base in 0..texts.len() {
            let witness = |d: &&'static Document| CollatedWitness::of(d, d.id.clone(), &layers);
            check(&Collation::of(texts.iter().map(witness).collect(), base));
        }
    }
}

#[test]
fn classes_have_names_of_their_own() {
    let names = |of: fn(DifferenceClass) -> &'static str| {
        DifferenceClass::ALL.into_iter().map(of).collect::<std::collections::HashSet<_>>().len()
    };
    assert_eq!(names(DifferenceClass::id), DifferenceClass::ALL.len());
    assert_eq!(names(DifferenceClass::zh), DifferenceClass::ALL.len());
}

#[test]
fn another_base_changes_classes_and_no_text() {
    let own = PASSAGE.replace("袒執弓", "執弓").replace("洗觶", "洗爵").replace("乃降", "乃復降");
    let texts = [text(PASSAGE), text(&own), text(&PASSAGE.replace("個", "箇"))];
    let layers = CollatedLayers::of([Layer::Jing]);
    let witness = |(n, d)| CollatedWitness::of(d, format!("W{n}"), &layers);
    let mut collation = Collation::of(texts.iter().enumerate().map(witness).collect(), 0);
    let found = |c: &Collation<'_>, n: usize| -> Vec<(&str, String, String)> {
        let shown = |n: usize, bytes: Range<usize>| c.witnesses[n].shown(bytes);
        let all = c.differences(n).into_iter();
        all.map(|d| (d.class.id(), shown(c.base, d.base), shown(n, d.own))).collect()
    };
    let before = found(&collation, 1);
    collation.rebase(1);
    let turned: Vec<_> = before
        .iter()
        .map(|(class, base, own)| {
            let class = match *class {
                "omission" => "addition",
                "addition" => "omission",
                class => class,
            };
            (class, own.clone(), base.clone())
        })
        .collect();
    assert_eq!(found(&collation, 0), turned);
    assert!(found(&collation, 2).contains(&("graphic", "個".into(), "箇".into())));
    for (n, text) in texts.iter().enumerate() {
        assert_eq!(collation.restored(n), text.source.text());
    }
    collation.rebase(0);
    assert_eq!(found(&collation, 1), before);
}
