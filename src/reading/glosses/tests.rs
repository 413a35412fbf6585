//! Formulas in notes.

use super::*;
use crate::model::Layer::{Jing, Shu, Yin, Zhu};

/// Headword, kind and sense of each gloss.
fn found(pieces: &[(Layer, &str)]) -> Vec<String> {
    let document = Document::of_pieces(pieces);
    of(&document).iter().map(|g| format!("{} {} {}", g.headword, g.kind.id(), g.sense)).collect()
}

fn note(text: &str, note: &str) -> Vec<String> {
    found(&[(Jing, text), (Zhu, note)])
}

#[test]
fn the_shipped_table_is_read() {
    assert!(formulas::parse(include_str!("data/formulas.tsv")).is_ok());
    assert!(formulas::parse("means\tX，Y也\t4").is_err());
}

#[test]
fn usual_formulas_of_notes() {
    assert_eq!(note("主人由客之左。", "由，從也。從客之左，右客，尊之。"), ["由 means 從"]);
    assert_eq!(note("二筭為純。", "純猶全也。耦陰陽。"), ["純 is-like 全"]);
    assert_eq!(note("以任職。", "職謂職稅也。任猶事也。"), ["職 refers-to 職稅", "任 is-like 事"]);
    assert_eq!(note("不亦說乎。", "說，讀曰悅。"), ["說 read-as 悅"]);
    assert_eq!(note("學而時習之。", "學之爲言效也。"), ["學 sound-gloss 效"]);
    assert_eq!(note("歸于魯。", "婦人謂嫁曰歸。"), ["歸 called 婦人謂嫁"]);
    assert_eq!(note("興。", "興，猶動也，發也。"), ["興 is-like 動", "興 means 發"]);
}

#[test]
fn sounds_with_their_continuations() {
    let text = [(Jing, "率以奇見。"), (Yin, "率，音律，又音類。奇，紀宜反，注同。見，賢遍反。")];
    assert_eq!(
        found(&text),
        ["率 sounds 律", "率 sounds 類", "奇 fanqie 紀宜反", "見 fanqie 賢遍反"]
    );
}

#[test]
fn a_word_that_is_not_in_the_text_is_no_headword() {
    assert!(note("主人由客之左。", "君親辭，則聞命即升也。").is_empty());
    assert!(note("主人由客之左。", "此，尊之也。").is_empty());
}

#[test]
fn a_sub_commentary_repeats_notes_and_adds_its_own() {
    let text = [
        (Jing, "主人由客之左。"),
        (Zhu, "由，從也。"),
        (Shu, "釋曰：云“由，從也”者，《爾雅》文。“左”者，東也。"),
    ];
    assert_eq!(found(&text), ["由 means 從", "左 means 東"]);
}

#[test]
fn a_list_is_a_sense_as_a_whole_and_its_words_are_headwords() {
    assert_eq!(
        note("三家者以雍徹。", "三家，謂仲孫、叔孫、季孫。"),
        ["三家 refers-to 仲孫、叔孫、季孫"]
    );
    assert_eq!(note("比以成。", "比、成，皆謂合也。"), ["比 refers-to 合", "成 refers-to 合"]);
}

#[test]
fn notes_without_punctuation() {
    assert_eq!(note("外物", "外弃也"), ["外 means 弃"]);
}

/// The shares of right ones in the tables of docs/glosses.md, as it says: (right + 1) / (read + 2).
#[test]
fn certainties_are_those_that_were_counted() {
    use std::collections::HashMap;
    let docs = include_str!("../../../docs/glosses.md");
    let number = |cell: Option<&str>| cell.and_then(|c| c.trim().parse::<u32>().ok());
    let mut counted: HashMap<(GlossKind, String), (u32, u32)> = HashMap::new();
    for line in docs.lines().filter(|l| l.starts_with('|')) {
        let mut cells = line.split('|').skip(1).map(str::trim);
        let kind = cells.next().and_then(|c| GlossKind::of_id(c.split(' ').next()?));
        let layer = cells.next().unwrap_or_default().to_string();
        if let (Some(kind), Some(read), Some(right)) =
            (kind, number(cells.next()), number(cells.next()))
        {
            counted.insert((kind, layer), (right, read));
        }
    }
    let share = |of: &[(u32, u32)]| {
        let (right, read) = of.iter().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
        f64::from(right + 1) / f64::from(read + 2)
    };
    let (before, nowhere) = (share(&[(6, 12)]), share(&[(5, 9)]));
    for formula in &formulas::FORMULAS.rows {
        let of = |layer: &str| counted.get(&(formula.kind, layer.to_string())).copied();
        let layers = match (formula.is_of(Zhu) || formula.is_of(Yin), formula.is_of(Shu)) {
            (true, true) => vec!["notes", "疏", "all"],
            (_, false) => vec!["notes", "all"],
            (false, true) => vec!["疏", "all"],
        };
        let kind = share(&layers.into_iter().filter_map(of).collect::<Vec<_>>());
        let cells = [
            (GlossPlace::Lemma, false, kind),
            (GlossPlace::Lemma, true, kind),
            (GlossPlace::Before, false, before),
            (GlossPlace::Nowhere, false, nowhere),
        ];
        for (place, is_flat, expected) in cells {
            if let Some(certainty) = formula.certainty(place, is_flat) {
                let off = (certainty.get() - expected).abs();
                assert!(off < 0.0051, "{formula:?}: {} for {expected}", certainty.get());
            }
        }
    }
}

#[test]
fn a_headword_in_two_forms_is_one_word() {
    let pieces = [
        (Jing, "纯。"),
        (Zhu, "纯，全也。"),
        (Jing, "純。"),
        (Zhu, "純，緇也。"),
        (Jing, "純。"),
        (Zhu, "純，全也。"),
    ];
    let document = Document::of_pieces(&pieces);
    let library = crate::corpus::Library { documents: vec![document.into()], ..Default::default() };
    let catalogue = crate::corpus::refs::Catalogue::of(&library);
    let documents = library.documents.iter().map(|d| &**d);
    let all = placed(documents, &catalogue, &GlossWanted::default());
    let groups: Vec<_> =
        grouped(&all).iter().map(|g| (g.headword, g.sense, g.glosses.len())).collect();
    assert_eq!(groups, [("纯", "全", 2), ("纯", "緇", 1)]);
}

/// Notes with hardly any classic: what is before a note is searched up to a limit.
#[test]
fn the_search_for_a_headword_ends_among_notes_too() {
    let last = |notes: usize| {
        let mut pieces = vec![(Jing, "純。")];
        pieces.extend(std::iter::repeat_n((Zhu, "耦陰陽之數以成其禮。"), notes));
        pieces.push((Shu, "釋曰：純，全也。"));
        found(&pieces).pop()
    };
    assert_eq!(last(10), Some("純 means 全".to_string()));
    assert_eq!(last(4000), None);
}

#[test]
fn a_certainty_is_at_least_itself() {
    let document = Document::of_pieces(&[(Jing, "二筭為純。"), (Zhu, "純猶全也。")]);
    let all = of(&document);
    let wanted = GlossWanted { certainty: 0.9, ..Default::default() };
    assert_eq!(all.iter().filter(|g| wanted.fits(g)).count(), 1, "{all:?}");
}
