//! Any text whose notes are in brackets: 【…】, （…）, 〔…〕, 〈…〉, wikitext's `{{*|…}}`,
//! `<small>`.
//!
//! The kind that contains the notes is found by counting: the kind with most text inside. Text
//! outside is classic, text inside is commentary, with readings of characters after a ○ in it. The
//! reader knows wikitext's headings, templates and bold marks, and lines that open with a coloured
//! 【疏】. A note may continue over lines, but not over an empty line or a heading.

use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::diag::{Diagnostic, Error};
use crate::model::thresholds::AFTER_UNCLOSED_MARK;
use crate::model::{Cover, Document, Evidence, EvidenceKind, Layer, LayerKind, Meta, layer_named};
use crate::source::{Source, Span};
use crate::text::class::{closes, ends_sentence, is_content};
use crate::text::{self, Line, numeral, pattern, sound};

/// A kind of brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BracketKind {
    open: &'static str,
    close: &'static str,
}

/// All kinds, the more specific first: of two with equally much text the first is chosen.
static BRACKET_KINDS: &[BracketKind] = &[
    BracketKind { open: "{{*|", close: "}}" },
    BracketKind { open: "<small>", close: "</small>" },
    BracketKind { open: "【", close: "】" },
    BracketKind { open: "〔", close: "〕" },
    BracketKind { open: "〈", close: "〉" },
    BracketKind { open: "（", close: "）" },
    BracketKind { open: "(", close: ")" },
    BracketKind { open: "［", close: "］" },
    BracketKind { open: "〖", close: "〗" },
    BracketKind { open: "｛", close: "｝" },
    BracketKind { open: "＜", close: "＞" },
    BracketKind { open: "︵", close: "︶" },
    BracketKind { open: "︹", close: "︺" },
    BracketKind { open: "︻", close: "︼" },
    BracketKind { open: "[", close: "]" },
    BracketKind { open: "{", close: "}" },
];

/// A text with notes at a low density: least share of the text inside, and least number of them.
const MIN_SHARE: f64 = 0.02;
const MIN_NOTES: usize = 40;
/// Below so many Chinese characters a text is short.
const SHORT: usize = 500;
/// Most lines of a note, and most bytes.
const MAX_NOTE_LINES: usize = 40;
const MAX_NOTE_BYTES: usize = 20_000;
/// Longest template in lines of its own, in bytes.
const MAX_TEMPLATE_BYTES: usize = 4096;
/// Longest line before the text that can be a title, in characters.
const MAX_TITLE_CHARS: usize = 24;

static HEADING: LazyLock<Regex> = LazyLock::new(|| {
    let n = "[一二三四五六七八九十百上中下]+";
    pattern(&format!(
        r"^(?:={{2,}}[^=]+={{2,}}|[#●◎■].{{1,40}}|\S{{0,8}}卷[第之]?{n}|\S{{1,10}}第{n})$"
    ))
});
static TITLE_BEFORE_NOTE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\S{1,10}第[一二三四五六七八九十百]+$"));
/// What is in brackets and no note: a number, a dose of a medicine and how it is prepared, a title.
static NO_NOTE: LazyLock<Regex> = LazyLock::new(|| {
    let n = "[0-9〇一二三四五六七八九十百半各數数]+";
    let unit = "[兩两錢钱分斤升合枚個个條条片粒斗匙盞盏字根錠丸撮握把杯盅厘石莖段具對对]";
    pattern(&format!(
        r"^(?:{n}|[^。]{{0,12}}{n}{unit}[半許许]?[^。]{{0,4}}|[^。]{{0,6}}[炒炙煅焙洗浸研煨飛泡剉]|去[^。]{{1,5}}|《[^《》]*》|)$"
    ))
});
/// A wikitext line of sub-commentary.
static SHU: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[:：]*(?:\{\{[^{}|]{1,8}\|)?[\[【〔]疏[\]】〕](?:\}\})?"));
/// Wikitext around words.
static WIKI: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"'{2,5}|<ref[^>]*/>|<ref[^>]*>[^<]*</ref>|<!--.*?-->|^[:*#;]+"));

/// Looks for brackets of one kind that contain a good part of the text.
pub fn sniff(head: &str) -> u8 {
    let start = super::start(head);
    if start.starts_with(['<', '['])
        || (start.starts_with('{') && !start.starts_with("{{"))
        || start.starts_with("# -*-")
    {
        return 0;
    }
    match kind_of(head) {
        Some((kind, share, _)) if kind.open == "{{*|" && share > 0.02 => 80,
        Some((kind, share, _)) if kind.open == "<small>" && share > 0.05 => 20,
        Some((_, share, _)) if (0.15..0.95).contains(&share) => 30,
        Some((kind, share, n)) if share > MIN_SHARE && n >= MIN_NOTES && kind.open != "〈" => 26,
        _ => 0,
    }
}

/// The kind of brackets with most text inside, its share of all text, and how many there are, if
/// there are at least three of them. Numbers, doses and titles in brackets are not notes.
fn kind_of(text: &str) -> Option<(BracketKind, f64, usize)> {
    let content = |w: &str| w.chars().filter(|c| is_content(*c) && !c.is_ascii()).count();
    let all = content(text).max(1);
    let mut best: Option<(BracketKind, usize, usize)> = None;
    // Templates have braces too.
    let kinds = BRACKET_KINDS.iter().filter(|kind| kind.open != "{" || !text.contains("{{"));
    for kind in kinds {
        let (mut inside, mut n, mut others, mut after_text) = (0, 0, 0, false);
        let mut rest = text;
        while let Some(i) = rest.find(kind.open) {
            after_text |= rest[..i].ends_with(|c| is_content(c) || ends_sentence(c) || closes(c));
            rest = &rest[i + kind.open.len()..];
            let Some(end) = rest.find(kind.close) else { break };
            if NO_NOTE.is_match(rest[..end].trim()) {
                others += 1;
            } else {
                inside += content(&rest[..end]);
                n += 1;
            }
            rest = &rest[end + kind.close.len()..];
        }
        // In a text of recipes what is no dose is no note either.
        if others > n {
            continue;
        }
        // A short text may have a single note; it follows words, as a title in brackets does not.
        let few = n > 0 && (kind.open == "{{*|" || kind.open == "【" && after_text && all < SHORT);
        if (n >= 3 || few) && best.is_none_or(|(_, most, _)| inside > most) {
            best = Some((*kind, inside, n));
        }
    }
    best.map(|(kind, inside, n)| (kind, inside as f64 / all as f64, n))
}

/// Reads. See the [module](self).
///
/// # Errors
/// None: odd brackets become diagnostics.
pub fn read(source: Source) -> Result<Document, Error> {
    let source = Arc::new(source);
    let mut document = Document::new(source.clone(), "brackets");
    let text = source.text();
    let kind = kind_of(text).map_or(BRACKET_KINDS[2], |(k, ..)| k);
    let mut parser = BracketParser {
        text,
        kind,
        cover: Cover::new(text),
        diagnostics: vec![],
        templates: templates(text),
        names: names(text, kind),
        meta: Meta::default(),
        begun: false,
    };
    let lines = text::lines(text);
    let mut n = 0;
    while n < lines.len() {
        n += parser.line(&lines, n);
    }
    let message =
        format!("text in {}…{} is read as commentary, the rest as classic", kind.open, kind.close);
    document.diagnostics.push(Diagnostic::info("notes-in-brackets", None, message));
    document.diagnostics.extend(parser.diagnostics);
    document.segments = parser.cover.finish().into();
    if let Some(chapter) = parser.meta.chapter {
        (document.meta.title, document.meta.chapter, document.meta.number) =
            (parser.meta.title, Some(chapter), parser.meta.number);
    }
    Ok(document)
}

/// Templates in lines of their own: from `{{` at the start of a line to the closing `}}`.
fn templates(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text::lines(text) {
        let start = line.words.start();
        let words = &text[start..];
        if start < at || !words.starts_with("{{") || words.starts_with("{{*|") {
            continue;
        }
        let words = &words[..super::floor(words, MAX_TEMPLATE_BYTES)];
        let mut depth = 0i32;
        let end = words.match_indices(['{', '}']).find_map(|(i, b)| {
            depth += if b == "{" { 1 } else { -1 };
            (depth == 0).then_some(i + 1)
        });
        // An empty line ends an unclosed note.
        let limit = words.find("\n\n").unwrap_or(words.len());
        if let Some(end) = end
            .filter(|e| *e <= limit && (words[*e..].starts_with(['\n', '\r']) || words.len() == *e))
        {
            at = start + end;
            found.push(Span::new(start, at));
        }
    }
    found
}

/// The names of layers that stand alone before the brackets of several lines. Those of notes may be
/// words of a dictionary.
fn names(text: &str, kind: BracketKind) -> Vec<(&str, Layer)> {
    let mut found: Vec<(&str, Layer)> = vec![];
    let mut several = vec![];
    for line in text.lines() {
        let Some((name, _)) = line.split_once(kind.open) else { continue };
        let name = name.trim();
        let layer = Some(name).filter(|n| !n.is_empty()).and_then(layer_named);
        let Some(layer) = layer.filter(|l| l.kind() == LayerKind::Commentary) else { continue };
        match found.contains(&(name, layer)) {
            true if several.contains(&(name, layer)) => {}
            true => several.push((name, layer)),
            false => found.push((name, layer)),
        }
    }
    several
}

struct BracketParser<'a> {
    text: &'a str,
    kind: BracketKind,
    cover: Cover<'a>,
    diagnostics: Vec<Diagnostic>,
    templates: Vec<Span>,
    /// Names of layers that stand before several brackets.
    names: Vec<(&'a str, Layer)>,
    meta: Meta,
    /// Text has been seen.
    begun: bool,
}

impl BracketParser<'_> {
    /// Reads line `n` and the lines into which its last note continues; returns how many.
    fn line(&mut self, lines: &[Line], n: usize) -> usize {
        let Line { whole, words } = lines[n];
        self.cover.to(words.start(), Layer::Blank);
        if self.cover.at() > words.start() {
            return 1;
        }
        if let Ok(i) = self.templates.binary_search_by_key(&words.start(), |t| t.start()) {
            self.cover.to(self.templates[i].end(), Layer::Furniture);
            return 1;
        }
        let line = &self.text[words.range()];
        if line.is_empty() {
            self.cover.to(whole.end(), Layer::Blank);
        } else if HEADING.is_match(line) || (!self.begun && self.is_title(line)) {
            self.title(line);
            self.cover.to(words.end(), Layer::Heading);
        } else if let Some(mark) = SHU.find(line) {
            self.cover.to(words.start() + mark.end(), Layer::Mark);
            self.cover.to(words.end(), Layer::Shu);
            self.begun = true;
        } else {
            self.begun = true;
            return self.text_line(lines, n);
        }
        1
    }

    fn is_title(&self, line: &str) -> bool {
        line.chars().count() <= MAX_TITLE_CHARS
            && !line.contains(self.kind.open)
            && !line.contains(['。', '，', ',', '；', '：', ':'])
    }

    fn title(&mut self, line: &str) {
        let line = line.trim_matches(['=', '#', '●', '◎', '■', ' ', '\u{3000}']);
        let found =
            line.split_once('第').and_then(|(name, n)| Some((name, numeral::parse(n.trim())?)));
        if let Some((name, n)) = found.filter(|_| self.meta.chapter.is_none()) {
            self.meta = Meta {
                chapter: Some(name.to_string()),
                number: Some(n),
                title: line.to_string(),
                ..Meta::default()
            };
        }
    }

    /// A line of classic with its notes.
    fn text_line(&mut self, lines: &[Line], n: usize) -> usize {
        let mut last = n;
        let mut at = lines[n].words.start();
        while let Some(open) =
            self.text[at..lines[last].words.end()].find(self.kind.open).map(|i| at + i)
        {
            let named = self.before_note(lines[last].words.start(), open);
            let inner = open + self.kind.open.len();
            match self.close(lines, last, inner) {
                Some((line, close)) => {
                    self.cover.to(inner, Layer::Mark);
                    match named {
                        Some(layer) => self.cover.to(close, layer),
                        None => self.note(inner, close),
                    }
                    at = close + self.kind.close.len();
                    self.cover.to(at, Layer::Mark);
                    last = line;
                }
                None => {
                    let end = "the next bracket or the end of its line";
                    self.diagnostics.push(super::unclosed_bracket(Span::new(open, inner), end));
                    self.cover.to(inner, Layer::Mark);
                    let end = lines[last].words.end();
                    at = self.text[inner..end].find(self.kind.open).map_or(end, |i| inner + i);
                    self.cover.inferred(
                        at,
                        Layer::Zhu,
                        AFTER_UNCLOSED_MARK,
                        Evidence::of(EvidenceKind::BracketUnclosed),
                    );
                }
            }
        }
        self.classic(lines[last].words.end());
        last - n + 1
    }

    /// The line and byte where the bracket before `from` is closed. Brackets of its kind may be
    /// nested. If they never balance, or an empty line or a heading comes first, it is not closed.
    fn close(&self, lines: &[Line], first: usize, from: usize) -> Option<(usize, usize)> {
        let mut depth = 1;
        for (n, line) in lines.iter().enumerate().skip(first).take(MAX_NOTE_LINES) {
            let words = &self.text[line.words.range()];
            if words.is_empty() || (n > first && (HEADING.is_match(words) || SHU.is_match(words))) {
                return None;
            }
            let mut at = from.max(line.words.start());
            if at > from + MAX_NOTE_BYTES {
                return None;
            }
            while let Some((i, opens)) = self.next(&self.text[at..line.words.end()]) {
                depth += if opens { 1 } else { -1 };
                if depth == 0 {
                    return Some((n, at + i));
                }
                if at + i > from + MAX_NOTE_BYTES {
                    return None;
                }
                at += i + if opens { self.opener().len() } else { self.kind.close.len() };
            }
        }
        None
    }

    /// What opens another level: inside a template, any template does.
    fn opener(&self) -> &'static str {
        if self.kind.open.starts_with("{{") { "{{" } else { self.kind.open }
    }

    /// The next bracket, and whether it opens.
    fn next(&self, words: &str) -> Option<(usize, bool)> {
        let open = words.find(self.opener()).map(|i| (i, true));
        let close = words.find(self.kind.close).map(|i| (i, false));
        open.into_iter().chain(close).min_by_key(|(i, _)| *i)
    }

    /// The classic up to a bracket. A name alone before one, 疏〈…〉, if it is before several, is that
    /// of the layer inside, and no text: it is returned.
    fn before_note(&mut self, line: usize, open: usize) -> Option<Layer> {
        let is_first = self.cover.at() <= line;
        let name = self.text[line.min(open)..open].trim();
        let named = self.names.iter().find(|(known, _)| is_first && *known == name);
        let named = named.map(|(_, layer)| *layer);
        match named {
            Some(_) => self.cover.to(open, Layer::Mark),
            None => self.classic(open),
        }
        named
    }

    fn classic(&mut self, end: usize) {
        let start = self.cover.at();
        if end <= start {
            return;
        }
        let words = &self.text[start..end];
        if TITLE_BEFORE_NOTE.is_match(words.trim()) {
            self.title(words.trim());
            return self.cover.to(end, Layer::Heading);
        }
        for m in WIKI.find_iter(words) {
            self.cover.to(start + m.start(), Layer::Jing);
            let layer = if m.as_str().starts_with('<') { Layer::Furniture } else { Layer::Mark };
            self.cover.to(start + m.end(), layer);
        }
        if words.contains(self.kind.close) {
            let at = start + words.find(self.kind.close).unwrap_or(0);
            let span = Span::new(at, at + self.kind.close.len());
            self.diagnostics.push(super::stray_bracket(span));
        }
        self.cover.to(end, Layer::Jing);
    }

    fn note(&mut self, from: usize, to: usize) {
        let words = &self.text[from..to];
        if let Some(layer) = super::small_type(words, Layer::Jing) {
            return self.cover.to(to, layer);
        }
        let own = &words[..words.find('○').unwrap_or(words.len())];
        let mut layer = Layer::Zhu;
        if let Some((at, other)) = super::commentary_within(own) {
            self.cover.to(from + at, layer);
            layer = other;
        }
        for (i, circle) in words.match_indices('○') {
            self.cover.to(from + i, layer);
            let rest = &words[i + circle.len()..];
            let piece = &rest[..rest.find('○').unwrap_or(rest.len())];
            self.cover.to(from + i + circle.len(), Layer::Mark);
            layer = if sound::is_reading(piece) { Layer::Yin } else { Layer::Zhu };
        }
        self.cover.to(to, layer);
    }
}
