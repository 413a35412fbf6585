//! What other texts have at the same place. A place is the same if the three characters on each
//! side are.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::Document;
use crate::source::Span;
use crate::text::Key;

/// Characters of context on each side.
const SIDE_CHARS: usize = 3;
/// Most bytes of other texts that are searched, so that the pass is not quadratic on a large
/// corpus.
const MAX_SEARCHED_BYTES: usize = 16 << 20;

/// The folded characters around a place.
type Around = [char; 2 * SIDE_CHARS];

/// What witnesses have at the places that were searched.
#[derive(Default)]
pub struct Witnesses {
    found: FxHashMap<Around, Vec<CharWitness>>,
}

/// What one text has at a place.
#[derive(Clone)]
pub struct CharWitness {
    /// The character.
    pub has: char,
    /// Id of the text.
    pub id: String,
    /// The characters searched for, in all forms, that occur anywhere in that text.
    knows: Rc<FxHashSet<char>>,
}

impl CharWitness {
    /// True if the text has `c` somewhere; only then is it evidence that it lacks `c` here.
    pub fn knows(&self, c: char) -> bool {
        self.knows.contains(&c)
    }
}

impl Witnesses {
    /// Looks for `places` (byte offsets of single characters) of `document` in `others`: first in
    /// texts of the same chapter, then of the same work, then in the rest.
    pub fn search<'a>(
        key: &Key,
        places: &[usize],
        document: &Document,
        others: impl Iterator<Item = &'a Document>,
    ) -> Self {
        let wanted: FxHashSet<Around> =
            places.iter().filter_map(|&at| around(key, index(key, at)?)).collect();
        let middles: FxHashSet<char> =
            places.iter().filter_map(|&at| Some(key.chars[index(key, at)?])).collect();
        let mut found = Witnesses::default();
        let mut others: Vec<&Document> = others.collect();
        others.sort_by_key(|d| {
            (d.meta.chapter != document.meta.chapter, d.meta.work != document.meta.work)
        });
        let mut budget = MAX_SEARCHED_BYTES;
        for other in others {
            let size = other.source.text().len();
            if wanted.is_empty() || size > budget {
                break;
            }
            budget -= size;
            found.read(other, &wanted, &middles);
        }
        found
    }

    fn read(&mut self, other: &Document, wanted: &FxHashSet<Around>, middles: &FxHashSet<char>) {
        let text = other.source.text();
        let key = key(other);
        let raw = |i: usize| text[key.at[i] as usize..].chars().next().unwrap_or_default();
        let of_interest: Vec<usize> =
            (0..key.len()).filter(|&i| middles.contains(&key.chars[i])).collect();
        let knows: Rc<FxHashSet<char>> = Rc::new(of_interest.iter().map(|&i| raw(i)).collect());
        for i in of_interest {
            if let Some(place) = around(&key, i).filter(|p| wanted.contains(p)) {
                let seen = self.found.entry(place).or_default();
                if !seen.iter().any(|w| w.id == other.id) {
                    seen.push(CharWitness {
                        has: raw(i),
                        id: other.id.clone(),
                        knows: Rc::clone(&knows),
                    });
                }
            }
        }
    }

    /// What the witnesses have at byte `at` of the text of `key`: one entry for each text.
    pub fn at(&self, key: &Key, at: usize) -> &[CharWitness] {
        let place = index(key, at).and_then(|i| around(key, i));
        place.and_then(|p| self.found.get(&p)).map_or(&[], Vec::as_slice)
    }
}

/// The comparable characters of a document, without punctuation and page furniture.
pub fn key(document: &Document) -> Key {
    let spans: Vec<Span> =
        document.segments.iter().filter(|s| s.layer.is_text()).map(|s| s.span).collect();
    Key::of_spans(document.source.text(), spans)
}

fn index(key: &Key, at: usize) -> Option<usize> {
    Some(key.index_at(at)).filter(|&i| key.at.get(i) == Some(&(at as u32)))
}

fn around(key: &Key, i: usize) -> Option<Around> {
    if i < SIDE_CHARS || i + SIDE_CHARS >= key.len() {
        return None;
    }
    let mut place = ['\0'; 2 * SIDE_CHARS];
    place[..SIDE_CHARS].copy_from_slice(&key.chars[i - SIDE_CHARS..i]);
    place[SIDE_CHARS..].copy_from_slice(&key.chars[i + 1..=i + SIDE_CHARS]);
    Some(place)
}
