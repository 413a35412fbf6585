//! Mandoku files, the format of the Kanseki Repository: `#+TITLE:` properties, `<pb:…>` where a
//! page begins, `¶` where a printed line ends, double rows as `(right/left)`, closed and reopened
//! at each line's end, and `&KR0764;` for characters that Unicode lacked. Some files have the left
//! half of a row first ([`rows`]); their text is put in the order of reading.
//!
//! The format describes the page, not the layers. Books mark the layers in different ways
//! ([`styles`]), and the reader reports the style that it found. A run of brackets over line ends
//! is one note, with only marks between its parts.

mod labels;
mod names;
mod rows;
mod styles;
mod tokens;

use std::sync::Arc;

use crate::diag::{Diagnostic, Error};
use crate::model::{Cover, Document, Evidence, Layer, Meta};
use crate::source::Source;
use crate::text::numeral;
use styles::{Change, Style};
use tokens::{MandokuKind, MandokuToken, Tokens};

/// Recognises the mode line, page marks and line ends.
pub fn sniff(head: &str) -> u8 {
    let start = super::start(head);
    if start.starts_with("# -*- mode: mandoku") {
        return 100;
    }
    let ends = head.matches("¶\n").count() + head.matches("¶\r\n").count();
    match (head.contains("<pb:"), ends * 2 >= head.lines().count() && ends > 1) {
        (true, true) => 95,
        (true, false) | (false, true) => 70,
        _ => 0,
    }
}

/// Reads. See the [module](self).
///
/// # Errors
/// None of its own: odd brackets become diagnostics.
pub fn read(source: Source) -> Result<Document, Error> {
    let mut cut = tokens::cut(source.text());
    let rows = rows::stored(source.text(), &cut);
    let source = match source.exchanged(&rows.exchanged) {
        Some(in_order) if !rows.exchanged.is_empty() => {
            cut = tokens::cut(in_order.text());
            in_order
        }
        _ => source,
    };
    let source = Arc::new(source);
    let mut document = Document::new(source.clone(), "mandoku");
    let text = source.text();
    let style = Style::of(text, &cut);
    let plan = styles::plan(text, &cut, style);
    write(text, &cut, &plan).finish_into(&mut document);
    document.cited_as = meta(text, &cut, &mut document.meta);
    document.diagnostics.push(Diagnostic::info("mandoku-style", None, style.about()));
    document.diagnostics.extend(rows.diagnostics());
    document.diagnostics.extend(cut.diagnostics);
    Ok(document)
}

/// Applies the plan to the tokens.
fn write<'a>(text: &'a str, cut: &'a Tokens, plan: &[Change]) -> Cover<'a> {
    let now = Change::new(0, Layer::Other);
    let mut writer =
        TokenWriter { text, cut, cover: Cover::new(text), now, last: None, gap: Vec::new() };
    let mut next = 0;
    for token in &cut.tokens {
        match token.kind {
            MandokuKind::Mark | MandokuKind::Blank => writer.gap.push(token),
            MandokuKind::Property => writer.aside(token, Layer::Furniture),
            MandokuKind::Words
                if cut.lines[token.line].heading || cut.lines[token.line].title && !token.note =>
            {
                writer.aside(token, Layer::Heading)
            }
            MandokuKind::Words => {
                let here = plan[next..].iter().take_while(|c| c.at < token.span.end()).count();
                writer.words(token, &plan[next..next + here]);
                next += here;
            }
        }
    }
    writer.marks();
    writer.cover
}

struct TokenWriter<'a> {
    text: &'a str,
    cut: &'a Tokens,
    cover: Cover<'a>,
    /// The layer of the text, and the byte from which it applies.
    now: Change,
    /// The text before, and what followed it.
    last: Option<&'a MandokuToken>,
    gap: Vec<&'a MandokuToken>,
}

impl<'a> TokenWriter<'a> {
    /// Adds text, with the changes of layer up to its end. If only a line, page or row ends between
    /// text of one layer, it is one segment.
    fn words(&mut self, token: &'a MandokuToken, changes: &[Change]) {
        let start = token.span.start();
        let (first, later) = changes.split_at(changes.iter().take_while(|c| c.at <= start).count());
        let goes_on = first.iter().all(|c| (c.layer, c.why) == (self.now.layer, self.now.why))
            && self.turns(token);
        self.now = first.last().copied().unwrap_or(self.now);
        let end = |n: usize| later.get(n).map_or(token.span.end(), |c| c.at);
        if goes_on {
            self.gap.clear();
            self.cover.go_on(start, end(0));
        } else {
            self.marks();
            self.put(end(0));
        }
        for (n, change) in later.iter().enumerate() {
            self.now = *change;
            self.put(end(n + 1));
        }
        self.last = Some(token);
    }

    fn put(&mut self, end: usize) {
        match self.now {
            Change { layer, why: Some((certainty, kind)), .. } => {
                self.cover.inferred(end, layer, certainty, Evidence::of(kind.clone()))
            }
            Change { layer, .. } => self.cover.to(end, layer),
        }
    }

    /// True if only the end of a line, page or row is between the last text and this.
    fn turns(&self, token: &MandokuToken) -> bool {
        let Some(last) = self.last else { return false };
        let ends_line = |t: &MandokuToken| self.text[t.span.range()].contains('\n');
        if self.gap.windows(2).any(|w| ends_line(w[0]) && ends_line(w[1])) {
            return false;
        }
        let brackets = |t: &&&MandokuToken| matches!(&self.text[t.span.range()], "(" | ")" | "/");
        let brackets: String =
            self.gap.iter().filter(brackets).map(|t| &self.text[t.span.range()]).collect();
        let line_ends = self.gap.iter().any(|t| ends_line(t));
        match (last.note, token.note) {
            (true, true) => matches!(&brackets[..], "" | "/") || brackets == ")(" && line_ends,
            (false, false) => {
                let (above, here) =
                    (self.cut.lines[last.line].indent, self.cut.lines[token.line].indent);
                brackets.is_empty() && (here == 0 || here == above)
            }
            _ => false,
        }
    }

    /// Adds what belongs to no layer of the text.
    fn aside(&mut self, token: &MandokuToken, layer: Layer) {
        self.marks();
        self.cover.to(token.span.start(), Layer::Blank);
        self.cover.to(token.span.end(), layer);
        self.last = None;
    }

    /// Adds the marks since the last text as separate segments.
    fn marks(&mut self) {
        for token in std::mem::take(&mut self.gap) {
            self.cover.to(token.span.start(), Layer::Blank);
            self.cover.to(
                token.span.end(),
                if token.kind == MandokuKind::Blank { Layer::Blank } else { Layer::Mark },
            );
        }
    }
}

/// Title, edition and chapter, from the properties and the headings. Returns the id of the work,
/// which its files have in common.
fn meta(text: &str, cut: &Tokens, meta: &mut Meta) -> Option<String> {
    let (mut title, mut work) = (None, None);
    for property in cut.tokens.iter().filter(|t| t.kind == MandokuKind::Property) {
        let words = text[property.span.range()].trim();
        if let Some(t) = words.strip_prefix("#+TITLE:") {
            title = Some(t.trim().to_string()).filter(|t| !t.is_empty());
        } else if let Some(id) = words.strip_prefix("#+PROPERTY: ID") {
            meta.origin = Some(format!("Kanseki Repository {}", id.trim()));
            work = Some(id.trim().to_string()).filter(|id| !id.is_empty());
        } else if let Some(volume) = words.strip_prefix("#+PROPERTY: JUAN") {
            meta.number = volume.trim().parse().ok();
        } else if let Some(edition) = words.strip_prefix("#+PROPERTY: BASEEDITION") {
            meta.edition = Some(edition.trim().to_string());
        }
    }
    let heads = cut.lines.iter().filter(|l| l.heading || l.title).map(|l| &text[l.span.range()]);
    let chapter = heads.filter(|h| !h.contains(['卷', '巻'])).find_map(|h| {
        let (name, n) = h.split_once('第')?;
        let n: String = n.chars().take_while(|c| "一二三四五六七八九十百".contains(*c)).collect();
        Some((name.trim().to_string(), numeral::parse(&n)?))
    });
    if let Some((name, n)) = chapter {
        (meta.chapter, meta.number) = (Some(name), Some(n));
    }
    if let Some(title) = title {
        meta.title = meta.chapter.as_ref().map_or(title.clone(), |c| format!("{title}・{c}"));
    }
    work
}
