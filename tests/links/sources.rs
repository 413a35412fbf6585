//! Whose words a note cites: those of another scholar, or of another recension of the text it is on.

use zhushu::model::{Layer, Link, LinkKind};

use crate::references::{of_kind, one, run_named, words};

fn works(links: &[&Link]) -> Vec<Option<String>> {
    links.iter().map(|l| l.work.as_deref().map(String::from)).collect()
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
fn a_text_as_it_is_now_is_no_recension_if_no_note_says_so() {
    let text = "經〔曾孫侯氏,四正具舉。〕\n疏〔正義曰:今《射義》有載“曾孫侯氏”之詩。〕";
    let all = run_named(&[("禮記", "射義", text)]);
    let cited = works(&of_kind(&all[0], LinkKind::Citation));
    assert_eq!(cited, [Some("禮記・射義".to_string())]);
}

#[test]
fn a_lost_chapter_is_cited_by_its_own_title() {
    let d = one(
        "經〔命國難。〕注〔《王居明堂禮》曰:“季春出疫于郊。”〕\n疏〔釋曰:《石氏星經》云“大陵主尸”。〕",
    );
    let cited = works(&of_kind(&d, LinkKind::Citation));
    assert_eq!(cited, ["王居明堂禮", "石氏星經"].map(|w| Some(w.to_string())));
}

#[test]
fn what_a_scholar_says_is_cited_also_if_it_cites_something() {
    let text = concat!(
        "經〔授子杖。〕注〔鄭司農云:“三日授子杖。《喪大記》曰:‘君之喪,三日。’”玄謂受杖日數。〕\n",
        "疏〔釋曰:杖,所以扶病也。〕"
    );
    let all = run_named(&[("周禮", "肆師", text)]);
    let cited = works(&of_kind(&all[0], LinkKind::Citation));
    assert_eq!(cited, ["鄭司農(周禮解詁)", "禮記・喪大記"].map(|w| Some(w.to_string())));
}

#[test]
fn what_is_called_the_words_on_a_classic_is_another_book() {
    let d = one(concat!(
        "經〔郊祀后稷。〕注〔郊,祭天也。〕\n",
        "疏〔“郊祀后稷”。釋曰:《孝經》說云“孔子曰某”。《異義》,《公羊》說云“祭天無尸”。《滕文公》說之矣。〕"
    ));
    let cited = works(&of_kind(&d, LinkKind::Citation));
    assert_eq!(cited[0].as_deref(), Some("孝經緯"));
    assert_eq!(cited[2].as_deref(), Some("五經異義"));
    assert_eq!(cited[3].as_deref(), Some("孟子・滕文公"));
}

#[test]
fn a_title_without_marks_has_the_quotation_that_follows_it() {
    let ours = concat!(
        "經〔乃閒歌《魚麗》。〕\n",
        "疏〔釋曰:案《魚麗》序云:“美萬物盛多也。”詩云:“君子有酒,旨且多。”書曰:“未之有也。”左傳曰:“莫之與也。”〕"
    );
    let all = run_named(&[
        ("儀禮", "鄉飲酒禮", ours),
        ("詩經", "魚麗", "經〔君子有酒,旨且多。魚麗于罶,鱨鯊。〕"),
        ("尚書", "禹貢", "經〔禹敷土,隨山刊木。〕"),
    ]);
    let citations = of_kind(&all[0], LinkKind::Citation);
    let quoted: Vec<_> = citations.iter().map(|l| l.quoted.map(|q| all[0].slice(q))).collect();
    assert_eq!(quoted[1], Some("君子有酒,旨且多。"));
    assert_eq!(citations[1].work.as_deref(), Some("詩經・小雅・魚麗"), "not its preface");
    assert_eq!(all[0].slice(citations[2].span), "書");
    assert_eq!(quoted[2], None, "someone may write what a book with this name does not have");
    assert_eq!(quoted.last(), Some(&Some("莫之與也。")), "the 左傳 is no notes on what was cited");
}

#[test]
fn a_title_has_the_quotation_at_the_end_of_its_sentence() {
    let ours = "經〔鄉黨稱其弟。〕\n疏〔正義曰:又《遂人職》主六遂,六遂之民在遠郊之外,“五家爲鄰,五鄰爲里,四里爲酇”。〕";
    let suiren = "經〔五家爲鄰,五鄰爲里,四里爲酇,五酇爲鄙。大喪,帥六遂之役而致之。〕";
    let all = run_named(&[("禮記", "曲禮", ours), ("周禮", "遂人", suiren)]);
    let [title] = of_kind(&all[0], LinkKind::Citation)[..] else { panic!("one citation") };
    assert_eq!(all[0].slice(title.span), "《遂人職》");
    assert_eq!(title.quoted.map(|q| all[0].slice(q)), Some("五家爲鄰,五鄰爲里,四里爲酇"));
    let target = title.target.as_ref().expect("a place");
    assert_eq!(all[1].slice(target.span), "五家爲鄰,五鄰爲里,四里爲酇");
}

#[test]
fn what_the_work_just_cited_does_not_have_is_from_the_text_that_has_it() {
    let ours = concat!(
        "經〔回也非助我者也。〕\n疏〔正義曰:與子夏論《詩》,子曰:“起予者商也。”是有益也。〕\n",
        "經〔起予者商也,始可與言詩已矣。〕"
    );
    let all = run_named(&[("論語", "先進", ours), ("詩經", "魚麗", "經〔君子有酒,旨且多。〕")]);
    let says =
        all[0].links.iter().find(|l| l.quoted.is_some_and(|q| all[0].slice(q).starts_with("起予")));
    let target = says.and_then(|l| l.target.as_ref()).expect("it is in this text");
    assert_eq!((target.doc.is_none(), all[0].slice(target.span)), (true, "起予者商也"));
}

#[test]
fn the_text_of_a_chapter_may_stand_in_others() {
    let ours = "經〔天道元亨。〕\n疏〔正義曰:《文言》曰:“元者,善之長也。亨者,嘉之會也。”《象傳》曰:“君子以自強不息。”〕";
    let qian =
        "經〔乾元亨利貞。天行健君子以自強不息。文言曰元者善之長也,亨者嘉之會也,利者義之和也。〕";
    let all = run_named(&[("論語", "公冶長", ours), ("周易", "乾", qian)]);
    let citations = of_kind(&all[0], LinkKind::Citation);
    let cited = ["周易・文言", "周易・象傳"].map(|w| Some(w.to_string()));
    assert_eq!(works(&citations), cited);
    assert!(citations.iter().all(|l| l.target.is_some()));
}

#[test]
fn notes_are_by_the_scholar_who_is_named_before_their_title() {
    let d = one("經〔回也死。〕\n疏〔正義曰:王肅《家語》注云:“此書久遠。”〕");
    assert_eq!(works(&of_kind(&d, LinkKind::Citation)), [Some("孔子家語・王肅注".to_string())]);
}

#[test]
fn what_a_scholar_says_of_a_text_that_was_just_cited_is_in_the_notes_on_it() {
    let ours = concat!(
        "經〔盟于蔑。〕注〔蔑,地名。〕\n疏〔正義曰:《周禮·玉府》云“若合諸侯則共珠槃玉敦”。鄭玄以爲槃敦皆器名也。",
        "《詩·日月傳》云“逮,及也”。《易·繫辭》云“君子之樞機”。鄭注:“樞,謂戶樞。”〕"
    );
    let yufu = "經〔若合諸侯,則共珠槃玉敦。〕";
    let all = run_named(&[("左傳", "隱公", ours), ("周禮", "玉府", yufu)]);
    let want = [
        "周禮・天官・玉府",
        "周禮・天官・玉府・鄭注",
        "詩經・邶風・日月・毛傳",
        "周易・繫辭",
        "周易・繫辭・鄭注",
    ];
    let cited = works(&of_kind(&all[0], LinkKind::Citation));
    assert_eq!(cited, want.map(|w| Some(w.to_string())));
}

#[test]
fn music_has_words_if_the_text_says_so() {
    let d = one("經〔奏貍首。〕\n疏〔釋曰:此《貍首》之詩也。樂正命奏《貍首》,間若一。〕");
    let cited = works(&of_kind(&d, LinkKind::Citation));
    assert_eq!(cited, [Some("詩經・貍首".to_string())]);
}

#[test]
fn what_goes_on_with_a_book_that_is_not_at_hand_is_from_it() {
    let d = one(concat!(
        "經〔幽厲失其道。〕\n疏〔正義曰:案《史記·周本紀》云:厲王行暴虐,侈傲,國人謗之,王怒,得衛巫使監謗者,以告則殺之。其謗鮮矣,諸侯不朝。",
        "又云:“於是相與畔,襲厲王。”〕"
    ));
    let cited = works(&of_kind(&d, LinkKind::Citation));
    assert_eq!(cited, ["史記・周本紀"; 2].map(|w| Some(w.to_string())));
}

#[test]
fn a_list_of_offices_alone_is_that_of_the_part_that_is_explained() {
    let ours = "經〔祭於瞽宗。〕注〔鄭司農云:瞽,樂人。〕\n疏〔釋曰:《序官》“上瞽、中瞽、下瞽”,皆掌樂事。〕";
    let all = run_named(&[("周禮", "大司樂", ours)]);
    let cited = works(&of_kind(&all[0], LinkKind::Citation));
    assert_eq!(cited.last().cloned().flatten().as_deref(), Some("周禮・春官・序官"));
}

#[test]
fn a_note_is_from_where_the_subcommentary_says_that_its_words_are() {
    let text = concat!(
        "經〔曰孝友。〕注〔善父母爲孝,善兄弟爲友。廣平曰原。禹治水。〕\n",
        "疏〔釋曰:“善父母爲孝,善兄弟爲友”,《爾雅·釋訓》文也。廣平曰原,《釋地》文。禹治水,《祭法》文也。〕"
    );
    let all = run_named(&[
        ("周禮", "大司樂", text),
        ("爾雅", "釋訓", "經〔善父母爲孝,善兄弟爲友。〕"),
        ("爾雅", "釋地", "經〔廣平曰原,高平曰陸。〕"),
        ("禮記", "祭法", "經〔鯀鄣鴻水而殛死。〕"),
    ]);
    let citations = of_kind(&all[0], LinkKind::Citation);
    let of_note = citations.iter().filter(|l| l.layer == Layer::Zhu);
    let said: Vec<_> = of_note
        .map(|l| (all[0].slice(l.span), l.work.as_deref(), words(&all, &all[0], l)))
        .collect();
    let of_filial = ("善父母爲孝,善兄弟爲友", Some("爾雅・釋訓"), Some("善父母爲孝,善兄弟爲友"));
    let of_plain = ("廣平曰原", Some("爾雅・釋地"), Some("廣平曰原"));
    assert_eq!(said, [of_filial, of_plain], "what is nowhere there may be more than is from there");
}

#[test]
fn a_chapter_of_a_work_is_named_if_it_alone_has_the_words_exactly() {
    let text = concat!(
        "經〔毋不敬。〕\n疏〔正義曰:《孝經》云:“禮者敬而已矣。”又《孝經》云:“事父孝,故忠可移於君。”",
        "《孝經》云:“先王之道也。”〕"
    );
    let all = run_named(&[
        ("禮記", "曲禮", text),
        ("孝經", "廣要道章", "經〔禮者,敬而已矣。先王之道也。〕"),
        ("孝經", "廣揚名章", "經〔君子之事親孝,故忠可移於君。先王之道也。〕"),
    ]);
    let citations = of_kind(&all[0], LinkKind::Citation);
    let want = ["孝經・廣要道章", "孝經", "孝經"].map(|work| Some(work.to_string()));
    assert_eq!(works(&citations), want, "the second in other words, the third in two chapters");
    assert!(citations.iter().all(|l| l.target.is_some()));
}

#[test]
fn notes_below_what_was_cited_are_on_that() {
    let text = concat!(
        "經〔宣公會。〕\n疏〔解云:《左傳》成三年云“盟于宿”,彼下注云“書者,惡之”。下注云“書者,惡之”。〕\n",
        "注〔書者,惡之。〕"
    );
    let all = run_named(&[("公羊傳", "宣公", text)]);
    let links =
        all[0].links.iter().filter(|l| l.quoted.is_some_and(|q| all[0].slice(q) == "書者,惡之"));
    let works: Vec<_> = links.map(|l| l.work.as_deref().unwrap_or_default()).collect();
    assert_eq!(works, ["左傳・成公・杜注", "公羊傳・宣公"]);
}

#[test]
fn what_earlier_scholars_said_has_no_name() {
    let all = run_named(&[("禮記", "射義", "經〔貢士。〕\n疏〔舊說云:“大國三人。”〕")]);
    let citations = of_kind(&all[0], LinkKind::Citation);
    assert_eq!(works(&citations), [Some("舊說".to_string())]);
}

#[test]
fn what_one_who_wrote_on_the_text_says_just_after_a_citation_is_on_that() {
    let text = concat!(
        "經〔掌斂互物。〕注〔互物,蚌蛤之屬。〕\n",
        "疏〔“掌斂”至“互物”。釋曰:案《鼈人》云“掌取互物”。先鄭云:“互物謂有甲胡,龜鼈之屬。”此不同。○先鄭云:“蜃,大蛤也。”〕"
    );
    let all = run_named(&[("周禮", "掌蜃", text)]);
    let cited = works(&of_kind(&all[0], LinkKind::Citation));
    let want = ["周禮・天官・鱉人", "周禮・天官・鱉人・鄭司農注", "先鄭(周禮解詁)"];
    assert_eq!(cited, want.map(|w| Some(w.to_string())));
}

#[test]
fn the_year_after_a_title_in_a_note_is_its_chapter() {
    let text = "經〔祭祀共蜃器。〕注〔蜃,畫爲蜃形。《春秋》定十四年,天王使石尚來歸蜃。〕\n疏〔釋曰:蜃,大蛤。〕";
    let all = run_named(&[
        ("周禮", "掌蜃", text),
        ("左傳", "定公", "經〔公會齊侯。天王使石尚來歸蜃。衞公孟彄出奔鄭。〕"),
    ]);
    let citations = of_kind(&all[0], LinkKind::Citation);
    assert_eq!(works(&citations), [Some("春秋・定公".to_string())]);
    assert_eq!(words(&all, &all[0], citations[0]), Some("天王使石尚來歸蜃"));
}

#[test]
fn a_title_with_nothing_but_a_scrap_after_it_has_no_words() {
    let d =
        one("經〔賓升。〕注〔見《燕禮》云(yàn)。隱元年傳曰(yī)。〕\n疏〔釋曰:《大射》云(yì)。〕");
    assert!(of_kind(&d, LinkKind::Citation).iter().all(|l| l.target.is_none()));
}
