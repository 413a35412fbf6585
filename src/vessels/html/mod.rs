//! Web pages, and what Word files and e-books are read as: elements, classes and sizes of type say
//! what is a heading, a note, a translation, or no text. `data/roles.tsv` is the table. The
//! tokenizer is `html5gum`, which says where each tag is and takes any page as browsers do.

mod cut_off;
mod in_tags;
mod linked;
mod roles;
mod sizes;
mod tables;

use std::sync::LazyLock;

use html5gum::{DefaultEmitter, EndTag, StartTag, Token, Tokenizer};
use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};

use self::roles::{FoundRoles, MarkupRole, attribute, is_line, of_layer, own, role, title_of};
pub(crate) use self::sizes::small_elements;
use super::edits::{Edits, NOTE};
use super::{Aside, NamedRole, Taken, VesselHints, columns_left_out};
use crate::diag::Diagnostic;
use crate::model::{KeyRole, Layer, LayerKind, key_role};
use crate::source::{Span, TAG, is_page};
use crate::text::{char_floor, pattern};

/// Elements that have no end.
const VOID: [&[u8]; 14] = [
    b"area", b"base", b"br", b"col", b"embed", b"hr", b"img", b"input", b"link", b"meta", b"param",
    b"source", b"track", b"wbr",
];
/// Elements whose end may be left out: the next of them ends one.
const ENDS_ITSELF: [&[u8]; 8] = [b"p", b"li", b"dt", b"dd", b"td", b"th", b"tr", b"option"];
/// Deepest nesting: of what is deeper the role is that around it.
const MAX_DEPTH: usize = 256;
/// Most bytes of the name of what can be unfolded, with its tags, or of a link to a note.
const MAX_NAME_BYTES: usize = 200;
/// A page in which a translation has so many times the characters of the text is one.
const TEXT_IN_TRANSLATION: usize = 20;
/// Pages with these have notes that links lead to; the words of the links are numbers.
const NOTES_WITH_LINKS: [&str; 6] = ["footnote", "endnote", "noteref", "_ftn", "_edn", "cite_note"];
/// What a page of ours has in its head.
const OWN_PAGES: &str = "<meta name=\"generator\" content=\"zhushu ";
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^[\s\[\]（）()〔〕【】^↑↩*†‡注註]*(?:\d{1,4}[a-z]?)?[\s\[\]（）()〔〕【】^↑↩︎*†‡.]*$")
});

/// Finds the markup.
pub(super) fn find(text: &str, hints: VesselHints<'_>) -> Taken {
    if !is_page(text) {
        return Taken::default();
    }
    let small = small_elements(text);
    let (mut cells, unnamed) = tables::cells(text, hints.named);
    cells.extend(roles::in_other_languages(text));
    cells.extend(linked::linked(text));
    let is_linked = NOTES_WITH_LINKS.iter().any(|sign| text.contains(sign));
    let is_own = text.contains(OWN_PAGES);
    let page = Page { text, hints, small, cells, is_linked, is_own, ..Page::default() };
    let mut page = page.read();
    if page.of_text * TEXT_IN_TRANSLATION < page.of_translation {
        // A translation without its classic is the text.
        let Page { small, cells, .. } = page;
        let whole = Page { text, hints, small, cells, is_linked, is_own, ..Page::default() };
        page = Page { is_translation: true, ..whole }.read();
    }
    let mut taken = page.finish();
    taken.remarks.extend(columns_left_out(&unnamed));
    taken
}

/// An element that is open.
struct OpenElement {
    name: Vec<u8>,
    /// What its own tag changes; none if it is as that around it.
    role: Option<MarkupRole>,
    /// The number of its class among those of which the characters are counted.
    class: Option<usize>,
    /// Where its tag begins, and where that ends.
    tag: Span,
}

/// True for the words of a link between a note and its place.
fn is_number(words: &str) -> bool {
    // The name of a layer before it: 音義12.
    let digits = words.find(|c: char| c.is_ascii_digit()).unwrap_or_default();
    let is_of_layer = words[..digits].parse::<Layer>().is_ok();
    !words.is_empty() && NUMBER.is_match(if is_of_layer { &words[digits..] } else { words })
}

/// The words of an element up to its end, if that is near, without the tags within.
fn words_of(text: &str, from: usize, end: &str) -> Option<String> {
    let rest = &text[from..char_floor(text, from + MAX_NAME_BYTES)];
    rest.find(end).map(|at| TAG.replace_all(&rest[..at], "").trim().to_string())
}

/// The role of an element with a name that a person reads: 王弼注, 今譯.
fn of_name(name: &str) -> Option<MarkupRole> {
    match key_role(name.trim())? {
        KeyRole::Of(layer) => of_layer(layer),
        KeyRole::About => None,
    }
}

#[derive(Default)]
struct Page<'t> {
    text: &'t str,
    hints: VesselHints<'t>,
    /// Where elements of small type begin.
    small: FxHashSet<usize>,
    /// It has notes that links lead to.
    is_linked: bool,
    /// We wrote it.
    is_own: bool,
    /// All of it is a translation, which is then read as text.
    is_translation: bool,
    /// Characters of a translation, and of what is none, no heading and no note.
    of_translation: usize,
    of_text: usize,
    /// Where elements begin whose role others show, such as the cells of a named column.
    cells: FxHashMap<usize, MarkupRole>,
    /// What elements and classes were found to hold.
    found: FoundRoles,
    open: Vec<OpenElement>,
    edits: Edits,
    roles: Vec<(Span, NamedRole)>,
    marks: Vec<Span>,
    title: Option<String>,
    /// Images among words.
    images: Vec<Span>,
    /// The line that is read has words.
    in_line: bool,
    /// The next words begin another line.
    is_due: bool,
    /// How many elements around it are not text, how many are notes, how many are a translation.
    dropped: usize,
    notes: usize,
    translations: usize,
    /// Words of the note that is open were read.
    note_has_words: bool,
    /// The words of a translation in this line, and the tags before, in and after them.
    rendered: Option<Span>,
    of_line: Vec<Span>,
    /// Everything before this byte was read.
    at: usize,
}

impl Page<'_> {
    fn read(mut self) -> Self {
        let mut emitter = DefaultEmitter::<usize>::new_with_span();
        // XHTML has no elements whose content is no markup, and closes empty ones.
        emitter.naively_switch_states(!self.text.contains("xmlns="));
        for token in Tokenizer::new_with_emitter(self.text, emitter) {
            match token {
                Ok(Token::StartTag(tag)) => self.start(&tag),
                Ok(Token::EndTag(tag)) => self.end(&tag),
                Ok(Token::String(words)) => self.words(words.span.start, words.span.end),
                Ok(Token::Comment(of)) => self.mark(of.span.start, of.span.end),
                Ok(Token::Doctype(of)) => self.mark(of.span.start, of.span.end),
                Ok(Token::Error(_)) | Err(_) => {}
            }
        }
        self
    }

    /// A tag, a comment or the like.
    fn mark(&mut self, from: usize, to: usize) {
        self.shown(from, to, "");
    }

    fn shown(&mut self, from: usize, to: usize, shown: &str) {
        if self.dropped == 0 {
            let (from, to) = (from.max(self.at), to.max(self.at));
            if self.translations > 0 {
                self.of_line.push(Span::new(from, to));
            } else {
                self.edits.shown(from, to, shown);
            }
            self.at = to;
        }
    }

    fn start(&mut self, tag: &StartTag<usize>) {
        let (from, to) = (tag.span.start, tag.span.end);
        if ENDS_ITSELF.contains(&&**tag.name)
            && self.open.last().is_some_and(|open| open.name == **tag.name)
        {
            self.close(from, from);
        }
        self.end_cells(&tag.name, from);
        let role = self.role(tag);
        if VOID.contains(&&**tag.name) {
            return match role {
                Some(MarkupRole::Line) => self.line_end(from, to),
                _ if **tag.name == *b"img" => self.image(tag),
                _ => self.mark(from, to),
            };
        }
        let role = match self.note_in_tag(tag, role) {
            true => self.sign_of_note(to),
            false if self.is_translation && role == Some(MarkupRole::Translation) => {
                is_line(&tag.name).then_some(MarkupRole::Line)
            }
            false => role,
        };
        match role {
            Some(MarkupRole::Drop | MarkupRole::Sound) => self.dropped += 1,
            Some(role) if role.is_line() => self.line_end(from, to),
            Some(MarkupRole::Note | MarkupRole::NoteOf(_)) => {
                self.is_due |= is_line(&tag.name) && std::mem::take(&mut self.in_line);
                let is_first = self.notes == 0 && self.translations == 0;
                // In a list of notes each has an id.
                let is_next = self.notes > 0
                    && self.note_has_words
                    && is_line(&tag.name)
                    && attribute(tag, "id").is_some();
                let due = (is_first || is_next) && std::mem::take(&mut self.is_due);
                let due = if due { "\n" } else { "" };
                let signs = match (is_first, is_next) {
                    (true, _) => format!("{due}{}", NOTE.0),
                    (_, true) => format!("{}{due}{}", NOTE.1, NOTE.0),
                    _ => String::new(),
                };
                self.shown(from, to, &signs);
                self.note_has_words &= self.notes > 0 && !is_next;
                self.notes += 1;
            }
            Some(MarkupRole::Translation) => {
                self.line_end(from, to);
                self.translations += 1;
            }
            _ => self.mark(from, to),
        }
        let class = self.found.open(tag, role);
        if self.open.len() < MAX_DEPTH {
            let name = tag.name.to_vec();
            self.open.push(OpenElement { name, role, class, tag: Span::new(from, to) });
        } else {
            self.left(role, Span::new(from, to), to, to);
        }
        if tag.self_closing && self.open.last().is_some_and(|open| open.tag.start() == from) {
            self.close(to, to);
        }
    }

    fn end(&mut self, tag: &EndTag<usize>) {
        let (from, to) = (tag.span.start, tag.span.end);
        let Some(n) = self.open.iter().rposition(|open| open.name == **tag.name) else {
            return self.mark(from, to);
        };
        while self.open.len() > n + 1 {
            self.close(from, from);
        }
        self.close(from, to);
    }

    /// Ends the innermost element, by the tag between two bytes if there is one.
    fn close(&mut self, from: usize, to: usize) {
        if let Some(open) = self.open.pop() {
            if open.name == b"title" && self.title.is_none() {
                self.title = self.text.get(open.tag.end()..from).and_then(title_of);
            }
            self.left(open.role, open.tag, from, to);
            if matches!(open.role, Some(MarkupRole::Note | MarkupRole::NoteOf(_))) {
                self.is_due |= is_line(&open.name) && std::mem::take(&mut self.in_line);
            }
        }
    }

    fn left(&mut self, role: Option<MarkupRole>, tag: Span, from: usize, to: usize) {
        let inner = Span::new(tag.end(), from.max(tag.end()));
        match role {
            Some(MarkupRole::Drop) => {
                self.dropped -= 1;
                self.out(tag.start(), to, Aside::Furniture);
            }
            Some(MarkupRole::Sound) => {
                self.dropped -= 1;
                self.out(tag.start(), to, Aside::Mark);
            }
            Some(MarkupRole::Line) => self.line_end(from, to),
            Some(MarkupRole::Classic) => {
                // What is named within it counts.
                let is_bare = self.roles.last().is_none_or(|(s, _)| s.end() <= inner.start());
                self.roles.extend(is_bare.then_some((inner, NamedRole::Classic)));
                self.line_end(from, to);
            }
            Some(MarkupRole::LineOf(layer)) => {
                // A line in another is named with it.
                let is_base = |open: &OpenElement| matches!(open.role, Some(MarkupRole::LineOf(l)) if l.kind() == LayerKind::Base);
                if self.dropped == 0 && !self.open.iter().any(is_base) {
                    self.name_line(layer, inner);
                }
                self.line_end(from, to);
            }
            Some(MarkupRole::Note | MarkupRole::NoteOf(_)) => {
                self.notes -= 1;
                let is_first = self.notes == 0 && self.translations == 0;
                if is_first && self.dropped == 0 {
                    let named = match role {
                        Some(MarkupRole::NoteOf(layer)) => NamedRole::Of(layer),
                        _ => NamedRole::Note,
                    };
                    self.roles.push((inner, named));
                }
                self.shown(from, to, if is_first { NOTE.1 } else { "" });
            }
            Some(MarkupRole::Translation) => {
                self.line_end(from, from);
                self.translations -= 1;
                self.line_end(from, to);
            }
            Some(MarkupRole::Text) | None => self.mark(from, to),
        }
    }

    /// Names the layer of a line; the notes in one of the text stay notes.
    fn name_line(&mut self, layer: Layer, line: Span) {
        let mut at = line.start();
        if layer.kind() == LayerKind::Base {
            let within = self.roles.partition_point(|(span, _)| span.end() <= line.start());
            for note in self.roles.split_off(within) {
                self.roles.push((Span::new(at, note.0.start().max(at)), NamedRole::Of(layer)));
                at = at.max(note.0.end());
                self.roles.push(note);
            }
        }
        self.roles.push((Span::new(at, line.end().max(at)), NamedRole::Of(layer)));
    }

    /// Takes an element out as a whole, if that around it is not taken out.
    fn out(&mut self, from: usize, to: usize, aside: Aside) {
        if self.dropped > 0 {
            return;
        }
        let from = from.max(self.at);
        if self.translations > 0 {
            self.of_line.push(Span::new(from, to.max(from)));
        } else {
            self.edits.taken(from, to, aside);
        }
        self.at = self.at.max(to);
    }

    /// The end of a line, at a tag.
    fn line_end(&mut self, from: usize, to: usize) {
        if self.dropped > 0 {
            return;
        }
        let words = self.rendered.take();
        for tag in std::mem::take(&mut self.of_line) {
            match words.is_some_and(|words| words.contains(tag)) {
                true => self.marks.push(tag),
                false => self.edits.mark(tag.start(), tag.end()),
            }
        }
        if let Some(words) = words {
            self.edits.taken(words.start(), words.end(), Aside::Text(Layer::Translation));
        }
        self.is_due |= std::mem::take(&mut self.in_line);
        let from = from.max(self.at);
        self.edits.mark(from, to.max(from));
        self.at = to.max(from);
    }

    /// Characters between tags.
    fn words(&mut self, from: usize, to: usize) {
        let from = from.max(self.at);
        if self.dropped > 0 || from >= to {
            self.found.left_out(&self.text[from.min(to)..to]);
            return;
        }
        let words = &self.text[from..to];
        let trimmed = words.trim_matches(is_space);
        let start = to - words.trim_start_matches(is_space).len();
        self.at = to;
        if self.translations > 0 {
            let whole = self.rendered.map_or(start, Span::start);
            let with_these = Span::new(whole, (start + trimmed.len()).max(whole));
            self.rendered = if trimmed.is_empty() { self.rendered } else { Some(with_these) };
        } else if self.open.iter().any(|open| open.name == b"pre") {
            // Its lines are those of the text.
            if !trimmed.is_empty() && std::mem::take(&mut self.is_due) {
                self.edits.shown(from, from, "\n");
            }
        } else if trimmed.is_empty() && (!self.in_line || words.contains('\n')) {
            self.edits.taken(from, to, Aside::LineEnd);
        } else if self.in_line {
            self.blanks(from, to);
        } else {
            self.edits.taken(from, start, Aside::LineEnd);
            if std::mem::take(&mut self.is_due) {
                self.edits.shown(start, start, "\n");
            }
            self.blanks(start, to);
        }
        self.in_line |= !trimmed.is_empty();
        self.note_has_words |= self.notes > 0 && !trimmed.is_empty();
        self.see_words(trimmed);
        let class = self.open.iter().rev().find_map(|open| open.class);
        self.found.count(class, trimmed);
    }

    /// Blanks and ends of lines among words: ends of lines between Chinese characters mean nothing.
    fn blanks(&mut self, from: usize, to: usize) {
        let words = &self.text[from..to];
        let mut at = 0;
        while let Some(n) = words[at..].find(is_space).map(|n| at + n) {
            let end = n + (words[n..].len() - words[n..].trim_start_matches(is_space).len());
            let beside = [words[..n].chars().next_back(), words[end..].chars().next()];
            let is_latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii_graphic());
            let shown = match beside.into_iter().any(is_latin) {
                true => " ",
                false if words[n..end].contains(['\n', '\r']) => "",
                false => &words[n..end],
            };
            if &words[n..end] != shown {
                self.edits.shown(from + n, from + end, shown);
            }
            at = end;
        }
    }

    /// Ends the cells and rows that what begins ends, and that have no end of their own.
    fn end_cells(&mut self, name: &[u8], at: usize) {
        let ended: &[&[u8]] = match name {
            b"td" | b"th" => &[b"td", b"th"],
            b"tr" => &[b"td", b"th", b"tr"],
            b"tbody" | b"thead" | b"tfoot" => &[b"td", b"th", b"tr", b"tbody", b"thead"],
            _ => return,
        };
        let of_table = self.open.iter().rposition(|open| open.name == b"table").unwrap_or(0);
        let is_ended = |open: &OpenElement| ended.contains(&&open.name[..]);
        while self.open.iter().skip(of_table).any(is_ended) {
            self.close(at, at);
        }
    }

    /// The role of an element, by the column that it is in, by itself, or by what it begins with.
    fn role(&self, tag: &StartTag<usize>) -> Option<MarkupRole> {
        let (from, to) = (tag.span.start, tag.span.end);
        if let Some(cell) = self.cells.get(&from) {
            // What a note is of, its class may say.
            let own = || role(tag, self.hints.named, false);
            let of = (*cell == MarkupRole::Note).then(own).flatten();
            let says_more = |role: &MarkupRole| {
                use MarkupRole::{Drop, LineOf, NoteOf, Translation};
                matches!(role, NoteOf(_) | Translation | Drop | LineOf(_))
            };
            return of.filter(says_more).or(Some(*cell));
        }
        if let Some(role) = own(tag).filter(|_| self.is_own) {
            return Some(role);
        }
        let words = |end| words_of(self.text, to, end);
        let named = match &**tag.name {
            b"details" => words("</summary>").and_then(|name| of_name(&name)),
            b"summary" => {
                words("</summary>").and_then(|name| of_name(&name)).map(|_| MarkupRole::Drop)
            }
            b"sup" if self.is_linked || attribute(tag, "class") == Some("n") => {
                words("</sup>").filter(|w| is_number(w)).map(|_| MarkupRole::Sound)
            }
            b"a" if self.is_linked => {
                let to_note = attribute(tag, "href").is_some_and(|to| to.contains('#'));
                let number = to_note.then(|| words("</a>")).flatten().filter(|w| is_number(w));
                number.map(|_| MarkupRole::Sound)
            }
            _ => None,
        };
        named.or_else(|| role(tag, self.hints.named, self.small.contains(&from)))
    }

    fn finish(mut self) -> Taken {
        let end = self.text.len();
        let unfinished = cut_off::unfinished(&self.open);
        while !self.open.is_empty() {
            self.close(end, end);
        }
        let Page { edits, roles, marks, title, found, images, .. } = self;
        let mut remarks = found.remarks();
        remarks.extend(unfinished);
        if let Some(first) = images.first() {
            let message = format!("{} images among the words are left out", images.len());
            let hint = "if they are characters, write them";
            remarks.push(Diagnostic::warning("images-left-out", *first, message).hint(hint));
        }
        Taken { edits: edits.finish(), remarks, roles, marks, title, ..Taken::default() }
    }
}

/// A blank of the markup; ideographic and fixed blanks are text.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{C}')
}

#[cfg(test)]
mod tests;
