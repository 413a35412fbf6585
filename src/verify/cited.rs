//! Which texts of an index a citation means, and which stretches of them: those of its passage and
//! of its layer.
//!
//! Assumes nothing of the texts but what the index says of them. A citation by numbers means the
//! text with that number; only a text that is not divided into chapters is found by its work alone.

use super::authors::NamedAuthor;
use super::citation::{Citation, JOINTS};
use crate::corpus::Works;
use crate::corpus::works::{Named, Tail};
use crate::model::{Layer, LayerKind, Locus, LocusPath};
use crate::search::Answer;
use crate::search::alike::{IndexedText, TextSet};
use crate::source::Span;
use crate::text::Key;

/// The texts of an index that a citation means.
pub(super) struct CitedTexts {
    /// Those of the chapter, or of the work if no chapter is named.
    pub(super) texts: TextSet,
    /// The passage, if numbers name one.
    locus: Option<Locus>,
    layer: CitedLayer,
    /// Whether the edition that is named is among them, if one is: 儀禮集釋.
    pub(super) edition: Option<bool>,
    /// Who is named as the author of a note.
    pub(super) author: Option<NamedAuthor>,
}

/// Which words of a text a citation means.
#[derive(Clone, Copy)]
enum CitedLayer {
    /// An edition, or a text that the list of works does not have: all of it.
    Any,
    /// The classic: 儀禮・鄉射禮.
    Base,
    /// Its commentary: 鄉射禮注.
    Notes,
    /// Its sub-commentary: 鄉射禮疏.
    Subcommentary,
}

impl CitedTexts {
    /// Those of these texts.
    pub(super) fn of(citation: &Citation, texts: &[IndexedText], works: &Works) -> Self {
        let meant = texts.iter().filter(|t| is_meant(citation, t, works));
        let mut meant: Vec<&IndexedText> = meant.collect();
        // A chapter that the list of works does not have, by its own name.
        if let Some(chapter) = citation.unlisted_chapter().map(folded) {
            let called = meant.iter().copied().filter(|t| is_called(t, &chapter));
            let own: Vec<&IndexedText> = called.collect();
            match own.is_empty() {
                true => meant.retain(|t| t.chapter.is_none()),
                false => meant = own,
            }
        }
        let layer = CitedLayer::of(citation, works);
        let edition = edition_words(citation, works).filter(|_| !meant.is_empty()).map(|words| {
            let own: Vec<&IndexedText> =
                meant.iter().copied().filter(|t| is_edition(t, &words)).collect();
            let is_here = !own.is_empty();
            if is_here {
                meant = own;
            }
            is_here
        });
        let author = citation.by.as_ref().map(|name| NamedAuthor::of(name, &meant, works));
        let texts = TextSet::of(meant);
        CitedTexts { texts, locus: citation.locus.clone(), layer, edition, author }
    }

    /// True if a stretch of these texts is in the passage and in the layer that are cited.
    pub(super) fn has(&self, answer: &Answer) -> bool {
        let cited = self.locus.as_ref().and_then(|l| Some((l, l.from?)));
        self.layer.has(answer.layer)
            && self.author.as_ref().is_none_or(|author| author.may_say(answer))
            && cited.is_none_or(|(locus, from)| {
                let to = locus.to.unwrap_or(from);
                let own = answer.locus.passage.as_ref();
                own.is_some_and(|own| match own.from {
                    // The numbers of a text that is not divided into chapters are other ones.
                    _ if own.text != locus.text => true,
                    Some(first) => {
                        let last = own.to.unwrap_or(first);
                        start(&first) <= end(&to)
                            && start(&from) <= end(&last)
                            && from.note.is_none_or(|n| first.note == Some(n))
                    }
                    None => false,
                })
            })
    }
}

impl CitedLayer {
    fn of(citation: &Citation, works: &Works) -> Self {
        let note = citation.locus.as_ref().and_then(|l| l.from).and_then(|f| f.note);
        if citation.named.is_empty() {
            // yili.05.2.8 is a sentence with its notes.
            return Self::Any;
        }
        match citation.tail {
            _ if note.is_some() || citation.any_layer => Self::Any,
            Some(Tail::Commentary | Tail::OldCommentary) => Self::Notes,
            Some(Tail::Subcommentary) => Self::Subcommentary,
            None if edition_words(citation, works).is_some() => Self::Any,
            _ => Self::Base,
        }
    }

    fn has(self, layer: Layer) -> bool {
        let is_header = layer == Layer::ShuHeader;
        match (self, layer.kind()) {
            // Nobody knows yet what it is.
            (Self::Any, _) | (_, LayerKind::Undivided) => true,
            (Self::Base, kind) => {
                !matches!(kind, LayerKind::Note | LayerKind::Commentary | LayerKind::Translation)
                    && !is_header
            }
            (Self::Notes, kind) => kind == LayerKind::Note,
            (Self::Subcommentary, kind) => kind == LayerKind::Commentary || is_header,
        }
    }
}

/// What a citation calls an edition besides its work, folded: 注疏 in 論語注疏, which has the classic
/// and commentaries.
fn edition_words(citation: &Citation, works: &Works) -> Option<String> {
    let named = citation.named.first()?;
    let title = citation.words.split(JOINTS).next().unwrap_or_default();
    let title = title.split(|c: char| c.is_ascii_digit()).next().unwrap_or_default().trim();
    works.edition_words(title, &named.work).filter(|words| !words.is_empty())
}

/// True if a text calls itself so, in its title or as a witness.
fn is_edition(text: &IndexedText, words: &str) -> bool {
    let words = folded(words);
    let is_so = |own: &str| {
        let own = folded(own);
        is_within(&words, &own) || is_within(&own, &words)
    };
    text.edition.as_deref().is_some_and(is_so) || is_within(&words, &folded(&text.title))
}

fn start(path: &LocusPath) -> (u32, u32, u32) {
    path.sentence.map_or((path.section, 0, 0), |s| (path.section, s.n, s.part))
}

fn end(path: &LocusPath) -> (u32, u32, u32) {
    let part = |part: u32| if part == 0 { u32::MAX } else { part };
    let whole = (path.section, u32::MAX, u32::MAX);
    path.sentence.map_or(whole, |s| (path.section, s.n, part(s.part)))
}

/// True if a citation means a text, whatever chapter without a place in the list it names.
fn is_meant(citation: &Citation, text: &IndexedText, works: &Works) -> bool {
    if let Some(locus) = &citation.locus {
        let is_work = citation.named.iter().any(|n| same(text.work.as_deref(), &n.work));
        return text.text == locus.text.to_string() || text.chapter.is_none() && is_work;
    }
    if citation.named.is_empty() {
        let names = [text.work.as_deref(), Some(&*text.title), text.chapter.as_deref()];
        let (work, chapter) = citation.apart();
        return names.iter().any(|name| same(*name, &citation.words))
            || chapter.is_some() && names[..2].iter().any(|name| same(*name, work));
    }
    citation.named.iter().any(|named| is_named(named, text, works))
}

fn is_named(named: &Named, text: &IndexedText, works: &Works) -> bool {
    if !same(text.work.as_deref(), &named.work) {
        return false;
    }
    let Some(wanted) = named.chapter.as_ref().or(named.part.as_ref()) else { return true };
    // A text that has the whole work has the chapter.
    let Some(chapter) = &text.chapter else { return true };
    let key = works.work(&named.work).map(|w| w.key.as_str());
    let number = key.zip(works.number(named)).map(|(key, n)| format!("{key}.{n:02}"));
    same(Some(chapter), wanted)
        || number.is_some_and(|n| n == text.text)
        || named.chapter.is_none() && is_within(&folded(wanted), &folded(chapter))
}

fn is_called(text: &IndexedText, chapter: &[char]) -> bool {
    let names = [text.chapter.as_deref(), Some(&*text.title)];
    names.into_iter().flatten().any(|name| folded(name) == chapter)
}

fn same(own: Option<&str>, wanted: &str) -> bool {
    own.is_some_and(|own| folded(own) == folded(wanted))
}

fn is_within(part: &[char], whole: &[char]) -> bool {
    !part.is_empty() && whole.windows(part.len()).any(|w| w == part)
}

/// Words without punctuation, in any script.
pub(super) fn folded(words: &str) -> Vec<char> {
    Key::of(words, Span::new(0, words.len())).chars
}
