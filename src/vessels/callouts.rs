//! Blocks of Markdown with a name: tables of pipes with a column for each layer, and callouts
//! (`> [!note] 集解`).

use std::sync::LazyLock;

use regex::Regex;

use super::edits::{Edits, NOTE};
use super::{Aside, NamedRole, columns_left_out};
use crate::diag::Diagnostic;
use crate::model::{KeyRole, Layer, LayerKind, columns, key_role};
use crate::source::Span;
use crate::text::pattern;

static RULE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\|?[ \t:|-]*-[ \t:|-]*$"));
static CALLOUT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^>[ \t]*\[!(?P<kind>[A-Za-z]+)\][+-]?[ \t]*(?P<title>.*)$"));
static QUOTED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^>[ \t]?"));

/// Spans whose layer is named.
type NamedSpans = Vec<(Span, NamedRole)>;
/// Names of columns, each with its place.
type ColumnNames = Vec<(String, Span)>;

/// Finds both; returns the spans whose layer they name.
pub(super) fn find(text: &str, edits: &mut Edits) -> (NamedSpans, Option<Diagnostic>) {
    let (mut roles, mut unnamed) = (vec![], vec![]);
    if !text.contains("[!") && !text.contains('|') {
        return (roles, None);
    }
    let lines: Vec<Span> = crate::text::lines(text).iter().map(|line| line.words).collect();
    let mut n = 0;
    while n < lines.len() {
        let after = table(text, &lines[n..], edits, (&mut roles, &mut unnamed))
            .or_else(|| callout(text, &lines[n..], edits, &mut roles));
        n += after.unwrap_or(1);
    }
    (roles, columns_left_out(&unnamed))
}

/// Text of a layer, between two signs of the markup. Returns what readers see after it.
fn put(words: Span, layer: Layer, edits: &mut Edits, roles: &mut NamedSpans) -> &'static str {
    match layer.kind() {
        _ if words.is_empty() => {}
        LayerKind::Translation => edits.taken(words.start(), words.end(), Aside::Text(layer)),
        LayerKind::Note | LayerKind::Commentary => {
            edits.shown(words.start(), words.start(), NOTE.0);
            roles.push((words, NamedRole::Of(layer)));
            return NOTE.1;
        }
        LayerKind::Structure => roles.push((words, NamedRole::Of(layer))),
        _ => {}
    }
    ""
}

/// The cells of a row.
fn cells(text: &str, line: Span) -> Vec<Span> {
    let words = &text[line.range()];
    let mut at = line.start() + usize::from(words.starts_with('|'));
    let end = line.end() - usize::from(words.len() > 1 && words.ends_with('|'));
    let mut all = vec![];
    let end = end.max(at);
    let signs = text[at..end].match_indices('|').map(|(n, _)| at + n);
    // One after a backslash is of the text.
    let signs: Vec<usize> = signs.filter(|n| !text[..*n].ends_with('\\')).collect();
    for to in signs.into_iter().chain([end]) {
        let cell = &text[at..to];
        let start = at + (cell.len() - cell.trim_start().len());
        all.push(Span::new(start, (start + cell.trim().len()).max(start)));
        at = to + 1;
    }
    all
}

/// A table at the first of some lines; returns how many lines it has.
fn table(
    text: &str,
    lines: &[Span],
    edits: &mut Edits,
    (roles, unnamed): (&mut NamedSpans, &mut ColumnNames),
) -> Option<usize> {
    let [head, rule, ..] = lines else { return None };
    if !text[head.range()].contains('|') || !RULE.is_match(&text[rule.range()]) {
        return None;
    }
    let names = cells(text, *head);
    let columns = columns(names.iter().map(|name| &text[name.range()]), key_role)?;
    edits.furniture(head.start(), rule.end());
    for (name, _) in names.iter().zip(&columns).filter(|(_, role)| role.is_none()) {
        unnamed.push((text[name.range()].to_string(), *name));
    }
    let rows = lines[2..].iter().take_while(|line| text[line.range()].contains('|'));
    let mut count = 2;
    for row in rows {
        count += 1;
        let (mut at, mut after) = (row.start(), "");
        for (n, cell) in cells(text, *row).into_iter().enumerate() {
            edits.shown(at, cell.start(), after);
            after = match columns.get(n).copied().flatten() {
                Some(KeyRole::Of(layer)) => put(cell, layer, edits, roles),
                _ => {
                    edits.furniture(cell.start(), cell.end());
                    ""
                }
            };
            at = cell.end();
        }
        edits.shown(at, row.end(), after);
    }
    Some(count)
}

/// A callout at the first of some lines; returns how many lines it has.
fn callout(text: &str, lines: &[Span], edits: &mut Edits, roles: &mut NamedSpans) -> Option<usize> {
    let head = *lines.first()?;
    let found = CALLOUT.captures(&text[head.range()])?;
    let title = found.name("title").map_or(0, |title| title.start());
    let title = Span::new(head.start() + title, head.end());
    let kind = found["kind"].to_lowercase();
    let (layer, is_name) = match key_role(&text[title.range()]) {
        Some(KeyRole::Of(layer)) => (layer, true),
        // The name of a commentary.
        _ if is_name(&text[title.range()]) && kind == "note" => (Layer::Zhu, true),
        // Of other callouts those for remarks are notes; their title is of the note.
        _ if matches!(&*kind, "note" | "info" | "tip" | "comment") => (Layer::Zhu, false),
        _ => return None,
    };
    edits.mark(head.start(), if is_name { head.end() } else { title.start() });
    if !is_name {
        let after = put(title, layer, edits, roles);
        edits.shown(title.end(), title.end(), after);
    }
    let body: Vec<Span> = lines[1..]
        .iter()
        .map_while(|line| {
            let sign = QUOTED.find(&text[line.range()])?;
            Some(Span::new(line.start() + sign.end(), line.end()))
        })
        .collect();
    for (line, words) in lines[1..].iter().zip(&body) {
        edits.mark(line.start(), words.start());
        let after = put(*words, layer, edits, roles);
        edits.shown(words.end(), words.end(), after);
    }
    Some(1 + body.len())
}

/// True for what may be the name of a commentary: no sentence.
fn is_name(title: &str) -> bool {
    title.chars().count() <= MAX_NAME_CHARS && title.chars().all(char::is_alphanumeric)
}

/// Longest name of a commentary, in characters.
const MAX_NAME_CHARS: usize = 6;

#[cfg(test)]
mod tests {
    use crate::model::Layer;
    use crate::readers;
    use crate::source::Source;
    use crate::vessels::{LogicalText, VesselHints, markdown};

    fn shown(text: &str) -> String {
        let found = markdown::find(text, VesselHints::default());
        LogicalText::of(text).without(&found.edits).text().to_string()
    }

    #[test]
    fn tables_and_callouts_name_their_layers() {
        let table = "# 大學\n\n| 原文 | 朱注 | 白話譯文 |\n|---|:-:|--:|\n| 毋自欺也 | 毋者，禁止之辭。 | 不要欺騙自己 |\n";
        assert_eq!(shown(table), "# 大學\n\n\n毋自欺也{{*|毋者，禁止之辭。}}\n");
        let titled = "里仁為美。\n\n> [!NOTE] 鄭曰：里者，仁之所居。\n";
        assert_eq!(shown(titled), "里仁為美。\n\n{{*|鄭曰：里者，仁之所居。}}\n");
        let callout = "里仁為美。\n\n> [!note] 集解\n> 鄭曰：里者，仁之所居。\n\n> [!tip] 今譯\n> 住在好地方\n\n擇不處仁。\n";
        assert_eq!(
            shown(callout),
            "里仁為美。\n\n\n{{*|鄭曰：里者，仁之所居。}}\n\n\n\n\n擇不處仁。\n"
        );
        let d = readers::read(Source::from_text("a.md", callout), None).unwrap();
        let of = |layer| d.of_layer(layer).map(|s| d.slice(s.span)).collect::<Vec<_>>();
        assert_eq!(of(Layer::Translation), ["住在好地方"]);
        assert_eq!(of(Layer::Zhu), ["鄭曰：里者，仁之所居。"]);
        let other = "| 甲 | 乙 |\n|---|---|\n| 子曰 | 學 |\n";
        assert_eq!(shown(other), other);
    }
}
