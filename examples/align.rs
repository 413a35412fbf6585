//! Aligns a chapter with its modern translation and prints the first beads.
//!
//! `cargo run --example align`

use std::path::Path;

use zhushu::Settings;
use zhushu::align::{Options, align};
use zhushu::corpus::TextEntry;

fn main() -> Result<(), zhushu::diag::Error> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let settings = Settings::default();
    let read = |name: &str| settings.entry(&TextEntry::file(&corpus.join(name)));
    let library = settings.run(vec![read("yili-05-zhushu.txt")?, read("yili-05-jinyi.txt")?]);
    let (classic, translation) = (&library.documents[0], &library.documents[1]);
    let aligned = align(classic, translation, &Options::default());
    // A bead joins sentences of both sides; either side may have none.
    for bead in aligned.alignment.beads.iter().take(8) {
        let source: String = bead.source.iter().map(|s| classic.slice(*s)).collect();
        let target: String = bead.translation.iter().map(|s| translation.slice(*s)).collect();
        println!("{:.2}\t{source}\t{target}", bead.certainty.get());
    }
    Ok(())
}
