//! How well references and lemmata are found and resolved, against lists made by hand.
//!
//! Each reference of the gold is paired with the link whose citing or quoted characters fit it
//! best; each link belongs to one reference. A link is in the right place if its target overlaps
//! that of the gold by half of either and is not many times longer. Offsets are code points, end
//! exclusive.

use std::sync::Arc;

use serde::Deserialize;

use super::Tally;
use crate::model::{Document, Link, LinkKind};
use crate::source::{Source, Span};
use crate::text::class::is_content;

/// First code point, and one past the last.
type Chars = (usize, usize);

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
        let Matches { took, taken, within } = self.matches(&links);
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

    /// Pairs references with links, the best fit first.
    fn matches(&self, links: &[FoundLink]) -> Matches {
        let fit_of = |j: usize, i: usize| (self.links[i].fit(&links[j]), j, i);
        let mut fits: Vec<(f64, usize, usize)> = (0..links.len())
            .flat_map(|j| (0..self.links.len()).map(move |i| fit_of(j, i)))
            .filter(|(fit, ..)| *fit > 0.0)
            .collect();
        fits.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let (mut took, mut taken) = (vec![None; self.links.len()], vec![None; links.len()]);
        for &(_, j, i) in &fits {
            if took[i].is_none() && taken[j].is_none() {
                (took[i], taken[j]) = (Some(j), Some(i));
            }
        }
        let mut within = vec![None; links.len()];
        for &(_, j, i) in fits.iter().filter(|(_, j, _)| taken[*j].is_none()) {
            within[j].get_or_insert(i);
        }
        Matches { took, taken, within }
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

/// Pairs of references and links.
struct Matches {
    /// The link of each reference.
    took: Vec<Option<usize>>,
    /// The reference of each link.
    taken: Vec<Option<usize>>,
    /// For links without a reference: the reference that contains them.
    within: Vec<Option<usize>>,
}

impl GoldLink {
    /// How well the characters of a link match these, 0 to 1.
    fn fit(&self, link: &FoundLink) -> f64 {
        let mut best = 0.0;
        for a in [Some(self.at), self.quoted].into_iter().flatten() {
            for b in [Some(link.at), link.quoted].into_iter().flatten() {
                let (short, long) = (len(a).min(len(b)), len(a).max(len(b)));
                let over = overlap(a, b);
                if over > 0 && over * 2 >= short && long <= 4 * short + 12 {
                    best = f64::max(best, over as f64 / (short + long - over) as f64);
                }
            }
        }
        best
    }

    /// True if the link's target is one of the right ones.
    fn is_hit_by(&self, link: &FoundLink) -> bool {
        let Some(GoldTarget(id, from, to)) = &link.target else { return false };
        self.target.iter().chain(&self.also).any(|GoldTarget(gold_id, gold_from, gold_to)| {
            let (found, gold) = ((*from, *to), (*gold_from, *gold_to));
            let long = len(found) > (4 * len(gold)).max(len(gold) + 40);
            id == gold_id
                && (self.wide || !long)
                && overlap(found, gold) * 2 >= len(found).min(len(gold))
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

fn len(a: Chars) -> usize {
    a.1 - a.0
}

fn overlap(a: Chars, b: Chars) -> usize {
    a.1.min(b.1).saturating_sub(a.0.max(b.0))
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
