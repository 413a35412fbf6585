//! The table of formulas, read once.

use std::sync::LazyLock;

use super::word_list::WordList;
use super::{GlossKind, GlossPlace};
use crate::model::{Certainty, Layer, LayerKind};
use crate::text::fold::fold;

/// A piece of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormulaPiece {
    /// The headword.
    Head,
    /// The sense, within a clause; over clauses if true.
    Sense(bool),
    /// One character of the sense.
    One,
    /// This character, folded.
    Char(char),
    /// The border of clauses; of words in a list; of sentences.
    Clause,
    List,
    Sentence,
    /// Where the sense begins and ends.
    Open,
    Close,
}

/// A row of the table.
#[derive(Debug)]
pub(super) struct Formula {
    pub(super) kind: GlossKind,
    /// Each with whether it may be missing.
    pub(super) pieces: Vec<(FormulaPiece, bool)>,
    /// It goes on with the headword of the statement before.
    pub(super) goes_on: bool,
    pub(super) max_head: usize,
    pub(super) max_sense: usize,
    certainties: [Option<Certainty>; 4],
    layers: FormulaLayers,
}

/// In which notes a formula is looked for.
#[derive(Clone, Copy, Debug)]
enum FormulaLayers {
    Notes,
    Sounds,
    SubCommentary,
    All,
}

/// The table.
#[derive(Debug, Default)]
pub(super) struct Formulas {
    pub(super) rows: Vec<Formula>,
    not_heads: WordList,
    head_begins: WordList,
    head_ends: WordList,
    /// What no sense of an equation or a name begins with, and what none at all.
    sense_begins: WordList,
    any_sense_begins: WordList,
    sense_ends: WordList,
    sense_is: WordList,
    /// Words that are in no sense that only an equation gives.
    not_in_means: WordList,
    /// Words at the end of a sense that do not belong to it.
    tails: WordList,
    not_ends: WordList,
    /// Characters of the classic before a note that are searched for its headwords.
    pub(super) reach: usize,
    /// Characters of all layers before a note, after which the search ends anyway.
    pub(super) reach_of_all: usize,
}

/// The shipped table; a test reads it.
pub(super) static FORMULAS: LazyLock<Formulas> = LazyLock::new(|| {
    parse(include_str!("data/formulas.tsv")).expect("a test reads the shipped table")
});

pub(super) fn parse(table: &'static str) -> Result<Formulas, String> {
    let mut all = Formulas::default();
    for line in table.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let cells: Vec<&str> = line.split('\t').collect();
        let words = || cells[1].split(' ').map(|w| w.chars().map(fold).collect::<Vec<char>>());
        match cells[..] {
            ["not-head", _] => all.not_heads.extend(words()),
            ["head-begins", _] => all.head_begins.extend(words()),
            ["head-ends", _] => all.head_ends.extend(words()),
            ["not-end", _] => all.not_ends.extend(words()),
            ["sense-begins", _] => all.sense_begins.extend(words()),
            ["any-sense-begins", _] => all.any_sense_begins.extend(words()),
            ["sense-ends", _] => all.sense_ends.extend(words()),
            ["not-in-means", _] => all.not_in_means.extend(words()),
            ["sense-is", _] => all.sense_is.extend(words()),
            ["tail", _] => all.tails.extend(words()),
            ["reach", n] => all.reach = n.parse().map_err(|_| line.to_string())?,
            ["reach-of-all", n] => all.reach_of_all = n.parse().map_err(|_| line.to_string())?,
            _ => all.rows.push(formula(&cells).ok_or_else(|| line.to_string())?),
        }
    }
    Ok(all)
}

fn formula(cells: &[&'static str]) -> Option<Formula> {
    let [kind, template, head, sense, lemma, before, nowhere, flat, layers] = *cells else {
        return None;
    };
    let share = |cell: &str| match cell {
        "-" => Some(None),
        cell => Some(Some(Certainty::new(cell.parse().ok()?))),
    };
    let body = template.strip_prefix('…');
    Some(Formula {
        kind: GlossKind::of_id(kind)?,
        pieces: pieces(body.unwrap_or(template)),
        goes_on: body.is_some(),
        max_head: head.parse().ok()?,
        max_sense: sense.parse().ok()?,
        certainties: [share(lemma)?, share(before)?, share(nowhere)?, share(flat)?],
        layers: match layers {
            "note" => FormulaLayers::Notes,
            "yin" => FormulaLayers::Sounds,
            "shu" => FormulaLayers::SubCommentary,
            "all" => FormulaLayers::All,
            _ => return None,
        },
    })
}

fn pieces(template: &str) -> Vec<(FormulaPiece, bool)> {
    let mut all: Vec<(FormulaPiece, bool)> = vec![];
    for c in template.chars() {
        let piece = match c {
            'X' => FormulaPiece::Head,
            'Y' => FormulaPiece::Sense(false),
            'W' => FormulaPiece::Sense(true),
            'Z' => FormulaPiece::One,
            '，' => FormulaPiece::Clause,
            '、' => FormulaPiece::List,
            '。' => FormulaPiece::Sentence,
            '[' => FormulaPiece::Open,
            ']' => FormulaPiece::Close,
            '?' => {
                if let Some(last) = all.last_mut() {
                    last.1 = true;
                }
                continue;
            }
            c => FormulaPiece::Char(fold(c)),
        };
        all.push((piece, false));
    }
    with_sense(all)
}

/// With the borders of the sense, if the template does not have them.
fn with_sense(mut all: Vec<(FormulaPiece, bool)>) -> Vec<(FormulaPiece, bool)> {
    if all.iter().any(|(p, _)| *p == FormulaPiece::Open) {
        return all;
    }
    let is_sense =
        |p: &(FormulaPiece, bool)| matches!(p.0, FormulaPiece::Sense(_) | FormulaPiece::One);
    if let Some(first) = all.iter().position(is_sense) {
        let last = all.iter().rposition(is_sense).unwrap_or(first);
        all.insert(last + 1, (FormulaPiece::Close, false));
        all.insert(first, (FormulaPiece::Open, false));
    }
    all
}

impl Formula {
    /// True if it is looked for in notes of a layer.
    pub(super) fn is_of(&self, layer: Layer) -> bool {
        match self.layers {
            FormulaLayers::Notes => layer.kind() == LayerKind::Note,
            FormulaLayers::Sounds => layer == Layer::Yin,
            FormulaLayers::SubCommentary => layer.kind() == LayerKind::Commentary,
            FormulaLayers::All => true,
        }
    }

    /// How certain a statement is whose headword stands there; none if it is not taken.
    pub(super) fn certainty(&self, place: GlossPlace, is_flat: bool) -> Option<Certainty> {
        let [lemma, before, nowhere, flat] = self.certainties;
        match place {
            GlossPlace::Lemma if is_flat => flat,
            GlossPlace::Lemma => lemma,
            _ if is_flat => None,
            GlossPlace::Before => before,
            GlossPlace::Nowhere => nowhere,
        }
    }
}

impl Formulas {
    /// True if some words can be a headword.
    pub(super) fn may_be_head(&self, words: &[char]) -> bool {
        !self.not_heads.has(words)
            && self.head_begins.at_start(words).next().is_none()
            && self.head_ends.at_end(words).next().is_none()
    }

    /// True if a clause may end with a quotation before these characters.
    pub(super) fn may_end(&self, rest: &[char]) -> bool {
        self.not_ends.at_start(rest).next().is_none()
    }

    /// True if some words can be a sense.
    pub(super) fn may_be_sense(&self, kind: GlossKind, words: &[char]) -> bool {
        // 爰，於也: a word that begins no sense may be one.
        let begins = |list: &WordList| list.at_start(words).any(|w| words.len() > w.len());
        let equates = matches!(kind, GlossKind::Means | GlossKind::Called);
        if words.is_empty() || kind.is_sound() {
            return !words.is_empty();
        }
        let is_none = self.sense_is.has(words)
            || begins(&self.any_sense_begins)
            || equates && begins(&self.sense_begins)
            || self.sense_ends.at_end(words).next().is_some()
            || kind == GlossKind::Means && self.not_in_means.is_in(words);
        !is_none
    }

    /// Length of a sense without the words at its end that do not belong to it.
    pub(super) fn without_tail(&self, words: &[char]) -> usize {
        let mut n = words.len();
        let longest = |n: usize| self.tails.at_end(&words[..n]).map(<[char]>::len).max();
        while let Some(tail) = longest(n).filter(|tail| *tail < n) {
            n -= tail;
        }
        n
    }
}
