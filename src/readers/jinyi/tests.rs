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

fn notes(text: &str) -> (Vec<String>, Vec<String>) {
    let d = document(text);
    let words = |layer| d.of_layer(layer).map(|s| d.words(s.span).into_owned()).collect();
    (words(Layer::Translation), words(NOTE))
}

#[test]
fn numbered_notes_below_a_paragraph_are_notes_of_the_translation() {
    for (a, b) in [("〔1〕", "〔2〕"), ("①", "②"), ("[1]", "[2]"), ("（1）", "（2）"), ("¹", "²")]
    {
        let text = format!(
            "司射{a}返歸其位,命弟子設豐{b}。\n然後起立。\n\n{a}司射：主持射禮的人。\n{b}豐：承放酒觯的器具。\n\n三耦飲酒完畢。\n"
        );
        let (translation, notes) = notes(&text);
        assert_eq!(translation, ["司射返歸其位,命弟子設豐。", "然後起立。", "三耦飲酒完畢。"]);
        assert_eq!(notes, ["司射：主持射禮的人。", "豐：承放酒觯的器具。"]);
    }
    // Nothing points to these: an enumeration.
    let (translation, none) = notes("禮有三種。\n（1）冠禮。\n（2）昏禮。\n");
    assert_eq!((translation.len(), none.len()), (3, 0));
}

#[test]
fn notes_in_brackets_say_so() {
    let (translation, notes) = notes(
        "弟子手捧豐（按：豐是器具）上堂（從西階）。\n隨即下堂。〔譯者按，此處有脫文。〕\n（按照規定）坐下。\n",
    );
    assert_eq!(translation, ["弟子手捧豐", "上堂（從西階）。", "隨即下堂。", "（按照規定）坐下。"]);
    assert_eq!(notes, ["（按：豐是器具）", "〔譯者按，此處有脫文。〕"]);
}

#[test]
fn paragraphs_under_a_name_are_notes() {
    let (translation, notes) = notes(
        "司射返歸其位。\n注释：司射，主持射禮的人。\n弟子設豐。\n\n【注释】\n1.豐：器具。\n\n2.觯：酒器。\n\n起立，作揖。\n\n註釋\n\n袒是露出左臂。\n耦是一對。\n\n下堂。\n",
    );
    assert_eq!(translation, ["司射返歸其位。", "弟子設豐。", "起立，作揖。", "下堂。"]);
    assert_eq!(
        notes,
        ["司射，主持射禮的人。", "豐：器具。", "觯：酒器。", "袒是露出左臂。", "耦是一對。"]
    );
}

#[test]
fn a_classic_with_modern_notes_is_no_translation() {
    let translation = "司射①返回了他的位置，然後命弟子把豐②放好。勝者一方的年輕人洗了觯。\n①司射：主持射禮的人。\n②豐：放酒觯的器具。\n";
    assert_eq!(sniff(translation), 96);
    let classic = "司射①適堂西，命弟子設豐②。弟子奉豐升，設于西楹之西，乃降。勝者之弟子洗觶。\n①司射：主持射禮的人。\n②豐：放了酒觯的器具。\n";
    assert!(sniff(classic) < 90);
}
