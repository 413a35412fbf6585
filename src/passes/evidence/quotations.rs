//! The quotations in a sub-commentary, and the layer that it attributes each to.

use std::sync::LazyLock;

use regex::Regex;

use crate::model::{Header, Layer};
use crate::source::Span;
use crate::text::Key;

/// The layer that a sub-commentary explains at a place: that of the last header before it, if that
/// header names only one.
fn section(headers: &[&Header], at: usize) -> Option<Layer> {
    let before = headers.partition_point(|h| h.span.end() <= at);
    let last = headers.get(before.checked_sub(1)?)?;
    let note = last.parts.iter().filter(|p| p.layer != Layer::Jing).count();
    if note == 0 { Some(Layer::Jing) } else { (note == last.parts.len()).then_some(Layer::Zhu) }
}

/// Text that a sub-commentary quotes.
pub struct Quotation {
    /// The quoted text, without quotation marks.
    pub words: Span,
    /// It is called 鄭's, or 注.
    pub note: bool,
    /// It is called 經.
    pub classic: bool,
    /// It opens a paragraph as the words to be explained: ○“X”者.
    pub lemma: bool,
}

impl Quotation {
    /// Whether the quoted text is of a note, and whether of the classic: by the name it is given,
    /// else by the layer that the headers say is explained here.
    pub fn layers(&self, headers: &[&Header]) -> (bool, bool) {
        let section = section(headers, self.words.start());
        let classic = self.classic || self.lemma && section == Some(Layer::Jing);
        let note = self.note || !self.classic && section == Some(Layer::Zhu);
        (note, classic)
    }
}

/// The quotations in a span of sub-commentary.
pub fn quotations(text: &str, sub: Span) -> impl Iterator<Item = Quotation> {
    static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?P<who>[^“”「」。,，;；]{0,3})[“「](?P<words>[^“”「」]{2,120})[”」]")
            .expect("a valid pattern")
    });
    QUOTED.captures_iter(&text[sub.range()]).filter_map(move |c| {
        let (who, words) = (&c["who"], c.name("words")?);
        let words = Span::new(sub.start() + words.start(), sub.start() + words.end());
        let note = who.contains('鄭') || who.contains('注') || who.contains('郑');
        let classic = who.contains('經') || who.contains('经');
        let before = text[sub.start()..words.start()].trim_end_matches(['“', '「']);
        let lemma = before.trim_end_matches(|c: char| c.is_whitespace()).is_empty()
            || before.ends_with('○');
        let lemma = lemma && text[words.end()..].chars().nth(1) == Some('者');
        (Key::of(text, words).len() >= 2).then_some(Quotation { words, note, classic, lemma })
    })
}
