//! Citations of annals: the classic, its traditions, and the years that name them.

use zhushu::model::LinkKind;

use crate::references::{of_kind, run_named, words};

const YEARS: &str = concat!(
    "經〔【經】十有七年春,公會邾儀父盟于趡。夏,及齊師戰于奚。【傳】十七年春,盟于黃,平齊紀也。",
    "及邾儀父盟于趡,尋蔑之盟也。〕"
);

fn cited(text: &str) -> Vec<(String, Option<String>)> {
    let all = run_named(&[("禮記", "曲禮", text), ("左傳", "桓公", YEARS)]);
    let citations = of_kind(&all[0], LinkKind::Citation);
    let said = citations.iter().map(|l| {
        let place = words(&all, &all[0], l).map(String::from);
        (l.work.as_deref().unwrap_or_default().to_string(), place)
    });
    said.collect()
}

#[test]
fn what_is_cited_by_its_year_is_in_the_classic_if_it_has_the_words() {
    let said = cited(concat!(
        "經〔諸侯相見。〕\n疏〔正義曰:桓十七年“公會邾儀父盟于趡”是也。又桓十七年“尋蔑之盟也”。",
        "案桓十七年傳云“盟于黃,平齊紀也”。《左傳》桓十七年云“及齊師戰于奚”。〕"
    ));
    let want = [
        ("春秋・桓公", "公會邾儀父盟于趡"),
        ("左傳・桓公", "尋蔑之盟也"),
        ("左傳・桓公", "盟于黃,平齊紀也"),
        ("左傳・桓公", "及齊師戰于奚"),
    ];
    assert_eq!(said, want.map(|(w, p)| (w.to_string(), Some(p.to_string()))));
}

#[test]
fn a_year_that_quotes_nothing_is_of_the_tradition() {
    let said = cited("經〔諸侯相見。〕\n疏〔正義曰:桓二年“滕子來朝”是也。事在莊二十二年。〕");
    let want = [("左傳・莊公".to_string(), None)];
    assert_eq!(said, want, "what is in the year 22 is not quoted, and the passage has no 滕子");
}

#[test]
fn what_goes_on_with_the_classic_is_in_it() {
    let said = cited(concat!(
        "經〔諸侯相見。〕\n疏〔正義曰:桓十七年“公會邾儀父盟于趡”,彼言“會”,此言“見”者,不盟也。",
        "彼經亦書“儀父”,是貴之也。〕"
    ));
    let works: Vec<&str> = said.iter().map(|(work, _)| work.as_str()).collect();
    assert_eq!(works, ["春秋・桓公"; 3]);
}

#[test]
fn a_duke_named_with_the_title_of_a_tradition_names_no_notes() {
    let said = cited("經〔營洛邑。〕\n疏〔正義曰:案《左氏·莊公傳》云“水昏正而栽”,是十月。〕");
    assert_eq!(said, [("左傳・莊公".to_string(), None)]);
}
