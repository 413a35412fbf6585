//! Adds a reader for your own format: lines that begin with `J:` (經) or `Z:` (注).
//!
//! `cargo run --example own_reader`

use std::sync::Arc;

use zhushu::Settings;
use zhushu::diag::Error;
use zhushu::model::{Cover, Document, Layer};
use zhushu::readers::Reader;
use zhushu::source::Source;

/// How certain the reader is, 0 to 100, that a text is in this format.
fn sniff(text: &str) -> u8 {
    let marked = |l: &str| l.is_empty() || l.starts_with("J:") || l.starts_with("Z:");
    if text.lines().all(marked) { 100 } else { 0 }
}

/// Makes a document: its segments cover the source from the first byte to the last.
fn read(source: Source) -> Result<Document, Error> {
    let source = Arc::new(source);
    let mut cover = Cover::new(source.text());
    let mut at = 0;
    for line in source.text().split_inclusive('\n') {
        let layer = if line.starts_with("Z:") { Layer::Zhu } else { Layer::Jing };
        cover.to(at + 2.min(line.len()), Layer::Mark);
        at += line.len();
        cover.to(at, layer);
    }
    let segments = cover.finish();
    let mut document = Document::new(Arc::clone(&source), "lines");
    document.segments = segments.into();
    Ok(document)
}

fn main() -> Result<(), Error> {
    let mut settings = Settings::default();
    let reader = Reader::new("lines", "a line a layer: J: and Z:", sniff, read);
    settings.readers = settings.readers.with(reader);
    let text = "J:二筭為純。\nZ:純猶全也。\nJ:耦陰陽。\n";
    let library = settings.convert(Source::from_text("demo.txt", text), None)?;
    let document = &library.documents[0];
    assert_eq!(document.reader, "lines");
    for segment in document.segments.iter().filter(|s| s.layer.is_text()) {
        println!("{}\t{}", segment.layer.zh(), document.slice(segment.span));
    }
    Ok(())
}
