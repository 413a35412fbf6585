//! Tests of the reader of translations.

use super::*;

fn document(text: &str) -> Document {
    let d = read(Source::from_text("t.txt", text)).unwrap();
    d.check().unwrap();
    d
}

fn of(d: &Document, layer: Layer) -> Vec<&str> {
    d.of_layer(layer).map(|s| d.slice(s.span)).collect()
}

fn codes(d: &Document) -> Vec<&str> {
    d.diagnostics.iter().map(|d| &*d.code).collect()
}

#[test]
fn furniture_and_title_are_separated_from_the_text() {
    let d = document("鄉射禮第五\n關燈\n小\n中\n大\n司射返歸其位。\n三耦飲酒完畢。\n下一章\n");
    assert_eq!(of(&d, Layer::Heading), ["鄉射禮第五"]);
    assert_eq!(of(&d, Layer::Furniture), ["關燈", "小", "中", "大", "下一章"]);
    assert_eq!(of(&d, Layer::Translation), ["司射返歸其位。", "三耦飲酒完畢。"]);
}

#[test]
fn a_closing_quote_at_a_line_start_goes_back_to_its_sentence() {
    let d = document("如左勝,則說:“左賢于右。\n”報告所勝算籌的對數。\n”無主。\n");
    assert_eq!(
        of(&d, Layer::Translation),
        ["如左勝,則說:“左賢于右。\n”", "報告所勝算籌的對數。", "”無主。"]
    );
}

#[test]
fn a_section_mark_becomes_a_heading() {
    let d = document("盡歡而止。\n[記] 如果有大夫參加。\n[大夫也就是士的上級官員]在場。\n");
    assert_eq!(of(&d, Layer::Heading), ["[記]"]);
    assert_eq!(
        of(&d, Layer::Translation),
        ["盡歡而止。", "如果有大夫參加。", "[大夫也就是士的上級官員]在場。"]
    );
}

#[test]
fn a_start_in_mid_sentence_and_lost_characters_are_reported() {
    let d = document("對,則直接放置地上。\n獲者執■旌唱獲。\n");
    assert_eq!(codes(&d), ["starts-mid-sentence", "lost-character"]);
    assert_eq!(d.slice(d.diagnostics[1].span.unwrap()), "■");
    assert!(codes(&document("賓,主人的客人,坐下。\n")).is_empty());
}

#[test]
fn a_second_copy_is_furniture_and_its_lines_are_named() {
    let body: Vec<String> = (0..30)
        .map(|i| {
            format!(
                "第{}人走上堂來{}說了話。",
                "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥天地玄黃宇宙洪荒"
                    .chars()
                    .nth(i)
                    .unwrap(),
                i * 37
            )
        })
        .collect();
    let text = format!("題\n小\n開頭的話。\n{0}\n{0}\n", body.join("\n"));
    let d = document(&text);
    assert_eq!(of(&d, Layer::Translation).len(), 31);
    let said: Vec<_> = d.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(said, ["lines 34–63 repeat lines 4–33; the first copy is used"]);
}

#[test]
fn a_clean_translation_with_paragraphs_is_read_whole() {
    let d = document("司射回到了他的位置。三耦喝完了酒。\n\n　　賓站起來。\n");
    assert_eq!(of(&d, Layer::Translation), ["司射回到了他的位置。三耦喝完了酒。", "賓站起來。"]);
    assert!(d.diagnostics.is_empty());
    assert_eq!(d.meta.role, Role::Translation);
}

#[test]
fn the_sniffer_distinguishes_modern_from_classical_prose() {
    assert!(sniff("司射回到了他的位置。三耦喝完了酒。") > 0);
    assert_eq!(
        sniff(
            "司射復位。三耦卒飲。目的者,射之的也。發彼有的,以祈爾爵。于是司射退,命弟子設豐,西楹之西,乃降。勝者之弟子洗觶升酌,南面坐奠于豐上,降袒執弓反位。司射遂袒執弓,挾一个,搢扑,北面于三耦之南,命三耦及眾賓,勝者皆袒決遂執張弓,不勝者皆襲說決拾,卻左手,右加弛弓于其上,遂以執弣,司射先反位,三耦及眾射者皆與其耦進立于射位,北上。司射作升飲者如作射。一耦進揖如升射,及階,勝者先升升堂,少右。不勝者進北面坐取豐上之觶,興少退立卒觶,進坐奠于豐下,興揖。"
        ),
        0
    );
    assert_eq!(sniff("<TEI><p>他的了</p></TEI>"), 0);
}
