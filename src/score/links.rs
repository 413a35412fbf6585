//! How well references and lemmata are found and resolved, against lists made by hand.
//!
//! Each reference of the gold is paired with the link whose citing or quoted characters fit it
//! best; each link belongs to one reference. A link is in the right place if its target overlaps
//! that of the gold by half of either and is not many times longer. Offsets are code points, end
//! exclusive.

use std::sync::Arc;

use serde::Deserialize;

use super::Tally;
use super::pairs::{Chars, Pairs, fit, is_hit};
use crate::model::{Document, Link, LinkKind};
use crate::source::{Source, Span};
use crate::text::class::is_content;

/// The references and lemmata of a text as a person found them.
#[derive(Clone, Debug, Deserialize)]
pub struct GoldLinks {
    links: Vec<GoldLink>,
    /// The line of a header of a 疏, and the characters it names; none if they are not in the text.
    lemmata: Vec<(usize, Option<Chars>)>,
}

#[derive(Clone, Debug, Deserialize)]
struct GoldLink {
    at: Chars,
    quoted: Option<Chars>,
    target: Option<GoldTarget>,
    /// Other targets that are right too.
    #[serde(default)]
    also: Vec<GoldTarget>,
    /// True if a target of any length is right.
    #[serde(default)]
    wide: bool,
    /// True if the target is known not to be in the corpus.
    #[serde(default)]
    absent: bool,
    /// True if the person was unsure that this is a reference.
    #[serde(default)]
    doubtful: bool,
}

/// The id of a document, and a range of its characters.
#[derive(Clone, Debug, Deserialize)]
struct GoldTarget(String, usize, usize);

/// A link of the program in code points.
struct FoundLink {
    at: Chars,
    quoted: Option<Chars>,
    target: Option<GoldTarget>,
}

/// A count of right ones among all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ratio {
    /// Those that are right.
    pub right: usize,
    /// All.
    pub all: usize,
}

impl Ratio {
    fn count(&mut self, right: bool) {
        self.all += 1;
        self.right += usize::from(right);
    }
}

/// How well the references of a text are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkScore {
    /// Of the certain references of the gold: those found.
    pub found: Ratio,
    /// Of the links: those paired with a reference of the gold. Further links within a paired
    /// reference do not count.
    pub real: Ratio,
    /// Of the references whose target is in the corpus: those in the right place.
    pub placed: Ratio,
    /// Of the links with a target: those in the right place.
    pub resolved: Ratio,
}

impl GoldLinks {
    /// Reads `{"links": [...], "lemmata": [...]}`.
    ///
    /// # Errors
    /// Those of the JSON.
    pub fn read(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }

    /// Scores the references of a document; lemmata and parallels are ignored. `others` are the
    /// documents that its links may lead to.
    pub fn score(&self, document: &Document, others: &[Arc<Document>]) -> LinkScore {
        let passed_over = [LinkKind::Lemma, LinkKind::Parallel];
        let links: Vec<FoundLink> = document
            .links
            .iter()
            .filter(|l| !passed_over.contains(&l.kind))
            .map(|l| found_link(l, document, others))
            .collect();
        let Pairs { took, taken, within } =
            Pairs::of(self.links.len(), links.len(), |i, j| self.links[i].fit(&links[j]));
        let mut score = LinkScore::default();
        for (gold, took) in self.links.iter().zip(took).filter(|(g, _)| !g.doubtful) {
            score.found.count(took.is_some());
            if gold.target.is_some() {
                score.placed.count(took.is_some_and(|j| gold.is_hit_by(&links[j])));
            }
        }
        for (j, link) in links.iter().enumerate() {
            if within[j].is_none() {
                score.real.count(taken[j].is_some());
            }
            let gold = taken[j].or(within[j]).map(|i| &self.links[i]);
            if link.target.is_some() && gold.is_none_or(|g| g.target.is_some() || g.absent) {
                score.resolved.count(gold.is_some_and(|g| g.is_hit_by(link)));
            }
        }
        score
    }

    /// Scores the lemmata: both ends must be right, ignoring punctuation.
    pub fn score_lemmata(&self, document: &Document) -> Tally {
        let source = &document.source;
        let text: Vec<char> = source.text().chars().collect();
        let mut links: Vec<(usize, Option<Chars>)> = document
            .links
            .iter()
            .filter(|l| l.kind == LinkKind::Lemma)
            .filter_map(|l| Some((l, l.target.as_ref()?)))
            .map(|(l, target)| {
                let here = target.doc.as_ref().is_none_or(|id| *id == document.id);
                let line = source.place(l.span.start()).line;
                (line, here.then(|| trimmed(&text, chars(source, target.span))))
            })
            .collect();
        let mut tally = Tally { found: links.len(), ..Tally::default() };
        for (line, named) in &self.lemmata {
            let Some(named) = named else { continue };
            tally.gold += 1;
            let want = (*line, Some(trimmed(&text, *named)));
            if let Some(k) = links.iter().position(|l| *l == want) {
                links.swap_remove(k);
                tally.right += 1;
            }
        }
        tally
    }
}

impl GoldLink {
    /// How well the characters of a link match these, 0 to 1.
    fn fit(&self, link: &FoundLink) -> f64 {
        fit([Some(self.at), self.quoted], [Some(link.at), link.quoted])
    }

    /// True if the link's target is one of the right ones.
    fn is_hit_by(&self, link: &FoundLink) -> bool {
        let Some(GoldTarget(id, from, to)) = &link.target else { return false };
        self.target.iter().chain(&self.also).any(|GoldTarget(gold_id, gold_from, gold_to)| {
            id == gold_id && is_hit((*from, *to), (*gold_from, *gold_to), self.wide)
        })
    }
}

fn found_link(link: &Link, document: &Document, others: &[Arc<Document>]) -> FoundLink {
    let target = link.target.as_ref().map(|t| {
        let other = t.doc.as_ref().and_then(|id| others.iter().find(|d| d.id == *id));
        let there = other.map_or(document, |d| &**d);
        let (from, to) = chars(&there.source, t.span);
        GoldTarget(there.id.clone(), from, to)
    });
    FoundLink {
        at: chars(&document.source, link.span),
        quoted: link.quoted.map(|q| chars(&document.source, q)),
        target,
    }
}

fn chars(source: &Source, span: Span) -> Chars {
    (source.char_of(span.start()), source.char_of(span.end()))
}

/// Without punctuation at its ends.
fn trimmed(text: &[char], (mut from, mut to): Chars) -> Chars {
    while from < to && !is_content(text[from]) {
        from += 1;
    }
    while to > from && !is_content(text[to - 1]) {
        to -= 1;
    }
    (from, to)
}
