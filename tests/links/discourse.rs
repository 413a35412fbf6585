//! What a text goes on about: years without their duke, words of the text just cited, and a title with
//! which a comment opens.

use std::sync::Arc;

use zhushu::model::{Document, Layer, Link, LinkKind};

use super::references::{run_named, words};

/// The documents, and what each link of the first quotes, cites and leads to.
fn read(texts: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
    let documents = run_named(texts);
    let citing: &Document = &documents[0];
    let row = |l: &Link| row(&documents, citing, l);
    citing.links.iter().filter(|l| l.kind != LinkKind::Lemma).map(row).collect()
}

fn row(documents: &[Arc<Document>], citing: &Document, link: &Link) -> (String, String, String) {
    let quoted = link.quoted.map_or("", |q| citing.slice(q)).to_string();
    let place = words(documents, citing, link).unwrap_or("").to_string();
    (quoted, link.work.as_deref().unwrap_or_default().to_string(), place)
}

fn place_of<'a>(rows: &'a [(String, String, String)], quoted: &str) -> (&'a str, &'a str) {
    let row = rows.iter().find(|r| r.0 == quoted).unwrap_or_else(|| panic!("{quoted}: {rows:?}"));
    (&row.1, &row.2)
}

#[test]
fn a_year_without_a_duke_is_of_the_duke_named_before() {
    let text = "經〔公即位。〕疏〔○解云：即昭二十五年“叔孫舍卒”；二十九年“叔倪卒于此”，是也。〕";
    let rows = read(&[
        ("公羊傳", "隱公", text),
        ("公羊傳", "昭公", "經〔叔孫舍卒。鄭人伐宋。叔倪卒于此。〕"),
        ("公羊傳", "桓公", "經〔叔倪卒于彼。〕"),
    ]);
    assert_eq!(place_of(&rows, "叔倪卒于此"), ("公羊傳・昭公", "叔倪卒于此"));
}

#[test]
fn words_further_on_are_of_the_passage_or_of_the_text_just_cited() {
    let text = "經〔君子體仁足以長人。〕疏〔○下云“體仁”，是仁。《郊特牲》說蜡祭，其下又云“黃衣黃冠而祭”。〕";
    let rows = read(&[
        ("周易", "乾", text),
        ("禮記", "郊特牲", "經〔蜡也者，索也。黃衣黃冠而祭，息田夫也。〕"),
    ]);
    assert_eq!(place_of(&rows, "體仁").1, "體仁");
    assert_eq!(place_of(&rows, "黃衣黃冠而祭"), ("禮記・郊特牲", "黃衣黃冠而祭"));
}

#[test]
fn the_header_has_the_words_of_a_title_with_which_the_comment_opens() {
    let text = "經〔呼獒而屬之。〕注〔犬四尺曰獒。〕\n疏〔注“犬四尺曰獒”。○解云：《釋畜》文。〕";
    let rows = read(&[
        ("公羊傳", "宣公", text),
        ("爾雅", "釋畜", "經〔狗四尺爲獒。犬未成豪，狗。犬四尺曰獒。〕"),
    ]);
    let cited = rows.iter().find(|r| r.1 == "爾雅・釋畜").expect("a citation");
    assert_eq!(cited.2, "犬四尺曰獒");
}

#[test]
fn a_quotation_with_a_year_before_it_is_from_there_even_if_the_passage_has_the_words() {
    let text = "經〔姒氏卒。〕注〔不成喪也。弦子奔黃。〕疏〔○解云：定十五年“姒氏卒”，傳曰“不成喪也”，是也。云“弦子奔黃”者，僖五年在此。〕";
    let rows = read(&[
        ("左傳", "隱公", text),
        ("左傳", "定公", "經〔秋，姒氏卒。不成喪也，故不書。〕"),
        ("左傳", "僖公", "經〔楚人滅弦，弦子奔黃。〕"),
    ]);
    assert_eq!(place_of(&rows, "姒氏卒").0, "左傳・定公");
    assert_eq!(place_of(&rows, "不成喪也").0, "左傳・定公");
    assert_eq!(place_of(&rows, "弦子奔黃").0, "", "the year is named after these words");
}

#[test]
fn another_chapter_of_the_same_work_is_not_this_one_although_both_have_the_words() {
    let text = "經〔賓進東北面,辭洗。主人坐奠爵。〕疏〔○釋曰:案《鄉射》“賓進東北面,辭洗”,是也。〕";
    let all = run_named(&[
        ("儀禮", "鄉飲酒禮", text),
        ("儀禮", "鄉射禮", "經〔賓進東北面,辭洗。主人坐奠爵。〕"),
    ]);
    let cited = all[0].links.iter().find(|l| l.kind == LinkKind::Citation).expect("a citation");
    let target = cited.target.as_ref().expect("a place");
    assert_eq!(target.doc.as_deref(), Some(all[1].id.as_str()));
}

#[test]
fn a_comment_sums_up_what_the_passage_says_without_marks() {
    let text = "經〔敵國不相征也。小國順大國。〕疏〔○正義曰：此孟子言征者，上伐下也，故曰敵國不相征也。以大事小，故云小國順大國爲順天。〕";
    let rows = read(&[("孟子", "盡心", text)]);
    assert_eq!(place_of(&rows, "敵國不相征").1, "敵國不相征");
    assert_eq!(place_of(&rows, "小國順大國").1, "小國順大國");
    let rows =
        read(&[("孟子", "盡心", "經〔敵國不相征也。〕疏〔○正義曰：不謂敵國，無曰相征，是也。〕")]);
    assert!(rows.is_empty(), "{rows:?}");
}

#[test]
fn notes_on_a_work_that_is_cited_are_called_after_who_speaks() {
    for (cue, notes) in [("毛云", "毛傳"), ("箋云", "鄭箋")] {
        let text = format!(
            "經〔庭燎光。〕疏〔○釋曰:《詩·庭燎》云“夜未央,庭燎之光”,{cue}“君子,諸侯也”。〕"
        );
        let song = ("詩經", "小雅-庭燎", "經〔夜未央,庭燎之光。〕");
        let rows = read(&[("儀禮", "燕禮", &text), song]);
        assert_eq!(place_of(&rows, "君子,諸侯也").0, format!("詩經・小雅・庭燎・{notes}"));
    }
}

#[test]
fn what_an_outline_says_of_a_section_is_where_that_begins() {
    let text = concat!(
        "經〔是月也,天子乃薦鞠衣。〕\n疏〔正義曰:自“命司空”以下,論時雨將降,事別於上,故更云“是月也”。〕\n",
        "經〔是月也,生氣方盛。〕\n經〔是月也,命司空曰:時雨將降。〕"
    );
    let documents = run_named(&[("禮記", "月令", text)]);
    let citing = &documents[0];
    let says = citing.links.iter().find(|l| l.quoted.is_some_and(|q| citing.slice(q) == "是月也"));
    let target = says.and_then(|l| l.target.as_ref()).expect("a place");
    assert_eq!(target.span.start(), text.rfind("是月也").expect("words"));
}

#[test]
fn a_reading_that_holds_in_other_places_leads_to_them() {
    let text = concat!(
        "經〔乃爲麥祈實。〕注〔爲鳥。〕音〔爲,于僞反,下文“乃爲”、注“爲鳥”同。行,下孟反。〕\n",
        "疏〔正義曰:祈,求也。〕\n經〔乃爲之。〕注〔鷹化爲鳥。〕"
    );
    let documents = run_named(&[("禮記", "月令", text)]);
    let citing = &documents[0];
    let pointers = citing.links.iter().filter(|l| l.layer == Layer::Yin);
    let starts: Vec<_> = pointers.filter_map(|l| Some(l.target.as_ref()?.span.start())).collect();
    let last = |words: &str| text.rfind(words).expect("words");
    assert_eq!(starts, [last("乃爲"), last("爲鳥")]);
}

#[test]
fn a_text_does_not_cite_the_words_that_cite_it() {
    let text = "經〔公會于鄧。〕注〔鄧,蔡地。隱元年傳例曰,凡諸侯有命告則書不然則否。〕\n疏〔○正義曰:鄧是國名。〕";
    let elsewhere = "經〔鄭伯以虢師伐宋。凡諸侯有命,告則書,不然則否。師出臧否亦如之。〕";
    let rows = read(&[("左傳", "隱公", text), ("左傳", "桓公", elsewhere)]);
    let cited: Vec<_> = rows.iter().filter(|r| r.1 == "左傳・隱公").collect();
    assert!(cited.len() == 1 && cited[0].2.is_empty(), "{rows:?}");
}

#[test]
fn a_quotation_in_the_sentence_of_a_title_is_from_there_even_if_the_passage_nearly_has_it() {
    let text = "經〔審輮幹。〕注〔凡輮幹,曲之。〕\n疏〔○正義曰:案《弓人》掌作弓,云“凡折幹”,故知弓幹。《射義》云“飾以禮樂。”云“凡揉幹”,曲之也。〕";
    let rows = read(&[("禮記", "月令", text)]);
    assert_eq!(place_of(&rows, "凡折幹").0, "周禮・考工記・弓人");
    assert_eq!(place_of(&rows, "凡揉幹"), ("", "凡輮幹"));
}

#[test]
fn what_is_below_in_what_was_cited_is_not_in_the_passage() {
    let text = "經〔掌斂互物。〕注〔互物,蚌蛤之屬。〕\n疏〔○釋曰:案《鼈人》云“掌取互物”,彼下文別有貍物。〕";
    let rows = read(&[("周禮", "掌蜃", text)]);
    assert!(rows.iter().all(|r| !r.1.ends_with("掌蜃")), "{rows:?}");
}

#[test]
fn what_that_text_writes_is_from_there() {
    let text = concat!(
        "經〔喪紀以服爲序。〕注〔序,次也。〕\n疏〔○釋曰:案《文王世子》云“喪紀以服之輕重爲序”。云“爲序”者,彼文作“輕重”字,",
        "此無之。〕"
    );
    let rows = read(&[
        ("周禮", "小宗伯", text),
        ("禮記", "文王世子", "經〔族食世降一等,喪紀以服之輕重爲序,不奪人親也。〕"),
    ]);
    assert_eq!(place_of(&rows, "輕重"), ("禮記・文王世子", "輕重"));
}

#[test]
fn who_speaks_is_named_just_before_the_words() {
    let text = "經〔彘子將下軍。〕疏〔正義曰:服虔云食采於彘。故知“天地玄黃”也。〕";
    let rows = read(&[("左傳", "宣公", text)]);
    assert_eq!(place_of(&rows, "天地玄黃").0, "");
}

#[test]
fn notes_are_meant_by_their_cue_and_by_their_words() {
    let of = |comment: &str| {
        let text = format!(
            "經〔主人揖讓升堂。〕注〔主人揖讓升堂,敬也。揖讓而升堂,敬也。〕疏〔{comment}〕"
        );
        let all = run_named(&[("儀禮", "燕禮", &text)]);
        let quoted = all[0].links.iter().find(|l| l.kind == LinkKind::Quotation);
        let place = quoted.and_then(|l| l.target.as_ref()).expect("a place").span;
        let segment = all[0].segment_at(place.start()).expect("a segment");
        (all[0].segments[segment].layer, all[0].slice(place).to_string())
    };
    let (zhu, jing) = (Layer::Zhu, Layer::Jing);
    assert_eq!(of("○釋曰:云“主人揖讓升堂”者,賓也。"), (jing, "主人揖讓升堂".into()));
    assert_eq!(of("○釋曰:注云“主人揖讓升堂”者,賓也。"), (zhu, "主人揖讓升堂".into()));
    assert_eq!(of("○釋曰:云“揖讓而升堂”者,賓也。"), (zhu, "揖讓而升堂".into()));
}

#[test]
fn what_is_said_not_to_stand_there_is_hardly_from_there() {
    let text = "經〔天子五年一巡守。〕疏〔○釋曰:不云“五年一巡守”,文略也。〕";
    let all = run_named(&[("禮記", "王制", text)]);
    let quoted = all[0].links.iter().find(|l| l.quoted.is_some()).expect("a quotation");
    assert!(quoted.certainty.get() < 0.7, "{quoted:?}");
}

#[test]
fn a_citation_is_over_where_its_words_are_taken_up() {
    let classic = ("儀禮", "燕禮", "經〔主人洗觚。賓升堂。〕");
    let of = |between: &str| {
        let text =
            format!("經〔賓升堂再拜。〕疏〔○釋曰:《燕禮》云“主人洗觚”{between},又云“升堂”。〕");
        place_of(&read(&[("儀禮", "鄉射禮", &text), classic]), "升堂").0.to_string()
    };
    assert_eq!([of(""), of("者")], ["儀禮・燕禮", ""]);
}
