//! Places that weights learned from lists give where no rule is sure, and references that were
//! once left out because nothing introduces them.

use zhushu::model::{LinkKind, Status};

use super::references::{run_named, words};

/// Sentences of characters that nothing else has, so that those of the texts are rare.
fn filler(sentences: u32) -> String {
    let of = |n: u32| (0..9).filter_map(move |i| char::from_u32(0x5000 + (n * 9 + i) % 4000));
    (0..sentences).map(|n| of(n).collect::<String>() + "。").collect()
}

#[test]
fn a_gloss_is_placed_in_the_sentence_that_has_its_characters() {
    let glosses = format!("經〔{}夏、幠、厖、墳、嘏，大也。{}〕", filler(80), filler(40));
    let texts = [
        ("左傳", "宣公", "經〔肆于時夏〕注〔夏，大也〕疏〔○“夏，大”，《釋詁》文。〕"),
        ("爾雅", "釋詁", glosses.as_str()),
    ];
    let documents = run_named(&texts);
    let citing = &documents[0];
    let link = citing.links.iter().find(|l| l.kind == LinkKind::Citation).expect("a citation");
    assert_eq!(link.work.as_deref(), Some("爾雅・釋詁"));
    let place = words(&documents, citing, link).expect("a place");
    assert_eq!(place.trim_end_matches('也'), "夏、幠、厖、墳、嘏，大");
    assert!(link.status == Status::Paraphrase && link.certainty.get() < 0.99);
}

#[test]
fn a_gloss_that_no_sentence_has_is_not_placed() {
    let glosses = format!("經〔{}夏、幠、厖也。{}〕", filler(80), filler(40));
    let texts = [
        ("左傳", "宣公", "經〔肆于時獲〕注〔獲，得也〕疏〔○“獲，得”，《釋詁》文。〕"),
        ("爾雅", "釋詁", glosses.as_str()),
    ];
    let documents = run_named(&texts);
    let link = documents[0].links.iter().find(|l| l.kind == LinkKind::Citation);
    assert_eq!(link.expect("a citation").target, None);
}

#[test]
fn words_in_marks_are_a_reference_even_if_nothing_introduces_them() {
    let text = "經〔師出以律。〕疏〔○正義曰：“此一句言師。既釋“不臧”之義，乃言師。〕";
    let documents = run_named(&[("左傳", "宣公", text)]);
    let source = documents[0].source.text();
    let quoted: Vec<&str> = documents[0]
        .links
        .iter()
        .filter(|l| l.kind == LinkKind::Quotation)
        .filter_map(|l| Some(&source[l.quoted?.range()]))
        .collect();
    assert_eq!(quoted, ["不臧"]);
}

#[test]
fn a_scholar_who_explains_something_by_something_is_named() {
    let text = "經〔潛龍勿用。〕疏〔○褚氏以初上居無位之地。皇侃用先儒之義。〕";
    let documents = run_named(&[("周易", "乾", text)]);
    let works: Vec<&str> = documents[0].links.iter().filter_map(|l| l.work.as_deref()).collect();
    assert!(works.iter().any(|w| w.starts_with("褚氏")), "{works:?}");
}

#[test]
fn a_scholar_who_wrote_on_the_work_just_cited_speaks_of_it() {
    let text = "經〔天子之卿。〕疏〔○《周禮》上公九命，其大夫四命。鄭玄云“王之上士三命”，是也。〕";
    let documents = run_named(&[("孟子", "萬章", text)]);
    let works: Vec<&str> = documents[0].links.iter().filter_map(|l| l.work.as_deref()).collect();
    assert!(works.contains(&"周禮・鄭注"), "{works:?}");
}
