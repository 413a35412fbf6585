//! What an element of a web page contains: a table of elements, classes and styles.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use html5gum::StartTag;
use regex::Regex;
use rustc_hash::FxHashMap;

use crate::diag::Diagnostic;
use crate::model::{Layer, LayerKind};
use crate::source::Span;
use crate::text::class::is_content;
use crate::text::pattern;
use crate::vessels::NamedLayers;
use crate::vessels::edits::has_han;

/// What the text of an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkupRole {
    /// Begins and ends a line, or ends one.
    Line,
    /// A line of this layer: a heading, the label of a section, words outside the layers, 傳.
    LineOf(Layer),
    /// A note, of whatever layer.
    Note,
    /// A note of this layer.
    NoteOf(Layer),
    /// A translation.
    Translation,
    /// A sign in the text: how the characters before it sound, the number of a note.
    Sound,
    /// Not text of the work.
    Drop,
    /// Text of the work.
    Text,
    /// A line of the classic, whatever it looks like.
    Classic,
}

impl MarkupRole {
    /// True if it begins and ends a line.
    pub fn is_line(self) -> bool {
        matches!(self, MarkupRole::Line | MarkupRole::LineOf(_) | MarkupRole::Classic)
    }
}

static TABLE: LazyLock<FxHashMap<&'static str, MarkupRole>> = LazyLock::new(|| {
    let rows = include_str!("../data/roles.tsv").lines();
    let rows = rows.filter(|l| !l.starts_with("# ") && !l.is_empty());
    rows.map(|row| read(row).expect("a test reads the table")).collect()
});

fn read(row: &'static str) -> Option<(&'static str, MarkupRole)> {
    let (name, role) = row.split_once('\t')?;
    let role = match role {
        "line" => MarkupRole::Line,
        "note" => MarkupRole::Note,
        "translation" => MarkupRole::Translation,
        "sound" | "mark" => MarkupRole::Sound,
        "drop" => MarkupRole::Drop,
        "text" => MarkupRole::Text,
        layer => line_or_note(layer.parse().ok()?)?,
    };
    Some((name, role))
}

/// As [`of_layer`]; a layer of structure is a line, as is a tradition beside the classic.
fn line_or_note(layer: Layer) -> Option<MarkupRole> {
    let is_line = matches!(layer, Layer::Heading | Layer::Label | Layer::Other | Layer::Zhuan);
    if is_line { Some(MarkupRole::LineOf(layer)) } else { of_layer(layer) }
}

/// The role of an element whose text is of a layer.
pub(super) fn of_layer(layer: Layer) -> Option<MarkupRole> {
    match layer.kind() {
        LayerKind::Base => Some(MarkupRole::Text),
        LayerKind::Note | LayerKind::Commentary => Some(MarkupRole::NoteOf(layer)),
        LayerKind::Translation => Some(MarkupRole::Translation),
        LayerKind::Structure | LayerKind::Outside | LayerKind::Undivided => None,
    }
}

/// An attribute of a tag.
pub(super) fn attribute<'t>(tag: &'t StartTag<usize>, name: &str) -> Option<&'t str> {
    std::str::from_utf8(tag.attributes.get(name.as_bytes())?).ok()
}

static LANGUAGE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"<html\b[^<>]*?\blang=["']([A-Za-z-]{2,20})["']"#));

/// A sign of the pages of books that we write.
const OWN_BOOKS: &str = "<p class=\"text\">";

/// Pages of a book of ours that are translations: those in another language than old Chinese, where
/// some are in that.
pub(super) fn in_other_languages(text: &str) -> Vec<(usize, MarkupRole)> {
    let pages: Vec<_> = LANGUAGE.captures_iter(text).collect();
    let is_old = |page: &regex::Captures<'_>| page[1].starts_with("lzh");
    if !text.contains(OWN_BOOKS) || !pages.iter().any(is_old) {
        return vec![];
    }
    let others = pages.iter().filter(|page| !is_old(page));
    others.map(|page| (page.get_match().start(), MarkupRole::Translation)).collect()
}

/// Elements that are notes if their type is small; others are parts of the page.
const MAY_BE_SMALL: [&str; 9] = ["span", "font", "sub", "sup", "b", "i", "em", "p", "blockquote"];

/// The id of a note to which a link leads, and the elements that have such.
static NOTE_ID: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^#_?(?:ftn|edn|fn|footnote|endnote)[-_:.]?\d+$"));
const NOTE_BLOCKS: [&str; 5] = ["li", "div", "p", "aside", "dd"];

/// True for an element that begins and ends a line by itself.
pub(super) fn is_line(name: &[u8]) -> bool {
    std::str::from_utf8(name).is_ok_and(|name| TABLE.get(name) == Some(&MarkupRole::Line))
}

/// What stands between the title of a page and the name of its site.
const BEFORE_SITE: [&str; 6] = [" - ", " – ", " | ", "_", " _ ", "——"];

/// The title of a page without the name of its site.
pub(super) fn title_of(whole: &str) -> Option<String> {
    let whole = whole.trim();
    let end = BEFORE_SITE.iter().filter_map(|sign| whole.find(sign)).min();
    let title = whole[..end.unwrap_or(whole.len())].trim();
    has_han(title).then(|| title.to_string())
}

/// The role that the manifest or the table gives an element. Small type is a note.
pub(super) fn role(
    tag: &StartTag<usize>,
    named: Option<&NamedLayers<'_>>,
    is_small: bool,
) -> Option<MarkupRole> {
    let element = String::from_utf8_lossy(&tag.name);
    let classes = attribute(tag, "class").unwrap_or_default().to_lowercase();
    let id = attribute(tag, "id").map(|id| format!("#{}", id.to_lowercase()));
    let kinds = attribute(tag, "epub:type").unwrap_or_default();
    let words = classes.split_whitespace().chain(kinds.split_whitespace());
    let said = words.clone().chain([&*element]).find_map(|word| named?(word));
    if let Some(role) = said.map(|layer| of_layer(layer).unwrap_or(MarkupRole::Drop)) {
        return Some(role);
    }
    if kinds == "titlepage" && element == "section" {
        return Some(MarkupRole::Drop);
    }
    let style = attribute(tag, "style").unwrap_or_default().replace(' ', "");
    if tag.attributes.contains_key(&b"hidden"[..]) || style.contains("display:none") {
        return Some(MarkupRole::Drop);
    }
    let by_class = words.map(of_class).find(Option::is_some).flatten();
    // Small lines of what was recognised in an image are notes.
    // A page is not left out as a whole.
    let may_go = !["html", "body", "main", "article"].contains(&&*element);
    let by_class = by_class.filter(|role| may_go || *role != MarkupRole::Drop);
    let by_class = by_class.filter(|role| !(is_small && *role == MarkupRole::Line));
    // A paragraph of the text is a paragraph.
    let by_class = by_class.map(|role| match role {
        MarkupRole::Text if is_line(&tag.name) => MarkupRole::Line,
        role => role,
    });
    let by_id = || {
        let id = id.as_deref()?;
        let is_note = NOTE_ID.is_match(id) && NOTE_BLOCKS.contains(&&*element);
        TABLE.get(id).copied().or(is_note.then_some(MarkupRole::Note))
    };
    let by_size = || (is_small && MAY_BE_SMALL.contains(&&*element)).then_some(MarkupRole::Note);
    by_class.or_else(by_id).or_else(by_size).or_else(|| TABLE.get(&*element).copied())
}

/// What the pages that we write say of an element: the layer of its text, or that it is our own
/// words or a list of references.
pub(super) fn own(tag: &StartTag<usize>) -> Option<MarkupRole> {
    if let Some(layer) = attribute(tag, "data-l") {
        return line_or_note(layer.parse().ok()?);
    }
    let is_list = tag.attributes.contains_key(&b"popover"[..]);
    let is_said = tag.attributes.contains_key(&b"data-m"[..]);
    (is_said || is_list).then_some(MarkupRole::Drop)
}

fn of_class(class: &str) -> Option<MarkupRole> {
    let known = TABLE.get(&*format!(".{class}")).copied();
    // The Chinese name of a layer.
    known.or_else(|| line_or_note(class.parse().ok().filter(|_: &Layer| !class.is_ascii())?))
}

/// Classes with at most this much of the characters of their page are not named, in percent.
const FEW_PERCENT: usize = 2;
/// How many classes are named.
const MAX_NAMED: usize = 8;

/// Which elements and classes were found, and how many characters those hold that have no role.
#[derive(Default)]
pub(super) struct FoundRoles {
    /// How many elements of each name are notes or a translation.
    roles: BTreeMap<String, usize>,
    /// Classes inside lines that have no role: the name, characters, and where the first is.
    unknown: Vec<(String, usize, usize)>,
    numbers: FxHashMap<String, usize>,
    /// Chinese characters of the page.
    all: usize,
    /// The same of what is no text of the work.
    left_out: usize,
}

impl FoundRoles {
    /// Takes up an element; returns the number of its class if that has no role.
    pub(super) fn open(
        &mut self,
        tag: &StartTag<usize>,
        role: Option<MarkupRole>,
    ) -> Option<usize> {
        let element = String::from_utf8_lossy(&tag.name);
        let class = attribute(tag, "class").and_then(|class| class.split_whitespace().next());
        match role {
            Some(MarkupRole::Note | MarkupRole::NoteOf(_) | MarkupRole::Translation) => {
                let name = class.map_or(element.to_string(), |class| format!("{element}.{class}"));
                *self.roles.entry(name).or_default() += 1;
                None
            }
            None if element == "span" || element == "font" => {
                let name = class?.to_string();
                let number = self.numbers.entry(name.clone()).or_insert_with(|| {
                    self.unknown.push((name, 0, tag.span.end));
                    self.unknown.len() - 1
                });
                Some(*number)
            }
            _ => None,
        }
    }

    /// Counts characters of text, in the innermost class without a role.
    pub(super) fn count(&mut self, class: Option<usize>, words: &str) {
        let chars = words.chars().filter(|c| is_content(*c) && !c.is_ascii()).count();
        self.all += chars;
        if let Some(n) = class {
            self.unknown[n].1 += chars;
        }
    }

    /// Counts characters of what is no text of the work.
    pub(super) fn left_out(&mut self, words: &str) {
        self.left_out += words.chars().filter(|c| is_content(*c) && !c.is_ascii()).count();
    }

    /// Names them.
    pub(super) fn remarks(mut self) -> Vec<Diagnostic> {
        let mut remarks = vec![];
        if !self.roles.is_empty() {
            let named = self.roles.iter().map(|(name, n)| format!("{name} ({n})"));
            let named = named.take(MAX_NAMED).collect::<Vec<_>>().join(", ");
            let message = format!("elements of the page that are notes or a translation: {named}");
            remarks.push(Diagnostic::info("markup-roles", None, message));
        }
        let all = self.all;
        if self.left_out > all {
            let message = "more Chinese characters of the page are left out, as menus, scripts and \
                           the like, than are read";
            let hint = "if they are text, say so in a manifest: [keys], then \"class\" = \"jing\"";
            let start = Span::new(0, 0);
            remarks.push(Diagnostic::warning("page-left-out", start, message).hint(hint));
        }
        self.unknown.retain(|(_, chars, _)| *chars * 100 > all * FEW_PERCENT);
        self.unknown.sort_by_key(|(_, chars, _)| std::cmp::Reverse(*chars));
        if let Some((_, _, at)) = self.unknown.first() {
            let named = self.unknown.iter().map(|(name, chars, _)| format!("“{name}” ({chars})"));
            let named = named.take(MAX_NAMED).collect::<Vec<_>>().join(", ");
            let message = format!(
                "no layer is known for these classes, with their Chinese characters: {named}; they \
                 are read as words of the text around them"
            );
            let hint = "if one holds notes or a translation, say so in a manifest: [keys], then \
                        \"class\" = \"zhu\"";
            let at = Span::new(*at, *at);
            remarks.push(Diagnostic::info("classes-unknown", at, message).hint(hint));
        }
        remarks
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_row_of_the_table_is_read() {
        assert!(super::TABLE.len() > 50);
    }
}
