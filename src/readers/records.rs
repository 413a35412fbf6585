//! Records with keys, as YAML has them: `- text: …`, then `note: …` and `translation: …`. What the
//! keys hold is in `model/data/keys.tsv`. A value may go on in lines that begin further in.

use std::sync::{Arc, LazyLock};

use regex::Regex;

use super::{KnownKeys, UnknownKeys};
use crate::diag::Error;
use crate::model::{Cover, Document, KeyRole, Layer, LayerKind};
use crate::source::{Source, Span};
use crate::text::{self, pattern};

/// A line with a key, and its value.
static FIELD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"^(?P<indent>[ \t]*)(?:- +)?["']?(?P<key>[\p{Han}A-Za-z_]{1,24})["']?:(?:[ \t]+[|>]?[+-]?["']?(?P<value>[^\n]*?)["']?)?[ \t\r]*$"#,
    )
});
/// Least number of fields with a key that is known, and of different layers among them.
const MIN_FIELDS: usize = 3;
const MIN_LAYERS: usize = 2;

/// Recognises fields with known keys of several layers, and little else.
pub fn sniff(head: &str) -> u8 {
    let keys = KnownKeys(None);
    let mut layers: Vec<Layer> = vec![];
    let (mut fields, mut others) = (0, 0);
    for line in head.lines().filter(|line| !is_blank(line)) {
        match FIELD.captures(line) {
            Some(field) => {
                fields += 1;
                layers.extend(keys.layer(&field["key"]).filter(|l| *l != Layer::Heading));
            }
            None => others += usize::from(!line.starts_with([' ', '\t', '-'])),
        }
    }
    let known = layers.len();
    layers.sort_unstable();
    layers.dedup();
    let fits = known >= MIN_FIELDS && layers.len() >= MIN_LAYERS && fields > others * 9;
    if fits { 98 } else { 0 }
}

fn is_blank(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#') || line == "---" || line == "..."
}

/// Reads. See the [module](self).
///
/// # Errors
/// None; the signature of readers requires a result.
pub fn read(source: Source) -> Result<Document, Error> {
    let source = Arc::new(source);
    let text = source.text();
    let keys = KnownKeys(None);
    let (mut cover, mut unknown) = (Cover::new(text), UnknownKeys::default());
    // The layer of the last value, how far in its key is, and whether all that is further in is
    // the value.
    let mut last: (Option<Layer>, usize, bool) = (None, 0, false);
    // The keys around, each with how far in it is.
    let mut around: Vec<(usize, Option<Layer>)> = vec![];
    for line in text::lines(text) {
        let (whole, start) = (&text[line.whole.range()], line.whole.start());
        let trimmed = whole.trim_end_matches(['\n', '\r']);
        let further_in = line.words.start() - start > last.1;
        let field = FIELD.captures(trimmed).filter(|_| !(last.2 && further_in));
        let Some(field) = field else {
            let words = line.words;
            let goes_on = further_in || trimmed.trim_start().starts_with("- ");
            match last.0.filter(|_| goes_on && !is_blank(trimmed)) {
                Some(layer) => put(&mut cover, item(text, words), layer),
                None if is_blank(trimmed) => cover.to(line.whole.end(), Layer::Mark),
                None => {
                    cover.to(words.start(), Layer::Mark);
                    cover.to(words.end(), Layer::Furniture);
                }
            }
            continue;
        };
        let key = field.name("key");
        let in_by = key.map_or(0, |key| key.start());
        around.retain(|(in_by_other, _)| *in_by_other < in_by);
        let note = around.last().and_then(|(_, layer)| *layer);
        let note = note.filter(|l| matches!(l.kind(), LayerKind::Note | LayerKind::Translation));
        let layer = match (keys.role(&field["key"]), note) {
            (Some(KeyRole::Of(own)), Some(note)) if own.kind() == LayerKind::Base => Some(note),
            (Some(KeyRole::Of(own)), _) => Some(own),
            _ => None,
        };
        around.push((in_by, layer));
        let is_block = trimmed.trim_end().ends_with(['|', '>']);
        last = (layer, field["indent"].len(), is_block);
        let value = field.name("value").map(|v| Span::new(start + v.start(), start + v.end()));
        match (layer, value.filter(|v| !v.is_empty())) {
            (Some(layer), Some(value)) => put(&mut cover, value, layer),
            (None, Some(value)) if keys.role(&field["key"]).is_none() => {
                let key = key.map_or("", |key| key.as_str());
                let key = &text[start + trimmed.find(key).unwrap_or(0)..][..key.len()];
                unknown.add(key, &text[value.range()], value);
            }
            _ => {}
        }
    }
    cover.to(text.len(), Layer::Mark);
    let mut document = Document::new(Arc::clone(&source), "records");
    cover.finish_into(&mut document);
    document.diagnostics.extend(unknown.report());
    Ok(document)
}

/// The words of an item of a list, without its signs.
fn item(text: &str, words: Span) -> Span {
    let inner = text[words.range()].trim_start_matches("- ");
    let start = words.end() - inner.len();
    let bare = inner.trim_matches(['"', '\'']);
    let start = start + (inner.len() - inner.trim_start_matches(['"', '\'']).len());
    Span::new(start, start + bare.len())
}

fn put(cover: &mut Cover<'_>, words: Span, layer: Layer) {
    cover.to(words.start(), Layer::Mark);
    cover.to(words.end(), layer);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_records() {
        let text = "title: 荀子\n---\n- text: 天行有常。\n  note: \"天自有常行之道也。\"\n  trans: |\n    大自然: 的運行\n    有規律。\n  by: 楊倞\n- text: 應之以治則吉。\n  備考: 一本無\n";
        assert!(sniff(text) > 90);
        let d = read(Source::from_text("a.yaml", text)).unwrap();
        d.check().unwrap();
        let of = |layer| d.of_layer(layer).map(|s| d.slice(s.span)).collect::<Vec<_>>();
        assert_eq!(of(Layer::Jing), ["天行有常。", "應之以治則吉。"]);
        assert_eq!(of(Layer::Zhu), ["天自有常行之道也。"]);
        assert_eq!(of(Layer::Translation), ["大自然: 的運行", "有規律。"]);
        assert_eq!(of(Layer::Heading), ["荀子"]);
        assert_eq!(d.diagnostics[0].code, "keys-unknown");
    }

    #[test]
    fn words_within_a_note_are_of_it() {
        let text = "- text: 子曰學而。\n  note:\n    - by: 馬融\n      text: 子者，男子之通稱。\n  trans: 孔子說\n";
        let d = read(Source::from_text("a.yaml", text)).unwrap();
        let of = |layer| d.of_layer(layer).map(|s| d.slice(s.span)).collect::<Vec<_>>();
        assert_eq!(
            (of(Layer::Jing), of(Layer::Zhu)),
            (vec!["子曰學而。"], vec!["子者，男子之通稱。"])
        );
    }

    #[test]
    fn other_texts_are_none() {
        assert_eq!(sniff("text: 子曰學而時習之\n子曰：有朋\n子曰：人不知\n"), 0);
        assert_eq!(sniff("---\ntitle: 論語\nauthor: 何晏\n---\n子曰學而\n有朋自遠方來\n"), 0);
    }
}
