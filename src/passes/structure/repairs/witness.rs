//! What other texts have at the same place. A place is the same if the three characters on each
//! side are.
//!
//! The places of all texts at which a character of the rules is are listed once for the library,
//! so that the pass is linear.

use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::rules::RULES;
use crate::cache::{CacheKey, digest};
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
pub struct RulePlace {
    around: Around,
    /// The text, by its number in the library.
    text: u32,
    /// Number of its character.
    at: u32,
    has: char,
}

/// The places of all texts, by what is around them.
pub struct RulePlaces {
    places: Vec<RulePlace>,
    /// For each text, the characters of the rules that it has.
    known: Vec<FxHashSet<char>>,
    /// Whether each text is in simplified script, once that is asked.
    simplified: Vec<OnceLock<bool>>,
    /// The key of what decides what each text is worth as a witness, once that is asked.
    worth: Vec<OnceLock<CacheKey>>,
}

/// What other texts have at places of a document.
pub struct Witnesses<'a> {
    document: &'a Document,
    library: Vec<&'a Document>,
    /// The number of the document in it.
    own: u32,
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

/// The places of one text: what is around each, the number of its character, and that character.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlacesOfText {
    places: Vec<(Around, u32, char)>,
    known: Vec<char>,
}

impl PlacesOfText {
    /// Lists the places of a text.
    pub fn of(document: &Document) -> Self {
        let (text, key) = (document.source.text(), key(document));
        let (mut places, mut known) = (vec![], FxHashSet::default());
        for i in (0..key.len()).filter(|&i| OF_RULES.contains(&key.chars[i])) {
            let has = text[key.at[i] as usize..].chars().next().unwrap_or_default();
            known.insert(has);
            places.extend(around(&key, i..i + 1).map(|around| (around, i as u32, has)));
        }
        let mut known: Vec<char> = known.into_iter().collect();
        known.sort_unstable();
        PlacesOfText { places, known }
    }
}

impl RulePlaces {
    /// The places of all texts of the library.
    pub fn all(context: &Context<'_>) -> Arc<Self> {
        let of_text =
            |d: &Arc<Document>| context.of_text(d, "repair-places", || PlacesOfText::of(d));
        context.of_all(|| RulePlaces::of(context.library.all().map(of_text)))
    }

    fn of(texts: impl Iterator<Item = PlacesOfText>) -> Self {
        let mut all =
            RulePlaces { places: vec![], known: vec![], simplified: vec![], worth: vec![] };
        for (text, of_text) in (0..).zip(texts) {
            all.known.push(of_text.known.into_iter().collect());
            all.simplified.push(OnceLock::new());
            all.worth.push(OnceLock::new());
            let place = |(around, at, has)| RulePlace { around, text, at, has };
            all.places.extend(of_text.places.into_iter().map(place));
        }
        all.places.sort_unstable();
        all
    }

    /// What the texts have at places, except those of one text; and for each of these texts all
    /// that decides what it is worth.
    pub fn answers(
        &self,
        asked: &[Around],
        (own, library): (usize, &[&Arc<Document>]),
        is_simplified: impl Fn(usize) -> bool,
    ) -> CacheKey {
        let mut found: Vec<(usize, usize, u32, char)> = vec![];
        for (n, around) in asked.iter().enumerate() {
            let others = self.like(*around).iter().filter(|p| p.text as usize != own);
            found.extend(others.map(|p| (n, p.text as usize, p.at, p.has)));
        }
        let mut texts: Vec<usize> = found.iter().map(|f| f.1).collect();
        texts.sort_unstable();
        texts.dedup();
        let worth = |n: &usize| {
            self.worth[*n].get_or_init(|| self.worth_of(*n, library[*n], is_simplified(*n)))
        };
        digest(&(found, texts.iter().map(worth).collect::<Vec<_>>()))
    }

    /// The key of all that decides what text number `n` is worth as a witness.
    fn worth_of(&self, n: usize, text: &Document, is_simplified: bool) -> CacheKey {
        let mut known = Vec::from_iter(&self.known[n]);
        known.sort_unstable();
        let known: String = known.into_iter().collect();
        digest(&(n, &text.id, &text.meta.chapter, &text.meta.work, is_simplified, known))
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
        let all = RulePlaces::all(context);
        let middles = places.iter().filter_map(|&at| Some(key.chars[index(key, at)?])).collect();
        let own = library.iter().position(|d| d.id == document.id);
        let own = own.map_or(u32::MAX, |n| n as u32);
        Witnesses { document, library, own, all, middles }
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
        // Those of the document itself are together, and many if it repeats itself.
        let like = self.all.like(around);
        let own = like.partition_point(|p| p.text < self.own);
        let after = own + like[own..].partition_point(|p| p.text == self.own);
        let mut places: Vec<&RulePlace> = like[..own].iter().chain(&like[after..]).collect();
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

/// The number of the character at byte `at`.
pub fn index(key: &Key, at: usize) -> Option<usize> {
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
