//! Single rules of references, each on a text that follows it and, where there is one, on the nearest
//! text to which it does not apply.

use std::sync::Arc;

use zhushu::model::{Document, Layer, LinkKind, Status};

use crate::references::{of_kind, one, places, run_named, words};

/// A chapter of another text, which commentaries cite.
const SHOT: &str = "經〔大射儀第七〕\n經〔司馬正洗散,遂實爵,獻服不。〕注〔服不,司馬之屬。〕\n經〔服不侯西北三步,北面拜受爵。〕注〔近其所為獻。〕";

/// A passage with a sub-commentary that says this, and the chapter above.
fn said(commentary: &str) -> Vec<Arc<Document>> {
    let ours = format!(
        "經〔不勝者先降,不由次。〕注〔後升先降,略之也。〕\n疏〔“不勝”至“由次”。注“後升”至“之也”。釋曰:{commentary}〕\n經〔主人揖升,坐取爵于篚。〕"
    );
    run_named(&[("儀禮", "鄉射禮", &ours), ("儀禮", "大射儀", SHOT)])
}

/// The links of the sub-commentary that is not a header: kind, its words, and where it leads.
fn links(documents: &[Arc<Document>]) -> Vec<(LinkKind, &str, Option<&str>)> {
    let d = &*documents[0];
    d.links
        .iter()
        .filter(|l| l.layer == Layer::Shu && l.kind != LinkKind::Lemma)
        .map(|l| (l.kind, d.slice(l.span), words(documents, d, l)))
        .collect()
}

#[test]
fn words_of_a_citation_without_a_place_are_that_citation_again() {
    let all = said("案《爾雅》云“東方之美者有醫無閭”。言“醫無閭”者,山名。言“之美”者,善也。");
    let cited: Vec<_> = links(&all).into_iter().filter(|l| l.0 == LinkKind::Citation).collect();
    assert_eq!(cited.len(), 2, "two characters are few: {cited:?}");
    assert!(cited[1].1.ends_with("“醫無閭”"), "{cited:?}");
    let works: Vec<_> =
        of_kind(&all[0], LinkKind::Citation).iter().map(|l| l.work.clone()).collect();
    assert_eq!(works[0], works[1]);
    // Words of a citation that has a place lead to that place.
    let all = said("案《大射》云“司馬正洗散,遂實爵”。云“洗散遂實”者,明也。");
    let found: Vec<_> = links(&all).into_iter().map(|l| l.2).collect();
    assert_eq!(found, [Some("司馬正洗散,遂實爵"), Some("洗散,遂實")]);
}

#[test]
fn a_title_may_have_its_quotation_right_after_it() {
    let all = said("案《大射》“司馬正洗散,遂實爵”,是也。");
    assert_eq!(links(&all), [(LinkKind::Citation, "《大射》", Some("司馬正洗散,遂實爵"))]);
}

#[test]
fn the_end_of_a_range_is_looked_for_after_its_beginning() {
    let d = one(
        "經〔賓升受爵,主人升,坐洗,賓升。〕注〔升,上也。〕\n疏〔“賓升”至“賓升”。注“升上也”。釋曰:云“主人升”以下至“賓升”者,明其次。〕",
    );
    let range = of_kind(&d, LinkKind::Quotation)[0];
    assert_eq!((range.status, words(&[], &d, range)), (Status::Range, Some("主人升,坐洗,賓升")));
}

#[test]
fn the_first_words_of_a_sub_commentary_may_take_up_the_passage() {
    let d = one("經〔凡以苞苴問人者。〕注〔問,猶遺也。〕\n疏〔問人者,問謂遺之也。〕");
    assert_eq!(places(&d, LinkKind::Quotation), [Some("問人")]);
}

#[test]
fn what_the_text_is_reported_to_say_may_follow_other_words() {
    let d = one(concat!(
        "經〔效馬羊者右牽之。〕注〔便也。〕\n",
        "疏〔“效馬”至“牽之”。釋曰:此亦是遺人,故而言效,亦互文也。〕"
    ));
    assert_eq!(places(&d, LinkKind::Quotation), [Some("效")]);
}

#[test]
fn more_words_after_those_of_another_place_are_from_there_too() {
    let text = |lead: &str| {
        one(&format!(
            "經〔卒射,皆執弓不挾,升堂揖讓。〕注〔卒,已也。〕\n疏〔“卒射”至“揖讓”。注“卒已也”。釋曰:卒射者,射訖。〕\n\
             經〔命三耦執張弓。〕注〔右執弦。〕\n疏〔“命三”至“張弓”。注“右執弦”。釋曰:{lead}又雲升堂揖讓,是也。〕"
        ))
    };
    let d = text("上文云“卒射,皆執弓不挾”,");
    assert_eq!(places(&d, LinkKind::Internal), [Some("卒射,皆執弓不挾"), Some("升堂揖讓")]);
    let d = text("上文云“卒射,皆執弓不挾”");
    assert_eq!(places(&d, LinkKind::Internal), [Some("卒射,皆執弓不挾"), Some("升堂揖讓")]);
    let d = text("云“命三耦”者,明也。");
    assert_eq!(places(&d, LinkKind::Internal), [], "nothing above is spoken of");
}

#[test]
fn a_paraphrase_agrees_in_three_characters_in_a_row() {
    let found = |quoted: &str| {
        let d = one(&format!(
            "經〔司射搢扑東面立于所。〕注〔搢,插也。〕\n疏〔“司射”至“于所”。注“搢插也”。釋曰:云“{quoted}”者,明也。〕"
        ));
        places(&d, LinkKind::Quotation).iter().map(Option::is_some).collect::<Vec<_>>()
    };
    assert_eq!(found("司射搢扑南面坐于所"), [true]);
    assert_eq!(found("司射插扑東南立在所"), [false]);
}

#[test]
fn as_at_first_refers_to_no_earlier_account() {
    let d = one(
        "經〔鄉射禮第五〕\n經〔司射初命三耦,卒射,皆執弓。〕注〔命,告也。〕\n經〔眾賓繼射。〕注〔如初之。〕\n經〔大夫射。〕注〔如卒射。〕",
    );
    assert_eq!(places(&d, LinkKind::Internal).len(), 1);
}

#[test]
fn what_the_author_of_the_notes_says_without_marks_is_one_quotation() {
    for words in ["後升先降", "略之"] {
        let all = said(&format!("此言卑者。鄭玄云{words}。謂此也。"));
        let whole = format!("鄭玄云{words}");
        assert_eq!(links(&all), [(LinkKind::Quotation, &*whole, Some(words))]);
    }
}

#[test]
fn words_of_the_passage_inside_an_unknown_quotation_are_found() {
    let all = said("案舊說“甲乙謂丙丁‘不由次’戊己”,是也。");
    assert!(links(&all).iter().any(|l| l.2 == Some("不由次")), "{:?}", links(&all));
}
