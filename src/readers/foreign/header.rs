//! What the header of a TEI file says of its edition.

use crate::model::Meta;

/// Longest of these, in bytes: a licence may be a whole text.
const MAX_BYTES: usize = 1000;

/// What is collected while the header is read.
#[derive(Debug, Default)]
pub(super) struct HeaderFacts {
    authors: Vec<String>,
    editors: Vec<String>,
    edition: Vec<String>,
    date: Option<String>,
    origin: Vec<String>,
    rights: Vec<String>,
}

impl HeaderFacts {
    /// Takes up words; `path` has the element that they are in, and the one around it.
    pub(super) fn add(&mut self, path: &[&str], words: &str) {
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        if words.is_empty() {
            return;
        }
        let list = match path {
            ["editor", "titleStmt"] | ["name" | "persName" | "orgName", "respStmt" | "editor"] => {
                &mut self.editors
            }
            ["author", "titleStmt"] => &mut self.authors,
            ["edition", _] | ["p" | "bibl", "sourceDesc"] | ["title", "bibl"] => &mut self.edition,
            ["publisher" | "distributor", "publicationStmt"] => &mut self.origin,
            ["licence", _] | ["p", "availability" | "licence"] => &mut self.rights,
            ["date", "publicationStmt" | "edition"] => {
                self.date.get_or_insert(words);
                return;
            }
            _ => return,
        };
        let size: usize = list.iter().map(String::len).sum();
        if !list.contains(&words) && size + words.len() <= MAX_BYTES {
            list.push(words);
        }
    }

    /// Says it of the text.
    pub(super) fn put(self, meta: &mut Meta) {
        let joined = |all: Vec<String>| (!all.is_empty()).then(|| all.join(" "));
        // As the line of a book that names its authors.
        meta.byline = joined(self.authors);
        meta.editors = self.editors;
        meta.edition = joined(self.edition);
        meta.date = self.date;
        meta.origin = joined(self.origin);
        meta.rights = joined(self.rights);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editors_edition_and_licence() {
        let mut facts = HeaderFacts::default();
        facts.add(&["name", "respStmt"], " 校者 ");
        facts.add(&["name", "respStmt"], "校者");
        facts.add(&["p", "sourceDesc"], "大正新脩\n 大藏經");
        facts.add(&["p", "licence"], "CC BY-SA 4.0");
        facts.add(&["date", "publicationStmt"], "2022");
        facts.add(&["p", "encodingDesc"], "x");
        facts.add(&["author", "titleStmt"], "魏 王弼注");
        let mut meta = Meta::default();
        facts.put(&mut meta);
        assert_eq!(meta.byline.as_deref(), Some("魏 王弼注"));
        assert_eq!(
            (meta.editors, meta.edition.as_deref()),
            (vec!["校者".to_string()], Some("大正新脩 大藏經"))
        );
        assert_eq!(
            (meta.rights.as_deref(), meta.date.as_deref()),
            (Some("CC BY-SA 4.0"), Some("2022"))
        );
    }
}
