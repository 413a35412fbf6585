//! What a decision changed: places of a text that are read otherwise than before it.

use ecow::EcoString;

use super::questions::parts;
use crate::corpus::Library;
use crate::model::{Document, Layer};
use crate::source::Span;

/// Words of a text, and what the program holds of them.
type Held<T> = Vec<(Span, T)>;

/// The places of a file, which is the same in both libraries, where layers, readings, references or
/// what corresponds in a translation differ; in order.
pub fn changed(old: &Library, new: &Library, read: &Document) -> Vec<Span> {
    let mut out = other_layers(&layers(old, read), &layers(new, read));
    out.extend(unequal(&readings(old, read), &readings(new, read)));
    out.extend(unequal(&references(old, read), &references(new, read)));
    out.extend(unequal(&beads(old, read), &beads(new, read)));
    out.sort_by_key(|s| (s.start(), s.end()));
    out.dedup();
    out
}

/// Something of each part of a file, with its place in the file.
fn all<T>(
    library: &Library,
    read: &Document,
    of: impl Fn(&Document, &mut dyn FnMut(Span, T)),
) -> Held<T> {
    let mut held = vec![];
    for part in parts(library, read) {
        let base = read.source.byte_of(part.source.file_char_of(0));
        of(part, &mut |span, what| {
            held.push((Span::new(span.start() + base, span.end() + base), what));
        });
    }
    held
}

fn layers(library: &Library, read: &Document) -> Held<Layer> {
    all(library, read, |d, take| d.segments.iter().for_each(|s| take(s.span, s.layer)))
}

fn readings(library: &Library, read: &Document) -> Held<EcoString> {
    all(library, read, |d, take| {
        d.readings.iter().for_each(|r| take(r.span, r.reading.clone()));
    })
}

fn references(library: &Library, read: &Document) -> Held<String> {
    all(library, read, |d, take| {
        for l in &d.links {
            let target = l.target.as_ref().map(|t| (&t.doc, t.span.start()));
            take(l.span, format!("{} {:?} {target:?}", l.kind.id(), l.work));
        }
    })
}

fn beads(library: &Library, read: &Document) -> Held<String> {
    all(library, read, |d, take| {
        for alignment in library.alignments.iter().filter(|a| a.source == d.id) {
            for bead in &alignment.beads {
                let Some((first, last)) = bead.source.first().zip(bead.source.last()) else {
                    continue;
                };
                let counterpart = format!("{} {:?}", alignment.translation, bead.translation);
                take(Span::new(first.start(), last.end()), counterpart);
            }
        }
    })
}

/// Where the layers differ.
fn other_layers(old: &Held<Layer>, new: &Held<Layer>) -> Vec<Span> {
    let mut out: Vec<Span> = vec![];
    let mut from = 0;
    for (span, layer) in new.iter().filter(|(_, layer)| layer.is_text()) {
        from += old[from..].partition_point(|(s, _)| s.end() <= span.start());
        for (before, was) in old[from..].iter().take_while(|(s, _)| s.start() < span.end()) {
            if was == layer {
                continue;
            }
            let (a, b) = (before.start().max(span.start()), before.end().min(span.end()));
            match out.last_mut() {
                Some(last) if last.end() == a => *last = Span::new(last.start(), b),
                _ => out.push(Span::new(a, b)),
            }
        }
    }
    out
}

/// The words of what only one of them has.
fn unequal<T: Ord + Clone>(old: &Held<T>, new: &Held<T>) -> Vec<Span> {
    use std::collections::BTreeSet;
    let key = |(span, what): &(Span, T)| (span.start(), span.end(), what.clone());
    let [a, b]: [BTreeSet<_>; 2] = [old, new].map(|held| held.iter().map(key).collect());
    a.symmetric_difference(&b).map(|(from, to, _)| Span::new(*from, *to)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn only_words_that_changed_their_layer_are_changed() {
        let version = |at: usize| {
            let text = "二筭為純。純猶全也。耦陰陽。";
            let at = text.char_indices().nth(at).unwrap().0;
            let mut d =
                Document::of_pieces(&[(Layer::Jing, &text[..at]), (Layer::Zhu, &text[at..])]);
            d.id = "a".into();
            d
        };
        let library =
            |d: &Document| Library { documents: vec![Arc::new(d.clone())], ..Library::default() };
        let (a, b) = (version(10), version(5));
        let spans = changed(&library(&a), &library(&b), &a);
        let words: Vec<&str> = spans.iter().map(|s| a.slice(*s)).collect();
        assert_eq!(words, ["純猶全也。"]);
        assert_eq!(changed(&library(&a), &library(&a), &a), []);
    }
}
