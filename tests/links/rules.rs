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
