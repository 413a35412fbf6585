//! Shared by tests of editions: a small edition, its files, and the text in them.

use std::collections::BTreeSet;
use std::io::{Cursor, Read};

use quick_xml::events::Event;
use zhushu::corpus::Library;
use zhushu::model::{Alignment, Bead, Certainty, Collection, Document, Layer, Meta, Role};
use zhushu::source::Source;
use zhushu::writers::editions::{About, Date, Edition, Layout, by_name};
use zhushu::{pipeline, readers};

pub fn about(title: &str) -> About {
    About {
        title: title.into(),
        editors: vec!["校者".into()],
        licence: Some("CC0-1.0".into()),
        date: Date { year: 2026, month: 11, day: 21 },
    }
}

pub fn edition(library: Library, title: &str) -> Edition {
    let ids = library.documents.iter().map(|d| d.id.clone()).collect();
    Edition { about: about(title), library, ids, layout: Layout::default() }
}

/// A chapter with 經, 注 and 疏, and its translation.
pub fn small() -> Edition {
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
        ..Collection::default()
    };
    let mut translation =
        readers::read(Source::from_text("demo-jinyi.txt", "兩支籌碼為一純。\n"), Some("plain"))
            .unwrap();
    translation.meta = Meta {
        title: "今譯".into(),
        role: Role::Translation,
        language: "zh-Hant".into(),
        translates: vec!["demo".into()],
        collection: classic.meta.collection.clone(),
        ..Meta::default()
    };
    translation
        .segments
        .iter_mut()
        .filter(|s| s.layer.is_text())
        .for_each(|s| s.layer = Layer::Translation);
    let mut library = pipeline::run(vec![classic, translation]);
    let of = |d: &Document, l: Layer| d.of_layer(l).map(|s| s.span).collect::<Vec<_>>();
    let bead = Bead {
        source: of(&library.documents[0], Layer::Jing),
        translation: of(&library.documents[1], Layer::Translation),
        certainty: Certainty::new(0.9),
        evidence: vec![],
    };
    library.alignments = vec![Alignment {
        source: "demo".into(),
        translation: "demo-jinyi".into(),
        grain: Default::default(),
        beads: vec![bead],
    }];
    edition(library, "二筭")
}

/// All files of an edition in a format, with their names.
pub fn files(edition: &Edition, format: &str) -> Vec<(String, Vec<u8>)> {
    let format = by_name(format).unwrap();
    let one = |part: &zhushu::writers::editions::EditionFile| {
        let mut bytes = vec![];
        (format.write)(edition, part.which, &mut bytes).unwrap();
        (format!("{}.{}", part.name, format.extension), bytes)
    };
    (format.files)(edition).iter().map(one).collect()
}

/// The files of a book.
pub fn unzip(book: &[u8]) -> Vec<(String, String)> {
    let mut zip = zip::ZipArchive::new(Cursor::new(book)).unwrap();
    let count = zip.len();
    let one = |i| {
        let mut file = zip.by_index(i).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        // The index of a dictionary has offsets.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        (file.name().unwrap().to_string(), text)
    };
    (0..count).map(one).collect()
}

/// Formats that are archives.
pub const PACKED: [&str; 4] = ["epub", "docx", "odt", "stardict"];

/// Files of archives that are the same in every edition, or nearly so.
const SAME: [&str; 4] = ["style.css", "styles.xml", "fontTable.xml", ".rels"];

/// The files of an edition in a format as one text. What is the same in every edition is left out.
pub fn joined(edition: &Edition, format: &str) -> String {
    let mut all = String::new();
    for (name, bytes) in files(edition, format) {
        let inside = if PACKED.contains(&format) {
            unzip(&bytes)
        } else {
            vec![(name, String::from_utf8(bytes).unwrap())]
        };
        let varies = |name: &str| !SAME.iter().any(|same| name.ends_with(same));
        for (name, text) in inside.into_iter().filter(|(name, _)| varies(name)) {
            let text = text
                .split_once("\\begin{document}")
                .map_or(text.clone(), |(_, rest)| format!("\\begin{{document}}{rest}"));
            let text = text
                .split_once("#show: edition.with")
                .map_or(text.clone(), |(_, rest)| format!("#show: edition.with{rest}"));
            // The numbers of a dictionary are bytes.
            let is_byte = |c: char| format == "stardict" && c.is_control() && c != '\n';
            let text = text.replace(is_byte, "·");
            all.push_str(&format!("== {name}\n{}\n", text.trim_end()));
        }
    }
    all
}

/// All text of an XML file, and the names of its elements.
pub fn xml(text: &str) -> (String, BTreeSet<String>) {
    let mut reader = quick_xml::Reader::from_str(text);
    let (mut words, mut names) = (String::new(), BTreeSet::new());
    loop {
        match reader.read_event().expect("the file is well-formed") {
            Event::Eof => return (words, names),
            Event::Start(e) | Event::Empty(e) => {
                for a in e.attributes() {
                    let a = a.expect("attributes are sound");
                    assert!(!a.key.as_ref().starts_with("on"), "{:?}", a.key);
                    assert!(
                        a.key.as_ref() != "href" || !a.value.contains("script:"),
                        "{:?}",
                        a.value
                    );
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
                other => panic!("&{other}; is not one of our entities"),
            }),
            Event::CData(_) | Event::Comment(_) => panic!("only elements and text"),
            _ => {}
        }
    }
}

/// What a Markdown reader shows; checks that only the HTML of the program itself acts as markup.
pub fn markdown(text: &str, own_html: &[&str]) -> String {
    use pulldown_cmark::{Event as E, Options, Parser, Tag};
    let options =
        Options::all() - Options::ENABLE_SMART_PUNCTUATION - Options::ENABLE_OLD_FOOTNOTES;
    let mut words = String::new();
    for event in Parser::new_ext(text, options) {
        match event {
            E::Text(t) => words.push_str(&t),
            E::Html(h) | E::InlineHtml(h) => {
                assert!(own_html.contains(&&*h), "HTML got in: {h}")
            }
            E::Start(
                Tag::Link { .. }
                | Tag::Image { .. }
                | Tag::Table(_)
                | Tag::CodeBlock(_)
                | Tag::Strikethrough,
            )
            | E::Code(_)
            | E::InlineMath(_)
            | E::DisplayMath(_) => panic!("markup got in: {event:?}"),
            _ => {}
        }
    }
    words
}
