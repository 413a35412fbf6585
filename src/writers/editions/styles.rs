//! How a passage is cited in a note or a list of works, in the styles that people are asked for: a
//! table of patterns (`data/citation_styles.tsv`).
//!
//! The alternative was `hayagriva`, which knows the styles of CSL: with its styles, locales and
//! tables of collation it adds some eight megabytes to the program for five styles, and its styles
//! have a licence of their own. Who needs others takes CSL-JSON, BibTeX or RIS to a reference
//! manager.

use std::sync::LazyLock;

use super::citation::{Cited, authors};
use crate::model::Document;

/// A style.
#[derive(Debug)]
pub struct CitationStyle {
    /// Its name in options.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// What is between names.
    between: &'static str,
    pattern: &'static str,
}

/// All of them.
pub static STYLES: LazyLock<Vec<CitationStyle>> = LazyLock::new(|| {
    let rows = include_str!("data/citation_styles.tsv").lines().filter(|l| !l.starts_with('#'));
    let style = |row: &'static str| {
        let mut cells = row.splitn(4, '\t');
        let [id, name, between, pattern] = std::array::from_fn(|_| cells.next());
        Some(CitationStyle { id: id?, name: name?, between: between?, pattern: pattern? })
    };
    rows.filter_map(style).collect()
});

/// The passage that is cited. What is not known is empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct CitedPassage<'a> {
    /// Section and sentence: 23.2.
    pub locus: &'a str,
    /// The leaf of the print.
    pub leaf: &'a str,
    /// Its URN.
    pub urn: &'a str,
    /// Where it is read; its URN stands for it.
    pub url: &'a str,
}

/// What stands for a leaf in a pattern that a page fills in.
pub const LEAF: &str = "⟨leaf⟩";
/// A part of it that is left out if there is no leaf.
const OPTIONAL: [&str; 2] = ["⟦", "⟧"];

impl Cited<'_> {
    /// The citation of a passage of one of its texts.
    pub fn in_style(
        &self,
        style: &CitationStyle,
        of: &Document,
        place: CitedPassage<'_>,
    ) -> String {
        let url = if place.url.is_empty() { place.urn } else { place.url };
        let whole = if self.title == of.meta.title { "" } else { self.title };
        let editors = || self.editors.join(style.between);
        let value = |name: &str| match name {
            "people" => people(of),
            "names" => authors(of).collect::<Vec<_>>().join(style.between),
            "title" => of.meta.title.clone(),
            "whole" => whole.to_string(),
            "editors" => editors(),
            "alone" if whole.is_empty() => editors(),
            "eds" => if self.editors.len() > 1 { "Eds." } else { "Ed." }.to_string(),
            "edition" => of.meta.edition.clone().unwrap_or_default(),
            "year" => self.date.map(|d| d.year.to_string()).unwrap_or_default(),
            "leaf" => place.leaf.to_string(),
            "locus" => place.locus.to_string(),
            "urn" => place.urn.to_string(),
            "url" => url.to_string(),
            _ => String::new(),
        };
        filled(style.pattern, &value).0
    }
}

/// Citations of a passage in all styles, for a page that fills in which passage: a line for each,
/// the name of the style before a tab.
pub fn for_pages(cited: &Cited<'_>, document: &Document) -> String {
    let place =
        CitedPassage { locus: "⟨locus⟩", leaf: LEAF, urn: "⟨urn⟩", url: "⟨url⟩" };
    let all = STYLES.iter().map(|style| {
        let words = cited.in_style(style, document, place);
        format!("{}\t{}", style.name, words.replace(['\n', '\t'], " "))
    });
    all.collect::<Vec<_>>().join("\n")
}

/// Who wrote which layer: 鄭玄注、賈公彥疏.
fn people(document: &Document) -> String {
    let known = document.meta.layers.iter().filter(|(_, who)| !who.name.is_empty());
    let said = known.map(|(layer, who)| format!("{}{}", who.name, layer.zh()));
    said.collect::<Vec<_>>().join("、")
}

/// A pattern with its values, and whether something was empty. Parts with an empty value are left
/// out; those with a value that a page fills in stay in signs for its script.
fn filled(pattern: &str, value: &dyn Fn(&str) -> String) -> (String, bool) {
    let (mut out, mut empty) = (String::new(), false);
    let mut rest = pattern;
    while let Some(at) = rest.find(['[', '{']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(name) = rest.strip_prefix('{').and_then(|r| r.split_once('}')) {
            let (field, instead) = name.0.split_once('|').unwrap_or((name.0, ""));
            let value = Some(value(field)).filter(|v| !v.is_empty()).unwrap_or(instead.into());
            empty |= value.is_empty();
            out.push_str(&value);
            rest = name.1;
        } else if let Some(inside) = rest.strip_prefix("[[").and_then(within) {
            let (part, lacks) = filled(inside, value);
            if !lacks {
                let signs = if part.contains(LEAF) { OPTIONAL } else { [""; 2] };
                out.extend([signs[0], &part, signs[1]]);
            }
            rest = &rest[inside.len() + 4..];
        } else {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    (out, empty)
}

/// What is before the `]]` that ends a part; parts may be in it.
fn within(text: &str) -> Option<&str> {
    let mut open = 1;
    let mut at = 0;
    while let Some(next) = text[at..].find("[[").into_iter().chain(text[at..].find("]]")).min() {
        at += next;
        open = if text[at..].starts_with("[[") { open + 1 } else { open - 1 };
        if open == 0 {
            return Some(&text[..at]);
        }
        at += 2;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Commentator, Layer};

    fn document() -> Document {
        let mut document = Document::of_pieces(&[(Layer::Jing, "惟王建國。")]);
        document.meta.title = "周禮注疏・地官".into();
        let by = |name: &str| Commentator { name: name.into(), ..Commentator::default() };
        document.meta.layers = vec![(Layer::Zhu, by("鄭玄")), (Layer::Shu, by("賈公彥"))];
        document
    }

    fn all(place: CitedPassage<'_>) -> Vec<String> {
        let (document, editors) = (document(), ["某甲".to_string()]);
        let cited = Cited::one(&document, "十三經", &editors, None);
        STYLES.iter().map(|s| cited.in_style(s, &document, place)).collect()
    }

    #[test]
    fn a_passage_is_cited_in_each_style() {
        let urn = "urn:cts:zhushu:zhouli.370:1.1";
        let place = CitedPassage { locus: "1.1", leaf: "3a", urn, url: "" };
        assert_eq!(
            all(place),
            [
                "鄭玄注、賈公彥疏：《周禮注疏・地官》葉3a，1.1，載《十三經》，某甲編，urn:cts:zhushu:zhouli.370:1.1。",
                "鄭玄, 賈公彥. 周禮注疏・地官[M/OL]//某甲. 十三經: 3a, 1.1. urn:cts:zhushu:zhouli.370:1.1.",
                "鄭玄, 賈公彥, “周禮注疏・地官”, 1.1, 3a, in 十三經, ed. 某甲, urn:cts:zhushu:zhouli.370:1.1.",
                "鄭玄, 賈公彥 (n.d.). 周禮注疏・地官 (1.1, 3a). In 某甲 (Ed.), 十三經. urn:cts:zhushu:zhouli.370:1.1",
                "鄭玄, 賈公彥. “周禮注疏・地官.” 十三經, edited by 某甲, 1.1, 3a. urn:cts:zhushu:zhouli.370:1.1.",
            ]
        );
    }

    #[test]
    fn what_is_not_known_is_left_out_and_a_page_can_decide_later() {
        let place = CitedPassage { locus: "1.1", urn: "urn:x", ..CitedPassage::default() };
        assert!(all(place).iter().all(|c| !c.contains(['[', '⟦', '葉']) || c.contains("[M/OL]")));
        // A whole chapter has no number.
        let chapter = all(CitedPassage { urn: "urn:x", ..CitedPassage::default() });
        assert!(chapter.iter().all(|c| !c.contains(", ,") && !c.contains("()")), "{chapter:?}");
        let later = all(CitedPassage {
            locus: "⟨locus⟩", leaf: LEAF, urn: "⟨urn⟩", url: "⟨url⟩"
        });
        assert!(later[0].contains("⟦葉⟨leaf⟩，⟧⟨locus⟩"), "{}", later[0]);
    }
}
