//! What other texts have at the same place. A place is the same if the three characters on each
//! side are.
//!
//! The places of all texts at which a character of the rules is are listed once for the library,
//! so that the pass is linear.

use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

use rustc_hash::FxHashSet;

use super::rules::RULES;
use crate::model::Document;
use crate::passes::context::Context;
use crate::source::Span;
use crate::text::Key;
use crate::text::fold::fold;
use crate::text::script::{Script, detect};

/// Characters of context on each side.
pub const SIDE_CHARS: usize = 3;
/// Bits of a code point.
const CHAR_BITS: usize = 21;

/// The folded characters around a place, as one number.
pub type Around = u128;

/// The characters of the rules, damaged and intended, folded.
static OF_RULES: LazyLock<FxHashSet<char>> = LazyLock::new(|| {
    // What is hardly ever written needs no witness, and what is written instead is too common.
    let asked = RULES.iter().filter(|(_, damage)| !damage.rules.iter().any(|r| r.usual));
    let of_rule = asked.flat_map(|(c, damage)| damage.intended.iter().chain([c]));
    of_rule.map(|c| fold(*c)).collect()
});

/// A place of a character of the rules in a text of the library.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RulePlace {
    around: Around,
    /// The text, by its number in the library.
    text: u32,
    /// Number of its character.
    at: u32,
    has: char,
}

/// The places of all texts, by what is around them.
struct RulePlaces {
    places: Vec<RulePlace>,
    /// For each text, the characters of the rules that it has.
    known: Vec<FxHashSet<char>>,
    /// Whether each text is in simplified script, once that is asked.
    simplified: Vec<OnceLock<bool>>,
}

/// What other texts have at places of a document.
pub struct Witnesses<'a> {
    document: &'a Document,
    library: Vec<&'a Document>,
    all: Arc<RulePlaces>,
    /// The folded characters that the document may have damaged.
    middles: FxHashSet<char>,
}

/// What one text has at a place.
pub struct CharWitness<'a> {
    /// The character.
    pub has: char,
    /// Id of the text.
    pub id: &'a str,
    /// The characters of the rules, in all forms, that occur anywhere in that text.
    knows: &'a FxHashSet<char>,
}

impl CharWitness<'_> {
    /// True if the text has `c` somewhere; only then is it evidence that it lacks `c` here.
    pub fn knows(&self, c: char) -> bool {
        self.knows.contains(&c)
    }
}

impl RulePlaces {
    fn of(documents: &[&Document]) -> Self {
        let mut all = RulePlaces { places: vec![], known: vec![], simplified: vec![] };
        for (n, document) in documents.iter().enumerate() {
            all.known.push(FxHashSet::default());
            all.simplified.push(OnceLock::new());
            all.read(n, document);
        }
        all.places.sort_unstable();
        all
    }

    /// Lists the places of text number `n`.
    fn read(&mut self, n: usize, document: &Document) {
        let (text, key) = (document.source.text(), key(document));
        for i in (0..key.len()).filter(|&i| OF_RULES.contains(&key.chars[i])) {
            let has = text[key.at[i] as usize..].chars().next().unwrap_or_default();
            self.known[n].insert(has);
            if let Some(around) = around(&key, i..i + 1) {
                self.places.push(RulePlace { around, text: n as u32, at: i as u32, has });
            }
        }
    }

    /// The places with the same characters around them.
    fn like(&self, around: Around) -> &[RulePlace] {
        let from = self.places.partition_point(|p| p.around < around);
        let length = self.places[from..].partition_point(|p| p.around == around);
        &self.places[from..from + length]
    }
}

impl<'a> Witnesses<'a> {
    /// The other texts of the library, as witnesses of `places` (byte offsets of single
    /// characters) of `document`.
    pub fn of(
        key: &Key,
        places: &[usize],
        document: &'a Document,
        context: &'a Context<'_>,
    ) -> Self {
        let library: Vec<&Document> = context.library.all().map(|d| &**d).collect();
        let all = context.of_all(|| RulePlaces::of(&library));
        let middles = places.iter().filter_map(|&at| Some(key.chars[index(key, at)?])).collect();
        Witnesses { document, library, all, middles }
    }

    /// True if text number `n` is in simplified script.
    fn is_simplified(&self, n: usize) -> bool {
        *self.all.simplified[n].get_or_init(|| is_simplified(self.library[n]))
    }

    /// What the witnesses have at byte `at` of the text of `key`, one entry for each text: first
    /// texts of the same chapter, then of the same work, then the rest.
    pub fn at(&self, key: &Key, at: usize) -> Vec<CharWitness<'_>> {
        let Some(around) = index(key, at).and_then(|i| around(key, i..i + 1)) else {
            return vec![];
        };
        let text = |p: &RulePlace| self.library[p.text as usize];
        let mut places: Vec<&RulePlace> = self.all.like(around).iter().collect();
        places.retain(|p| text(p).id != self.document.id && self.middles.contains(&fold(p.has)));
        places.dedup_by_key(|p| p.text);
        places.retain(|p| !self.is_simplified(p.text as usize));
        let own = &self.document.meta;
        places.sort_by_key(|p| {
            let meta = &text(p).meta;
            (meta.chapter != own.chapter, meta.work != own.work)
        });
        let witness = |p: &RulePlace| CharWitness {
            has: p.has,
            id: &self.library[p.text as usize].id,
            knows: &self.all.known[p.text as usize],
        };
        places.into_iter().map(witness).collect()
    }
}

/// True if the text is in simplified script, where 后 and 云 are correct.
pub fn is_simplified(document: &Document) -> bool {
    detect(document.source.text()) == Some(Script::Simplified)
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

/// The characters around some of a key, unless it has too few.
pub fn around(key: &Key, of: Range<usize>) -> Option<Around> {
    if of.start < SIDE_CHARS || of.end + SIDE_CHARS > key.len() {
        return None;
    }
    let sides = key.chars[of.start - SIDE_CHARS..of.start]
        .iter()
        .chain(&key.chars[of.end..of.end + SIDE_CHARS]);
    Some(sides.fold(0, |packed, c| packed << CHAR_BITS | Around::from(*c as u32)))
}
