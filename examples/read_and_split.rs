//! Reads a chapter with commentaries and prints how each of its first segments was split.
//!
//! `cargo run --example read_and_split`

use std::path::Path;

use zhushu::Settings;
use zhushu::corpus::TextEntry;

fn main() -> Result<(), zhushu::diag::Error> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let settings = Settings::default();
    // The reader recognises the format and keeps the source as it is.
    let document = settings.entry(&TextEntry::file(&corpus.join("yili-06-zhushu.txt")))?;
    // The passes split 經 from 注, number the sentences and find references.
    let library = settings.run(vec![document]);
    let document = &library.documents[0];
    for segment in document.segments.iter().filter(|s| s.layer.is_text()).take(12) {
        let text: String = document.slice(segment.span).chars().take(24).collect();
        println!("{}\t{:.2}\t{text}", segment.layer.zh(), segment.certainty.get());
    }
    Ok(())
}
