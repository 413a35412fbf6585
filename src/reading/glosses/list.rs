//! The glosses of a library: which are wanted, where they are, and by headword and sense.

use std::collections::BTreeMap;

use super::{Gloss, GlossKind};
use crate::corpus::refs::{Catalogue, CitedPlace};
use crate::model::{Certainty, Document, Layer};
use crate::text::fold::fold;

/// Which glosses are wanted; what is empty or `None` restricts nothing.
#[derive(Clone, Debug, Default)]
pub struct GlossWanted {
    /// Of this word, in any script and variant.
    pub headword: Option<String>,
    /// Of these kinds.
    pub kinds: Vec<GlossKind>,
    /// By one of these.
    pub by: Vec<String>,
    /// In notes of these layers.
    pub layers: Vec<Layer>,
    /// At least as certain as this.
    pub certainty: f64,
}

/// A gloss with its place.
#[derive(Clone, Debug)]
pub struct PlacedGloss<'a> {
    /// The gloss.
    pub gloss: Gloss,
    /// The statement.
    pub from: CitedPlace<'a>,
    /// The word that it explains, if that was found.
    pub lemma: Option<CitedPlace<'a>>,
}

/// Glosses that say the same of the same word.
#[derive(Clone, Debug)]
pub struct GlossGroup<'g, 'a> {
    /// The word as the first one writes it.
    pub headword: &'g str,
    /// What is said of it.
    pub sense: &'g str,
    /// How.
    pub kind: GlossKind,
    /// All of them.
    pub glosses: Vec<&'g PlacedGloss<'a>>,
}

impl GlossWanted {
    /// True for a gloss that is wanted.
    pub fn fits(&self, gloss: &Gloss) -> bool {
        let is_by = |who: &str| self.by.iter().any(|by| folded(by) == folded(who));
        (self.kinds.is_empty() || self.kinds.contains(&gloss.kind))
            && (self.layers.is_empty() || self.layers.contains(&gloss.layer))
            // Both in the same precision: .9 is at least .9.
            && gloss.certainty.get() >= Certainty::new(self.certainty).get()
            && (self.by.is_empty() || gloss.who.as_deref().is_some_and(is_by))
            && self.headword.as_ref().is_none_or(|w| folded(w) == folded(&gloss.headword))
    }
}

/// The glosses of some documents that are wanted, with their places, in the order of the texts.
pub fn placed<'a>(
    documents: impl IntoIterator<Item = &'a Document>,
    catalogue: &Catalogue<'a>,
    wanted: &GlossWanted,
) -> Vec<PlacedGloss<'a>> {
    let of = |document: &'a Document| {
        let loci = catalogue.get(&document.id);
        let place =
            move |span| CitedPlace { document, span, locus: loci.and_then(|l| l.name(span)) };
        let all = super::of(document).into_iter().filter(|g| wanted.fits(g));
        all.map(move |gloss| PlacedGloss {
            from: place(gloss.span),
            lemma: gloss.lemma.map(place),
            gloss,
        })
        .collect::<Vec<_>>()
    };
    documents.into_iter().flat_map(of).collect()
}

/// By headword, in the order in which the words first come; then the senses that are said most
/// often before the others.
pub fn grouped<'g, 'a>(all: &'g [PlacedGloss<'a>]) -> Vec<GlossGroup<'g, 'a>> {
    // Of a word in several forms the first one names all of its groups.
    let mut heads: BTreeMap<String, (usize, &'g str)> = BTreeMap::new();
    let mut groups: BTreeMap<(usize, GlossKind, String), (&'g str, Vec<_>)> = BTreeMap::new();
    for placed in all {
        let known = (heads.len(), placed.gloss.headword.as_str());
        let (head, name) = *heads.entry(folded(known.1)).or_insert(known);
        let key = (head, placed.gloss.kind, folded(&placed.gloss.sense));
        groups.entry(key).or_insert((name, vec![])).1.push(placed);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|((head, kind, _), (_, all))| (*head, *kind, std::cmp::Reverse(all.len())));
    let group = |((_, kind, _), (headword, glosses)): (_, (_, Vec<&'g PlacedGloss<'a>>))| {
        GlossGroup { headword, sense: &glosses[0].gloss.sense, kind, glosses }
    };
    groups.into_iter().map(group).collect()
}

/// The content of some words, folded.
pub(crate) fn folded(words: &str) -> String {
    folded_chars(words).collect()
}

/// Its characters.
pub(super) fn folded_chars(words: &str) -> impl Iterator<Item = char> {
    words.chars().filter(|c| crate::text::class::is_content(*c)).map(fold)
}
