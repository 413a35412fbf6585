//! How the sections of a chapter begin, for works whose sections have numbers that everybody uses
//! (論語 2.4). `openings.tsv` has the first characters of each.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::folded;

static DATA: &str = include_str!("openings.tsv");

/// The forms in which a section opens, as folded characters.
pub(crate) type Opening = Vec<Vec<char>>;

/// Openings in the order of the sections, by chapter.
type Chapters = HashMap<&'static str, Vec<Opening>>;

/// Openings by work.
static OPENINGS: LazyLock<HashMap<&'static str, Chapters>> = LazyLock::new(|| {
    let mut all: HashMap<&str, Chapters> = HashMap::new();
    for row in DATA.lines().filter(|l| !l.starts_with('#')) {
        let mut cells = row.split('\t');
        let (Some(work), Some(chapter), Some(_), Some(forms)) =
            (cells.next(), cells.next(), cells.next(), cells.next())
        else {
            continue;
        };
        let forms = forms.split('|').map(|f| folded(f).chars().collect()).collect();
        all.entry(work).or_default().entry(chapter).or_default().push(forms);
    }
    all
});

/// The openings of the sections of a chapter, the first section first; none if the table does not
/// have the chapter.
pub(crate) fn of(work: &str, chapter: &str) -> &'static [Opening] {
    OPENINGS.get(work).and_then(|w| w.get(chapter)).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use crate::corpus::Works;

    #[test]
    fn rows_are_numbered_without_gaps_and_name_listed_chapters() {
        let works = Works::builtin();
        let mut last = (String::new(), 0);
        for row in super::DATA.lines().filter(|l| !l.starts_with('#')) {
            let cells: Vec<&str> = row.split('\t').collect();
            assert_eq!(cells.len(), 4, "{row}");
            let named = works.resolve(&format!("{}・{}", cells[0], cells[1]), None);
            let chapter = named.and_then(|r| r.named.chapter);
            assert_eq!(chapter.as_deref(), Some(cells[1]), "{row}");
            let n = if last.0 == cells[1] { last.1 + 1 } else { 1 };
            assert_eq!(cells[2].parse(), Ok(n), "{row}");
            last = (cells[1].to_string(), n);
            assert!(cells[3].split('|').all(|f| f.chars().count() >= 2), "{row}");
        }
        assert_eq!(super::of("論語", "為政").len(), 24);
    }
}
