//! Which texts can be read beside a text: those of which the site knows what corresponds, through
//! their common loci or through beads.

use std::collections::BTreeSet;

use crate::corpus::Library;
use crate::model::Document;

/// The program that shows a text beside another.
pub(super) const SCRIPT: &str = include_str!("data/beside.js");

/// The other `witnesses` of its chapter, the texts that it is aligned with, and the other
/// translations of these, in the order of the library.
pub(super) fn texts<'a>(
    document: &Document,
    witnesses: &[usize],
    library: &'a Library,
) -> Vec<&'a Document> {
    let own = document.id.as_str();
    let pairs = library.alignments.iter().map(|a| (a.source.as_str(), a.translation.as_str()));
    let pairs: Vec<(&str, &str)> = pairs.filter(|(a, b)| a != b).collect();
    let classics = pairs.iter().filter(|(_, translation)| *translation == own);
    let classics: BTreeSet<&str> = classics.map(|(classic, _)| *classic).collect();
    let of = |classic: &str| classic == own || classics.contains(classic);
    let translations = pairs.iter().filter(|(classic, _)| of(classic)).map(|(_, t)| *t);
    let aligned: BTreeSet<&str> = translations.chain(classics.iter().copied()).collect();
    let all = library.documents.iter().enumerate();
    let beside = all.filter(|(n, d)| witnesses.contains(n) || aligned.contains(d.id.as_str()));
    beside.map(|(_, d)| &**d).filter(|d| d.id != own).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Alignment, Grain};
    use crate::source::Source;

    #[test]
    fn witnesses_translations_and_the_other_translations_of_a_classic() {
        let document =
            |name: &str| Arc::new(Document::new(Arc::new(Source::from_text(name, "射。")), "test"));
        let documents = ["a.txt", "b.txt", "en.txt", "ja.txt", "c.txt"].map(document).to_vec();
        let aligned = |source: &str, translation: &str| Alignment {
            source: source.into(),
            translation: translation.into(),
            grain: Grain::Sentence,
            beads: vec![],
        };
        let alignments = vec![aligned("a", "en"), aligned("a", "ja"), aligned("c", "c")];
        let library = Library { documents, alignments, ..Library::default() };
        let beside = |n: usize, witnesses: &[usize]| -> Vec<&str> {
            let all = texts(&library.documents[n], witnesses, &library);
            all.into_iter().map(|d| d.id.as_str()).collect()
        };
        assert_eq!(beside(0, &[1]), ["b", "en", "ja"]);
        assert_eq!(beside(1, &[0]), ["a"]);
        assert_eq!(beside(2, &[]), ["a", "ja"]);
        assert!(beside(4, &[]).is_empty());
    }
}
