//! JSON that contains a text, in the form of the chinese-poetry repositories: titles, paragraphs
//! and notes under keys. The source is the JSON file itself; the strings are text, everything else
//! is marks.
//!
//! `model/data/keys.tsv` says what a key contains. Escapes inside a string are marks. A file that
//! writes its characters as `\u4e00` has no readable text and is refused. Of JSON Lines each line
//! is a value; where an object names its layer (`"layer": "zhu", "words": …`), as ours do, that is
//! it.

mod ocr;

use std::sync::{Arc, LazyLock};

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use regex::Regex;

use super::{KnownKeys, UnknownKeys, notes_before_text};
use crate::diag::{Diagnostic, Error, ErrorKind};
use crate::model::{Cover, Document, KeyRole, Layer, LayerKind};
use crate::source::{Source, Span};
use crate::text::class::is_content;
use crate::text::letters::is_alphabetic;
use crate::text::pattern;

/// Escapes of a string: a line break, or a sign whose backslash is a mark.
static ESCAPE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\\(?:u[0-9A-Fa-f]{4}|[bfnrt]|)"#));

/// The keys of words beside a key `layer`; the first counts.
const WORDS: &[&str] = &["words", "text"];
/// What our own JSON Lines begin with; beside the words of a piece they have only facts about it.
const OUR_LINES: &str = "\"zhushu-lines/";
/// What `--to json` writes: offsets into a text that is elsewhere.
static OFFSETS_ONLY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\A\s*\{\s*"format"\s*:\s*"zhushu/\d+"#));

/// Recognises JSON with Chinese in strings.
pub fn sniff(head: &str) -> u8 {
    let head = super::start(head);
    let json = head.strip_prefix(['{', '[']).map(str::trim_start);
    let opens = json.is_some_and(|rest| rest.starts_with(['"', '{', '[']));
    let text = head.chars().take(4000).any(|c| is_content(c) && !c.is_ascii());
    if opens && text && head.contains("\": ") | head.contains("\":") { 99 } else { 0 }
}

/// Reads. See the [module](self).
///
/// # Errors
/// If it is not JSON, or none of its strings is text.
pub fn read(source: Source) -> Result<Document, Error> {
    read_with(source, KnownKeys(None))
}

/// Reads with more keys than the known ones.
pub(super) fn read_with(source: Source, keys: KnownKeys<'_>) -> Result<Document, Error> {
    let source = Arc::new(source);
    let text = source.text();
    let mut walker = JsonWalker {
        text,
        keys,
        base: 0,
        cover: Cover::new(text),
        escaped: 0,
        plain: 0,
        ours: text.lines().next().is_some_and(|first| first.contains(OUR_LINES)),
        title: None,
        unknown: UnknownKeys::default(),
        notes_first: None,
    };
    for piece in values(text) {
        let body = text[piece.range()].trim_start_matches('\u{FEFF}');
        walker.base = piece.end() - body.len();
        let tree = parse_to_ast(body, &CollectOptions::default(), &strict()).map_err(|e| {
            let at = super::floor(text, (walker.base + e.range().start).min(text.len()));
            Error::input(source.path(), e.kind().to_string()).over(&source, Span::new(at, at))
        })?;
        if let Some(value) = &tree.value {
            walker.value(value, None, "");
        }
    }
    walker.cover.to(text.trim_end().len(), Layer::Mark);
    if OFFSETS_ONLY.is_match(text) {
        let message = "this JSON of zhushu has the places of the layers, but not the words";
        let hint = "give the text from which it was made, or export it as `tei` or `jsonl`";
        return Err(Error::input(source.path(), message).of_kind(ErrorKind::Format).hint(hint));
    }
    if walker.plain == 0 || walker.escaped > walker.plain {
        let message = match walker.escaped {
            0 => "this JSON has no text under a known key",
            _ => "the characters of this JSON are written as \\u escapes",
        };
        let convert = || "convert it to plain characters (`jq .`) or to plain text".into();
        let hint = walker.unknown.advice().filter(|_| walker.escaped == 0);
        return Err(Error::input(source.path(), message)
            .of_kind(ErrorKind::Format)
            .hint(hint.unwrap_or_else(convert)));
    }
    let mut document = Document::new(source.clone(), "json");
    document.segments = walker.cover.finish().into();
    document.diagnostics.extend(walker.unknown.report());
    document.diagnostics.extend(walker.notes_first);
    if let Some(title) = walker.title {
        document.meta.title = title;
    }
    Ok(document)
}

fn strict() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_extended_string_escapes: false,
        ..ParseOptions::default()
    }
}

/// The values of a file: each line of JSON Lines, or the whole.
fn values(text: &str) -> Vec<Span> {
    let object = |l: &str| {
        let bare = l.trim().trim_start_matches('\u{FEFF}');
        bare.starts_with('{') && bare.ends_with('}')
    };
    let mut lines = text.lines().filter(|l| !l.trim().is_empty());
    if !(lines.clone().count() > 1 && lines.all(object)) {
        return vec![Span::new(0, text.len())];
    }
    let mut at = 0;
    let line = |l: &str| {
        let start = at;
        at += l.len();
        Span::new(start, at)
    };
    text.split_inclusive('\n').map(line).filter(|s| !text[s.range()].trim().is_empty()).collect()
}

struct JsonWalker<'a> {
    text: &'a str,
    keys: KnownKeys<'a>,
    base: usize,
    cover: Cover<'a>,
    /// Counts of characters written by number, and written directly.
    escaped: usize,
    plain: usize,
    /// True if these are our own JSON Lines.
    ours: bool,
    title: Option<String>,
    unknown: UnknownKeys<'a>,
    /// A remark on the first record whose notes stand before its text.
    notes_first: Option<Diagnostic>,
}

/// What the key `layer` of an object says of its words.
enum RowLayer {
    /// There is no such key.
    None,
    /// Its words are of this layer, and under this key.
    Of(Layer, &'static str),
}

impl<'a> JsonWalker<'a> {
    fn layer_of_row(&self, object: &Object<'_>) -> RowLayer {
        let string = |name| object.get_string(name).map(|s| s.value.as_ref());
        if self.ours && string("type").is_some_and(|kind| kind != "segment") {
            return RowLayer::None;
        }
        let layer = string("layer").and_then(|layer| layer.parse::<Layer>().ok());
        let words = WORDS.iter().find(|w| object.get(w).is_some());
        match (layer, words) {
            (Some(layer), Some(words)) => RowLayer::Of(layer, words),
            _ => RowLayer::None,
        }
    }

    /// Reads a value; `layer` is that of its key, or of one around it.
    fn value(&mut self, value: &Value<'_>, layer: Option<Layer>, key: &'a str) {
        match value {
            Value::Object(object) => {
                for (line, is_half) in ocr::lines(object).into_iter().flatten() {
                    self.value(line, Some(if is_half { Layer::Zhu } else { Layer::Jing }), key);
                }
                let (row, around) = (self.layer_of_row(object), key);
                if matches!(row, RowLayer::None) {
                    self.look_at_order(object);
                }
                for property in &object.properties {
                    let name = property.name.range();
                    let key = &self.text[self.base + name.start + 1..self.base + name.end - 1];
                    match row {
                        RowLayer::Of(layer, words) if words == key => {
                            self.value(&property.value, Some(layer), key);
                        }
                        _ if self.ours || key == ocr::TEXTS => {}
                        _ if ocr::is_repeated(object, around, key) => {}
                        _ => self.under(&property.value, layer, key),
                    }
                }
            }
            Value::Array(array) => array.elements.iter().for_each(|v| self.value(v, layer, key)),
            Value::StringLit(string) => {
                let range = string.range;
                let (from, to) = (self.base + range.start + 1, self.base + range.end - 1);
                match layer {
                    _ if from >= to => {}
                    Some(layer) => self.string(from, to, layer),
                    None => self.unknown.add(key, &self.text[from..to], Span::new(from, to)),
                }
            }
            _ => {}
        }
    }

    /// Remarks on the first record whose notes stand before its text.
    fn look_at_order(&mut self, object: &Object<'_>) {
        if self.notes_first.is_none() {
            let names = object.properties.iter().map(|property| property.name.range());
            let key = |r: Range| &self.text[self.base + r.start + 1..self.base + r.end - 1];
            let layers = names.map(|name| self.keys.layer(key(name)));
            let start = self.base + object.range.start;
            self.notes_first = notes_before_text(layers, Span::new(start, start));
        }
    }

    /// The value of a key, in what is of a layer.
    fn under(&mut self, value: &Value<'_>, layer: Option<Layer>, key: &'a str) {
        let is_beside = |l: &Layer| matches!(l.kind(), LayerKind::Note | LayerKind::Translation);
        let beside = layer.filter(is_beside);
        let is_in_note = beside.is_some_and(|l| l.kind() == LayerKind::Note);
        let within = match (self.keys.role(key), beside) {
            // Whose note it is.
            (Some(KeyRole::About | KeyRole::Of(Layer::Heading)), _) if is_in_note => return,
            // The words of a note.
            (Some(KeyRole::Of(own)), Some(beside)) if own.kind() == LayerKind::Base => beside,
            (Some(KeyRole::Of(own)), _) => own,
            (None | Some(KeyRole::About), _) => return self.value(value, layer, key),
        };
        self.value(value, Some(within), key);
    }

    fn string(&mut self, from: usize, to: usize, layer: Layer) {
        self.cover.to(from, Layer::Mark);
        let words = &self.text[from..to];
        // The classic itself is in Chinese.
        let is_foreign = layer.kind() == LayerKind::Base && is_foreign(words);
        let layer = if is_foreign { Layer::Translation } else { layer };
        if layer == Layer::Heading && self.title.is_none() {
            self.title = Some(words.to_string());
        }
        for escape in ESCAPE.find_iter(words) {
            self.cover.to(from + escape.start(), layer);
            self.cover.to(from + escape.end(), Layer::Mark);
            self.escaped += usize::from(escape.as_str().starts_with("\\u"));
        }
        self.plain += words.chars().filter(|c| is_content(*c) && !c.is_ascii()).count();
        self.cover.to(to, layer);
    }
}

/// True for words of an alphabet: some, and no Chinese characters.
fn is_foreign(words: &str) -> bool {
    let letters = || words.chars().filter(|c| is_content(*c) && !c.is_numeric());
    letters().all(is_alphabetic) && letters().count() > MIN_LETTERS
}

/// A code or a number has no more letters than this.
const MIN_LETTERS: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_within_notes_are_notes_and_who_says_them_is_not() {
        let text = "[{\"original\": \"高祖，沛豐邑中陽里人。\", \"notes\": [{\"src\": \"集解\", \"name\": \"李斐\", \"text\": \"沛，小沛也。\"}], \"text\": \"Gaozu was a man of Pei.\"}]";
        let d = read(Source::from_text("t.json", text)).unwrap();
        let of = |layer| d.of_layer(layer).map(|s| d.slice(s.span)).collect::<Vec<_>>();
        assert_eq!(of(Layer::Zhu), ["沛，小沛也。"]);
        assert_eq!(of(Layer::Jing), ["高祖，沛豐邑中陽里人。"]);
        assert_eq!(of(Layer::Translation), ["Gaozu was a man of Pei."]);
        assert!(of(Layer::Heading).is_empty());
    }

    #[test]
    fn paragraphs_titles_and_notes_are_read() {
        let text = "[{\"chapter\": \"學而\", \"author\": \"孔子\",\n \"paragraphs\": [\"子曰：\\\"學而時習之\\\"\", \"有子曰\\n其為人也\"],\n \"notes\": [\"說，悅也\"], \"n\": 3}]\n";
        assert!(sniff(text) > 50);
        let d = read(Source::from_text("t.json", text)).unwrap();
        d.check().unwrap();
        let got: Vec<_> = d
            .segments
            .iter()
            .filter(|s| s.layer.is_text())
            .map(|s| (s.layer, d.slice(s.span)))
            .collect();
        let want = [
            (Layer::Heading, "學而"),
            (Layer::Jing, "子曰："),
            (Layer::Jing, "\"學而時習之"),
            (Layer::Jing, "\""),
            (Layer::Jing, "有子曰"),
            (Layer::Jing, "其為人也"),
            (Layer::Zhu, "說，悅也"),
        ];
        assert_eq!(got, want);
        assert_eq!(d.meta.title, "學而");
    }

    #[test]
    fn a_key_names_the_layer_and_other_keys_keep_theirs() {
        let text = "{\"type\": \"text\", \"layer\": \"注\", \"text\": \"說，悅也\", \"translation\": \"高興\"}\n{\"type\": \"text\", \"text\": \"學而\"}\n";
        let d = read(Source::from_text("t.jsonl", text)).unwrap();
        let of = |layer| d.of_layer(layer).map(|s| d.slice(s.span)).collect::<Vec<_>>();
        assert_eq!(of(Layer::Zhu), ["說，悅也"]);
        assert_eq!((of(Layer::Translation), of(Layer::Jing)), (vec!["高興"], vec!["學而"]));
    }

    #[test]
    fn json_without_text_is_refused() {
        let read = |text: &str| read(Source::from_text("t.json", text));
        assert!(read("{\"paragraphs\": [\"\\u5b50\\u66f0\"]}").is_err());
        assert!(read("{\"id\": \"子曰\"}").is_err());
        assert_eq!(read("{\"id\":\n 子曰}").unwrap_err().place.map(|p| p.line), Some(2));
    }
}
