//! Whose words a note cites: those of another scholar, or of another recension of the text it is on.

use zhushu::model::{Link, LinkKind};

use crate::references::{of_kind, one, run_named};

fn works(links: &[&Link]) -> Vec<Option<String>> {
    links.iter().map(|l| l.work.clone()).collect()
}

#[test]
fn what_another_scholar_says_in_a_note_is_a_citation_of_his() {
    let text =
        "經〔及祭,帥其屬而守其厲禁。〕注〔鄭司農云:“遮列禁人,不得令入。”〕\n疏〔釋曰:屬,胥徒也。〕";
    let all = run_named(&[("周禮", "典祀", text)]);
    let citations = of_kind(&all[0], LinkKind::Citation);
    assert_eq!(works(&citations), [Some("鄭司農(周禮解詁)".to_string())]);
    let quoted = citations[0].quoted.expect("what he says");
    assert_eq!(all[0].slice(quoted), "遮列禁人,不得令入。");
}

#[test]
fn another_recension_of_the_text_is_cited_and_not_the_text() {
    let text =
        "經〔淫雨蚤降。〕注〔淫,霖也。今《月令》曰“眾雨”。〕\n疏〔釋曰:《月令》云“淫雨蚤降”。〕";
    let all = run_named(&[("禮記", "月令", text)]);
    let citations = of_kind(&all[0], LinkKind::Citation);
    let places: Vec<bool> = citations.iter().map(|l| l.target.is_some()).collect();
    assert_eq!(works(&citations), ["今月令", "禮記・月令"].map(|w| Some(w.to_string())));
    assert_eq!(places, [false, true]);
}

#[test]
fn a_lost_chapter_is_cited_by_its_own_title() {
    let d = one(
        "經〔命國難。〕注〔《王居明堂禮》曰:“季春出疫于郊。”〕\n疏〔釋曰:《石氏星經》云“大陵主尸”。〕",
    );
    let cited = works(&of_kind(&d, LinkKind::Citation));
    assert_eq!(cited, ["王居明堂禮", "石氏星經"].map(|w| Some(w.to_string())));
}
