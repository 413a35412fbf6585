//! Mandoku files with the left half of double rows first. The texts were written for the tests.

use crate::support::reading::{HEAD, assert_layers, codes, read};
use zhushu::Settings;
use zhushu::diag::Severity;
use zhushu::model::{Document, Layer};
use zhushu::source::{Source, Span};
use zhushu::writers;

use Layer::{Jing, Zhu};

/// Rows of which nine show that the left half is first; one has equal halves, one is a single row.
const ROWS: &str = "春耕甲乙丙丁(土也/春發其)夏耘戊己(苗也/夏除)¶\n\
    秋收庚辛(也/收聚)冬藏壬癸(之/藏而)(蓋/其上)子丑寅卯(也/三物)¶\n\
    辰巳午未(反/烏更)申酉戌亥(言成熟也/百穀至秋皆)天地玄黃(也)¶\n\
    宇宙洪荒(也/言大)日月盈昃(缺/月滿則)¶\n";

fn file(rows: &str) -> String {
    format!("{HEAD}<pb:KR3d0001_SBCK_001-1a>¶\n{rows}")
}

fn document(text: &str) -> Document {
    read(text, None)
}

#[test]
fn rows_whose_left_half_is_first_are_read_in_order() {
    let d = document(&file(ROWS));
    assert_layers(
        &d,
        &[
            (Jing, "春耕甲乙丙丁"),
            (Zhu, "春發其土也"),
            (Jing, "夏耘戊己"),
            (Zhu, "夏除苗也"),
            (Jing, "秋收庚辛"),
            (Zhu, "收聚也"),
            (Jing, "冬藏壬癸"),
            (Zhu, "藏而之其上蓋"),
            (Jing, "子丑寅卯"),
            (Zhu, "三物也"),
            (Jing, "辰巳午未"),
            (Zhu, "烏更反"),
            (Jing, "申酉戌亥"),
            (Zhu, "百穀至秋皆言成熟也"),
            (Jing, "天地玄黃"),
            (Zhu, "也"),
            (Jing, "宇宙洪荒"),
            (Zhu, "言大也"),
            (Jing, "日月盈昃"),
            (Zhu, "月滿則缺"),
        ],
    );
    assert_eq!(codes(&d), ["mandoku-style", "double-rows"]);
    let said = d.diagnostics.iter().find(|d| d.code == "double-rows").unwrap();
    assert_eq!(said.severity, Severity::Info);
    assert!(said.message.contains("10 rows are read right half first"), "{}", said.message);
}

#[test]
fn places_are_those_of_the_file() {
    let text = file(ROWS);
    let d = document(&text);
    assert_eq!(d.source.bytes(), text.as_bytes());
    assert_eq!(d.source.sha256(), Source::from_text("a.txt", &text).sha256());
    for (words, line) in [
        ("春發其", "春耕甲乙丙丁(土也/春發其)"),
        ("土也", "春耕甲乙丙丁(土也/"),
        ("烏更", "辰巳午未(反/烏更"),
    ] {
        let place = d.source.place(d.source.text().find(words).unwrap());
        let column = line.find(words).map(|at| line[..at].chars().count() + 1);
        assert_eq!(Some(place.column), column, "{words}");
        assert!(text.lines().nth(place.line - 1).unwrap().contains(words));
    }
}

#[test]
fn the_file_is_restored_from_the_tei() {
    let text = file(ROWS);
    let settings = Settings::default();
    for bytes in [text.clone().into_bytes(), text.replace('\n', "\r\n").into_bytes()] {
        let source = Source::decode("a.txt", bytes.clone(), None).unwrap();
        let library = settings.convert(source, None).unwrap();
        let chapters: Vec<&Document> = library.documents.iter().map(|d| &**d).collect();
        let mut tei = vec![];
        let writer = writers::by_name("tei").unwrap();
        match &chapters[..] {
            [one] => (writer.write)(one, &library, &mut tei).unwrap(),
            many => writer.write_book.unwrap()(many, &library, &mut tei).unwrap(),
        }
        let words = String::from_utf8(tei.clone()).unwrap();
        assert!(words.contains("<note type=\"exchanged\">"));
        let back = Source::decode("a.xml", tei, None).unwrap();
        let back = settings.readers.read(back, None).unwrap();
        assert_eq!(back.source.bytes(), bytes);
        assert_eq!(
            back.source.text(),
            chapters.iter().map(|d| d.source.text()).collect::<String>()
        );
        assert_eq!(codes(&back), [""; 0]);
        // A text that no longer fits the places is taken as it is, with a warning.
        let edited = words.replacen("春耕", "<!-- -->春天耕", 1).into_bytes();
        let edited = Source::decode("a.xml", edited, None).unwrap();
        let edited = settings.readers.read(edited, None).unwrap();
        assert_eq!(codes(&edited), ["source-differs"]);
    }
}

#[test]
fn rows_that_are_unlike_the_others_and_rows_of_three_parts_are_reported() {
    let d = document(&file(&format!("{ROWS}律呂調陽(陽氣上升/也)雲騰致雨(上騰也/為雨/雲氣)¶\n")));
    assert!(d.source.text().contains("(陽氣上升/也)"));
    assert!(d.source.text().contains("(為雨/雲氣/上騰也)"));
    let warnings: Vec<Option<Span>> = d
        .diagnostics
        .iter()
        .filter(|d| d.code == "double-rows" && d.severity == Severity::Warning)
        .map(|d| d.span)
        .collect();
    let words: Vec<&str> = warnings.iter().flatten().map(|s| d.source.slice(*s)).collect();
    assert_eq!(words, ["陽氣上升/也", "為雨/雲氣/上騰也"]);
}

#[test]
fn rows_in_order_are_not_touched() {
    let rows = "春耕甲乙丙丁(春發其/土也)夏耘戊己(苗/也)¶\n秋收(收聚/也)¶\n";
    let d = document(&file(rows));
    assert_eq!((d.source.text(), codes(&d)), (&*file(rows), vec!["mandoku-style"]));
}
