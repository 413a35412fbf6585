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
