//! Where some words are in the texts of an index: as they are, in other characters, or nearly.
//!
//! [`exactly`] takes the position lists of pairs, as every search does. [`nearly`]
//! takes the stretches that share most pairs with the words, and compares only these with them
//! ([`seeds`]); it reads no more of the texts than these stretches.

mod compare;
mod form;
mod seeds;

use std::collections::BTreeSet;

pub use self::compare::WordPiece;
use self::compare::{Comparison, forms, pieces};
pub use self::form::WordForm;
use super::answer::{Answer, Show, Window};
use super::eval::{self, Folding, HitRange, Options};
use super::found::SearchResults;
use super::index::Index;
use super::query::{Phrase, QueryNode};
use crate::diag::Error;
use crate::model::Layer;
use crate::source::Span;
use crate::text::Key;

/// Signs by which a person says that words are left out.
const GAPS: [&str; 7] = ["……", "...", "…", "［…］", "[…]", "⋯⋯", "⋯"];

/// Words to look for: one piece, or several that follow each other with something left out.
#[derive(Clone, Debug)]
pub(crate) struct Sought {
    text: String,
    pieces: Vec<Phrase>,
}

impl Sought {
    /// Words as a person quotes them; what is left out is shown by dots.
    pub(crate) fn of(text: &str) -> Self {
        let mut marked = text.to_string();
        GAPS.iter().for_each(|gap| marked = marked.replace(gap, "\u{0}"));
        let pieces = marked.split('\u{0}').map(phrase).filter(|p| !p.chars.is_empty()).collect();
        Sought { text: text.to_string(), pieces }
    }

    /// How many characters, without punctuation.
    pub(crate) fn len(&self) -> usize {
        self.pieces.iter().map(|p| p.chars.len()).sum()
    }

    /// The pieces between what is left out, each as words of its own.
    pub(crate) fn parts(&self) -> Vec<Sought> {
        let part = |p: &Phrase| Sought {
            text: p.typed.iter().flatten().map(String::as_str).collect(),
            pieces: vec![p.clone()],
        };
        self.pieces.iter().map(part).collect()
    }

    /// Folded characters of all pieces.
    fn chars(&self) -> Vec<char> {
        self.pieces.iter().flat_map(|p| p.chars.iter().flatten()).copied().collect()
    }

    /// The characters as they were typed.
    fn typed(&self) -> Vec<&str> {
        self.pieces.iter().flat_map(|p| p.typed.iter().flatten()).map(String::as_str).collect()
    }
}

fn phrase(words: &str) -> Phrase {
    let key = Key::of(words, Span::new(0, words.len()));
    let typed = (0..key.len()).map(|n| Some(words[key.span(n, n + 1).range()].to_string()));
    Phrase { chars: key.chars.iter().copied().map(Some).collect(), typed: typed.collect() }
}

/// A text of an index: what is known of it without reading it.
#[derive(Clone, Debug)]
pub(crate) struct IndexedText {
    /// Its place in the index: file, and document in the file.
    at: (u32, u32),
    /// Id of the document.
    pub(crate) document: String,
    /// Its title.
    pub(crate) title: String,
    /// Work.
    pub(crate) work: Option<String>,
    /// Chapter.
    pub(crate) chapter: Option<String>,
    /// The first part of its loci: `yili.05`.
    pub(crate) text: String,
    /// Its edition.
    pub(crate) edition: Option<String>,
    /// Its layers.
    pub(crate) layers: BTreeSet<Layer>,
    /// Who wrote which of them, by their ids.
    pub(crate) authors: Vec<(String, String)>,
}

/// Some texts of an index.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextSet(BTreeSet<(u32, u32)>);

impl TextSet {
    /// Of these.
    pub(crate) fn of<'t>(texts: impl IntoIterator<Item = &'t IndexedText>) -> Self {
        TextSet(texts.into_iter().map(|t| t.at).collect())
    }

    /// True if there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A stretch of a text that has some words, or nearly.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Alike {
    /// The stretch with its place.
    pub(crate) answer: Answer,
    /// Its CTS URN, in the text that has it.
    pub(crate) urn: Option<String>,
    /// How its characters are those that were looked for.
    pub(crate) form: WordForm,
    /// How many characters are changed, added or left out.
    pub(crate) edits: usize,
    /// The longest run of characters that are the same.
    pub(crate) run: usize,
    /// Words looked for and words found, side by side; empty if all characters are identical.
    pub(crate) pieces: Vec<WordPiece>,
}

/// Stretches that have the words.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoundExactly {
    /// How many there are.
    pub(crate) total: usize,
    /// The first of them: those nearest to what was typed, classics first.
    pub(crate) stretches: Vec<Alike>,
}

/// Words left out between two pieces are at most so many.
const MAX_LEFT_OUT: u32 = 600;
/// For each stretch that is to be shown so many are compared with what was typed.
const COMPARED: usize = 6;

/// The texts of the index, in its order.
///
/// # Errors
/// When the index cannot be read or is damaged.
pub(crate) fn texts(index: &Index) -> Result<Vec<IndexedText>, Error> {
    let mut texts = vec![];
    for (file, n) in index.files.iter().zip(0..) {
        let mut layers = vec![BTreeSet::new(); file.documents()?.len()];
        for region in file.regions()? {
            let own = layers.get_mut(region.doc as usize).ok_or_else(|| file.inconsistent())?;
            own.insert(region.sub.unwrap_or(region.layer));
        }
        for (layers, doc) in layers.into_iter().zip(0..) {
            let meta = file.meta(doc)?;
            texts.push(IndexedText {
                at: (n, doc),
                document: meta.id.clone(),
                title: meta.title.clone(),
                work: meta.work.clone(),
                chapter: meta.chapter.clone(),
                text: meta.text.clone(),
                edition: meta.edition.clone(),
                layers,
                authors: meta.authors.iter().map(|a| (a.layer.clone(), a.name.clone())).collect(),
            });
        }
    }
    Ok(texts)
}

/// Which stretches are wanted.
pub(crate) struct AlikeWanted<'a> {
    /// Those of some texts only.
    pub(crate) within: Option<&'a TextSet>,
    /// Those that this is true of.
    pub(crate) keep: Option<&'a dyn Fn(&Answer) -> bool>,
    /// So many of them.
    pub(crate) most: usize,
}

/// The stretches with the characters that are sought, in either script and in any variant.
///
/// # Errors
/// When the index cannot be read or is damaged.
pub(crate) fn exactly(
    index: &Index,
    sought: &Sought,
    wanted: AlikeWanted<'_>,
) -> Result<FoundExactly, Error> {
    let hits = hits(index, sought, wanted.within, Folding::Full)?;
    let (limit, mut first) = (wanted.most.saturating_mul(COMPARED), vec![]);
    // What is kept shows only when it is read.
    let limit = if wanted.keep.is_some() { hits.len() } else { limit };
    if hits.len() > limit && sought.pieces.len() == 1 {
        // Otherwise variants in a classic might hide the characters themselves in a commentary.
        first = self::hits(index, sought, wanted.within, Folding::Exact)?;
    }
    let mut total = hits.len();
    let rest = hits.into_iter().filter(|hit| first.binary_search(hit).is_err()).collect();
    let mut stretches = vec![];
    for hits in [first.clone(), rest] {
        let options = Options { folding: Folding::Exact, ..Options::default() };
        let Some(piece) = sought.pieces.first().filter(|_| !hits.is_empty()) else { continue };
        // Variants are put last here, by what the hits have.
        let node = QueryNode::Phrase(piece.clone());
        let found = SearchResults { index, hits, node, options };
        let answers = found.answers(&Show { limit, ..Show::default() })?;
        for answer in answers.into_iter().filter(|a| wanted.keep.is_none_or(|keep| keep(a))) {
            stretches.push(in_its_form(answer, sought));
        }
    }
    if wanted.keep.is_some() {
        total = stretches.len();
    }
    stretches.sort_by_key(|s| s.form);
    stretches.truncate(wanted.most);
    Ok(FoundExactly { total, stretches })
}

fn hits(
    index: &Index,
    sought: &Sought,
    within: Option<&TextSet>,
    folding: Folding,
) -> Result<Vec<HitRange>, Error> {
    let of = |piece: &Phrase| {
        let node = QueryNode::Phrase(piece.clone());
        eval::hits_of(index, &node, Options { folding, ..Options::default() })
    };
    let Some((first, others)) = sought.pieces.split_first() else { return Ok(vec![]) };
    let mut hits = of(first)?;
    keep_within(index, &mut hits, within)?;
    for piece in others {
        if hits.is_empty() {
            break;
        }
        hits = joined(index, &hits, &of(piece)?)?;
    }
    Ok(hits)
}

/// A stretch with the characters that are sought, perhaps in another form.
fn in_its_form(answer: Answer, sought: &Sought) -> Alike {
    let form = WordForm::of(&sought.typed(), &sought.text, &answer.hit);
    let is_same = matches!(form, WordForm::Exact | WordForm::Punctuation);
    let own = if is_same { vec![] } else { forms(&sought.typed(), &answer.hit) };
    Alike { pieces: own, ..alike(answer, form, &Comparison::default()) }
}

/// The stretches that differ least from the words that are sought, with at most `edits`
/// characters changed, added or left out; the nearest first.
///
/// # Errors
/// When the index cannot be read or is damaged.
pub(crate) fn nearly(
    index: &Index,
    sought: &Sought,
    wanted: AlikeWanted<'_>,
    edits: usize,
) -> Result<Vec<Alike>, Error> {
    let chars = sought.chars();
    let mut compared = vec![];
    for seed in seeds::seeds(index, &chars, wanted.within, edits)? {
        index.stop.check()?;
        let around = HitRange { file: seed.file, start: seed.position, len: 1 };
        let window = Window::of(index, &around, chars.len() + edits)?;
        let mut text = window.chars_before(seed.offset + edits);
        text.reverse();
        let from = text.len();
        text.extend(window.chars());
        text.extend(window.chars_after(chars.len() + edits - seed.offset));
        let Some(found) = Comparison::of(&chars, &text, (from, seed.offset), edits) else {
            continue;
        };
        let start = (seed.position + found.from as u32).saturating_sub(from as u32);
        compared.push((HitRange { file: seed.file, start, len: found.len as u32 }, found));
    }
    compared.sort_by_key(|(hit, found)| (found.edits, *hit));
    compared.dedup_by_key(|(hit, _)| *hit);
    described(index, sought, compared, wanted)
}

fn described(
    index: &Index,
    sought: &Sought,
    compared: Vec<(HitRange, Comparison)>,
    wanted: AlikeWanted<'_>,
) -> Result<Vec<Alike>, Error> {
    let mut all = vec![];
    for (hit, found) in compared {
        if all.len() >= wanted.most {
            break;
        }
        let node = QueryNode::Any;
        let one = SearchResults {
            index,
            hits: vec![hit],
            node,
            options: Options { folding: Folding::Exact, ..Options::default() },
        };
        let answers = one.answers(&Show::default())?.into_iter();
        for answer in answers.filter(|a| wanted.keep.is_none_or(|keep| keep(a))) {
            let mut alike = alike(answer, WordForm::Variants, &found);
            alike.pieces = pieces(&found, &sought.typed(), &alike.answer.hit);
            all.push(alike);
        }
    }
    Ok(all)
}

fn alike(answer: Answer, form: WordForm, found: &Comparison) -> Alike {
    let urn = answer.locus.passage.as_ref().map(|p| p.urn(Some(&answer.document)));
    let (edits, run) = (found.edits, found.run());
    Alike { urn, answer, form, edits, run, pieces: vec![] }
}

/// Keeps the hits in some texts.
fn keep_within(
    index: &Index,
    hits: &mut Vec<HitRange>,
    within: Option<&TextSet>,
) -> Result<(), Error> {
    let Some(TextSet(set)) = within else { return Ok(()) };
    let mut first = Vec::with_capacity(index.files.len());
    for file in &index.files {
        first.push(file.documents()?.iter().map(|d| d.first).collect::<Vec<u32>>());
    }
    hits.retain(|hit| {
        let firsts = &first[hit.file as usize];
        let doc = firsts.partition_point(|f| *f <= hit.start).saturating_sub(1);
        set.contains(&(hit.file, doc as u32))
    });
    Ok(())
}

/// Hits that are followed, soon and in the same layer of the same text, by one of `next`; each
/// with the nearest.
fn joined(index: &Index, hits: &[HitRange], next: &[HitRange]) -> Result<Vec<HitRange>, Error> {
    let mut all = vec![];
    for hit in hits {
        let after = next.partition_point(|n| (n.file, n.start) < (hit.file, hit.end()));
        let Some(then) = next.get(after).filter(|n| n.file == hit.file) else { continue };
        let end = index.files[hit.file as usize].region_at(hit.start)?.end;
        let is_near = then.start - hit.end() <= MAX_LEFT_OUT && then.end() <= end;
        let whole = HitRange { len: then.end() - hit.start, ..*hit };
        if is_near && eval::is_unbroken(index, &whole)? {
            all.push(whole);
        }
    }
    Ok(all)
}
