//! What other texts have at the same place: the characters around it, three on each side, decide
//! that it is the same.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::Document;
use crate::source::Span;
use crate::text::Key;

/// Characters of context on each side.
const SIDE: usize = 3;
/// Bytes of other texts that are searched at most, so that a great corpus does not make the pass
/// quadratic.
const BUDGET: usize = 16 << 20;

/// The folded characters about a place.
type Around = [char; 2 * SIDE];

/// What witnesses have at the places asked for.
#[derive(Default)]
pub struct Witnesses {
    found: FxHashMap<Around, Vec<Witness>>,
}

/// What one text has at a place.
#[derive(Clone)]
pub struct Witness {
    /// The character.
    pub has: char,
    /// Id of the text.
    pub id: String,
    /// The characters asked for, in all forms, that stand anywhere in that text.
    knows: Rc<FxHashSet<char>>,
}

impl Witness {
    /// True if the text has `c` somewhere: only then does its not having it here mean anything.
    pub fn knows(&self, c: char) -> bool {
        self.knows.contains(&c)
    }
}

impl Witnesses {
    /// Looks for `places` (byte offsets of single characters) of `document` in `others`, nearest of
    /// kin first: texts of the same chapter, of the same work, then the rest.
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
        let mut budget = BUDGET;
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
                    seen.push(Witness {
                        has: raw(i),
                        id: other.id.clone(),
                        knows: Rc::clone(&knows),
                    });
                }
            }
        }
    }

    /// What the witnesses have at byte `at` of the text `key` was made from: one entry a text.
    pub fn at(&self, key: &Key, at: usize) -> &[Witness] {
        let place = index(key, at).and_then(|i| around(key, i));
        place.and_then(|p| self.found.get(&p)).map_or(&[], Vec::as_slice)
    }
}

/// The comparable characters of a document, marks and furniture left out.
pub fn key(document: &Document) -> Key {
    let spans: Vec<Span> =
        document.segments.iter().filter(|s| s.layer.is_text()).map(|s| s.span).collect();
    Key::of_spans(document.source.text(), spans)
}

fn index(key: &Key, at: usize) -> Option<usize> {
    Some(key.index_at(at)).filter(|&i| key.at.get(i) == Some(&(at as u32)))
}

fn around(key: &Key, i: usize) -> Option<Around> {
    if i < SIDE || i + SIDE >= key.len() {
        return None;
    }
    let mut place = ['\0'; 2 * SIDE];
    place[..SIDE].copy_from_slice(&key.chars[i - SIDE..i]);
    place[SIDE..].copy_from_slice(&key.chars[i + 1..=i + SIDE]);
    Some(place)
}
