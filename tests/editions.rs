//! Editions in every format, as independent readers of the formats see them: a small golden file each, and hostile words,
//! which must come out as words.
//!
//! `SNAPSHOTS=overwrite` writes the golden files anew. Checkers that a machine may lack (EPUBCheck, typst, the libraries of
//! STAM) are in `editions_checked.rs`.

use std::collections::BTreeSet;
use std::io::{Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use quick_xml::events::Event;
use zhushu::corpus::{Choice, Library, Loci};
use zhushu::model::{Alignment, Bead, Cert, Collection, Document, Layer, Meta, Role, Segment};
use zhushu::source::{Source, Span};
use zhushu::text::script::Script;
use zhushu::writers::editions::{About, Date, Edition, FORMATS, Facing, Look, by_name};
use zhushu::{load, pipeline, readers};

fn about(title: &str) -> About {
    About {
        title: title.into(),
        editors: vec!["校者".into()],
        licence: Some("CC0-1.0".into()),
        date: Date { year: 2026, month: 11, day: 21 },
    }
}

fn edition(library: Library, title: &str) -> Edition {
    let ids = library.documents.iter().map(|d| d.id.clone()).collect();
    Edition { about: about(title), library, ids, look: Look::default() }
}

/// A chapter with 經, 注 and 疏, and its translation.
fn small() -> Edition {
    let text = "二筭為純。純猶全也。耦陰陽。今文純爲全。\n\n[疏]“二筭為純”。注“純猶”至“爲全”。釋曰:陰陽對合。\n";
    let mut classic = readers::read(Source::from_text("demo.txt", text), None).unwrap();
    classic.meta.rights = Some("Public domain".into());
    classic.meta.edition = Some("demo edition".into());
    classic.meta.editors = vec!["刻者".into(), "印者".into()];
    classic.meta.date = Some("嘉慶二十年 (1815)".into());
    classic.meta.origin = Some("demo library".into());
    classic.meta.collection = Collection {
        title: Some("二筭".into()),
        editors: vec!["校者".into()],
        licence: Some("CC0-1.0".into()),
        date: Some("2026-11-21".into()),
    };
    let mut translation = readers::read(Source::from_text("demo-jinyi.txt", "兩支籌碼為一純。\n"), Some("plain")).unwrap();
    translation.meta = Meta {
        title: "今譯".into(),
        role: Role::Translation,
        language: "zh-Hant".into(),
        translates: vec!["demo".into()],
        collection: classic.meta.collection.clone(),
        ..Meta::default()
    };
    translation.segments.iter_mut().filter(|s| s.layer.is_text()).for_each(|s| s.layer = Layer::Translation);
    let mut library = pipeline::run(vec![classic, translation]);
    let of = |d: &Document, l: Layer| d.of_layer(l).map(|s| s.span).collect::<Vec<_>>();
    let bead = Bead {
        source: of(&library.documents[0], Layer::Jing),
        translation: of(&library.documents[1], Layer::Translation),
        cert: Cert::new(0.9),
        evidence: vec![],
    };
    library.alignments =
        vec![Alignment { source: "demo".into(), translation: "demo-jinyi".into(), grain: Default::default(), beads: vec![bead] }];
    edition(library, "二筭")
}

/// All files of an edition in a format, with their names.
fn files(edition: &Edition, format: &str) -> Vec<(String, Vec<u8>)> {
    let format = by_name(format).unwrap();
    let one = |part: &zhushu::writers::editions::Part| {
        let mut bytes = vec![];
        (format.write)(edition, part.which, &mut bytes).unwrap();
        (format!("{}.{}", part.name, format.extension), bytes)
    };
    (format.parts)(edition).iter().map(one).collect()
}

/// The files of a book.
fn unzip(book: &[u8]) -> Vec<(String, String)> {
    let mut zip = zip::ZipArchive::new(Cursor::new(book)).unwrap();
    let count = zip.len();
    let one = |i| {
        let mut file = zip.by_index(i).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        (file.name().unwrap().to_string(), text)
    };
    (0..count).map(one).collect()
}

/// The files of an edition in a format as one text. What every edition has alike is not in it.
fn told(edition: &Edition, format: &str) -> String {
    let mut all = String::new();
    for (name, bytes) in files(edition, format) {
        let inside = if format == "epub" { unzip(&bytes) } else { vec![(name, String::from_utf8(bytes).unwrap())] };
        for (name, text) in inside.into_iter().filter(|(name, _)| !name.ends_with("style.css")) {
            let text = text.split_once("#show: edition.with").map_or(text.clone(), |(_, rest)| format!("#show: edition.with{rest}"));
            all.push_str(&format!("== {name}\n{}\n", text.trim_end()));
        }
    }
    all
}

fn golden(name: &str, all: String) {
    let golden = format!("tests/golden/editions/{name}.txt");
    snapbox::assert_data_eq!(all, snapbox::Data::read_from(Path::new(&golden), None).raw());
}

#[test]
fn every_format_writes_its_golden_file() {
    let edition = small();
    for format in FORMATS.iter().filter(|f| !["pdf", "parquet"].contains(&f.name)) {
        golden(format.name, told(&edition, format.name));
    }
}

#[test]
fn pages_look_as_asked_for() {
    let mut edition = small();
    edition.look = Look { vertical: true, numbers: false, ..Look::default() };
    golden("typst-vertical", told(&edition, "typst"));
    edition.look = Look { translation: Facing::Facing, foot: true, ..Look::default() };
    golden("typst-facing", told(&edition, "typst"));
    edition.look = Look { translation: Facing::None, apparatus: false, ..Look::default() };
    assert_eq!(told(&edition, "text").matches("兩支籌碼為一純。").count(), 1, "its own text stays");
}

#[test]
fn what_is_known_of_the_whole_and_of_its_sources_is_in_every_format() {
    let whole = ["二筭", "校者", "CC0-1.0", "2026"];
    let source = ["demo edition", "刻者", "印者", "嘉慶二十年 (1815)", "demo library", "Public domain"];
    for format in FORMATS {
        let mut all = String::new();
        for (_, bytes) in files(&small(), format.name) {
            let package = |files: Vec<(String, String)>| files.into_iter().find(|(name, _)| name.ends_with(".opf")).unwrap().1;
            all.push_str(&if format.name == "epub" { package(unzip(&bytes)) } else { String::from_utf8_lossy(&bytes).into_owned() });
        }
        for words in whole.iter().chain(&source) {
            assert!(all.contains(words), "{} does not tell {words}: {all}", format.name);
        }
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for format in FORMATS {
        assert_eq!(files(&small(), format.name), files(&small(), format.name), "{}", format.name);
    }
}

const HOSTILE: &[&str] = &[
    "<script>alert(1)</script>",
    "javascript:alert(1)",
    "[連](javascript:alert(2)) ![圖](x)",
    "\"雙\" '單' `code` **粗** __底__ ~~刪~~",
    "# 題 #let x = 1; $x^2$ @ref <lbl> \\textbf{壞} //註 /*註*/",
    "&amp; &lt; &#65; ]]> <!-- 註 -->",
    "| 表 | 格 | {{x}} {#id}",
    "www.example.org http://example.org/ a@b.org 1. 一 + 二 - 三",
    "\u{202E}反\u{202C}零\u{200B}寬\u{FEFF}",
    "../../etc/passwd",
    "[^1] [^1]: 腳 \\ \\\\ \\u{41}",
];

/// Hostile words as classic, note, sub-commentary, heading and title.
fn hostile() -> Edition {
    let layers = [Layer::Heading, Layer::Jing, Layer::Zhu, Layer::ShuHeader, Layer::Shu, Layer::Label];
    let mut text = String::new();
    let mut segments = vec![];
    for words in HOSTILE {
        for layer in layers {
            let start = text.len();
            text.push_str(words);
            segments.push(Segment::marked(layer, Span::new(start, text.len())));
            let start = text.len();
            text.push('\n');
            segments.push(Segment::marked(Layer::Blank, Span::new(start, text.len())));
        }
    }
    let mut d = Document::new(Arc::new(Source::from_text("../<b>\"evil\".txt", text)), "test");
    d.id = "../<b>\"evil\"&".into();
    d.segments = segments;
    d.number();
    d.meta.title = HOSTILE.join(" ");
    d.meta.edition = Some(HOSTILE[0].into());
    d.meta.rights = Some(HOSTILE[5].into());
    d.check().unwrap();
    let mut edition = edition(Library { documents: vec![Arc::new(d)], alignments: vec![] }, &HOSTILE.join(" "));
    edition.about.licence = Some(HOSTILE[2].into());
    edition.look.numbers = false;
    edition
}

/// All words of an XML file, and the names of its elements.
fn xml(text: &str) -> (String, BTreeSet<String>) {
    let mut reader = quick_xml::Reader::from_str(text);
    let (mut words, mut names) = (String::new(), BTreeSet::new());
    loop {
        match reader.read_event().expect("the file is well-formed") {
            Event::Eof => return (words, names),
            Event::Start(e) | Event::Empty(e) => {
                for a in e.attributes() {
                    let a = a.expect("attributes are sound");
                    assert!(!a.key.as_ref().starts_with("on"), "{:?}", a.key);
                    assert!(a.key.as_ref() != "href" || !a.value.contains("script:"), "{:?}", a.value);
                }
                names.insert(e.name().as_ref().to_string());
            }
            Event::Text(t) => words.push_str(&t),
            Event::GeneralRef(r) => words.push_str(match &*r {
                "amp" => "&",
                "lt" => "<",
                "gt" => ">",
                "quot" => "\"",
                "#39" | "apos" => "'",
                other => panic!("&{other}; is no entity of ours"),
            }),
            Event::CData(_) | Event::Comment(_) => panic!("only elements and text"),
            _ => {}
        }
    }
}

/// What a reader of Markdown shows, and that nothing but the program's own markup acts.
fn markdown(text: &str) -> String {
    use pulldown_cmark::{Event as E, Options, Parser, Tag};
    let options = Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_MATH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_TASKLISTS;
    let mut words = String::new();
    for event in Parser::new_ext(text, options) {
        match event {
            E::Text(t) => words.push_str(&t),
            E::Html(h) | E::InlineHtml(h) => panic!("HTML got in: {h}"),
            E::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::Table(_) | Tag::CodeBlock(_) | Tag::Strikethrough)
            | E::Code(_)
            | E::InlineMath(_) => {
                panic!("markup got in: {event:?}")
            }
            _ => {}
        }
    }
    words
}

#[test]
fn hostile_words_come_out_as_words_in_every_format() {
    let edition = hostile();
    for format in FORMATS {
        for (name, bytes) in files(&edition, format.name) {
            assert!(!name.contains('/') && !name.contains('<') && !name.contains('"'), "{name}");
            let all = |got: &str| HOSTILE.iter().for_each(|words| assert!(got.contains(words), "{} of {}: {got}", words, format.name));
            match format.name {
                "epub" => {
                    let mut words = String::new();
                    for (name, text) in unzip(&bytes).iter().filter(|(n, _)| n.ends_with("ml") || n.ends_with("opf") || n.ends_with("svg"))
                    {
                        assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b"/-._".contains(&b)), "{name}");
                        let (text, names) = xml(text);
                        assert!(!names.contains("script") && !names.contains("b:evil"), "{names:?}");
                        words.push_str(&text);
                    }
                    all(&words);
                }
                "markdown" => all(&markdown(std::str::from_utf8(&bytes).unwrap())),
                "tei" => {
                    // Characters that cannot be seen are elements there, so its own reader has to tell.
                    xml(std::str::from_utf8(&bytes).unwrap());
                    let read = readers::read(Source::from_text("t.xml", std::str::from_utf8(&bytes).unwrap()), Some("tei")).unwrap();
                    all(read.source.text());
                }
                "docuxml" => all(&xml(std::str::from_utf8(&bytes).unwrap()).0),
                "text" => all(std::str::from_utf8(&bytes).unwrap()),
                "json" | "webanno" => drop(serde_json::from_slice::<serde_json::Value>(&bytes).unwrap()),
                "stam" => {
                    let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
                    all(value["resources"][0]["text"].as_str().unwrap());
                }
                "jsonl" => {
                    let lines = std::str::from_utf8(&bytes).unwrap().lines().map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap());
                    all(&lines.filter_map(|v| v["words"].as_str().map(str::to_string)).collect::<String>());
                }
                "tsv" => {
                    let text = std::str::from_utf8(&bytes).unwrap();
                    let width = text.lines().next().unwrap().split('\t').count();
                    assert!(text.lines().all(|l| l.split('\t').count() == width));
                    if name.starts_with("segments") {
                        all(&text.lines().filter_map(|l| l.rsplit('\t').next()).map(|w| w.replace("\\\\", "\\")).collect::<String>());
                    }
                }
                "mandoku" => {
                    let read = readers::read(Source::from_text("m.txt", std::str::from_utf8(&bytes).unwrap()), Some("mandoku")).unwrap();
                    read.check().unwrap();
                    assert!(read.segments.iter().any(|s| read.slice(s.span).contains("javascript:alert")));
                }
                "typst" | "pdf" => {
                    assert_eq!(outside_strings(std::str::from_utf8(&bytes).unwrap()), "", "words stand outside string literals")
                }
                "csl" => drop(serde_json::from_slice::<serde_json::Value>(&bytes).unwrap()),
                "bibtex" => {
                    use biblatex::ChunksExt;
                    let read = biblatex::Bibliography::parse(std::str::from_utf8(&bytes).unwrap()).unwrap();
                    assert_eq!(read.len(), 2);
                    let title = read.iter().next().unwrap().get("title").unwrap().format_verbatim();
                    assert_eq!(title, HOSTILE.join(" "));
                }
                "tmx" => panic!("there is nothing aligned"),
                "parquet" => assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1")),
                other => panic!("nobody reads {other} here"),
            }
        }
    }
}

/// What of the hostile words stands outside the string literals of Typst source, after the functions.
fn outside_strings(source: &str) -> String {
    let text = source.split_once("#show: edition.with").expect("the text follows the functions").1;
    let (mut outside, mut inside, mut escaped) = (String::new(), false, false);
    for c in text.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' => inside = !inside,
            c if !inside => outside.push(c),
            _ => {}
        }
    }
    assert!(!inside, "a literal is left open");
    outside.chars().filter(|c| !c.is_ascii()).collect::<String>() + if outside.contains("script") { "script" } else { "" }
}

fn corpus() -> Library {
    let corpus = load::open("corpus".as_ref()).unwrap();
    let mut library = pipeline::run(load::read(&corpus).unwrap().documents);
    pipeline::align(&mut library);
    library
}

/// Layers, scripts, reading order: what was chosen is there, nothing else, and nothing twice. One test, for reading the
/// corpus takes most of the time.
#[test]
fn choices_hold_on_the_corpus() {
    let library = corpus();
    notes_keep_their_loci(&library);
    scripts_are_those_asked_for(&library);
    reading_order_has_all_words(&library);
}

fn notes_keep_their_loci(library: &Library) {
    let only = Choice { layers: vec![Layer::Zhu], script: None }.of(library);
    assert!(only.get("yili-05-jinyi").is_none() && only.alignments.is_empty());
    for d in &only.documents {
        d.check().unwrap();
        let (old, new) = (Loci::of(library.get(&d.id).unwrap()), Loci::of(d));
        let loci = |l: &Loci<'_>, d: &Document| -> Vec<(String, String)> {
            let notes = l.units().iter().filter(|u| u.layer == Layer::Zhu);
            notes.map(|u| (u.passage.to_string(), d.slice(u.span).to_string())).collect()
        };
        assert_eq!(loci(&new, d), loci(&old, library.get(&d.id).unwrap()), "{}", d.id);
        assert!(d.segments.iter().all(|s| matches!(s.layer, Layer::Zhu | Layer::Heading | Layer::Blank)));
    }
}

fn scripts_are_those_asked_for(library: &Library) {
    let choice = Choice { layers: vec![], script: Some(Script::Simplified) };
    let simplified = choice.of(library);
    for (old, new) in library.documents.iter().zip(&simplified.documents) {
        new.check().unwrap();
        assert_eq!(old.links.len(), new.links.len(), "{}", old.id);
        assert_eq!(old.segments.len(), new.segments.len());
        assert!(!new.source.text().contains(['獲', '衆', '與']) && old.source.text().contains('與'));
        assert!(!new.meta.language.contains("Hant"));
        for (a, b) in old.links.iter().zip(&new.links) {
            let (a, b) = (old.slice(a.span), new.slice(b.span));
            assert_eq!(a.chars().count(), b.chars().count(), "{a} {b}");
        }
    }
    assert_eq!(library.alignments[0].beads.len(), simplified.alignments[0].beads.len());
}

fn reading_order_has_all_words(library: &Library) {
    use zhushu::writers::editions::flow::{self, Block};
    for d in &library.documents {
        let mut words = String::new();
        for block in flow::sections(d, library).into_iter().flat_map(|s| s.blocks) {
            match block {
                Block::Heading(w) | Block::Label(w) | Block::Other(w) => words.push_str(&w),
                Block::Translation(_) => {}
                Block::Text(runs) => runs.iter().for_each(|r| words.push_str(&r.words)),
                Block::Said { header, runs, .. } => {
                    words.extend(header);
                    runs.iter().for_each(|r| words.push_str(&r.words));
                }
            }
        }
        let content = |w: &str| w.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let want: String = d.segments.iter().filter(|s| s.layer.is_text()).map(|s| content(&d.words(s.span))).collect();
        assert_eq!(content(&words), want, "{}", d.id);
    }
}
