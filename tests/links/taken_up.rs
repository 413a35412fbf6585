//! Words that a sub-commentary takes up without 云, and words of the chapter that the passage it
//! explains does not have.

use zhushu::model::{EvidenceKind, LinkKind};

use crate::references::{of_kind, one, places, run_named, words};

#[test]
fn words_that_begin_a_sentence_and_end_with_zhe_are_taken_up_from_the_passage() {
    let d = one(concat!(
        "經〔凡以苞苴、簞笥問人者。〕注〔問,猶遺也。〕\n",
        "疏〔“凡以”至“人者”。釋曰:苞者,以草苞之。問人者,問謂遺之也。此所問人者,亦然。使人者,未知。〕"
    ));
    assert_eq!(places(&d, LinkKind::Quotation), [Some("問人"), Some("問人")]);
}

#[test]
fn what_the_text_is_reported_to_say_may_be_one_word() {
    let d = one(concat!(
        "經〔效馬羊者右牽之。〕注〔便也。〕\n",
        "疏〔“效馬”至“牽之”。釋曰:此亦是遺人,而言效,亦互文也。〕"
    ));
    assert_eq!(places(&d, LinkKind::Quotation), [Some("效")]);
}

#[test]
fn a_character_without_marks_that_the_passage_has_twice_may_be_either() {
    let d = one(concat!(
        "經〔效馬者右牽之,效犬者左牽之。〕注〔便也。〕\n",
        "疏〔“效馬”至“牽之”。釋曰:此亦是遺人,而言效,亦互文也。而言效馬者,馬有力。〕"
    ));
    let links = of_kind(&d, LinkKind::Quotation);
    assert_eq!(places(&d, LinkKind::Quotation), [None, Some("效馬")]);
    let either: Vec<_> = links[0].alternatives.iter().map(|t| d.slice(t.span)).collect();
    assert_eq!(either, ["效", "效"]);
    assert!(links[0].evidence.iter().any(|e| e.kind == EvidenceKind::SeveralPlaces));
}

#[test]
fn what_the_passage_lacks_is_looked_for_in_all_of_the_chapter() {
    let filler = "甲乙丙丁,戊己庚辛。壬癸子丑,寅卯辰巳。".repeat(20);
    let d = one(&format!(
        "經〔兼弱攻昧,武之善經也。〕\n疏〔“兼弱”至“經也”。正義曰:善也。〕\n\
         經〔{filler}〕\n疏〔“甲乙”至“辰巳”。正義曰:午也。〕\n\
         經〔遵養時晦。〕\n疏〔“遵養時晦”。正義曰:故言“攻昧”也。自“是月也”至“耕者少舍”,\
         論之。其下云“順陽養物”者,記也。〕\n\
         經〔是月也,耕者少舍。〕注〔順陽養物也。〕"
    ));
    let found = places(&d, LinkKind::Quotation);
    assert!(found.contains(&Some("攻昧")), "{found:?}");
    assert!(found.contains(&Some("耕者少舍")), "an outline leads to both of its ends: {found:?}");
}

#[test]
fn the_versions_of_one_text_do_not_compete() {
    let ours = concat!(
        "經〔君言不宿于家。〕注〔言謂有故所問也。〕\n",
        "疏〔“君言”至“于家”。正義曰:《春秋》臧孫辰告糴於齊,是其類也。〕"
    );
    let told = "經〔大無麥禾,臧孫辰告糴于齊。〕";
    let all = run_named(&[
        ("禮記", "曲禮", ours),
        ("左傳", "莊公", told),
        ("公羊傳", "莊公", told),
        ("穀梁傳", "莊公", told),
    ]);
    let cited = of_kind(&all[0], LinkKind::Citation)[0];
    assert_eq!(words(&all, &all[0], cited), Some("臧孫辰告糴于齊"));
    assert_eq!(cited.target.as_ref().and_then(|t| t.doc.as_deref()), Some(&*all[1].id));
}

#[test]
fn exactly_the_words_elsewhere_in_the_chapter_are_meant_where_the_passage_varies_them() {
    let d = one(concat!(
        "經〔其三曰敷時繹思。〕注〔思,辭也。〕\n疏〔“其三”至“繹思”。釋曰:繹,陳也。〕\n",
        "經〔其六曰綏萬邦。〕注〔綏,安也。〕\n疏〔“其六”至“萬邦”。釋曰:豈得自言“其三曰”也。〕"
    ));
    assert_eq!(places(&d, LinkKind::Quotation), [Some("其三曰")]);
}
