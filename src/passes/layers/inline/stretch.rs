//! Undivided stretches and the evidence on them.

use crate::model::{Commentary, Document, Layer};
use crate::passes::context::Context;
use crate::passes::evidence::hints::Hints;
use crate::passes::evidence::votes::Votes;
use crate::passes::evidence::witness;
use crate::text::Key;

/// 鄭箋: a text with it is a 毛詩.
pub const JIAN: Layer = Layer::Named(Commentary::JIAN);

/// An undivided stretch.
#[derive(Default)]
pub struct Stretch {
    /// Index of its segment in the document.
    pub segment: usize,
    /// Its characters.
    pub key: Key,
    /// A bracket with 音義 or 疏 follows.
    pub explained: bool,
    /// How its characters are repeated.
    pub echoes: Vec<usize>,
    /// What witnesses show about its characters.
    pub votes: Votes,
    /// What the headers of the sub-commentary show about the place before each character.
    pub hints: Hints,
}

/// Adds the votes of witnesses to the stretches; returns their characters, joined.
pub fn add_votes(
    document: &Document,
    context: &Context<'_>,
    stretches: &mut [Stretch],
) -> Vec<char> {
    let chars: Vec<&[char]> = stretches.iter().map(|s| &s.key.chars[..]).collect();
    let (text, votes) = (chars.concat(), witness::votes(document, context, &chars));
    stretches.iter_mut().zip(votes).for_each(|(s, v)| s.votes = v);
    text
}
