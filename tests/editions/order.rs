//! Formats for reading have everything in the order of reading: a note stands after the words that
//! it follows, on its line or on a line of its own, and has the mark of its layer.

use std::sync::Arc;

use crate::support::corpus;
use crate::support::editions::{edition, files};
use zhushu::corpus::Library;
use zhushu::model::{Document, Layer, LayerKind, Segment};
use zhushu::source::{Source, Span};
use zhushu::text::class::is_content;
use zhushu::writers::editions::flow::{self, EditionBlock};
use zhushu::writers::editions::{Edition, NotesAt};

use super::hostile;

/// How the text of a file is read.
type ReadText = fn(&[u8]) -> String;

/// The formats for reading, and what each makes of its files.
const FOR_READING: &[(&str, ReadText)] = &[
    ("text", hostile::plain),
    ("markdown", hostile::markdown),
    ("epub", hostile::epub),
    ("typst", literals),
    ("docx", hostile::packed),
    ("odt", hostile::packed),
    ("latex", hostile::latex),
];

/// Stands before a note that a format sets in double rows.
const ROWS: char = '⟦';

/// The strings of Typst source, with a sign before notes.
fn literals(bytes: &[u8]) -> String {
    let source = hostile::plain(bytes);
    let mut parts = source.split_once("#show: edition.with").unwrap().1.split('"');
    let mut words = String::new();
    while let (Some(code), Some(inside)) = (parts.next(), parts.next()) {
        words.extend(code.ends_with("z(").then_some(ROWS));
        // It is set apart by its type.
        words.extend(code.ends_with("translation(").then_some('譯'));
        words.push_str(inside);
    }
    words
}

/// Only the characters that count: numbers are not those of the text.
fn kept(words: &str) -> String {
    let counts = |c: &char| (is_content(*c) && !c.is_ascii_alphanumeric()) || "([⟦".contains(*c);
    words.chars().filter(counts).collect::<String>()
}

/// What a format has to have, in three orders: the classic, the notes on it, other paragraphs with
/// the names of their layers.
#[derive(Default)]
struct Expected {
    classic: Vec<String>,
    notes: Vec<(Layer, bool, String)>,
    paragraphs: Vec<String>,
}

fn expected(edition: &Edition) -> Expected {
    let mut all = Expected::default();
    let of =
        |d: &Arc<Document>| flow::sections(edition.library.get(&d.id).unwrap(), &edition.library);
    let sections: Vec<_> = edition.documents().map(of).collect();
    for block in sections.iter().flatten().flat_map(|s| &s.blocks) {
        match block {
            EditionBlock::Text(runs) => {
                assert!(!runs.iter().all(|r| r.is_note()), "notes without a mark: {runs:?}");
                for run in runs {
                    match run.is_note() {
                        true => all.notes.push((run.layer, run.named, kept(&run.words))),
                        false => all.classic.push(kept(&run.words)),
                    }
                }
            }
            EditionBlock::Said { layer, header, runs } => {
                let first = runs.first().map_or("", |r| &*r.words);
                let header = header.as_deref().unwrap_or_default();
                all.paragraphs.push(kept(&format!("{}{header}{first}", layer.zh())));
            }
            EditionBlock::Translation(words) => all.paragraphs.push(kept(&format!("譯{words}"))),
            EditionBlock::Heading(_) | EditionBlock::Label(_) | EditionBlock::Other(_) => {}
        }
    }
    all
}

/// Each part follows the one before.
#[track_caller]
fn are_in_order(format: &str, text: &str, parts: impl IntoIterator<Item = String>) {
    let mut at = 0;
    for part in parts {
        let found = text[at..].find(&part).unwrap_or_else(|| {
            let rest: String = text[at..].chars().take(80).collect();
            panic!("{format}: {part} is not after what is before it: {rest}")
        });
        at += found + part.len();
    }
}

fn check(edition: &Edition) {
    let expected = expected(edition);
    for (format, read) in FOR_READING {
        let text: String = files(edition, format).iter().map(|(_, bytes)| read(bytes)).collect();
        let text = kept(&text);
        // In brackets and double rows only other notes than 注 are named.
        let open = match *format {
            "text" => Some('('),
            "typst" => Some(ROWS),
            _ => None,
        };
        let mark = |layer: Layer, named: bool| match open {
            Some(open) if named => format!("{open}{}", layer.zh()),
            Some(open) => open.to_string(),
            None => layer.zh().to_string(),
        };
        let notes = expected.notes.iter();
        are_in_order(format, &text, notes.map(|(l, named, words)| mark(*l, *named) + words));
        // A note between two runs of the classic may be in the same line.
        are_in_order(format, &text, expected.classic.iter().cloned());
        are_in_order(format, &text, expected.paragraphs.iter().cloned());
    }
}

#[test]
fn the_corpus_is_in_order_and_has_its_marks_in_every_format() {
    check(&edition(corpus::library().clone(), "次"));
}

#[test]
fn notes_in_the_line_are_in_order_too() {
    let mut edition = edition(corpus::library().clone(), "次");
    edition.layout.notes = NotesAt::Inline;
    let expected = expected(&edition);
    for (format, read) in FOR_READING.iter().filter(|f| ["docx", "odt", "latex"].contains(&f.0)) {
        let text: String = files(&edition, format).iter().map(|(_, bytes)| read(bytes)).collect();
        let mark = |layer: &Layer, named: bool| if named { layer.zh() } else { "" };
        let notes = expected.notes.iter();
        are_in_order(
            format,
            &kept(&text),
            notes.map(|(l, n, words)| format!("{}{words}", mark(l, *n))),
        );
    }
}

/// A text of segments in any order, each of characters that no other has, with ends of lines here
/// and there.
fn text(n: u32) -> Document {
    const LAYERS: [Layer; 9] = [
        Layer::Jing,
        Layer::Jing,
        Layer::Zhu,
        Layer::Yin,
        Layer::An,
        Layer::Shu,
        Layer::Heading,
        Layer::Label,
        Layer::Zhu,
    ];
    let mut state = n.wrapping_mul(2_654_435_761).max(1);
    let mut random = |below: u32| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state % below
    };
    let (mut words, mut segments) = (String::new(), vec![]);
    let mut push = |layer, piece: &str| {
        segments.push(Segment::marked(layer, Span::new(words.len(), words.len() + piece.len())));
        words.push_str(piece);
    };
    for i in 0..30 {
        let layer = LAYERS[random(LAYERS.len() as u32) as usize];
        let chars = (0..3).filter_map(|k| char::from_u32(0x4E00 + (n * 97 + i * 3 + k) % 20_000));
        push(layer, &format!("{}。", chars.collect::<String>()));
        if layer.kind() == LayerKind::Structure || random(3) == 0 {
            push(Layer::Blank, "\n");
        }
    }
    let mut d = Document::new(Arc::new(Source::from_text(format!("t{n}.txt"), words)), "test");
    d.segments = segments.into();
    d.number();
    d.check().unwrap();
    d
}

#[test]
fn texts_made_at_random_are_in_order_and_have_their_marks() {
    let documents = (1..60).map(|n| Arc::new(text(n))).collect();
    check(&edition(Library { documents, ..Library::default() }, "次"));
}

#[test]
fn a_note_stands_where_its_number_is() {
    let text = "學而第一\n\n子曰學而時習之〔一〕不亦說乎。有朋自遠方來〔二〕不亦樂乎。\n\n人不知而不慍。不亦君子乎〔三〕。\n\n\
        曾子曰吾日三省吾身。\n\n〔一〕馬曰子者男子之通稱。\n〔二〕包曰同門曰朋。\n〔三〕慍怒也。\n";
    let library = zhushu::pipeline::convert(Source::from_text("a.txt", text), None).unwrap();
    let document = &library.documents[0];
    let sections = flow::sections(document, &library);
    let blocks = sections.iter().flat_map(|s| &s.blocks).filter_map(|b| match b {
        EditionBlock::Text(runs) => Some(runs.iter().map(|r| &*r.words).collect::<Vec<_>>()),
        _ => None,
    });
    let expected = [
        vec![
            "子曰學而時習之",
            "馬曰子者男子之通稱。",
            "不亦說乎。",
            "有朋自遠方來",
            "包曰同門曰朋。",
            "不亦樂乎。",
        ],
        vec!["人不知而不慍。", "不亦君子乎", "慍怒也。", "。"],
        vec!["曾子曰吾日三省吾身。"],
    ];
    assert_eq!(blocks.collect::<Vec<_>>(), expected);
    let said = sections.iter().flat_map(|s| &s.blocks);
    assert!(!said.into_iter().any(|b| matches!(b, EditionBlock::Said { .. })));
    let edition = edition(library, "論語");
    let mandoku = &files(&edition, "mandoku")[0].1;
    let printed = String::from_utf8_lossy(mandoku);
    assert!(printed.contains("學而時習之(馬曰子者男子之通稱。)不亦說乎"), "{printed}");
    assert!(printed.contains("不亦君子乎(慍怒也。)。"), "{printed}");
}
