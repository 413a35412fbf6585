//! Hostile text in every format, as text and as metadata. Each file is read back by a reader of its
//! format, and the text must come out as text; file names must stay inside the folder.

use std::collections::BTreeSet;
use std::sync::Arc;
use zhushu::model::EvidenceKind;

use crate::support::editions::{self, edition, files, unzip, xml};
use serde_json::Value;
use zhushu::corpus::Library;
use zhushu::model::*;
use zhushu::source::{Source, Span};
use zhushu::writers::editions::{Edition, FORMATS, Layout};
use zhushu::{readers, site};

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
    "../../etc/passwd C:\\壞 file:///x",
    "[^1] [^1]: 腳 \\ \\\\ \\u{41}",
    "#+TITLE: 題 #+BEGIN_SRC * 星 :PROPERTIES: <pb:x_1a>¶(括)/行",
    "=1+1",
    "+1 @SUM(A1) -2",
    "@SUM(A1)",
    "-2+3",
    "＝1+1",
    "＠SUM(A1)",
    "\u{1}控\u{7F}",
];

/// Metadata can contain what text cannot: line ends and tabs.
const KNOWN: &str = "=1+1\t\"甲\" '乙' <b>&amp;\u{202E}\u{1}\n../丙 \\x{}%$#_~^[丁](戊)`*--」";

/// Two ids that could name the same file, or one elsewhere.
const IDS: [&str; 2] = ["../<b>\"evil\"&", "../<b>'evil'&"];

/// A reader of a format: returns its text, including metadata. Each reader decides which parts of
/// the files to read.
type Reads = fn(&[u8]) -> String;

/// How a format is read, and whether it has the text, with all its characters.
struct Reader(&'static str, Has, Reads);

#[derive(Clone, Copy, PartialEq)]
enum Has {
    /// Every character unchanged.
    All,
    /// The text; invisible characters may be left out, or shown by name.
    Visible,
    /// Only metadata, not the texts.
    Known,
}

const READERS: &[Reader] = &[
    Reader("text", Has::Visible, plain),
    Reader("markdown", Has::Visible, markdown),
    Reader("epub", Has::Visible, epub),
    Reader("docx", Has::Visible, packed),
    Reader("odt", Has::Visible, packed),
    Reader("latex", Has::Visible, latex),
    Reader("typst", Has::Visible, typst),
    Reader("pdf", Has::Visible, typst),
    Reader("tei", Has::All, tei),
    Reader("json", Has::Known, strings),
    Reader("jsonl", Has::All, jsonl),
    Reader("tsv", Has::All, tsv),
    #[cfg(feature = "parquet")]
    Reader("parquet", Has::All, parquet_rows),
    Reader("webanno", Has::All, strings),
    Reader("tmx", Has::Visible, elements),
    Reader("stam", Has::All, strings),
    Reader("bibtex", Has::Known, bibtex),
    Reader("csl", Has::Known, strings),
    Reader("ris", Has::Known, plain),
    Reader("docuxml", Has::Visible, elements),
    Reader("mandoku", Has::Visible, mandoku),
    Reader("iiif", Has::Visible, strings),
    Reader("glosses", Has::Known, tsv),
    Reader("stardict", Has::Known, stardict),
    Reader("tei-dictionary", Has::Known, elements),
];

/// The description and the articles of a dictionary of StarDict; the index has offsets.
fn stardict(bytes: &[u8]) -> String {
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut read = |name: &str| {
        let mut text = String::new();
        std::io::Read::read_to_string(&mut zip.by_name(name).unwrap(), &mut text).unwrap();
        text
    };
    read("glosses.ifo") + &read("glosses.dict")
}

pub fn plain(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).expect("UTF-8").to_string()
}

/// All strings of a JSON value except keys.
fn strings(bytes: &[u8]) -> String {
    fn of(value: &Value, out: &mut String) {
        match value {
            Value::String(s) => out.push_str(s),
            Value::Array(a) => a.iter().for_each(|v| of(v, out)),
            Value::Object(o) => o.values().for_each(|v| of(v, out)),
            _ => {}
        }
        out.push('\n');
    }
    let mut out = String::new();
    of(&serde_json::from_slice(bytes).expect("JSON"), &mut out);
    out
}

fn jsonl(bytes: &[u8]) -> String {
    plain(bytes).lines().map(|l| strings(l.as_bytes())).collect()
}

/// XML with only elements and text.
fn elements(bytes: &[u8]) -> String {
    let (words, names) = xml(&plain(bytes));
    assert!(!names.contains("script"), "{names:?}");
    words
}

fn tei(bytes: &[u8]) -> String {
    // Characters that XML does not allow, or that are invisible, are elements there, so our own
    // reader is needed.
    elements(bytes);
    let read = readers::read(Source::from_text("t.xml", plain(bytes)), Some("tei")).unwrap();
    read.check().unwrap();
    let (m, c) = (&read.meta, &read.meta.collection);
    assert!(read.id == "c" || IDS.contains(&read.id.as_str()), "{}", read.id);
    let known = [&m.title]
        .into_iter()
        .chain([&m.work, &m.chapter, &m.siglum, &c.title, &c.licence].into_iter().flatten());
    let facts = m.facts().into_iter().map(|f| f.words.into_owned());
    let known: Vec<String> = known.cloned().chain(facts).chain(c.editors.clone()).collect();
    format!("{}\n{}", read.source.text(), known.join("\n"))
}

pub fn epub(bytes: &[u8]) -> String {
    let mut words = String::new();
    for (name, text) in unzip(bytes) {
        assert!(
            name.bytes().all(|b| b.is_ascii_alphanumeric() || b"/-._".contains(&b))
                && !name.contains(".."),
            "{name}"
        );
        if ["ml", "opf", "svg"].iter().any(|e| name.ends_with(e)) {
            words.push_str(&elements(text.as_bytes()));
        }
    }
    words
}

/// The words of a word processor's file.
pub fn packed(bytes: &[u8]) -> String {
    unzip(bytes)
        .iter()
        .filter(|(name, _)| name != "mimetype")
        .map(|(_, text)| elements(text.as_bytes()))
        .collect()
}

/// Commands that the program writes into LaTeX.
const COMMANDS: &[&str] = &[
    "LARGE",
    "begin",
    "beginnumbering",
    "between",
    "bfseries",
    "clearpage",
    "contentsname",
    "end",
    "endnumbering",
    "jiazhu",
    "layername",
    "leaf",
    "lemmata",
    "otherlayer",
    "par",
    "pend",
    "pstart",
    "renewcommand",
    "section",
    "sentence",
    "subsection",
    "subsubsection",
    "tableofcontents",
];

/// The words of LaTeX; every command is one of the program, and nothing else acts.
pub fn latex(bytes: &[u8]) -> String {
    let source = plain(bytes);
    let text = source.split_once("\\begin{document}").expect("the text follows the preamble").1;
    let (mut words, mut depth) = (String::new(), 0);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            '\\' => {
                let mut name = String::new();
                while let Some(letter) = chars.next_if(char::is_ascii_alphabetic) {
                    name.push(letter);
                }
                match &*name {
                    "" => words.extend(chars.next_if(|c| "$&#_%".contains(*c))),
                    "textbackslash" => words.push('\\'),
                    "textbraceleft" => words.push('{'),
                    "textbraceright" => words.push('}'),
                    "textasciitilde" => words.push('~'),
                    "textasciicircum" => words.push('^'),
                    name => {
                        let is_note = name.len() == 9 && name.starts_with("footnote");
                        assert!(is_note || COMMANDS.contains(&name), "\\{name}");
                    }
                }
            }
            '$' | '&' | '#' | '_' | '%' | '~' | '^' => panic!("{c} acts in {text}"),
            c => words.push(c),
        }
        assert!(depth >= 0, "{text}");
    }
    assert_eq!(depth, 0, "{text}");
    words
}

/// What a reader of Markdown shows; the numbers of sentences are the program's own HTML.
pub fn markdown(bytes: &[u8]) -> String {
    editions::markdown(&plain(bytes), &["<sup>", "</sup>"])
}

/// The string literals of Typst source; outside them there are only calls by the program.
fn typst(bytes: &[u8]) -> String {
    let source = plain(bytes);
    let text = source.split_once("#show: edition.with").expect("the text follows the functions").1;
    let (mut inside, mut outside) = (String::new(), String::new());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '"' {
            outside.push(c);
            continue;
        }
        loop {
            match chars.next().expect("no literal is left open") {
                '"' => break,
                '\\' => match chars.next().unwrap() {
                    'u' => {
                        let code: String =
                            chars.by_ref().skip(1).take_while(|c| *c != '}').collect();
                        inside
                            .push(char::from_u32(u32::from_str_radix(&code, 16).unwrap()).unwrap());
                    }
                    c => inside.push(c),
                },
                c => inside.push(c),
            }
        }
        inside.push('\n');
    }
    assert!(
        outside.is_ascii() && !outside.contains("script") && !outside.contains("let"),
        "{outside}"
    );
    inside
}

/// Rows of cells, backslashes undone; all rows are as wide as the first.
fn tsv(bytes: &[u8]) -> String {
    let text = plain(bytes);
    let width = text.lines().next().unwrap().split('\t').count();
    let mut words = String::new();
    for cell in text.lines().flat_map(|l| {
        assert_eq!(l.split('\t').count(), width, "{l}");
        l.split('\t')
    }) {
        let signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
        assert!(!cell.starts_with(signs), "a spreadsheet would calculate: {cell}");
        let mut chars = cell.chars();
        while let Some(c) = chars.next() {
            words.push(match c {
                '\\' => match chars.next().unwrap() {
                    't' => '\t',
                    'n' => '\n',
                    'r' => '\r',
                    c => c,
                },
                c => c,
            });
        }
        words.push('\n');
    }
    words
}

#[cfg(feature = "parquet")]
fn parquet_rows(bytes: &[u8]) -> String {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.parquet");
    std::fs::write(&path, bytes).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
    let mut words = String::new();
    for row in reader.get_row_iter(None).unwrap() {
        for (_, field) in row.unwrap().into_columns() {
            if let Field::Str(s) = field {
                words.push_str(&s);
            }
            words.push('\n');
        }
    }
    words
}

fn bibtex(bytes: &[u8]) -> String {
    use biblatex::ChunksExt;
    let read = biblatex::Bibliography::parse(&plain(bytes)).unwrap();
    assert_eq!(read.len(), 1 + IDS.len() + 1);
    assert!(
        read.iter().all(|e| !e.fields.contains_key("evil") && !e.key.contains(['{', '"', ' '])),
        "{}",
        plain(bytes)
    );
    let fields = read
        .iter()
        .flat_map(|e| e.fields.values().map(|v| v.format_verbatim()).collect::<Vec<_>>());
    fields.collect::<Vec<_>>().join("\n")
}

/// Mandoku cannot escape its own signs: similar characters replace them, and are converted back
/// here. Its properties are lines.
fn mandoku(bytes: &[u8]) -> String {
    let text = plain(bytes);
    let read = readers::read(Source::from_text("m.txt", &*text), Some("mandoku")).unwrap();
    read.check().unwrap();
    let words: String = read
        .segments
        .iter()
        .filter(|s| s.layer.is_text())
        .map(|s| read.words(s.span).into_owned() + "\n")
        .collect();
    let likes = [('（', '('), ('）', ')'), ('／', '/'), ('⁋', '¶'), ('＜', '<'), ('＃', '#')];
    let words: String = words
        .chars()
        .map(|c| likes.iter().find(|(like, _)| *like == c).map_or(c, |(_, c)| *c))
        .collect();
    let properties: String =
        text.lines().take_while(|l| l.starts_with('#')).map(|l| l.to_string() + "\n").collect();
    words + &properties
}

/// A text with hostile content in every segment and in all metadata.
fn text(id: &str, layers: &[Layer]) -> Document {
    let (mut text, mut segments) = (String::new(), vec![]);
    let mut push = |layer, words: &str| {
        segments.push(Segment::marked(layer, Span::new(text.len(), text.len() + words.len())));
        text.push_str(words);
    };
    for words in HOSTILE {
        for layer in layers {
            push(*layer, words);
            push(Layer::Blank, "\n");
        }
    }
    // Something that a note says of a word.
    if layers.contains(&Layer::Zhu) {
        push(Layer::Jing, "丙丁。");
        push(Layer::Zhu, "丙，戊也。");
    }
    let mut d = Document::new(Arc::new(Source::from_text("../<b>\"evil\".txt", text)), "test");
    d.id = id.into();
    d.segments = segments.into();
    d.number();
    d.meta = known();
    d
}

fn known() -> Meta {
    let all = || Some(KNOWN.to_string());
    let who = Commentator { key: "who".into(), name: KNOWN.into(), period: all(), inferred: None };
    Meta {
        title: KNOWN.into(),
        work: all(),
        chapter: all(),
        siglum: all(),
        edition: all(),
        editors: vec![KNOWN.into()],
        date: all(),
        origin: all(),
        rights: all(),
        work_key: Some("yi li,{\"".into()),
        language: "lzh}, evil={x\"".into(),
        layers: vec![(Layer::Zhu, who)],
        collection: Collection {
            title: all(),
            editors: vec![KNOWN.into()],
            licence: all(),
            date: Some("2026-11-21".into()),
            ..Collection::default()
        },
        ..Meta::default()
    }
}

/// Two texts and a translation, with all metadata, and beads between them.
fn hostile(ids: [&str; 2]) -> Edition {
    let layers =
        [Layer::Heading, Layer::Jing, Layer::Zhu, Layer::ShuHeader, Layer::Shu, Layer::Label];
    let mut d = text(ids[0], &layers);
    let of = |d: &Document, layer| d.of_layer(layer).map(|s| s.span).collect::<Vec<_>>();
    let (jing, zhu) = (of(&d, Layer::Jing), of(&d, Layer::Zhu));
    let why = || vec![Evidence::new(EvidenceKind::LemmaHeader, KNOWN)];
    for (i, span) in zhu.iter().enumerate() {
        let target = Some(Target { doc: None, span: jing[i] });
        let status = Status::Exact;
        d.links.push(Link {
            kind: LinkKind::Quotation,
            span: *span,
            quoted: Some(*span),
            layer: Layer::Zhu,
            work: Some(KNOWN.into()),
            alternatives: vec![].into(),
            target,
            status,
            certainty: Certainty::new(0.9),
            evidence: why().into(),
        });
    }
    d.readings = vec![Reading {
        span: jing[0],
        reading: KNOWN.into(),
        kind: ReadingKind::Repair,
        certainty: Certainty::new(0.9),
        evidence: why().into(),
    }]
    .into();
    d.divisions = vec![Division {
        n: 1,
        title: Some(KNOWN.into()),
        span: d.source.span(),
        certainty: Certainty::new(0.8),
        evidence: why(),
    }]
    .into();
    d.check().unwrap();
    let mut translation = text("c", &[Layer::Translation]);
    translation.meta.role = Role::Translation;
    translation.meta.translates = vec![ids[0].into()];
    let pairs = jing.iter().zip(of(&translation, Layer::Translation));
    let bead = |(a, b): (&Span, Span)| Bead {
        source: vec![*a],
        translation: vec![b],
        certainty: Certainty::new(0.9),
        evidence: vec![],
    };
    let beads = pairs.map(bead).collect();
    let alignments = vec![Alignment {
        source: ids[0].into(),
        translation: "c".into(),
        grain: Default::default(),
        beads,
    }];
    let documents =
        vec![Arc::new(d), Arc::new(text(ids[1], &[Layer::Jing])), Arc::new(translation)];
    let mut edition = edition(Library { documents, alignments, ..Library::default() }, KNOWN);
    edition.about.licence = Some(KNOWN.into());
    edition.about.editors = vec![KNOWN.into()];
    edition.layout = Layout { numbers: false, ..Layout::default() };
    edition
}

/// Without invisible characters and separators.
fn visible(words: &str) -> String {
    let hidden = |c: char| {
        c.is_control()
            || c.is_whitespace()
            || c == '\u{FFFD}'
            || matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{FEFF}')
    };
    words.chars().filter(|c| !hidden(*c)).collect()
}

fn assert_safe(name: &str) {
    let safe = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    assert!(name.chars().all(safe) && !name.starts_with('.') && !name.contains(".."), "{name}");
}

#[test]
fn hostile_words_come_out_as_words_in_every_format() {
    let edition = hostile(IDS);
    for format in FORMATS {
        let Reader(_, has, reads) = READERS
            .iter()
            .find(|r| r.0 == format.name)
            .unwrap_or_else(|| panic!("nobody reads {}", format.name));
        let files = files(&edition, format.name);
        let names: BTreeSet<&String> = files.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), files.len(), "{}: two files have one name", format.name);
        names.iter().for_each(|name| assert_safe(name));
        let got: String = files.iter().map(|(_, bytes)| reads(bytes) + "\n").collect();
        let seen = visible(&got);
        assert!(seen.contains(&visible(KNOWN)), "{} lacks metadata: {got}", format.name);
        for words in HOSTILE {
            match has {
                Has::All => assert!(got.contains(words), "{}: {words:?}: {got}", format.name),
                Has::Visible => {
                    assert!(seen.contains(&visible(words)), "{}: {words:?}: {got}", format.name)
                }
                Has::Known => {}
            }
        }
    }
}

#[test]
fn the_head_of_markdown_is_no_markup_for_programs_that_read_it_as_markdown() {
    let files = files(&hostile(IDS), "markdown");
    let text = plain(&files[0].1);
    let head = text.split("---\n").nth(1).unwrap();
    let of = |line: &str| Some(line.split_once(": ")?.1.trim_matches(['[', ']']).to_string());
    let mut seen = 0;
    for value in head.lines().filter_map(of).filter(|v| v.starts_with('"')) {
        let Ok(words) = serde_json::from_str::<String>(&value) else { panic!("{value}") };
        seen += usize::from(words.contains("甲"));
        for event in pulldown_cmark::Parser::new_ext(&words, pulldown_cmark::Options::all()) {
            use pulldown_cmark::{Event, Tag, TagEnd};
            let is_plain = matches!(
                event,
                Event::Text(_)
                    | Event::SoftBreak
                    | Event::Start(Tag::Paragraph)
                    | Event::End(TagEnd::Paragraph)
            );
            assert!(is_plain, "{event:?} in {words}");
        }
    }
    assert!(seen > 5, "{head}");
}

#[test]
fn hostile_words_come_out_as_words_on_a_site() {
    // A page has the name of its text, whose id is a file name and so stays inside the folder.
    let edition = hostile(IDS.map(|id| id.trim_start_matches("../")));
    let about = &edition.about;
    let title = site::Title {
        title: Some(&about.title),
        editors: &about.editors,
        licence: about.licence.as_deref(),
    };
    let mut names = BTreeSet::new();
    let mut words = String::new();
    let site = site::Site::of(&edition.library, title);
    for part in site.parts() {
        let mut take = |name: &str, bytes: &[u8]| {
            assert!(names.insert(name.to_string()), "{name} is written twice");
            assert!(!name.contains(['/', '\\']), "{name}");
            if name.ends_with(".html") {
                let page = plain(bytes);
                let (text, elements) = xml(&page);
                let (scripts, ours) =
                    (page.matches("<script").count(), page.matches("<script src=\"index.").count());
                assert!(
                    !elements.contains("b:evil") && scripts == ours && ours > 0,
                    "{name}: {ours} scripts of {scripts} are ours"
                );
                words.push_str(&text);
            }
            Ok(())
        };
        site.write(&part, &mut take).unwrap();
    }
    let seen = visible(&words);
    // Pages show invisible characters by name, so only text without them stays in one piece.
    for words in HOSTILE.iter().filter(|w| {
        visible(w).len()
            == w.chars().filter(|c| !c.is_whitespace()).map(char::len_utf8).sum::<usize>()
    }) {
        assert!(seen.contains(&visible(words)), "{words}");
    }
}
