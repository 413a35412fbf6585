//! What is known about an edition: from the manifest, the record of a build, or the sources.

use std::path::Path;
use std::time::UNIX_EPOCH;

use crate::Settings;
use crate::corpus::{Library, MANIFEST};
use crate::diag::Error;
use crate::model::Collection;
use crate::writers::editions::{About, Date};

use crate::build::Stamp;
use crate::cli::texts::Gathered;

/// What is known before the texts are read.
pub struct Known {
    title: Option<String>,
    said: Collection,
    /// The date if the manifest has none.
    newest: Date,
}

/// Collects it. `title` is the one on the command line.
///
/// # Errors
/// When the manifest cannot be read.
pub fn about(
    title: Option<&str>,
    path: &Path,
    texts: &Gathered,
    settings: &Settings,
) -> Result<Known, Error> {
    let manifest = path.is_dir() && path.join(MANIFEST).is_file()
        || path.file_name().is_some_and(|n| n == MANIFEST);
    let built = if path.is_dir() { Stamp::read(path)?.map(|s| s.about) } else { None };
    let said = match built {
        Some(built) => built,
        None if manifest => settings.open(path)?.about.collection(),
        None => Collection::default(),
    };
    Ok(Known { title: title.map(str::to_string), said, newest: newest(texts) })
}

/// The date that reproducible builds agree on.
fn epoch() -> Option<Date> {
    std::env::var("SOURCE_DATE_EPOCH").ok()?.parse().ok().map(Date::of_seconds)
}

/// The day on which the newest source was last changed.
fn newest(texts: &Gathered) -> Date {
    let times =
        texts.entries.iter().filter_map(|n| std::fs::metadata(&n.entry.path).ok()?.modified().ok());
    let seconds = times.filter_map(|t| t.duration_since(UNIX_EPOCH).ok()).map(|d| d.as_secs());
    seconds.max().map(Date::of_seconds).unwrap_or_default()
}

impl Known {
    /// The same, once the texts are read: an edition of one text takes title, editors and rights
    /// from it.
    pub fn of(self, library: &Library, ids: &[String]) -> About {
        let first = ids.first().and_then(|id| library.get(id));
        let titles = ids.iter().filter_map(|id| library.get(id)).map(|d| d.meta.title.as_str());
        let own = title_of_all(&titles.collect::<Vec<_>>());
        let title = self
            .title
            .or(self.said.title.clone())
            .filter(|t| !t.trim().is_empty())
            .or(own.filter(|t| !t.is_empty()));
        let said = match first {
            Some(d) if self.said == Collection::default() => d.meta.collection.clone(),
            _ => self.said,
        };
        let date = said.date.as_deref().and_then(Date::parse).or_else(epoch).unwrap_or(self.newest);
        About {
            title: title.unwrap_or_else(|| "zhushu".into()),
            editors: said.editors,
            licence: said.licence,
            date,
        }
    }
}

/// The title of some texts: of chapters that of their book, else that of the first.
fn title_of_all(titles: &[&str]) -> Option<String> {
    let first = titles.first()?;
    let book = |title: &str| title.split_once('・').map(|(book, _)| book.to_string());
    let of_all = book(first).filter(|own| titles.iter().all(|t| book(t).as_ref() == Some(own)));
    Some(of_all.filter(|_| titles.len() > 1).unwrap_or_else(|| first.to_string()))
}

#[cfg(test)]
mod tests {
    use super::title_of_all;

    #[test]
    fn chapters_have_the_title_of_their_book() {
        let of = |titles: &[&str]| title_of_all(titles).unwrap_or_default();
        assert_eq!(of(&["列子集釋・天瑞", "列子集釋・黃帝"]), "列子集釋");
        assert_eq!(of(&["列子集釋・天瑞"]), "列子集釋・天瑞");
        assert_eq!(of(&["列子集釋・天瑞", "論語・學而"]), "列子集釋・天瑞");
    }
}
