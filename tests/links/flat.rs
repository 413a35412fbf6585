//! Commentary without punctuation.

use zhushu::model::{Document, LinkKind};

use crate::references::{of_kind, places, run_named};

/// Works that are cited, with the words quoted from each.
fn cited(d: &Document) -> Vec<(&str, &str)> {
    let citations = of_kind(d, LinkKind::Citation).into_iter();
    let words = |l: &zhushu::model::Link| l.quoted.map_or("", |q| &d.source.text()[q.range()]);
    citations.map(|l| (l.work.as_deref().unwrap_or_default(), words(l))).collect()
}

const LIYUN: (&str, &str, &str) =
    ("禮記", "禮運", "經〔是以三五而盈,三五而闕。五行之動,迭相竭也。〕");

/// 禮運 and a text that cites it, which has enough characters to be without marks.
fn citing(comment: &str) -> Document {
    let ours = format!("經〔日居月諸,胡迭而微。〕注〔微,謂虧傷也。〕\n疏〔{comment}〕");
    let mut all = run_named(&[("詩經", "柏舟", &ours), LIYUN]);
    (*all.swap_remove(0)).clone()
}

#[test]
fn words_of_a_citation_end_where_they_agree_no_more_and_its_notes_go_on_with_it() {
    let d = citing(
        "正義曰微謂虧傷者禮運云三五而盈三五而闕注云一盈一闕屈伸之義又云五行之動是日月之食不當如此者彼據常也",
    );
    let want = [
        ("禮記・禮運", "三五而盈三五而闕"),
        ("禮記・禮運・鄭注", "一盈一闕屈伸之義"),
        ("禮記・禮運", "五行之動"),
    ];
    assert_eq!(cited(&d), want);
    assert_eq!(places(&d, LinkKind::Quotation), [Some("微,謂虧傷")], "者 ends what it takes up");
}

#[test]
fn a_few_words_of_the_comment_are_no_part_of_what_is_cited() {
    let d = citing(
        "正義曰微謂虧傷也此以日月喻君臣君道當常明如日而月有虧盈今君失道而任小人大臣專恣則日如月然又禮運云三五而盈是也",
    );
    assert_eq!(cited(&d), [("禮記・禮運", "三五而盈")]);
}

#[test]
fn scholars_speak_without_marks() {
    let d = citing(
        "正義曰諸是語助故服虔云諸辭也王肅云日君月臣故居諸皆不爲義也此詩言日當常明如月有虧盈今君失道",
    );
    let scholars: Vec<_> = cited(&d).into_iter().map(|(work, _)| work.to_string()).collect();
    assert_eq!(scholars.len(), 2, "{scholars:?}");
    assert!(scholars[0].starts_with("服虔") && scholars[1].starts_with("王肅"), "{scholars:?}");
}
