//! What the files of a text are made from: the text itself, and what its references lead to or come
//! from. The key of all this is recorded, so that files whose key is as in the last build are
//! neither made nor written again.
//!
//! Of another text a file shows no more than where a place in it is, and the segments of that
//! place. So it depends on the other's skeleton, which is everything but its ideographs and how
//! sure its borders are, and on the words of those segments.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;

use crate::cache::{CacheKey, digest};
use crate::corpus::Library;
use crate::memo::Memo;
use crate::model::{Document, Link};
use crate::source::Span;

/// The keys of the files of each text of a library.
pub struct OutputKeys {
    /// By the number of the text.
    of_texts: Vec<CacheKey>,
    /// The same of what is made of a text without its references.
    alone: Vec<CacheKey>,
    /// By the number of the alignment.
    of_alignments: Vec<CacheKey>,
    /// The texts themselves, by their numbers, and what all pages show.
    texts: Vec<CacheKey>,
    everywhere: CacheKey,
}

/// A text as others see it.
struct Seen {
    /// All of it.
    whole: CacheKey,
    /// All but its ideographs.
    skeleton: CacheKey,
}

/// The places of a text that a file shows, and what else decides how.
struct ReadOfText<'a> {
    text: &'a Document,
    places: Vec<Span>,
    /// References from that text.
    links: Vec<&'a Link>,
}

impl OutputKeys {
    /// Computes them. `title` is what all pages show of the corpus; `memo` knows the keys of what
    /// is as in the last build.
    pub fn of(library: &Library, title: &impl Serialize, memo: Option<&Memo>) -> Self {
        let all: Vec<&Arc<Document>> = library.all().collect();
        let seen: Vec<Seen> = all.par_iter().map(|d| Seen::of(d, memo)).collect();
        let numbers: HashMap<&str, usize> =
            all.iter().enumerate().rev().map(|(n, d)| (d.id.as_str(), n)).collect();
        // The titles and order of all texts, for links to the next, and the numbers of alignments.
        let titles: Vec<_> = library.documents.iter().map(|d| (&d.id, &d.meta.title)).collect();
        let alignments: Vec<_> =
            library.alignments.iter().map(|a| (&a.source, &a.translation)).collect();
        let everywhere = digest(&(title, titles, alignments));
        let of_alignments: Vec<CacheKey> = library.alignments.par_iter().map(digest).collect();
        let incoming = incoming(&all, &numbers);
        let alone = |n: usize| {
            let mut parts = vec![everywhere.clone(), seen[n].whole.clone()];
            for (a, key) in library.alignments.iter().zip(&of_alignments) {
                let other = match &all[n].id {
                    id if *id == a.source => &a.translation,
                    id if *id == a.translation => &a.source,
                    _ => continue,
                };
                parts.push(key.clone());
                parts.extend(numbers.get(other.as_str()).map(|n| seen[*n].whole.clone()));
            }
            CacheKey::of(parts.iter().map(CacheKey::as_bytes))
        };
        let alone: Vec<CacheKey> =
            (0..library.documents.len()).into_par_iter().map(alone).collect();
        let key = |n: usize| {
            let read = read_of_others(n, &all, &numbers, &incoming[n]);
            let make = || {
                let mut parts = vec![alone[n].clone()];
                for (other, read) in &read {
                    let segments =
                        read.segments().into_iter().map(|s| all[*other].segments[s].span);
                    let words: Vec<&str> = segments.map(|s| all[*other].slice(s)).collect();
                    parts.extend([seen[*other].skeleton.clone(), digest(&(words, &read.links))]);
                }
                CacheKey::of(parts.iter().map(CacheKey::as_bytes))
            };
            let Some(memo) = memo else { return make() };
            // As long as all these texts are as they were, the words need not be looked at.
            let whole = read.keys().map(|other| &seen[*other].whole);
            let of = std::iter::once(&alone[n]).chain(whole).map(CacheKey::as_bytes);
            memo.of_state("outputs", &CacheKey::of(of), make)
        };
        let of_texts = (0..library.documents.len()).into_par_iter().map(key).collect();
        let of_alignments = with_sides(library, &numbers, &seen, of_alignments);
        let texts = seen.into_iter().map(|s| s.whole).collect();
        OutputKeys { of_texts, alone, of_alignments, texts, everywhere }
    }

    /// The key of the files of a text.
    pub fn text(&self, n: usize) -> &CacheKey {
        &self.of_texts[n]
    }

    /// The keys of what is made of each text without its references.
    pub fn alone(&self) -> &[CacheKey] {
        &self.alone
    }

    /// The key of what is made from some texts alone.
    pub fn together(&self, texts: &[usize]) -> CacheKey {
        let texts = texts.iter().map(|n| &self.texts[*n]);
        CacheKey::of(std::iter::once(&self.everywhere).chain(texts).map(CacheKey::as_bytes))
    }

    /// The key of the file of an alignment.
    pub fn alignment(&self, n: usize) -> &CacheKey {
        &self.of_alignments[n]
    }
}

/// The keys of alignments with those of the texts that they align.
fn with_sides(
    library: &Library,
    numbers: &HashMap<&str, usize>,
    seen: &[Seen],
    keys: Vec<CacheKey>,
) -> Vec<CacheKey> {
    let all = library.alignments.iter().zip(keys).map(|(a, key)| {
        let sides = [&a.source, &a.translation].map(|id| numbers.get(id.as_str()));
        let sides = sides.into_iter().flatten().map(|n| &seen[*n].whole);
        CacheKey::of(std::iter::once(&key).chain(sides).map(CacheKey::as_bytes))
    });
    all.collect()
}

impl Seen {
    fn of(document: &Arc<Document>, memo: Option<&Memo>) -> Self {
        let skeleton = || skeleton(document);
        match memo.and_then(|memo| Some((memo, memo.keys_of(document)?.state))) {
            Some((memo, whole)) => {
                let skeleton = memo.of_state("skeleton", &whole, skeleton);
                Seen { whole, skeleton }
            }
            None => Seen { whole: digest(&**document), skeleton: skeleton() },
        }
    }
}

/// The key of all of a text that others show, but for its ideographs: how sure its borders are is
/// in its own files only.
fn skeleton(document: &Document) -> CacheKey {
    let Document { id, source, reader: _, meta, cited_as, segments, marks, .. } = document;
    let Document { divisions, sentences, .. } = document;
    let text: String = source.text().chars().map(without_ideographs).collect();
    let segments: Vec<_> = segments.iter().map(|s| (&s.id, s.layer, s.sub, s.span)).collect();
    let divisions: Vec<_> = divisions.iter().map(|d| (d.n, &d.title, d.span)).collect();
    let structure = (id, source.name(), meta, cited_as, segments, marks, divisions, sentences);
    digest(&(structure, text, source.file_part()))
}

/// One ideograph for all that are as long.
fn without_ideographs(c: char) -> char {
    match c {
        '\u{4e00}'..='\u{9fff}' => '一',
        '\u{20000}'..='\u{3ffff}' => '\u{20000}',
        _ => c,
    }
}

/// For each text the references to it from others: the number of the other, and the reference.
fn incoming<'a>(
    all: &[&'a Arc<Document>],
    numbers: &HashMap<&str, usize>,
) -> Vec<Vec<(usize, &'a Link)>> {
    let mut incoming = vec![vec![]; all.len()];
    for (from, document) in all.iter().enumerate() {
        for link in &document.links {
            let id = link.target.as_ref().and_then(|t| t.doc.as_deref());
            let Some(to) = id.and_then(|id| numbers.get(id)).filter(|to| **to != from) else {
                continue;
            };
            incoming[*to].push((from, link));
        }
    }
    incoming
}

impl<'a> ReadOfText<'a> {
    fn of(text: &'a Document) -> Self {
        ReadOfText { text, places: vec![], links: vec![] }
    }

    /// The segments of the places, by their numbers.
    fn segments(&self) -> Vec<usize> {
        let all = &self.text.segments;
        let of_place = |span: &Span| {
            let from = all.partition_point(|s| s.span.end() <= span.start());
            let inside = all[from..].iter().take_while(|s| s.span.start() < span.end());
            from..(from + inside.count().max(1)).min(all.len())
        };
        let mut segments: Vec<usize> = self.places.iter().flat_map(of_place).collect();
        segments.sort_unstable();
        segments.dedup();
        segments
    }
}

/// What the files of text `n` show of others, by their numbers.
fn read_of_others<'a>(
    n: usize,
    all: &[&'a Arc<Document>],
    numbers: &HashMap<&str, usize>,
    incoming: &[(usize, &'a Link)],
) -> BTreeMap<usize, ReadOfText<'a>> {
    let mut read: BTreeMap<usize, ReadOfText<'_>> = BTreeMap::new();
    for link in &all[n].links {
        for target in link.target.iter().chain(&link.alternatives) {
            let other = target.doc.as_deref().and_then(|id| numbers.get(id));
            if let Some(other) = other.filter(|o| **o != n) {
                let of = read.entry(*other).or_insert_with(|| ReadOfText::of(all[*other]));
                of.places.push(target.span);
            }
        }
    }
    for (other, link) in incoming {
        let of = read.entry(*other).or_insert_with(|| ReadOfText::of(all[*other]));
        of.places.push(link.span);
        of.links.push(link);
    }
    read
}
