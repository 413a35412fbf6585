//! Whole books: headings, tables of contents, chapters, and the file restored from them.

use std::sync::Arc;

use proptest::prelude::*;
use zhushu::Settings;
use zhushu::corpus::{Library, Loci, TextEntry};
use zhushu::model::{Document, Layer};
use zhushu::source::Source;
use zhushu::writers;

/// A small 論語: title, table of contents, three chapters.
const LUNYU: &str = "論語\n\n學而第一\n為政第二\n八佾第三\n\n學而第一\n\n\
子曰：“學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？”\n\
有子曰：“其為人也孝弟，而好犯上者，鮮矣。”\n\n\
為政第二\n\n子曰：“為政以德，譬如北辰，居其所而眾星共之。”\n\n\
八佾第三\n\n孔子謂季氏：“八佾舞於庭，是可忍也，孰不可忍也？”\n";

fn library(name: &str, text: &str) -> Library {
    zhushu::pipeline::convert(Source::from_text(name, text), None).unwrap()
}

fn chapters(library: &Library) -> Vec<(Option<&str>, Option<u32>)> {
    library.documents.iter().map(|d| (d.meta.chapter.as_deref(), d.meta.number)).collect()
}

fn of_layer(d: &Document, layer: Layer) -> Vec<&str> {
    d.of_layer(layer).map(|s| d.slice(s.span)).collect()
}

fn written(format: &str, library: &Library) -> Vec<u8> {
    let chapters: Vec<&Document> = library.documents.iter().map(|d| &**d).collect();
    let mut out = vec![];
    let writer = writers::by_name(format).unwrap();
    match (&chapters[..], writer.write_book) {
        ([one], _) => (writer.write)(one, library, &mut out).unwrap(),
        (many, write) => write.unwrap()(many, library, &mut out).unwrap(),
    }
    out
}

#[test]
fn a_book_is_cut_at_its_headings_and_its_contents_are_no_text() {
    let library = library("a.txt", LUNYU);
    assert_eq!(
        chapters(&library),
        [(Some("學而"), Some(1)), (Some("為政"), Some(2)), (Some("八佾"), Some(3))]
    );
    let [first, second, _] = &library.documents[..] else { panic!("three chapters") };
    assert_eq!(first.meta.work.as_deref(), Some("論語"));
    assert_eq!(of_layer(first, Layer::Heading), ["論語", "學而第一"]);
    assert_eq!(of_layer(first, Layer::Furniture), ["學而第一", "為政第二", "八佾第三"]);
    assert!(of_layer(second, Layer::Jing).concat().starts_with("子曰：“為政以德"));
    assert_eq!(second.source.place(second.segments[0].span.start()).line, 12);
    assert_eq!(Loci::of(first).text.to_string(), "lunyu.01");
}

#[test]
fn a_note_on_the_title_of_a_chapter_is_a_note() {
    let text =
        "夫道者覆天載地【托】廓四方柝八極【廓張也柝開也八極八方之極】高不可際深不可測【際至也】\n"
            .repeat(12);
    let chapters = [("卷一　山水", "山水者林泉之總名"), ("卷二　花木", "花木者草卉之總名")];
    let chapters = chapters.map(|(title, note)| format!("{title}【{note}】\n\n{text}\n"));
    let preface = format!("雲林錄\n\n序【臣】\n\n{}\n\n", "林泉者人之所常處也".repeat(20));
    let library = library("a.txt", &format!("{preface}{}", chapters.concat()));
    let [front, first, second] = &library.documents[..] else { panic!("preface and two chapters") };
    assert!(of_layer(front, Layer::Jing).is_empty());
    assert_eq!(of_layer(first, Layer::Heading), ["卷一　山水"]);
    assert_eq!(of_layer(second, Layer::Heading), ["卷二　花木"]);
    assert_eq!(of_layer(second, Layer::Zhu)[0], "花木者草卉之總名");
}

#[test]
fn a_zhouyi_in_volumes_is_cut_into_its_hexagrams_and_wings() {
    let library = library(
        "a.txt",
        "《周易正義》\n\n上經乾傳卷一\n\n乾下乾上。乾：元、亨、利、貞。\n《彖》曰：大哉乾元。\n\n\
         坤下坤上。坤：元亨。\n《象》曰：地勢坤，君子以厚德載物。\n\n《周易正義》\n\n上經需傳卷二\n\n\
         乾下坎上。需：有孚，光亨。\n《象》曰：雲上於天，需。\n\n《周易正義》\n\n繫辭上卷三\n\n\
         周易繫辭上第七。\n天尊地卑，乾坤定矣。\n\n《周易正義》\n\n繫辭下卷四\n\n\
         周易繫辭下第八。\n八卦成列，象在其中矣。\n",
    );
    let names =
        chapters(&library).into_iter().map(|(name, number)| (name.unwrap(), number.unwrap()));
    assert_eq!(
        names.collect::<Vec<_>>(),
        [("乾", 1), ("坤", 2), ("需", 5), ("繫辭上", 65), ("繫辭下", 66)]
    );
}

#[test]
fn a_book_has_its_own_title_and_not_that_of_a_chapter() {
    let text = LUNYU.replace("論語\n\n", "").replace("學而第一\n為政第二\n八佾第三\n\n", "");
    let notes = "何晏曰：說，樂也。";
    let text = text.replace("不亦樂乎？”", &format!("不亦樂乎？”{notes}"));
    let library = library("論語注.txt", &text);
    assert_eq!(library.documents[1].meta.title, "論語注・為政");
    let head = text.replacen("學而第一", "《論語注》序\n\n卷一 學而第一", 1);
    let library = self::library("論語注疏.txt", &head);
    assert_eq!(library.documents.last().unwrap().meta.title, "論語注疏・八佾");
    let simplified = "论语注疏\n\n学而第一\n\n子曰：“学而时习之，不亦说乎？”\n\n为政第二\n\n子曰：“为政以德。”\n";
    let library = self::library("a.txt", simplified);
    let titles: Vec<&str> = library.documents.iter().map(|d| d.meta.title.as_str()).collect();
    assert_eq!(titles, ["论语注疏・学而", "论语注疏・为政"]);
    assert_eq!(library.documents[0].meta.chapter.as_deref(), Some("學而"));
}

#[test]
fn a_chapter_of_the_lunyu_has_its_paragraphs_as_sections() {
    let library = library("a.txt", LUNYU);
    let first = &library.documents[0];
    let sections: Vec<(u32, &str)> =
        first.divisions.iter().map(|d| (d.n, first.slice(d.span).get(..9).unwrap())).collect();
    assert_eq!(sections, [(1, "子曰："), (2, "有子曰")]);
}

#[test]
fn sections_of_the_lunyu_have_their_customary_numbers_however_a_copy_divides_them() {
    let text = "論語\n\n為政第二\n\n子曰：“為政以德，譬如北辰。”子曰：“詩三百。”\n\
                子曰：“道之以政，齊之以刑。\n道之以德，齊之以禮。”\n子曰：“吾十有五而志于學。”\n\
                八佾第三\n\n孔子謂季氏：“八佾舞於庭。”三家者以雍徹。\n林放問禮之本。\n";
    let library = library("a.txt", text);
    let found = |locus: &str| {
        let locus: zhushu::model::Locus = locus.parse().unwrap();
        let of = |d: &Document| {
            let loci = Loci::of(d);
            loci.find(&locus).iter().map(|(s, _)| d.slice(*s).to_string()).collect::<String>()
        };
        library.documents.iter().map(|d| of(d)).collect::<String>()
    };
    assert_eq!(found("lunyu.02.2"), "子曰：“詩三百。”");
    assert!(found("lunyu.02.3").ends_with("齊之以禮。”"));
    assert!(found("lunyu.02.4").contains("吾十有五"));
    assert!(found("lunyu.03.2").contains("三家者"));
    assert_eq!(found("lunyu.03.5"), "");
}

#[test]
fn a_book_comes_back_from_its_tei_and_its_chapters_too() {
    for text in [LUNYU.to_string(), LUNYU.replace('\n', "\r\n")] {
        let library = library("a.txt", &text);
        assert_eq!(written("source", &library), text.as_bytes());
        let tei = String::from_utf8(written("tei", &library)).unwrap();
        assert!(tei.contains("<teiCorpus"));
        let again =
            zhushu::pipeline::convert(Source::from_text("a.xml", tei.clone()), None).unwrap();
        assert_eq!(written("source", &again), text.as_bytes());
        assert_eq!(chapters(&again), chapters(&library));
        assert_eq!(String::from_utf8(written("tei", &again)).unwrap(), tei);
    }
}

#[test]
fn a_chapter_that_is_read_alone_has_the_lines_of_its_file() {
    for text in [LUNYU.to_string(), LUNYU.replace('\n', "\r\n")] {
        let whole = library("a.txt", &text);
        let chapter = &whole.documents[1];
        let mut tei = vec![];
        (writers::by_name("tei").unwrap().write)(chapter, &whole, &mut tei).unwrap();
        let tei = String::from_utf8(tei).unwrap();
        assert!(tei.contains("<biblScope unit=\"line\" from=\"12\" to=\"14\"/>"), "{tei}");
        let again = library("b.xml", &tei);
        let [alone] = &again.documents[..] else { panic!("one chapter") };
        let places = |d: &Document| {
            let of = |s: &zhushu::model::Segment| d.source.place(s.span.start());
            d.segments.iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(places(alone), places(chapter));
        assert_eq!(written("source", &again), chapter.source.text().as_bytes());
        assert_eq!(String::from_utf8(written("tei", &again)).unwrap(), tei);
    }
}

#[test]
fn the_json_of_a_book_has_places_in_the_file() {
    let library = library("a.txt", LUNYU);
    let json: serde_json::Value = serde_json::from_slice(&written("json", &library)).unwrap();
    let chars: Vec<char> = LUNYU.chars().collect();
    let mut last = 0;
    for span in json["spans"].as_array().unwrap() {
        let (start, end) = (span["start"].as_u64().unwrap(), span["end"].as_u64().unwrap());
        assert_eq!(start, last, "spans cover the file");
        last = end;
    }
    assert_eq!(last as usize, chars.len());
    assert_eq!(json["source"]["sha256"], *Source::from_text("a.txt", LUNYU).sha256());
    let third = &json["chapters"][2];
    let title: String = chars[third["start"].as_u64().unwrap() as usize..].iter().take(4).collect();
    assert_eq!((third["chapter"].as_str(), &*title), (Some("八佾"), "八佾第三"));
}

#[test]
fn a_book_of_no_list_is_cut_by_its_numbered_titles() {
    let text = "《山中記》某氏撰\n\n序\n\n此書記山中之事。\n\n雲起第一\n\n雲起於山，山人見之。\n\n\
                泉出第二\n\n泉出於石，石上有苔。\n\n鳥歸第三\n\n鳥歸於林，林下有人。\n\n跋\n\n書成於冬。\n";
    let library = library("a.txt", text);
    let titles: Vec<_> = library.documents.iter().filter_map(|d| d.meta.chapter.clone()).collect();
    assert_eq!(titles, ["序", "雲起", "泉出", "鳥歸", "跋"]);
    let [front, first, .., back] = &library.documents[..] else { panic!("five parts") };
    assert_eq!(first.meta.work.as_deref(), Some("山中記"));
    for outside in [front, back] {
        assert!(of_layer(outside, Layer::Jing).is_empty());
        assert!(!of_layer(outside, Layer::Other).is_empty());
    }
}

#[test]
fn a_work_that_two_kinds_of_evidence_name_differently_is_a_warning() {
    let settings = Settings::default();
    let entry = TextEntry::file("孟子.txt".as_ref());
    let document = settings.document(&entry, Source::from_text("孟子.txt", LUNYU)).unwrap();
    let warning = document.diagnostics.iter().find(|d| d.code == "work-contradicted").unwrap();
    assert!(warning.message.contains("論語") && warning.message.contains("孟子"), "{warning:?}");
    assert_eq!(document.meta.work.as_deref(), Some("論語"));
}

#[test]
fn running_text_is_no_heading() {
    let text = "子曰：“君子不器。”\n第一，人當知禮。\n卷而懷之。\n學而不思則罔\n";
    let library = library("a.txt", text);
    assert_eq!(library.documents.len(), 1);
    assert!(of_layer(&library.documents[0], Layer::Heading).is_empty());
}

/// Works of the canon, and the chapters that a copy of each has by its own headings.
const CANON: &[(&str, &str, usize)] = &[
    ("仪礼.txt", "儀禮", 17),
    ("论语.txt", "論語", 20),
    ("礼记.txt", "禮記", 46),
    ("尔雅.txt", "爾雅", 19),
    ("孝經.txt", "孝經", 18),
    ("春秋左传.txt", "左傳", 12),
    ("春秋穀梁傳.txt", "穀梁傳", 12),
];

/// A folder of texts beside the project, if it exists.
fn shared(name: &str) -> Option<std::path::PathBuf> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name);
    if !folder.is_dir() {
        eprintln!("skipped: there is no {}", folder.display());
        return None;
    }
    Some(folder)
}

#[test]
fn the_canon_is_cut_into_its_chapters() {
    let Some(folder) = shared("canon") else { return };
    let settings = Settings::default();
    for (file, work, count) in CANON {
        let path = folder.join(file);
        let document = settings.entry(&TextEntry::file(&path)).unwrap();
        let named = settings.works.work(work).map(|w| w.title.clone());
        assert_eq!(document.meta.work, named, "{file}");
        let library = Settings::default().run(vec![document]);
        assert_eq!(library.documents.len(), *count, "{file}");
        assert_eq!(written("source", &library), std::fs::read(&path).unwrap(), "{file}");
    }
}

/// Lines of a book: titles, text, blanks.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[雲泉鳥山]{2}第[一二三四]",
        "卷[一二三四]",
        "●[雲泉]{2}",
        "[學時習之]{4,9}。",
        "",
        "　　序",
        "（[雲泉]{2,4}）",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// In any case, the chapters cover the file and every segment is in one of them.
    #[test]
    fn chapters_cover_the_file(lines in prop::collection::vec(line(), 1..40), crlf in any::<bool>()) {
        let text = lines.join(if crlf { "\r\n" } else { "\n" });
        prop_assume!(text.chars().any(|c| !c.is_whitespace()));
        let Ok(library) = zhushu::pipeline::convert(Source::from_text("a.txt", text.clone()), Some("plain")) else {
            return Ok(());
        };
        let whole: String = library.documents.iter().map(|d| d.source.text()).collect();
        prop_assert_eq!(whole, text.clone());
        for d in &library.documents {
            prop_assert!(d.check().is_ok(), "{:?}", d.check());
        }
        let ids: std::collections::HashSet<&str> = library.documents.iter().map(|d| d.id.as_str()).collect();
        prop_assert_eq!(ids.len(), library.documents.len());
        prop_assert_eq!(written("source", &library), text.into_bytes());
    }
}

/// Documents of a library are shared, not copied, by later stages.
#[test]
fn a_file_of_one_chapter_stays_one_document() {
    let library = library("a.txt", "主人朝服乃速賓。賓朝服出迎。\n");
    assert!(library.documents[0].source.file_part().is_none());
    assert_eq!(Arc::strong_count(&library.documents[0]), 1);
}

#[test]
fn hexagrams_begin_with_their_trigrams_or_sign_though_other_chapters_have_titles() {
    let line = |trigrams: &str, name: &str| {
        format!("{trigrams}{name}：元亨利貞。\n\n初九：潛龍勿用。象曰：潛龍勿用，陽在下也。\n\n")
    };
    let text = format!(
        "周易本義\n\n卷之一\n\n周易上經\n\n{}{}周易下經\n\n{}卷之二\n\n繫辭上傳\n\n天尊地卑，乾坤定矣。\n\n說卦傳\n\n昔者聖人之作易也。\n\n序卦傳\n\n有天地，然後萬物生焉。\n",
        line("乾下乾上。", "乾"),
        line("䷁（坤下坤上）", "坤"),
        line("坎下震上。", "解"),
    );
    let library = library("a.txt", &text);
    let found: Vec<Option<&str>> = chapters(&library).into_iter().map(|c| c.0).collect();
    assert_eq!(found, ["乾", "坤", "解", "繫辭上", "說卦", "序卦"].map(Some));
    let all: Vec<&str> = library.documents.iter().map(|d| d.source.text()).collect();
    assert_eq!(all.concat(), text);
}

#[test]
fn numbers_of_chapters_alone_and_before_text_begin_them() {
    let number = ["一", "二", "三", "四", "五", "六"];
    let words = "道可道，非常道。名可名，非常名。";
    for form in ["N章\n\nW\n\n", "第N章　W\n", "【N章】W\n\n"] {
        let chapter = |n: &&str| form.replace('N', n).replace('W', words);
        let text = format!("道德經\n\n{}", number.iter().map(chapter).collect::<String>());
        let library = library("a.txt", &text);
        let numbers: Vec<Option<u32>> = chapters(&library).into_iter().map(|c| c.1).collect();
        assert_eq!(numbers, (1..=6).map(Some).collect::<Vec<_>>(), "{form}");
    }
}
