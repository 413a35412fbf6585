//! The readers of further shapes: notes in brackets, mandoku files, undivided texts. The texts were
//! written for the tests, or are lines of the 儀禮, 論語 and 大學 with their old commentaries, which are
//! in the public domain.

use crate::support::reading::{HEAD, assert_layers, codes, convert, layers, line_of, read};
use proptest::prelude::*;
use zhushu::model::{Commentary, Layer};
use zhushu::readers::{self, Readers};
use zhushu::source::Source;

use Layer::{An, Heading, Jing, Label, Other, Shu, ShuHeader, Undivided, Yin, Zhu};

const JIAN: Layer = Layer::Named(Commentary::JIAN);
const JISHI: Layer = Layer::Named(Commentary::JISHI);

#[test]
fn notes_in_brackets_hold_readings_after_a_circle() {
    let text = "　　●卷一\n\n　　惟王建國，（建，立也。\n　　○王如字。雒，音洛。）辨方正位，（辨，別也（正也）。）\n\n　　[疏]“惟王建國”\n　　\
                ○釋曰：自此以下。\n　　○注“建立”至“國焉”\n　　○釋曰：云“建，立也”者，是也。\n\n　　以為民極。（極，中也。）\n";
    let d = read(text, None);
    assert_eq!(d.reader, "zhushu");
    assert_layers(
        &d,
        &[
            (Heading, "●卷一"),
            (Jing, "惟王建國，"),
            (Zhu, "建，立也。"),
            (Yin, "王如字。雒，音洛。"),
            (Jing, "辨方正位，"),
            (Zhu, "辨，別也（正也）。"),
            (Shu, "“惟王建國”○釋曰：自此以下。○注“建立”至“國焉”○釋曰：云“建，立也”者，是也。"),
            (Jing, "以為民極。"),
            (Zhu, "極，中也。"),
        ],
    );
    assert_eq!(codes(&d), ["notes-in-brackets"]);
}

#[test]
fn text_that_runs_on_in_sub_commentary_begins_with_the_words_of_the_next_header() {
    let text = concat!(
        "毋摶飯，（爲欲致飽。）\n[疏]“毋摶飯”。○正義曰：共器若取飯作摶，“毋放飯”亦此意也。毋放飯，（去手餘飯。）\n",
        "毋流歠，（大歠嫌欲疾。）\n[疏]“毋放”至“流歠”。○正義曰：“毋放飯”者，手就器中。\n"
    );
    let d = read(text, None);
    assert_layers(
        &d,
        &[
            (Jing, "毋摶飯，"),
            (Zhu, "爲欲致飽。"),
            (Shu, "“毋摶飯”。○正義曰：共器若取飯作摶，“毋放飯”亦此意也。"),
            (Jing, "毋放飯，"),
            (Zhu, "去手餘飯。"),
            (Jing, "毋流歠，"),
            (Zhu, "大歠嫌欲疾。"),
            (Shu, "“毋放”至“流歠”。○正義曰：“毋放飯”者，手就器中。"),
        ],
    );
    assert_eq!(codes(&d), ["notes-in-brackets", "text-in-commentary"]);
}

#[test]
fn what_sub_commentary_quotes_or_says_itself_is_not_text() {
    let quoted = "毋摶飯，（爲欲致飽。）\n[疏]“毋摶飯”。○正義曰：此句。“毋摶飯，爲欲致飽”者，皆是也。\n[疏]“毋摶”至“致飽”。正義曰：亦此。\n";
    let within = quoted.replace("此句。“毋摶飯，爲欲致飽”者", "此句毋摶飯，爲欲致飽者");
    // Its own sentence may begin so, if it goes on after that.
    let own = concat!(
        "毋摶飯，（爲欲致飽。）\n　　[疏]“毋摶飯”。\n　　○正義曰：此句。毋摶飯，爲欲致飽也。\n　　○注“爲欲”。\n　　○正義曰：欲得多。\n",
        "　　[疏]“毋摶”至“致飽”。\n　　○正義曰：亦此。\n"
    );
    for text in [quoted, &within, own] {
        let d = read(text, None);
        assert_eq!(codes(&d), ["notes-in-brackets"], "{text}");
        assert_eq!(layers(&d).iter().filter(|(l, _)| *l == Jing).count(), 1, "{text}");
    }
}

#[test]
fn readings_between_run_on_text_and_its_sub_commentary_stay_readings() {
    let text = concat!(
        "毋摶飯，爲欲致飽，不謙。\n　　○摶，徒端反。爲，于僞反，下皆同。\n　　[疏]“毋摶飯”。\n　　○正義曰：共器取飯，故注云“不謙”也。毋放飯，去手餘飯於器中。\n",
        "　　○去，起呂反。飯，扶晚反。\n　　[疏]“毋放飯”。\n　　○正義曰：“毋放飯”者，手就器中。\n"
    );
    let d = read(text, None);
    assert_eq!(codes(&d), ["notes-undivided", "text-in-commentary"]);
    let undivided = layers(&d).iter().filter(|(l, _)| *l == Undivided).count();
    assert!(
        undivided >= 3 && layers(&d).iter().any(|(_, w)| w.contains("起呂反")),
        "{:?}",
        layers(&d)
    );
    assert!(layers(&d).iter().all(|(l, w)| *l != Shu || !w.contains("起呂反")), "{:?}", layers(&d));
}

#[test]
fn a_second_commentator_after_a_circle_is_commentary_and_jian_differs_from_zhuan() {
    let d = read(
        "子曰：“道千乘之國，（馬曰：“道，謂為之政教。”○包曰：“道，治也。”）\n[疏]正義曰：此章。\n",
        None,
    );
    assert_layers(
        &d,
        &[
            (Jing, "子曰：“道千乘之國，"),
            (Zhu, "馬曰：“道，謂為之政教。”包曰：“道，治也。”"),
            (Shu, "正義曰：此章。"),
        ],
    );
    let d = read(
        "汎彼柏舟，亦汎其流。（興也。汎，流貌。箋云：舟，載渡物者。○汎，敷劒反。）\n[疏]“汎彼”至“其流”。正義曰：言。\n",
        None,
    );
    assert_layers(
        &d,
        &[
            (Jing, "汎彼柏舟，亦汎其流。"),
            (Zhu, "興也。汎，流貌。"),
            (JIAN, "箋云：舟，載渡物者。"),
            (Yin, "汎，敷劒反。"),
            (Shu, "“汎彼”至“其流”。正義曰：言。"),
        ],
    );
}

#[test]
fn a_stray_bracket_does_not_turn_commentary_into_classic() {
    let text = "眾賓繼射,釋獲皆如初。司射所作,唯上耦。於是言唯上耦者,嫌賓、主人射(一作亦)亦作之。\n[疏]“眾賓”至“上耦”。釋曰:是。\n\
                二筭為純。純猶全也。耦陰陽。\n[疏]“二筭為純”。釋曰:陰陽。\n";
    let d = read(text, None);
    assert_eq!(layers(&d).iter().filter(|(l, _)| *l == Undivided).count(), 2);
    assert_eq!(codes(&d), ["notes-undivided", "brackets-not-notes"]);
    assert_eq!(line_of(&d, "brackets-not-notes"), 1);
}

#[test]
fn circles_before_the_sub_commentary_are_readings_and_after_it_go_on_with_it() {
    let text = "卷六十二 射義第四十六\n　　陸曰：“鄭云：‘以其記燕射。’”\n　　[疏]正義曰：案鄭《目錄》云。\n　　故射者，進退周還必中禮。內正外直。\n　　\
                ○中，丁仲反，下同。正音征。\n　　[疏]“故射”至“中禮”。\n　　○正義曰：此一經。\n　　○“中禮”者，謂。\n";
    let d = read(text, None);
    assert_eq!((d.meta.chapter.as_deref(), d.meta.number), (Some("射義"), Some(46)));
    assert_layers(
        &d,
        &[
            (Heading, "卷六十二 射義第四十六"),
            (Yin, "陸曰：“鄭云：‘以其記燕射。’”"),
            (Shu, "正義曰：案鄭《目錄》云。"),
            (Undivided, "故射者，進退周還必中禮。內正外直。"),
            (Undivided, "中，丁仲反，下同。正音征。"),
            (Shu, "“故射”至“中禮”。○正義曰：此一經。○“中禮”者，謂。"),
        ],
    );
}

#[test]
fn where_readings_end_is_decided_with_the_layers_after_them() {
    let text = "射者中禮。中禮者，中節也。\n\
                ○中，丁仲反，下同。共音恭。是故古者天子以射選諸侯、卿、大夫、士。流，猶放也。\n\
                ○選，息戀反。\n[疏]“射者”至“中禮”。正義曰：此。\n";
    let d = convert(text);
    assert!(layers(&d).contains(&(Yin, "中，丁仲反，下同。共音恭。".into())), "{:?}", layers(&d));
    assert!(layers(&d).contains(&(Yin, "選，息戀反。".into())), "{:?}", layers(&d));
}

#[test]
fn pinyin_is_left_aside() {
    let d = read(
        "●卷四\n司儀掌九儀之賓客。(出接賓曰(yue)擯。\n○相(xiang),息亮反。)\n[疏]“司儀”至“賓客”\n○釋曰(yue):此經。\n",
        None,
    );
    let words: String = layers(&d).into_iter().map(|(_, w)| w).collect();
    assert!(!words.contains("yue") && !words.contains("xiang"), "{words}");
    assert!(codes(&d).contains(&"reading-aids"));
}

#[test]
fn an_unclosed_note_ends_with_its_line_and_is_reported() {
    let text = "一甲。（注也。\n[疏]“一甲”。釋曰:是。\n二乙。（注也。）\n[疏]“二乙”。釋曰:是。\n三丙。（注也。）戊。）\n[疏]“三丙”。釋曰:是。\n";
    let d = read(text, None);
    assert_eq!((line_of(&d, "bracket-unclosed"), line_of(&d, "bracket-stray")), (1, 5));
    assert_layers(
        &d,
        &[
            (Jing, "一甲。"),
            (Zhu, "注也。"),
            (Shu, "“一甲”。釋曰:是。"),
            (Jing, "二乙。"),
            (Zhu, "注也。"),
            (Shu, "“二乙”。釋曰:是。"),
            (Jing, "三丙。"),
            (Zhu, "注也。"),
            (Jing, "戊。）"),
            (Shu, "“三丙”。釋曰:是。"),
        ],
    );
    assert!(d.segments.iter().find(|s| s.layer == Zhu).unwrap().certainty.get() < 0.9);
}

#[test]
fn a_note_left_open_does_not_swallow_the_paragraphs_after_it() {
    let text = "一甲。（注也。\n二乙。（注也。）\n三丙。（注也。）\n[疏]“一甲”。釋曰:是。\n";
    let d = read(text, None);
    assert_eq!(line_of(&d, "bracket-unclosed"), 1);
    assert_eq!(layers(&d).iter().filter(|(l, _)| *l == Jing).count(), 3);
}

#[test]
fn a_mark_in_the_midst_of_a_line_opens_the_sub_commentary() {
    let d = read("二筭為純。純猶全也。[疏]“二筭為純”。釋曰:陰陽對合。\n", None);
    assert_layers(&d, &[(Undivided, "二筭為純。純猶全也。"), (Shu, "“二筭為純”。釋曰:陰陽對合。")]);
}

#[test]
fn double_rows_over_line_ends_are_one_note() {
    let text = format!(
        "{HEAD}<pb:KR1d0026_SBCK_006-1a>¶\n儀禮卷第六¶\n燕禮第六　儀禮　鄭氏注¶\n燕禮小臣戒與者(小臣相君燕飲之法與者/謂留羣臣也君以燕禮勞)¶\n\
         <pb:KR1d0026_SBCK_006-1b>¶\n(使臣若臣/有功)膳宰具¶\n官饌于寢東(膳宰天子/曰&KR0764;)¶\n儀禮卷第六¶\n(經三千字/注四千字)¶\n"
    );
    let d = read(&text, None);
    assert_eq!(
        (&*d.reader, d.meta.title.as_str(), d.meta.number),
        ("mandoku", "儀禮・燕禮", Some(6))
    );
    // One note is one segment, with the ends of pages, lines and rows as marks inside.
    assert_eq!((d.of_layer(Zhu).count(), d.of_layer(Jing).count()), (2, 2));
    assert!(d.marks.iter().all(|m| d.slice(*m).contains(['/', '¶'])), "{:?}", d.marks);
    assert_layers(
        &d,
        &[
            (Heading, "儀禮卷第六"),
            (Heading, "燕禮第六　儀禮　鄭氏注"),
            (Jing, "燕禮小臣戒與者"),
            (Zhu, "小臣相君燕飲之法與者謂留羣臣也君以燕禮勞使臣若臣有功"),
            (Jing, "膳宰具官饌于寢東"),
            (Zhu, "膳宰天子曰&KR0764;"),
            (Heading, "儀禮卷第六"),
            (Other, "經三千字注四千字"),
        ],
    );
}

#[test]
fn headers_of_a_sub_commentary_by_itself_are_found_without_blanks() {
    let text = format!(
        "{HEAD}儀禮疏卷第十四¶\n燕禮第六鄭目録云　燕禮小臣戒與者　釋曰自此已下論之故不言君有命膳宰至寢東注膳宰至路寢　釋曰以其燕在寢故具之¶\n\
         注君物至賔也　釋曰言君物曰膳膳之言善也之節注酬而至酬也　釋曰此酬非謂常也¶\n"
    );
    let d = read(&text, None);
    let headers: Vec<(String, bool)> = d
        .of_layer(ShuHeader)
        .map(|s| (d.words(s.span).into_owned(), s.certainty.get() < 1.0 && !s.evidence.is_empty()))
        .collect();
    let want = [
        ("燕禮小臣戒與者", false),
        ("膳宰至寢東注膳宰至路寢", true),
        ("注君物至賔也", true),
        ("注酬而至酬也", true),
    ];
    assert_eq!(headers, want.map(|(w, guessed)| (w.to_string(), guessed)));
}

#[test]
fn indentation_separates_notes_from_classic() {
    let text = format!(
        "{HEAD}　儀禮集釋卷五　　宋　李如圭　撰¶\n鄉射禮第五¶\n　鄭目錄云州長春秋以禮㑹民¶\n鄉射之禮主人戒賓賓出迎¶\n再拜¶\n\
         \u{3000}鄭注主人州長也不言拜辱者(案今注疏本脱/者字)此為¶\n\u{3000}習民也¶\n　釋曰言習民者¶\n賓禮辭許¶\n　鄭注辭不敢當¶\n"
    );
    assert_layers(
        &read(&text, None),
        &[
            (Heading, "儀禮集釋卷五　　宋　李如圭　撰"),
            (Heading, "鄉射禮第五"),
            (Other, "鄭目錄云州長春秋以禮㑹民"),
            (Jing, "鄉射之禮主人戒賓賓出迎再拜"),
            (Zhu, "主人州長也不言拜辱者"),
            (An, "案今注疏本脱者字"),
            (Zhu, "此為習民也"),
            (JISHI, "釋曰言習民者"),
            (Jing, "賓禮辭許"),
            (Zhu, "辭不敢當"),
        ],
    );
}

#[test]
fn a_sub_commentary_by_itself_has_headers_between_blanks() {
    let text = format!(
        "{HEAD}儀禮疏卷第十四¶\n燕禮第六鄭目録云諸侯無事　釋曰案上下經注燕有四等¶\n一也　燕禮小臣戒與者　釋曰自此巳下盡告具¶\n故今戒可與之人　設洗至西面　注設此¶\n至其文　釋曰云設此者¶\n"
    );
    let d = read(&text, None);
    let headers: Vec<String> =
        layers(&d).into_iter().filter(|(l, _)| *l == ShuHeader).map(|(_, w)| w).collect();
    assert_eq!(headers, ["燕禮小臣戒與者", "設洗至西面　注設此至其文"]);
    assert!(!layers(&d).iter().any(|(l, _)| *l == Jing));
}

#[test]
fn an_unclosed_double_row_ends_with_its_line() {
    let text =
        format!("{HEAD}燕禮小臣戒與者(小臣相君/燕飲¶\n膳宰具(膳宰天/子曰)¶\n官饌)于寢東(寢/也)¶\n")
            .repeat(1);
    let more: String = (0..20).map(|_| "射人告具(告/事)¶\n").collect();
    let d = read(&(text + &more), None);
    assert_eq!((line_of(&d, "bracket-unclosed"), line_of(&d, "bracket-stray")), (4, 6));
    assert!(layers(&d).contains(&(Jing, "膳宰具".into())));
}

#[test]
fn black_brackets_and_wikitext_notes() {
    let d = read(
        "儀禮章句卷七\n\n大射儀第七【諸侯將祭與羣臣射以觀其德】\n\n大射之儀【凡禮皆君命】宰戒百官【宰冢宰○冢知隴反】\n射人戒【殊戒公卿大夫\n辨貴賤也】前射三日\n",
        None,
    );
    assert_eq!((&*d.reader, d.meta.number), ("brackets", Some(7)));
    assert_layers(
        &d,
        &[
            (Heading, "儀禮章句卷七"),
            (Heading, "大射儀第七"),
            (Zhu, "諸侯將祭與羣臣射以觀其德"),
            (Jing, "大射之儀"),
            (Zhu, "凡禮皆君命"),
            (Jing, "宰戒百官"),
            (Zhu, "宰冢宰"),
            (Yin, "冢知隴反"),
            (Jing, "射人戒"),
            (Zhu, "殊戒公卿大夫\n辨貴賤也"),
            (Jing, "前射三日"),
        ],
    );
    let wiki = "{{header2\n| title = 儀禮註疏\n}}\n\n==燕禮第六==\n'''燕禮。'''{{*|小臣相君{{僻字|與}}之法。}}\n\n:{{紅|【疏】}}“燕禮”。釋曰:自此。\n\n'''樂人縣。'''{{*|縣,鍾磬也。}}\n'''告。'''{{*|事。}}\n";
    let d = read(wiki, None);
    assert_layers(
        &d,
        &[
            (Heading, "==燕禮第六=="),
            (Jing, "燕禮。"),
            (Zhu, "小臣相君與之法。"),
            (Shu, "“燕禮”。釋曰:自此。"),
            (Jing, "樂人縣。"),
            (Zhu, "縣,鍾磬也。"),
            (Jing, "告。"),
            (Zhu, "事。"),
        ],
    );
}

#[test]
fn an_unclosed_black_bracket_ends_before_the_next() {
    let d =
        read("甲乙丙【注一\n\n丁戊己【注二】庚【注三\n辛壬【注四】癸【注五】\n", Some("brackets"));
    assert_eq!(line_of(&d, "bracket-unclosed"), 1);
    let classic: Vec<String> =
        layers(&d).into_iter().filter(|(l, _)| *l == Jing).map(|(_, w)| w).collect();
    assert_eq!(classic, ["甲乙丙", "丁戊己", "庚", "辛壬", "癸"]);
}

#[test]
fn an_undivided_text_shows_its_labels_and_preface() {
    let glosses =
        "康誥，周書。克，能也。大，讀作泰，他蓋反。諟，古是字，音是。顧，謂常目在之也。峻，大也。";
    let text = format!(
        "大學章句\n\n大學之書，古之大學所以教人之法也。\n大學章句     大，舊音泰，今讀如字。\n大學之道，在明明德。{glosses}\n康誥曰：“克明德。”{glosses}{glosses}\n\
         右傳之首章。釋明明德。此通下三章，誤在後。\n湯之盤銘曰：“苟日新。”{glosses}盤，沐浴之盤也。\n"
    );
    let d = read(&text, None);
    assert_eq!(d.reader, "jizhu");
    let found = layers(&d);
    assert_eq!(found[1], (Other, "大學之書，古之大學所以教人之法也。".into()));
    assert_eq!(found[3], (Zhu, "大，舊音泰，今讀如字。".into()));
    assert!(
        found.contains(&(Label, "右傳之首章。釋明明德。".into()))
            && found.contains(&(Zhu, "此通下三章，誤在後。".into()))
    );
    assert_eq!(found.iter().filter(|(l, _)| *l == Undivided).count(), 3);
}

#[test]
fn a_classic_without_notes_stays_plain() {
    let text = "學而\n\n子曰：「學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？」\n有子曰：「其為人也孝弟，而好犯上者，鮮矣；君子務本，本立而道生。孝弟也者，其為仁之本與！」\n".repeat(6);
    assert_eq!(read(&text, None).reader, "plain");
    assert_eq!(read("主人戒賓（一作賔），賓出迎，再拜。主人荅再拜，乃請。賓禮辭，許。主人再拜，賓荅再拜。\n", None).reader, "plain");
}

/// Pieces of the formats.
const PIECES: &[&str] = &[
    "\n",
    "\n\n",
    "　　",
    "○",
    "[疏]",
    "【疏】",
    "（",
    "）",
    "(",
    ")",
    "/",
    "¶\n",
    "<pb:A_1a>¶\n",
    "【",
    "】",
    "{{*|",
    "}}",
    "{{",
    "'''",
    "==燕禮第六==\n",
    "燕禮。",
    "小臣戒與者",
    "注",
    "音義",
    "疏",
    "“眾賓”至“上耦”。",
    "釋曰:",
    "正義曰：",
    "丁丈反，",
    "音洛。",
    "曰(yue)",
    "&KR0764;",
    "●卷一\n",
    "射義第四十六\n",
    "陸曰：",
    "箋云",
    "傳",
    "鄭注",
    "(案",
    "右傳之首章。",
    "\u{FEFF}",
    "\r\n",
    "𧰼",
    "#+TITLE: 禮\n",
    "〔",
    "〕",
    "<small>",
    "</small>",
    "純，全也。",
    "　釋曰",
    "【經】",
    "【傳】",
    "［注］",
    "傳曰",
    "注：",
    "疏釋曰",
    "〇",
    "(yue)",
];

/// Reads `text` with every row of the table of readers and every built-in shape. A reader may refuse
/// a text, but not fail on it.
fn every_reader_covers_or_refuses(text: &str) -> Result<(), TestCaseError> {
    let readers = Readers::default();
    for name in readers.names() {
        let source = Source::from_text("t.txt", text.to_string());
        match readers.read(source, Some(name)) {
            Ok(document) => {
                // `described` is the one that chooses between shapes, and names the one it chose.
                prop_assert!(name == "described" || document.reader == name, "{}", name);
                prop_assert!(
                    document.check().is_ok(),
                    "{}: {:?}\n{}",
                    name,
                    document.check(),
                    text
                );
            }
            Err(e) => {
                let refusal = e.to_string();
                prop_assert!(!refusal.contains("failed on this text"), "{}: {}", name, refusal);
            }
        }
    }
    Ok(())
}

#[test]
fn every_reader_gives_a_claim_of_at_most_a_hundred_and_none_on_an_empty_text() {
    for name in Readers::default().names().into_iter().filter_map(|n| readers::by_name(n).ok()) {
        assert_eq!((name.sniff)(""), 0, "{}", name.name);
        for text in PIECES.iter().map(|p| p.repeat(20)) {
            assert!((name.sniff)(&text) <= 100, "{} on {text:?}", name.name);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn every_reader_reads_any_mixture_of_marks_without_loss(picks in prop::collection::vec(0..PIECES.len(), 0..120)) {
        let text: String = picks.iter().map(|i| PIECES[*i]).collect();
        every_reader_covers_or_refuses(&text)?;
        let Ok(document) = readers::read(Source::from_text("t.txt", text.clone()), None) else { return Ok(()) };
        prop_assert!(document.check().is_ok());
    }
}

/// Prints how fast the readers read; run with `--ignored --nocapture` and `--release`.
#[test]
#[ignore = "a measurement"]
fn speed_of_the_readers() {
    let shu = "　　惟王建國，（建，立也。\n　　○王如字。雒，音洛。）辨方正位，（辨，別也。）\n　　[疏]“惟王建國”\n　　○釋曰：自此以下，云“建，立也”者，是也。\n";
    let kanripo =
        "燕禮小臣戒與者(小臣相君燕飲之法與者/謂留羣臣也君以燕禮勞)¶\n(使臣若臣/有功)膳宰具¶\n";
    let black = "大射之儀【凡禮皆君命】宰戒百官【宰冢宰】\n";
    for (reader, unit) in [("zhushu", shu), ("mandoku", kanripo), ("brackets", black)] {
        let text = unit.repeat(20_000_000 / unit.len());
        let start = std::time::Instant::now();
        let d = readers::read(Source::from_text("t.txt", text), Some(reader)).unwrap();
        let megabytes = d.source.text().len() as f64 / 1e6;
        println!(
            "{reader}: {:.0} MB/s, {} segments",
            megabytes / start.elapsed().as_secs_f64(),
            d.segments.len()
        );
    }
}

#[test]
fn one_pair_of_brackets_does_not_make_a_text_with_notes_in_brackets() {
    let once = "大學之道，在明明德，（明，明之也。）在親民，在止於至善。\n";
    assert_ne!(readers::read(Source::from_text("t.txt", once), None).unwrap().reader, "brackets");
    let often = once.repeat(3);
    assert_eq!(readers::read(Source::from_text("t.txt", often), None).unwrap().reader, "brackets");
}
