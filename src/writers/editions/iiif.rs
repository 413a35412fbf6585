//! IIIF Presentation 3: a manifest for each file of the edition, with a canvas for each leaf of the
//! print. A canvas has the image of its leaf, if one is known, and the text of the leaf as
//! annotations, one for each stretch of a layer.
//!
//! Text before the first leaf is on a canvas without a name, so that nothing is lost. A chapter of
//! a book goes on on the leaf on which the chapter before ends.

use std::io::{self, Write};
use std::ops::Range;

use serde_json::{Value, json};

use super::Edition;
use super::formats::{EditionFile, Format, unique};
use crate::corpus::Loci;
use crate::language::Language;
use crate::markup::address;
use crate::model::{Document, Layer, LeafImage, slug};
use crate::reading::{Leaf, Leaves};
use crate::source::Span;
use crate::writers::json_items;

/// The beginning of all addresses. Nothing is there: who publishes a manifest puts its own instead.
const BASE: &str = "https://zhushu.invalid/iiif";

/// Width and height of a canvas of which the image has no known size.
const SIZE: (u32, u32) = (1200, 1800);

pub(super) const FORMAT: Format = Format {
    name: "iiif",
    extension: "json",
    about: "IIIF Presentation 3: a canvas for each leaf, with its text and image",
    leaves: true,
    references: false,
    files,
    write,
    ..Format::PLAIN
};

/// A file for each file that the texts were read from: its chapters share leaves.
fn files(edition: &Edition) -> Vec<EditionFile> {
    let books = books(edition);
    let names = unique(books.iter().map(|book| slug(&edition.ids[book.start])));
    let files = names.into_iter().enumerate();
    files.map(|(which, name)| EditionFile { name, which }).collect()
}

/// The texts of each file, by their numbers in the edition.
fn books(edition: &Edition) -> Vec<Range<usize>> {
    let mut books: Vec<Range<usize>> = vec![];
    let mut last: Option<&Document> = None;
    for (n, document) in edition.documents().enumerate() {
        let is_of_book = |before: &Document| {
            let part = document.source.file_part().zip(before.source.file_part());
            part.is_some() && before.source.path() == document.source.path()
        };
        match books.last_mut().filter(|_| last.is_some_and(is_of_book)) {
            Some(book) => book.end = n + 1,
            None => books.push(n..n + 1),
        }
        last = Some(document);
    }
    books
}

/// A leaf with what is on it.
struct LeafCanvas {
    /// Its name; none for text before the first leaf.
    name: Option<String>,
    image: Option<LeafImage>,
    texts: Vec<LeafText>,
}

/// A stretch of a layer on a leaf.
struct LeafText {
    layer: Layer,
    language: String,
    locus: Option<String>,
    words: String,
}

/// Writes the manifest of one file, a canvas on each line.
fn write(edition: &Edition, which: usize, out: &mut dyn Write) -> io::Result<()> {
    let book = books(edition).into_iter().nth(which).unwrap_or_default();
    let documents: Vec<&Document> =
        edition.documents().map(|d| &**d).skip(book.start).take(book.len()).collect();
    let Some(first) = documents.first() else { return Err(io::ErrorKind::NotFound.into()) };
    let id = format!("{BASE}/{}", address::uri(&first.id));
    let mut canvases = vec![];
    let mut ranges = vec![];
    for document in &documents {
        let from = canvases.len();
        add(document, &mut canvases);
        // Its first words may be on the leaf before.
        let shared = usize::from(begins_on_leaf_before(document));
        ranges.push((document.meta.title.as_str(), from.saturating_sub(shared)..canvases.len()));
    }
    let manifest = about(edition, &documents, &id);
    let head = manifest.to_string();
    write!(out, "{},\n\"items\": [", head.trim_end_matches('}'))?;
    json_items(out, (1..).zip(&canvases).map(|(n, c)| canvas(&id, n, c)))?;
    out.write_all(b"]")?;
    if documents.len() > 1 {
        out.write_all(b",\n\"structures\": [")?;
        json_items(out, (1..).zip(&ranges).map(|(n, (title, of))| range(&id, n, title, of)))?;
        out.write_all(b"]")?;
    }
    out.write_all(b"}\n")
}

/// What is known about the whole.
fn about(edition: &Edition, documents: &[&Document], id: &str) -> Value {
    let mut facts: Vec<Value> = vec![];
    let mut add = |labels: [&str; 2], words: &str| {
        let fact = json!({
            "label": { "en": [labels[0]], "zh-Hant": [labels[1]] }, "value": { "none": [words] },
        });
        if !words.is_empty() && !facts.contains(&fact) {
            facts.push(fact);
        }
    };
    for document in documents {
        document.meta.facts().iter().for_each(|f| add([f.id, f.zh], &f.words));
    }
    let labels =
        [["collection", "文獻集"], ["editors", "編者"], ["licence", "授權"], ["date", "日期"]];
    let about = &edition.about;
    let (editors, date) = (about.editors.join("; "), about.date.to_string());
    let values = [&about.title, &editors, about.licence.as_ref().unwrap_or(&editors), &date];
    for (label, value) in labels.into_iter().zip(values) {
        if label[0] != "licence" || about.licence.is_some() {
            add(label, value);
        }
    }
    let (width, height) = SIZE;
    let size = format!("{width} × {height} where the size of the image is not known");
    let base = format!("those with {BASE} are to be replaced by your own");
    for (label, value) in [("size of canvases", size), ("web addresses", base)] {
        facts.push(json!({ "label": said(label), "value": said(&value) }));
    }
    json!({
        "@context": "http://iiif.io/api/presentation/3/context.json", "id": id, "type": "Manifest",
        "label": { "none": [title(edition, documents)] }, "metadata": facts,
        "viewingDirection": "right-to-left",
    })
}

/// Our own words, in each language.
fn said(words: &str) -> Value {
    let all = Language::ALL.map(|l| (l.id().to_string(), json!([l.message_of(words)])));
    Value::Object(all.into_iter().collect())
}

/// The title of a text; of a book with several chapters that of the work.
fn title<'e>(edition: &'e Edition, documents: &[&'e Document]) -> &'e str {
    match documents {
        [only] => &only.meta.title,
        [first, ..] => first.meta.work.as_deref().unwrap_or(&first.meta.title),
        [] => &edition.about.title,
    }
}

fn begins_on_leaf_before(document: &Document) -> bool {
    let leaves = Leaves::of(document).at_text(document);
    let first = document.segments.iter().find(|s| s.layer.is_text()).map(|s| s.span.start());
    leaves.all().first().map(|leaf| leaf.at) > first || leaves.all().is_empty()
}

/// Adds the leaves of a text, and its words.
fn add(document: &Document, canvases: &mut Vec<LeafCanvas>) {
    let own = Leaves::of(document);
    let leaves = own.clone().at_text(document);
    let (loci, mut next) = (Loci::of(document), 0);
    let open = |leaf: &Leaf| LeafCanvas {
        name: Some(leaf.name()),
        image: leaf.image(&document.meta),
        texts: vec![],
    };
    for segment in document.segments.iter().filter(|s| s.layer.is_text()) {
        let mut at = segment.span.start();
        let locus = loci.name(segment.span).map(|l| l.to_string());
        let text = |canvases: &mut Vec<LeafCanvas>, span: Span| {
            let words = document.words(span).trim().to_string();
            if words.is_empty() {
                return;
            }
            if canvases.is_empty() {
                canvases.push(LeafCanvas { name: None, image: None, texts: vec![] });
            }
            let language = document.meta.language.clone();
            let text = LeafText { layer: segment.layer, language, locus: locus.clone(), words };
            if let Some(canvas) = canvases.last_mut() {
                canvas.texts.push(text);
            }
        };
        while let Some(leaf) = leaves.all().get(next).filter(|l| l.at < segment.span.end()) {
            text(canvases, Span::new(at, leaf.at.max(at)));
            canvases.push(open(leaf));
            at = leaf.at.max(at);
            next += 1;
        }
        text(canvases, Span::new(at, segment.span.end()));
    }
    // Leaves after the last words.
    canvases.extend(own.all()[next..].iter().map(open));
}

/// A canvas with its image and its text.
fn canvas(manifest: &str, n: usize, leaf: &LeafCanvas) -> Value {
    let id = format!("{manifest}/canvas/{n}");
    let size = leaf.image.as_ref().and_then(|image| image.size);
    let (width, height) = size.unwrap_or(SIZE);
    let label = match &leaf.name {
        Some(name) => json!({ "none": [name] }),
        None => said("before the first leaf"),
    };
    let mut canvas = json!({
        "id": id, "type": "Canvas", "label": label, "height": height, "width": width,
        "items": [page(&format!("{id}/images"), image(&id, leaf).into_iter().collect())],
    });
    let texts: Vec<Value> =
        (1..).zip(&leaf.texts).map(|(m, text)| supplement(&id, m, text)).collect();
    if !texts.is_empty() {
        canvas["annotations"] = json!([page(&format!("{id}/texts"), texts)]);
    }
    canvas
}

fn page(id: &str, items: Vec<Value>) -> Value {
    json!({ "id": id, "type": "AnnotationPage", "items": items })
}

fn image(canvas: &str, leaf: &LeafCanvas) -> Option<Value> {
    let image = leaf.image.as_ref()?;
    let is_whole = image.address.contains("://");
    let address = match is_whole {
        true => image.address.clone(),
        false => format!("{BASE}/{}", image.address.trim_start_matches('/')),
    };
    let mut body = json!({ "id": address, "type": "Image" });
    if let Some((width, height)) = image.size {
        (body["width"], body["height"]) = (width.into(), height.into());
    }
    if let Some(kind) = media_type(&address) {
        body["format"] = kind.into();
    }
    Some(json!({
        "id": format!("{canvas}/image"), "type": "Annotation", "motivation": "painting",
        "body": body, "target": canvas,
    }))
}

/// The media type of an image, by the ending of its address.
fn media_type(address: &str) -> Option<&'static str> {
    let path = address.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    const ENDINGS: [(&str, &str); 7] = [
        (".jpg", "image/jpeg"),
        (".jpeg", "image/jpeg"),
        (".png", "image/png"),
        (".gif", "image/gif"),
        (".webp", "image/webp"),
        (".svg", "image/svg+xml"),
        (".tif", "image/tiff"),
    ];
    ENDINGS.iter().find(|(ending, _)| path.ends_with(ending)).map(|(_, kind)| *kind)
}

/// A stretch of text as an annotation that supplements the image.
fn supplement(canvas: &str, n: usize, text: &LeafText) -> Value {
    let locus = text.locus.iter().map(|locus| format!(" {locus}")).collect::<String>();
    json!({
        "id": format!("{canvas}/text/{n}"), "type": "Annotation", "motivation": "supplementing",
        "label": { "none": [format!("{}{locus}", text.layer.zh())] },
        "body": {
            "type": "TextualBody", "value": text.words, "format": "text/plain",
            "language": text.language,
        },
        "target": canvas,
    })
}

/// A chapter of a book as a range of canvases.
fn range(manifest: &str, n: usize, title: &str, canvases: &Range<usize>) -> Value {
    let items: Vec<Value> = canvases
        .clone()
        .map(|c| json!({ "id": format!("{manifest}/canvas/{}", c + 1), "type": "Canvas" }))
        .collect();
    json!({
        "id": format!("{manifest}/range/{n}"), "type": "Range", "label": { "none": [title] },
        "items": items,
    })
}
