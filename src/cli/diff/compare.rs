//! Compares two versions of a text, character by character of what both have.

use std::collections::BTreeMap;

use crate::source::Span;
use crate::text::Key;
use crate::text::collate::{between, side_by_side};

use super::version::{Labelled, Version};

/// The kinds of changes.
pub const KINDS: [&str; 5] = ["text", "layer", "reading", "link", "bead"];

/// A change.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    pub kind: &'static str,
    /// Where in the new version, counted from 1.
    pub line: usize,
    pub column: usize,
    /// The words it is about.
    pub words: String,
    pub old: String,
    pub new: String,
}

impl Change {
    /// Line and column.
    pub fn place(&self) -> String {
        format!("{}:{}", self.line, self.column)
    }
}

/// What changed, in the order of the new version.
pub fn changes(old: &Version, new: &Version) -> Vec<Change> {
    let pair = Pair::of(old, new);
    let mut all = pair.text();
    all.extend(pair.layers());
    all.extend(pair.labelled("reading", &old.readings, &new.readings));
    all.extend(pair.labelled("link", &old.links, &new.links));
    all.extend(pair.labelled("bead", &old.beads, &new.beads));
    all.sort_by_key(|c| (c.line, c.column, KINDS.iter().position(|k| *k == c.kind)));
    all
}

/// Two versions with their characters.
struct Pair<'a> {
    old: &'a Version,
    new: &'a Version,
    keys: [Key; 2],
    /// For each character of the old version the one of the new, and the reverse.
    to_new: Vec<Option<usize>>,
    to_old: Vec<Option<usize>>,
    differences: Vec<(std::ops::Range<usize>, std::ops::Range<usize>)>,
}

impl<'a> Pair<'a> {
    fn of(old: &'a Version, new: &'a Version) -> Self {
        let keys = [old, new].map(|v| Key::of(v.source.text(), v.source.span()));
        let runs = side_by_side(&keys[0].chars, &keys[1].chars);
        let (mut to_new, mut to_old) = (vec![None; keys[0].len()], vec![None; keys[1].len()]);
        for run in &runs {
            for n in 0..run.len {
                to_new[run.a + n] = Some(run.b + n);
                to_old[run.b + n] = Some(run.a + n);
            }
        }
        let differences = between(&runs, keys[0].len(), keys[1].len());
        Pair { old, new, keys, to_new, to_old, differences }
    }

    fn words(&self, side: usize, from: usize, to: usize) -> String {
        let version = [self.old, self.new][side];
        if from >= to {
            return String::new();
        }
        let words = version.source.slice(self.keys[side].span(from, to));
        words.chars().filter(|c| !c.is_whitespace()).collect()
    }

    /// A change at a character of the new version.
    fn at(&self, kind: &'static str, at: usize, words: String, old: &str, new: &str) -> Change {
        let byte = self.keys[1].at.get(at).map_or(self.new.source.text().len(), |b| *b as usize);
        let place = self.new.source.place(byte);
        let (old, new) = (old.to_string(), new.to_string());
        Change { kind, line: place.line, column: place.column, words, old, new }
    }

    fn text(&self) -> Vec<Change> {
        let change = |(a, b): &(std::ops::Range<usize>, std::ops::Range<usize>)| {
            let (old, new) = (self.words(0, a.start, a.end), self.words(1, b.start, b.end));
            let shown = |w: &str| if w.is_empty() { "–".to_string() } else { w.to_string() };
            self.at("text", b.start, String::new(), &shown(&old), &shown(&new))
        };
        self.differences.iter().map(change).collect()
    }

    /// Runs of characters that have another layer than before.
    fn layers(&self) -> Vec<Change> {
        let (old, new) = (layer_of(self.old, &self.keys[0]), layer_of(self.new, &self.keys[1]));
        let mut out: Vec<(usize, usize, &str, &str)> = vec![];
        for (n, own) in new.iter().enumerate() {
            let Some(before) = self.to_old[n].map(|o| old[o]) else { continue };
            if before == *own {
                continue;
            }
            match out.last_mut() {
                Some(last) if last.1 == n && (last.2, last.3) == (before, own) => last.1 = n + 1,
                _ => out.push((n, n + 1, before, own)),
            }
        }
        let change = |(from, to, a, b): (usize, usize, &str, &str)| {
            self.at("layer", from, self.words(1, from, to), a, b)
        };
        out.into_iter().map(change).collect()
    }

    /// What is said of the same words, and differs.
    fn labelled(&self, kind: &'static str, old: &[Labelled], new: &[Labelled]) -> Vec<Change> {
        // By the last character, since what is quoted may begin earlier; then by kind.
        type Place<'k> = (usize, &'k str);
        let place = |side: usize, l: &Labelled| -> Option<(usize, usize)> {
            let key = &self.keys[side];
            let (from, to) = (key.index_at(l.span.start()), key.index_at(l.span.end()));
            (from < to).then_some((from, to))
        };
        let mut both: BTreeMap<Place<'_>, [Vec<&str>; 2]> = BTreeMap::new();
        let mut spans: BTreeMap<usize, usize> = BTreeMap::new();
        for l in old {
            let moved = place(0, l).and_then(|(from, _)| self.to_new[from]);
            if let Some(from) = moved {
                both.entry((from, &l.kind)).or_default()[0].push(&l.value);
            }
        }
        for l in new {
            if let Some((from, to)) = place(1, l).filter(|p| self.to_old[p.0].is_some()) {
                both.entry((from, &l.kind)).or_default()[1].push(&l.value);
                spans.insert(from, to);
            }
        }
        let differ = both.into_iter().filter(|(_, [a, b])| a != b);
        let change = |((from, _), [a, b]): (Place<'_>, [Vec<&str>; 2])| {
            let to = spans.get(&from).copied().unwrap_or(from + 1);
            let shown = |all: Vec<&str>| if all.is_empty() { "–".into() } else { all.join("; ") };
            self.at(kind, from, self.words(1, from, to), &shown(a), &shown(b))
        };
        differ.map(change).collect()
    }
}

/// The layer of each character.
fn layer_of<'a>(version: &'a Version, key: &Key) -> Vec<&'a str> {
    let at = |byte: &u32| {
        let n =
            version.layers.partition_point(|(span, _): &(Span, _)| span.end() <= *byte as usize);
        version.layers.get(n).map_or("", |(_, layer)| layer)
    };
    key.at.iter().map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use std::sync::Arc;

    /// A version of pieces with their layers, with a reading of a word.
    fn version(pieces: &[(&str, &str)], reading: (&str, &str)) -> Version {
        let text: String = pieces.iter().map(|p| p.0).collect();
        let mut layers = vec![];
        for (words, layer) in pieces {
            let from = layers.last().map_or(0, |(s, _): &(Span, String)| s.end());
            layers.push((Span::new(from, from + words.len()), layer.to_string()));
        }
        let from = text.find(reading.0).unwrap();
        let span = Span::new(from, from + reading.0.len());
        let labelled = Labelled { span, kind: "repair".into(), value: reading.1.into() };
        let source = Arc::new(Source::from_text("a.txt", text));
        Version { source, layers, readings: vec![labelled], links: vec![], beads: vec![] }
    }

    #[test]
    fn changes_of_layers_readings_and_text_are_found() {
        let old = version(&[("二筭為純。", "經"), ("純猶全也。耦陰陽雲。", "注")], ("雲", "云"));
        let new =
            version(&[("二筭為純。\n純猶全也。", "經"), ("耦陰陽也雲。", "注")], ("雲", "曰"));
        let found: Vec<_> = changes(&old, &new)
            .into_iter()
            .map(|c| format!("{} {} {} {}→{}", c.place(), c.kind, c.words, c.old, c.new))
            .collect();
        assert_eq!(found, ["2:1 layer 純猶全也 注→經", "2:9 text  –→也", "2:10 reading 雲 云→曰"]);
        assert_eq!(changes(&old, &old), []);
    }
}
