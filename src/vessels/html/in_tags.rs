//! Words that a page has within its tags (notes that show at the pointer, descriptions of images),
//! and how many words are of a translation.

use html5gum::StartTag;

use super::roles::{MarkupRole, attribute, is_line, role};
use super::{MAX_NAME_BYTES, OpenElement, Page, is_number, words_of};
use crate::model::key_role;
use crate::source::Span;
use crate::text::char_floor;
use crate::text::class::{ends_sentence, is_content};
use crate::vessels::edits::{NOTE, has_han};

impl Page<'_> {
    /// Counts the characters of a translation, and of a text.
    pub(super) fn see_words(&mut self, words: &str) {
        let is_heading = |open: &OpenElement| matches!(open.role, Some(MarkupRole::LineOf(_)));
        // The titles before the text are none of it.
        let is_title = self.of_text == 0 && self.of_translation == 0;
        if is_title && self.open.iter().any(is_heading) {
            return;
        }
        let chars = words.chars().filter(|c| is_content(*c)).count();
        match (self.translations, self.notes) {
            (0, 0) => self.of_text += chars,
            (0, _) => {}
            _ => self.of_translation += chars,
        }
    }

    /// Reads the note that a tag of the text has as its title, as pages show it at the pointer.
    /// False if it has none.
    pub(super) fn note_in_tag(&mut self, tag: &StartTag<usize>, role: Option<MarkupRole>) -> bool {
        let is_note = matches!(role, Some(MarkupRole::Note | MarkupRole::NoteOf(_)));
        let to = tag.span.end;
        let rest = &self.text[to..char_floor(self.text, to + MAX_NAME_BYTES)];
        let inner = rest.find('<').map(|at| rest[..at].trim());
        // A name of the note, or of its author, is shorter than the note, and no sentence.
        let is_longer = |title: &&str| {
            title.contains(ends_sentence) || inner.is_some_and(|inner| title.len() > inner.len())
        };
        let title = attribute(tag, "title").filter(|title| is_note && has_han(title));
        let title = title.filter(|title| is_longer(title) && key_role(title).is_none());
        let may_be = !is_line(&tag.name) && self.dropped == 0 && !self.is_own;
        let Some(title) = title.filter(|_| may_be) else {
            return false;
        };
        let place = self.place_in(tag, "title", title).filter(|_| self.translations == 0);
        if let Some(at) = place {
            self.attribute(tag, at, title.len(), true);
        }
        true
    }

    /// The role of what is shown in place of a note in a tag: [注] is no word of the text.
    pub(super) fn sign_of_note(&self, to: usize) -> Option<MarkupRole> {
        words_of(self.text, to, "<").filter(|w| is_number(w)).map(|_| MarkupRole::Sound)
    }

    /// Where the value of an attribute is.
    fn place_in(&self, tag: &StartTag<usize>, name: &str, value: &str) -> Option<usize> {
        let (from, to) = (tag.span.start, tag.span.end);
        let written = &self.text[from..to];
        ["=\"", "='", "="].iter().find_map(|start| {
            let start = format!("{name}{start}");
            Some(from + written.find(&format!("{start}{value}"))? + start.len())
        })
    }

    /// Reads some bytes of a tag as text, or as a note.
    fn attribute(&mut self, tag: &StartTag<usize>, at: usize, len: usize, is_note: bool) {
        let (from, to) = (tag.span.start, tag.span.end);
        let is_first = is_note && self.notes == 0 && self.translations == 0;
        let (open, close) = if is_first { NOTE } else { ("", "") };
        let due = if std::mem::take(&mut self.is_due) { "\n" } else { "" };
        self.shown(from, at, &format!("{due}{open}"));
        self.at = at + len;
        self.in_line = true;
        self.shown(self.at, to, close);
    }

    /// An image: its description may be a character that no font has, or a note.
    pub(super) fn image(&mut self, tag: &StartTag<usize>) {
        let (from, to) = (tag.span.start, tag.span.end);
        let alt = attribute(tag, "alt").unwrap_or_default();
        let role = role(tag, self.hints.named, false);
        let is_note = matches!(role, Some(MarkupRole::Note | MarkupRole::NoteOf(_)))
            || attribute(tag, "class").is_some_and(|class| class.contains("footnote"));
        let is_character = alt.chars().count() == 1 && alt.chars().all(is_content);
        let place = self.place_in(tag, "alt", alt);
        match place.filter(|_| self.dropped == 0 && has_han(alt) && (is_note || is_character)) {
            Some(at) => self.attribute(tag, at, alt.len(), is_note),
            None => {
                let is_in_text = self.dropped == 0 && self.in_line;
                self.images.extend(is_in_text.then(|| Span::new(from, to)));
                self.mark(from, to);
            }
        }
    }
}
