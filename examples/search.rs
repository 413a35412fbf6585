//! Builds a search index of a corpus and asks it for notes that mention 今文 on passages with 射.
//!
//! `cargo run --example search`

use std::path::Path;

use zhushu::Settings;
use zhushu::search::{self, Index, Options, Query, Show};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = Settings::default();
    let corpus = settings.open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus"))?;
    let library = settings.run(settings.read(&corpus)?.documents);
    let folder = tempfile::tempdir()?;
    search::build(&library, folder.path())?;
    // An index is built once; any program can open it afterwards.
    let index = Index::open(folder.path())?;
    let query: Query = "注:今文 @ 經:射".parse()?;
    let found = index.search(&query, Options::default())?;
    println!("{} hits", found.total());
    for answer in found.answers(&Show::default())?.iter().take(5) {
        println!("{}\t{}【{}】{}", answer.document, answer.left, answer.hit, answer.right);
    }
    Ok(())
}
