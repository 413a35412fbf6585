//! What is in the library, for a person.

use std::path::Path;

use crate::Settings;
use crate::cli::language::{colon, say};
use crate::model::Date;
use crate::shelf::Shelf;
use crate::shelf::inventory::{Holding, Inventory};

use super::read;
use crate::cli::columns::{self, counted};

/// A row for each name, and the sums.
pub fn all(shelf: &Shelf, folder: &Path, settings: &Settings) -> String {
    let inventory = shelf.inventory();
    let head = ["name", "chapters", "size", "on disk", "read", "read from", ""];
    let mut rows = vec![head.map(say).to_vec()];
    for holding in &inventory.holdings {
        let disk = holding.chapters().map(|c| shelf.bytes_of(c)).sum();
        let (path, encoding) = (&holding.path, holding.encoding.clone());
        rows.push(vec![
            holding.name.clone(),
            holding.chapters().count().to_string(),
            size(text(holding)),
            size(disk),
            Date::of_seconds(holding.read).to_string(),
            say(&read::differences(path, encoding, &holding.files, settings)),
            path.display().to_string(),
        ]);
    }
    let disk: u64 = inventory.chapters().map(|c| shelf.bytes_of(c)).sum();
    let (index, sum) = (size(inventory.grams_bytes), size(disk + inventory.grams_bytes));
    format!(
        "{}\n{}{}{}{}\n",
        columns::lines(&rows),
        folder.display(),
        colon(),
        figures(inventory),
        say(&format!(", {sum} on disk, {index} of it for the index"))
    )
}

/// A row for each chapter of some names.
pub fn chapters(inventory: &Inventory, names: &[String]) -> String {
    let holdings = inventory.holdings.iter().filter(|h| names.contains(&h.name));
    let rows = holdings
        .flat_map(Holding::chapters)
        .map(|c| vec![c.id.clone(), size(u64::from(c.bytes)), c.title.clone()]);
    columns::lines(&rows.collect::<Vec<_>>())
}

/// `13 texts, 210 chapters, 2.7 MB of text`.
pub fn figures(inventory: &Inventory) -> String {
    let bytes: u64 = inventory.chapters().map(|c| u64::from(c.bytes)).sum();
    counts(inventory.files().count(), inventory.chapters().count(), bytes)
}

/// The same of one name.
pub fn figures_of(holding: &Holding) -> String {
    counts(holding.files.len(), holding.chapters().count(), text(holding))
}

fn counts(texts: usize, chapters: usize, bytes: u64) -> String {
    let (texts, chapters) = (counted(texts, "text"), counted(chapters, "chapter"));
    say(&format!("{texts}, {chapters}, {} of text", size(bytes)))
}

fn text(holding: &Holding) -> u64 {
    holding.chapters().map(|c| u64::from(c.bytes)).sum()
}

/// Bytes for a person: `14 KB`, `2.7 MB`.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} KB", bytes.div_ceil(1000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
