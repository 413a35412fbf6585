//! What texts say of the place of a quotation.

use super::*;

#[test]
fn a_layer_may_follow_a_name_without_marks() {
    let works = Works::builtin();
    for words in ["儀禮·鄉射禮 鄭玄注", "儀禮·鄉射禮鄭玄注", "鄉射禮鄭玄注"]
    {
        let found = known(words, &works).unwrap_or_else(|| panic!("{words}"));
        assert_eq!(found.by.as_deref(), Some("鄭玄"), "{words}");
        assert_eq!(found.tail, Some(Tail::Commentary), "{words}");
        assert_eq!(found.named[0].chapter.as_deref(), Some("鄉射禮"), "{words}");
    }
    assert_eq!(known("無此書 鄭玄注", &works), None);
}

fn cited(text: &str) -> Vec<String> {
    let all = marked(text);
    let found = Citations::of(text, &all, &Works::builtin());
    let quotations = all.iter().zip(found.of).filter(|(m, _)| m.kind == MarkKind::Quotation);
    let shown = |said: PlaceSaid| match said.citation {
        None => said.unread.map_or("-".into(), |words| format!("? {words}")),
        Some(Citation { locus: Some(locus), .. }) => locus.to_string(),
        Some(c) => c.named.first().map_or(c.words, Named::locus),
    };
    quotations.map(|(_, c)| shown(c)).collect()
}

#[test]
fn a_citation_stands_before_or_after() {
    for (text, own) in [
        ("《論語·顏淵》說：「克己復禮為仁」", "論語・顏淵"),
        ("《論語》〈顏淵〉：「克己復禮為仁」", "論語・顏淵"),
        ("《論語》·顏淵：「克己復禮為仁」", "論語・顏淵"),
        ("孔子說：「克己復禮為仁」（《論語·顏淵》）。", "論語・顏淵"),
        ("“克己复礼为仁”（论语·颜渊）", "論語・顏淵"),
        ("says \"克己復禮為仁\" (論語 12.1), and", "lunyu.12.1"),
        ("in (論語 12.1): “克己復禮為仁”", "lunyu.12.1"),
        ("《論語》12.1：「克己復禮為仁」", "lunyu.12.1"),
        ("故書曰「克明俊德」", "尚書"),
        ("論語·顏淵「克己復禮為仁」", "論語・顏淵"),
        ("本傳云「少好學明經」", "-"),
        ("他說過：「克己復禮為仁」", "-"),
        ("讀《論語》。後來他說：「克己復禮為仁」", "-"),
        ("《無名氏集》：「克己復禮為仁」", "無名氏集"),
        ("「克己復禮為仁」，語出《論語·顏淵》。", "論語・顏淵"),
        ("「克己復禮為仁」《論語·顏淵》。", "論語・顏淵"),
        ("「克己復禮為仁」，《論語》也這樣說。", "? 《論語》"),
        ("「克己復禮為仁」（lunyu.12.1）", "lunyu.12.1"),
        ("「克己復禮為仁」（urn:cts:zhushu:lunyu.12:1）", "lunyu.12.1"),
        ("\"克己復禮為仁\" (Analects 12.1)", "lunyu.12.1"),
        ("\"克己復禮為仁\" (Lunyu 12.1)", "lunyu.12.1"),
        ("「克己復禮為仁」（Foo 3.4）", "? Foo 3.4"),
        ("「克己復禮為仁」（引者強調）", "-"),
        ("孟子曰：「得道者多助」", "孟子"),
        ("疏云：「克己，約身也」", "? 疏云"),
        ("lunyu.12.1: “克己復禮為仁”", "lunyu.12.1"),
        ("urn:cts:zhushu:lunyu.12:1 “克己復禮為仁”", "lunyu.12.1"),
        ("As we read in Analects 12.1, “克己復禮為仁”", "lunyu.12.1"),
        ("Mencius 1A.1: “王何必曰利”", "mengzi.01.1"),
        ("In Liji 3.2, “克己復禮為仁”", "liji.03.2"),
        ("the Book of Rites says: “克己復禮為仁”", "禮記"),
        ("“克己復禮為仁” (Mencius)", "孟子"),
        ("In Foo 3.4: “克己復禮為仁”", "? Foo 3.4"),
        ("yili.99.1.1: “克己復禮為仁”", "yili.99.1.1"),
        ("he said: “克己復禮為仁”", "-"),
        ("The Master said: “克己復禮為仁”", "-"),
        ("The Yanli says: “克己復禮為仁”", "? Yanli"),
        ("賈公彥曰：「克己，約身也」", "? 賈公彥"),
        ("《儀禮·鄉射禮第五》：「固東面矣」", "儀禮・鄉射禮"),
        ("「固東面矣」（《儀禮·鄉射禮第六》）", "儀禮"),
    ] {
        assert_eq!(cited(text), [own], "{text}");
    }
}

#[test]
fn a_layer_may_follow_the_title() {
    let tails = |text: &str| {
        let all = marked(text);
        let found = Citations::of(text, &all, &Works::builtin());
        let said = all.iter().zip(found.of).filter(|(m, _)| m.kind == MarkKind::Quotation);
        said.map(|(_, said)| said.citation.and_then(|c| c.tail)).collect::<Vec<_>>()
    };
    for words in ["注：", "鄭玄注：", "鄭注云：", "的鄭玄注說：", "釋文：", "經典釋文云："]
    {
        let text = format!("《儀禮·鄉射禮》{words}「固東面矣」");
        assert_eq!(tails(&text), [Some(Tail::Commentary)], "{text}");
    }
    assert_eq!(tails("《儀禮·鄉射禮》賈公彥疏：「固東面矣」"), [Some(Tail::Subcommentary)]);
    assert_eq!(tails("「固東面矣」（《儀禮·鄉射禮》鄭玄注）"), [Some(Tail::Commentary)]);
    assert_eq!(tails("《儀禮·鄉射禮》裡說：「固東面矣」"), [None]);
    assert_eq!(tails("《儀禮》鄭玄《注》：「固東面矣」"), [Some(Tail::Commentary)]);
    assert_eq!(tails("鄭玄注《儀禮》曰：「固東面矣」"), [Some(Tail::Commentary)]);
    let again = "《儀禮·鄉射禮》曰：「一純以取」，鄭注：「純猶全也」";
    assert_eq!(tails(again), [None, Some(Tail::Commentary)]);
}

#[test]
fn what_is_not_understood_of_a_place_is_named() {
    let unread = |text: &str| {
        let all = marked(text);
        let found = Citations::of(text, &all, &Works::builtin());
        found.of[1].unread.clone().unwrap_or_default()
    };
    for words in ["卷九十九", "今譯", "案語"] {
        assert_eq!(unread(&format!("《儀禮》{words}：「一純以取」")), words);
    }
    assert_eq!(unread("《儀禮·鄉射禮》的白話譯文說：「他取一雙」"), "譯文");
    assert_eq!(unread("《論語》裡記載孔子的話說：「克己復禮為仁」"), "");
    for (words, who) in [
        ("《儀禮·鄉射禮》馬融曰：「固東面矣」", "馬融"),
        ("《儀禮》張三：「固東面矣」", "張三"),
        ("馬融《儀禮·鄉射禮》：「固東面矣」", "馬融"),
        ("《左傳·隱公元年》：「多行不義必自斃」", "元年"),
        ("《儀禮·鄉射禮》裡有：「固東面矣」", ""),
        ("《儀禮·鄉射禮》：「固東面矣」", ""),
        ("朱熹《論語集注》：「克己復禮為仁」", ""),
    ] {
        assert_eq!(unread(words), who, "{words}");
    }
}

#[test]
fn one_citation_serves_what_goes_on() {
    let text = "《論語·學而》曰：「學而時習之」，又曰：「巧言令色」。「君子不器」";
    assert_eq!(cited(text), ["論語・學而", "論語・學而", "-"]);
    let text = "「學而時習之」（《論語·學而》），「得道者多助」（《孟子·公孫丑下》）";
    assert_eq!(cited(text), ["論語・學而", "孟子・公孫丑・公孫丑下"]);
}

#[test]
fn words_alone_are_read_as_in_a_text() {
    let works = Works::builtin();
    let said = |words: &str| with_marks(words, &works).expect("it has a title");
    assert_eq!(said("《儀禮》卷九十九").unread.as_deref(), Some("卷九十九"));
    assert_eq!(said("《儀禮》孔穎達").unread.as_deref(), Some("孔穎達"));
    let noted = said("《儀禮·鄉射禮》鄭玄注");
    assert_eq!((noted.unread, noted.citation.and_then(|c| c.tail)), (None, Some(Tail::Commentary)));
}

#[test]
fn whose_a_note_is_may_be_said() {
    let by = |text: &str| {
        let all = marked(text);
        let found = Citations::of(text, &all, &Works::builtin());
        let said = all.iter().zip(found.of).find(|(m, _)| m.kind == MarkKind::Quotation);
        let said = said.map(|(_, said)| said).unwrap_or_default();
        (said.citation.and_then(|c| c.by).unwrap_or_default(), said.unread.unwrap_or_default())
    };
    let own = |by: &str, unread: &str| (by.to_string(), unread.to_string());
    assert_eq!(by("《儀禮·鄉射禮》馬融注：「固東面矣」"), own("馬融", ""));
    assert_eq!(by("馬融《儀禮注》：「固東面矣」"), own("馬融", ""));
    assert_eq!(by("鄭玄注《儀禮》曰：「固東面矣」"), own("鄭玄", ""));
    assert_eq!(by("《儀禮》鄭玄《注》：「固東面矣」"), own("鄭玄", ""));
    assert_eq!(by("《儀禮·鄉射禮》鄭注：「固東面矣」"), own("鄭", ""));
    assert_eq!(by("《儀禮·鄉射禮》注：「固東面矣」"), own("", ""));
    for words in ["集注", "注疏", "補注", "校注", "義疏云"] {
        assert_eq!(by(&format!("《儀禮·鄉射禮》{words}：「固東面矣」")), own("", ""), "{words}");
    }
    assert_eq!(by("《儀禮·鄉射禮》某人注：「固東面矣」"), own("", "某人"));
}
