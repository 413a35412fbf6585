//! Writes an edition of one chapter as Markdown, and prints its beginning and the other formats.
//!
//! `cargo run --example export`

use std::io::{self, Write};
use std::path::Path;

use zhushu::Settings;
use zhushu::corpus::TextEntry;
use zhushu::writers::editions::{About, Edition, FORMATS, Layout, by_name};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let settings = Settings::default();
    let library =
        settings.run(vec![settings.entry(&TextEntry::file(&corpus.join("yili-06-zhushu.txt")))?]);
    let ids = library.documents.iter().map(|d| d.id.clone()).collect();
    let about = About { title: "燕禮".into(), ..About::default() };
    let edition = Edition { about, library, ids, layout: Layout::default() };
    // A format may make several files; Markdown makes one.
    let format = by_name("markdown")?;
    let mut out = Vec::new();
    for file in (format.files)(&edition) {
        (format.write)(&edition, file.which, &mut out)?;
    }
    let head: String = String::from_utf8(out)?.chars().take(600).collect();
    writeln!(io::stdout(), "{head}")?;
    let names: Vec<_> = FORMATS.iter().map(|f| f.name).collect();
    writeln!(io::stdout(), "formats: {}", names.join(", "))?;
    Ok(())
}
