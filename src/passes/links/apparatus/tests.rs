//! Tests of each formula, and of words that look like one.

use std::sync::Arc;

use crate::corpus::Library;
use crate::model::{Document, Layer, Segment};
use crate::passes::context::Context;
use crate::source::{Source, Span};

/// A document with a note on some words of the classic, after the pass.
fn noted(layer: Layer, classic: &str, note: &str) -> Document {
    let mut d =
        Document::new(Arc::new(Source::from_text("a.txt", format!("{classic}{note}"))), "test");
    let cut = classic.len();
    d.segments = vec![
        Segment::marked(Layer::Jing, Span::new(0, cut)),
        Segment::marked(layer, Span::new(cut, cut + note.len())),
    ]
    .into();
    d.number();
    let library = Library { documents: vec![], ..Library::default() };
    super::run(&mut d, &Context::new(&library));
    d.check().unwrap();
    d
}

/// Its entries: `witness difference lemma→reading`.
fn entries(layer: Layer, classic: &str, note: &str) -> Vec<String> {
    let d = noted(layer, classic, note);
    let words = |s: Option<Span>| s.map(|s| d.slice(s).to_string()).unwrap_or("–".into());
    d.apparatus
        .iter()
        .map(|e| {
            format!("{} {} {}→{}", e.witness, e.difference.id(), words(e.lemma), words(e.reading))
        })
        .collect()
}

/// Start of each entry's lemma, in bytes.
fn lemma_at(classic: &str, note: &str) -> Vec<usize> {
    noted(Layer::Zhu, classic, note)
        .apparatus
        .iter()
        .filter_map(|e| Some(e.lemma?.start()))
        .collect()
}

fn zhu(classic: &str, note: &str) -> Vec<String> {
    entries(Layer::Zhu, classic, note)
}

fn an(before: &str, note: &str) -> Vec<String> {
    entries(Layer::An, before, note)
}

#[test]
fn recensions_are_read_with_and_without_punctuation() {
    assert_eq!(zhu("十純則縮而委之。", "縮,從也。古文縮皆為蹙。"), ["古文 other 縮→蹙"]);
    assert_eq!(
        zhu("冪用錫若絺綴諸箭", "今文錫或作緆絺或作綌古文箭作晉"),
        ["今文 other 錫→緆", "今文 other 絺→綌", "古文 other 箭→晉"]
    );
    assert_eq!(zhu("賓若有遵者", "今文遵為僎,或為全。"), ["今文 other 遵→僎", "今文 other 遵→全"]);
    assert_eq!(
        zhu("眾賓皆入門左,揖眾賓", "引手曰眾,今文皆作揖。又曰眾賓皆入左。"),
        ["今文 other 眾→揖", "今文 other 眾賓皆入門左→眾賓皆入左"]
    );
    assert_eq!(zhu("膱長尺二寸", "古文膱爲胾今文或作植"), ["古文 other 膱→胾", "今文 other 膱→植"]);
    assert_eq!(zhu("士也。公答拜", "古文曰:公答再拜。"), ["古文 other 公答拜→公答再拜"]);
    assert_eq!(zhu("公還右乃降", "今文曰右還"), ["今文 other 還右→右還"]);
}

#[test]
fn words_of_ordinary_sentences_are_no_statements() {
    let none: [&str; 0] = [];
    assert_eq!(zhu("仁義之道亦不遠", "仁義之道，亦當爲之乃爲賢耳。"), none);
    assert_eq!(zhu("觀近臣以其所爲主", "近臣，當爲遠方來賢者爲主。"), none);
    assert_eq!(zhu("作不可爲也", "以戒後世明不當爲大巧也"), none);
    assert_eq!(zhu("淇衛之箭", "則淇衛亦當爲箭之善者。"), none);
    assert_eq!(zhu("仲尼曰以臣召君", "故書曰：天王狩於河陽。"), none);
    assert_eq!(zhu("狐尾與先軫", "按狐尾當作狐毛"), ["注 emends 尾→毛"]);
    assert_eq!(zhu("更名湖陵", "更名湖陵當作更名湖陸八也"), ["注 emends 陵→陸"]);
    assert_eq!(zhu("合舞", "唯是不合有合當爲合樂國"), none);
    assert_eq!(zhu("道之", "道當爲蹈。"), ["注 emends 道→蹈"]);
    assert_eq!(zhu("不可", "「不」當爲「丕」。"), ["注 emends 不→丕"]);
    assert_eq!(zhu("其作", "作，當爲“詐”字之誤。"), ["注 emends 作→詐"]);
}

#[test]
fn words_missing_in_a_recension_are_found() {
    assert_eq!(
        zhu("與卿燕則大夫為賓燕與大夫燕", "今文無則,下無燕。"),
        ["今文 lacks 則→–", "今文 lacks 燕→–"]
    );
    assert_eq!(
        zhu("進坐取觶興反坐奠觶拜", "今文坐取觶無進又曰坐奠之拜"),
        ["今文 lacks 進→–", "今文 other 坐奠觶拜→坐奠之拜"]
    );
    assert_eq!(zhu("適阼階下", "今文曰阼階下無適"), ["今文 lacks 適→–"]);
    // The first 適 is meant.
    assert_eq!(lemma_at("適阼階下告射于公公許適西階東", "今文曰阼階下無適"), [0]);
}

#[test]
fn readings_and_emendations_are_found() {
    assert_eq!(zhu("參七十", "參讀為糝糝雜也"), ["注 read-as 參→糝"]);
    assert_eq!(zhu("賓西階上疑立。", "疑,讀為疑然從於趙盾之疑。"), ["注 read-as 疑→疑"]);
    assert_eq!(zhu("媵觚于公。", "媵,送也,讀或為揚,揚,舉也。"), ["注 read-as 媵→揚"]);
    assert_eq!(zhu("卒洗,主人盥。", "盥者,當為介酌。"), ["注 emends 盥→介酌"]);
    assert_eq!(zhu("豫則鉤楹內", "今言豫者謂州學也讀如成周宣榭災之榭"), ["注 read-as 豫→榭"]);
    // Ordinary words, not formulas.
    assert_eq!(zhu("獲者南面坐", "祭酒者獲者南面於俎北當為侯祭於豆間"), Vec::<String>::new());
    assert_eq!(zhu("卒射", "古文者,壁中書也。"), Vec::<String>::new());
}

#[test]
fn a_reading_between_quotation_marks_is_what_stands_between_them() {
    assert_eq!(zhu("兑命曰。", "兑，當爲“説”字之誤也。"), ["注 emends 兑→説"]);
    assert_eq!(zhu("兑命曰。", "“兑”當爲「説」字之誤也。"), ["注 emends 兑→説"]);
    assert_eq!(zhu("兑命曰。", "「兑」字當爲説，字之誤也。"), ["注 emends 兑→説"]);
    assert_eq!(zhu("賓立。", "云“賓立”者，今文“立”作“位”，古文無。"), ["今文 other 立→位"]);
    assert_eq!(zhu("眾賓皆入。", "今文曰：“眾賓入”。"), ["今文 other 眾賓皆入→眾賓入"]);
    // An unbalanced mark is no part of a reading.
    assert_eq!(zhu("幕之。", "“幕，或爲羃，今文幕作冪”。"), ["今文 other 幕→冪"]);
}

#[test]
fn described_characters_are_whole() {
    assert_eq!(zhu("縮而委之。", "縮,從也。古文縮皆為⿰足戚。"), ["古文 other 縮→⿰足戚"]);
    assert_eq!(zhu("縮而委之。", "古文縮皆為⿰⿱艹足&KR0925;"), ["古文 other 縮→⿰⿱艹足&KR0925;"]);
    assert_eq!(zhu("縮而委之。", "縮,從也。古文縮皆為&KR0925;。"), ["古文 other 縮→&KR0925;"]);
}

#[test]
fn collation_notes_of_editors_are_read() {
    assert_eq!(an("有司者", "(案今注疏本脱者字據宋本補)"), ["今注疏本 lacks 者→–"]);
    assert_eq!(an("以帨拭", "(案帨今注疏本訛作說據宋本改)"), ["今注疏本 other 帨→說"]);
    assert_eq!(an("周南關雎", "(案周南下今注疏本衍召南二字據宋本刪)"), ["今注疏本 adds 周南→召南"]);
    assert_eq!(an("前一進", "(案此下今注疏本衍也字據宋本刪)"), ["今注疏本 adds 進→也"]);
    assert_eq!(an("羹定孰也", "(案孰從宋本今注疏本作熟下同)"), ["今注疏本 other 孰→熟"]);
    assert_eq!(an("決遂執弓", "(案敖繼公云此決字當為衍文)"), ["敖繼公 emends 決→–"]);
    assert_eq!(an("命三耦", "(案三耦誤敖繼公云三當作二二耦謂次耦下耦也)"), ["敖繼公 emends 三→二"]);
    assert_eq!(an("獸侯薰", "(案薰今注疏本作䙧唐石經及宋本竝作薰)"), ["今注疏本 other 薰→䙧"]);
}

#[test]
fn every_word_of_the_table_has_a_role() {
    let lines: Vec<_> =
        include_str!("data/words.tsv").lines().filter(|l| !l.starts_with('#')).collect();
    let sound = |l: &&str| {
        l.split('\t').count() == 3 && super::words::role_of(l.split('\t').next().unwrap()).is_some()
    };
    assert!(lines.iter().all(sound) && lines.len() > 30);
}
