//! The data with which the pages of a site search by themselves, without an index: for each text
//! its units with their text, and for the whole site the tables for parsing queries and folding
//! characters. The program that uses it is `site/data/`.
//!
//! A unit is `[layer, sub, group, start, words, elements, certainty, strange, targets, speeches,
//! forms, leaves, names]`, without defaults at the end. A speech is its characters in the unit,
//! from and to, and the number of who says them; a form, the number of a character and what the
//! source says that it is read as; a leaf, the number of its first character in the unit and its
//! own; a name that the source marks, as a speech. `words` is [`Laid::flat`]; simple rules say
//! which of its characters are content and where they are on pages. If the rules do not hold
//! (entities, combining marks, letters), `strange` says where, and describes the characters.

use std::convert::Infallible;
use std::io;

use serde_json::{Value, json};

use super::query;
use super::units::{Extract, Laid, Unit, UnitSpeech, extract, other_forms, runs_on};
use crate::corpus::loci::text_of;
use crate::corpus::{Library, Loci};
use crate::model::{Document, Layer, LayerKind};
use crate::reading::{Chapter, Leaf, Leaves, marked_names};
use crate::source::Span;
use crate::text::fold::{fold, fold_script};

/// Content characters by the plain rule: ideographs, digits, small and capital letters.
const PLAIN: &[(u32, u32)] = &[
    (0x30, 0x39),
    (0x41, 0x5A),
    (0x61, 0x7A),
    (0x3007, 0x3007),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAD9),
    (0x20000, 0x323AF),
];

/// Ranges of characters that fold: letters, radicals, CJK and its extensions, compatibility
/// ideographs, full-width letters.
const FOLDED: &[(u32, u32)] = &[
    (0x41, 0x5A),
    (0x2E80, 0x2FDF),
    (0x3400, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFF10, 0xFF5A),
    (0x20000, 0x323AF),
];

/// Certainties are written in thousandths.
const THOUSAND: f64 = 1000.0;

/// The tables for a whole site: its texts, the layers, the query language, and the folding of the
/// characters in these texts.
pub(crate) fn tables_for_pages(library: &Library) -> Value {
    let (mut keys, mut used) = (CharSet::default(), CharSet::default());
    for document in &library.documents {
        document.source.text().chars().for_each(|c| used.add(c));
        let m = &document.meta;
        let names = [
            Some(&m.title),
            m.work.as_ref(),
            m.chapter.as_ref(),
            m.siglum.as_ref(),
            m.edition.as_ref(),
        ];
        let names = names.into_iter().flatten().chain(m.layers.iter().map(|(_, who)| &who.name));
        let speakers = document.speeches.iter().map(|s| s.who.as_str());
        marked_names(document).iter().flat_map(|n| n.words.chars()).for_each(|c| keys.add(fold(c)));
        let names = names.map(String::as_str).chain(speakers);
        names.flat_map(str::chars).for_each(|c| keys.add(fold(c)));
    }
    used.chars().for_each(|c| keys.add(fold(c)));
    let all = FOLDED.iter().flat_map(|(a, b)| *a..=*b).filter_map(char::from_u32);
    let folded: Vec<char> = all.filter(|c| keys.has(fold(*c))).collect();
    let pairs = |to: fn(char) -> char| -> String {
        folded.iter().filter(|c| to(**c) != **c).flat_map(|c| [*c, to(*c)]).collect()
    };
    json!({
        "texts": library.documents.iter().map(|d| text(d)).collect::<Vec<_>>(),
        "layers": Layer::all().map(|l| layer(l.layer)).collect::<Vec<_>>(),
        "plain": PLAIN,
        "fold": pairs(fold),
        "script": pairs(fold_script),
        "query": query::for_pages(),
    })
}

/// Some characters, of which a corpus adds each a thousand times.
#[derive(Default)]
struct CharSet(Vec<bool>);

impl CharSet {
    fn add(&mut self, c: char) {
        let number = c as usize;
        if number >= self.0.len() {
            self.0.resize(number + 1, false);
        }
        self.0[number] = true;
    }

    fn has(&self, c: char) -> bool {
        self.0.get(c as usize).is_some_and(|has| *has)
    }

    fn chars(&self) -> impl Iterator<Item = char> {
        let has = self.0.iter().enumerate().filter(|(_, has)| **has);
        has.filter_map(|(number, _)| char::from_u32(number as u32))
    }
}

fn text(document: &Document) -> Value {
    let m = &document.meta;
    let authors: Vec<_> =
        m.layers.iter().map(|(layer, who)| json!([layer.number(), who.name, who.key])).collect();
    json!({
        "id": document.id,
        "title": m.title,
        "work": m.work,
        "work_key": m.work_key,
        "chapter": m.chapter,
        "siglum": m.siglum,
        "edition": m.edition,
        "authors": authors,
        "locus": text_of(document).to_string(),
        "leaves": leaves(document),
    })
}

/// The leaves of a text, each with its name, and the passage that it begins with if that has a
/// locus; null for none.
fn leaves(document: &Document) -> Option<Vec<(String, Option<String>)>> {
    let leaves = Leaves::of(document).at_text(document);
    let loci = (!leaves.all().is_empty()).then(|| Loci::of(document))?;
    let passage = |leaf: &Leaf| loci.name(Span::new(leaf.at, leaf.at + 1));
    let named = |leaf: &Leaf| (leaf.name(), passage(leaf).map(|locus| locus.to_string()));
    Some(leaves.all().iter().map(named).collect())
}

fn layer(layer: Layer) -> Value {
    let info = layer.info();
    let kind = match layer.kind() {
        LayerKind::Base => "base",
        LayerKind::Note => "note",
        LayerKind::Translation => "translation",
        LayerKind::Commentary => "comment",
        _ if layer == Layer::ShuHeader => "comment",
        _ => "",
    };
    let names: Vec<&str> =
        [info.id, info.zh].into_iter().chain(info.aliases.iter().copied()).collect();
    json!({ "zh": info.zh, "names": names, "kind": kind, "runs": runs_on(layer) })
}

/// Writes the units of one text, as JSON.
///
/// # Errors
/// When writing fails.
pub(crate) fn words_for_pages(
    document: &Document,
    library: &Library,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let extract = extract(document, library);
    let sources: Vec<Bases> = library
        .alignments
        .iter()
        .filter(|a| a.translation == document.id)
        .map(|a| Bases::of(&a.source, library))
        .collect();
    // Unit by unit: all units as one value would take many times the memory of the text.
    let speeches = &extract.meta.speeches;
    let (id, speakers) = (json!(document.id), json!(speeches.names));
    let names = json!(extract.meta.marked.names);
    let leaves = Leaves::of(document).at_text(document);
    write!(out, "{{\"id\":{id},\"speakers\":{speakers},\"names\":{names},\"units\":[")?;
    for (n, u) in extract.units().enumerate() {
        out.write_all(if n > 0 { b",\n" } else { b"\n" })?;
        let unit = unit(
            &u,
            n as u32,
            &extract,
            &BesideUnit { document, sources: &sources, leaves: &leaves },
        );
        out.write_all(unit.to_string().as_bytes())?;
    }
    out.write_all(b"]}")
}

fn unit(unit: &Unit, n: u32, extract: &Extract<'_>, beside: &BesideUnit<'_>) -> Value {
    let document = beside.document;
    let laid =
        Laid::of(unit, |span| Ok::<_, Infallible>(document.slice(span).into())).unwrap_or_default();
    let elements = elements(unit, document, extract.chapter());
    let mut characters = PageCharacters::of(&laid, &elements, document);
    let strange = characters.strange();
    let strange = if strange.is_empty() { json!(0) } else { json!(strange) };
    let shown = |first: FirstCharacter| {
        let e = &elements[first.element];
        json!([e.id, first.n, first.before, e.passage])
    };
    let shown: Vec<Value> = characters.first().into_iter().map(shown).collect();
    let targets: Vec<[usize; 2]> = unit
        .targets
        .iter()
        .filter_map(|(i, span)| Some(beside.sources.get(*i as usize)?.covering(*span)))
        .flatten()
        .collect();
    let certainty = (unit.certainty.get() * THOUSAND).round().min(if unit.certainty.get() < 1.0 {
        THOUSAND - 1.0
    } else {
        THOUSAND
    });
    let targets = if targets.is_empty() { json!(0) } else { json!(targets) };
    let speeches = stretches(extract.meta.speeches.of(n..n + 1));
    let names = stretches(extract.meta.marked.of(n..n + 1));
    let forms = other_forms(document, unit);
    let forms: Vec<Value> = forms.iter().map(|f| json!([f.n, f.read])).collect();
    let mut all = vec![
        json!(unit.layer.number()),
        json!(unit.sub.map_or(-1, |s| s.number() as i32)),
        json!(unit.group),
        json!(document.source.char_of(unit.start())),
        json!(laid.flat),
        json!(shown),
        json!(certainty as u32),
        strange,
        targets,
        speeches,
        if forms.is_empty() { json!(0) } else { json!(forms) },
        beside.leaves_of(&laid),
        names,
    ];
    let defaults = [1000, 0, 0, 0, 0, 0, 0].map(|n| json!(n));
    while all.len() > 6 && all.last() == defaults.get(all.len() - 7) {
        all.pop();
    }
    Value::Array(all)
}

/// Characters of a unit with whose they are; 0 for none.
fn stretches(all: &[UnitSpeech]) -> Value {
    let all: Vec<[u32; 3]> = all.iter().map(|s| [s.from, s.to, s.who]).collect();
    if all.is_empty() { json!(0) } else { json!(all) }
}

/// What a unit is described by besides its own text.
struct BesideUnit<'a> {
    document: &'a Document,
    /// What is translated.
    sources: &'a [Bases],
    leaves: &'a Leaves,
}

impl BesideUnit<'_> {
    /// The leaves that the characters of a unit are on; 0 if none is known.
    fn leaves_of(&self, laid: &Laid) -> Value {
        let mut all: Vec<[usize; 2]> = vec![];
        for (n, span) in laid.spans.iter().enumerate() {
            let Some(leaf) = self.leaves.number_at(span.start()) else { continue };
            if all.last().is_none_or(|last| last[1] != leaf) {
                all.push([n, leaf]);
            }
        }
        if all.is_empty() { json!(0) } else { json!(all) }
    }
}

/// An element of a page.
struct PageElement {
    span: Span,
    /// Its id in TEI and on pages; empty if it has none.
    id: String,
    /// Its passage in the chapter: `2.3.zhu`.
    passage: String,
}

/// The elements that a unit is in, in order.
fn elements(unit: &Unit, document: &Document, chapter: &Chapter) -> Vec<PageElement> {
    let mut all: Vec<PageElement> = vec![];
    for part in &unit.parts {
        for i in chapter.touched(part.span) {
            let e = &chapter.elements[i];
            if all.last().is_some_and(|last| last.span == e.span) {
                continue;
            }
            let id = match (document.segments[e.segment()].id.as_str(), e.n()) {
                (id, 0) | (id @ "", _) => id.to_string(),
                (id, n) => format!("{id}.{n}"),
            };
            let passage = chapter.locus(i).map(|l| l.whole().to_string()).unwrap_or_default();
            all.push(PageElement { span: e.span, id, passage });
        }
    }
    all
}

/// A character, other than punctuation.
struct PageCharacter {
    /// UTF-16 units of the text, start and end, as a page's script counts them.
    from: usize,
    to: usize,
    folded: char,
    /// Index among the elements that hold any character.
    element: usize,
    /// Characters of the element other than blanks, before it and up to its end.
    before: usize,
    upto: usize,
}

/// The first character that an element holds.
struct FirstCharacter {
    /// Index of the element.
    element: usize,
    /// Number of the character in the unit.
    n: usize,
    /// Characters of the element other than blanks, before it.
    before: usize,
}

fn visible(words: &str) -> usize {
    words.chars().filter(|c| !c.is_whitespace()).count()
}

/// Goes through the characters of a unit. A text without layers is one unit, so they are not
/// collected.
struct PageCharacters<'a> {
    laid: &'a Laid,
    elements: &'a [PageElement],
    document: &'a Document,
    /// Elements that hold any of the characters so far.
    first: Vec<FirstCharacter>,
    /// Number of the next character.
    n: usize,
    /// Bytes and UTF-16 units of the text up to it.
    done: usize,
    units: usize,
    /// The position of counting, and how many characters of the element are before it.
    at: usize,
    count: usize,
}

impl Iterator for PageCharacters<'_> {
    type Item = PageCharacter;

    fn next(&mut self) -> Option<PageCharacter> {
        let (folded, span) = (*self.laid.chars.get(self.n)?, self.laid.spans[self.n]);
        let (elements, n) = (self.elements, self.n);
        let element =
            elements.partition_point(|e| e.span.start() <= span.start()).saturating_sub(1);
        let is_new = self.first.last().is_none_or(|first| first.element != element);
        if is_new {
            let start = elements.get(element).map_or(span.start(), |e| e.span.start());
            (self.at, self.count) = (start, 0);
        }
        let between = Span::new(self.at.min(span.start()), span.start());
        self.count += visible(&self.document.words(between));
        let before = self.count;
        if is_new {
            self.first.push(FirstCharacter { element, n, before });
        }
        self.count += visible(&self.document.words(span));
        self.at = span.end();
        let (flat, (start, end)) = (&self.laid.flat, self.laid.at(n));
        let from = self.units + flat[self.done..start].encode_utf16().count();
        let to = from + flat[start..end].encode_utf16().count();
        (self.units, self.done, self.n) = (to, end, n + 1);
        let element = self.first.len() - 1;
        Some(PageCharacter { from, to, folded, element, before, upto: self.count })
    }
}

impl<'a> PageCharacters<'a> {
    fn of(laid: &'a Laid, elements: &'a [PageElement], document: &'a Document) -> Self {
        let first = vec![];
        let (n, done, units, at, count) = Default::default();
        PageCharacters { laid, elements, document, first, n, done, units, at, count }
    }

    /// Where the characters are not as the plain rule says (every [`PLAIN`] character is one
    /// content character, and the characters between them count as shown): a number is that of
    /// characters for which it holds, a list a character for which it does not. Empty if it holds
    /// for all.
    fn strange(&mut self) -> Vec<Value> {
        let (mut all, mut run, mut count, mut element) = (vec![], 0, 0, usize::MAX);
        let flat = &self.laid.flat;
        let plain = |c: char| PLAIN.iter().any(|(a, b)| (*a..=*b).contains(&(c as u32)));
        loop {
            let (rest, units) = (&flat[self.done..], self.units);
            let next = rest.char_indices().find(|(_, c)| plain(*c));
            let Some(key) = self.next() else {
                if next.is_some() || !all.is_empty() {
                    all.push(json!(run));
                }
                return all;
            };
            let holds = next.is_some_and(|(i, c)| {
                let from = units + rest[..i].encode_utf16().count();
                let is_new = key.element != element;
                let before = if is_new { key.before } else { count + visible(&rest[..i]) };
                let said = (from, from + c.len_utf16(), fold(c), before, before + 1);
                (key.from, key.to, key.folded, key.before, key.upto) == said
            });
            (element, count) = (key.element, key.upto);
            run += 1;
            if !holds {
                let PageCharacter { from, to, folded, element, before, upto } = key;
                all.extend((run > 1).then(|| json!(run - 1)));
                all.push(json!([from, to, folded, element, before, upto]));
                run = 0;
            }
        }
    }

    /// The elements that hold any character.
    fn first(self) -> Vec<FirstCharacter> {
        if self.elements.is_empty() { vec![] } else { self.first }
    }
}

/// The passages of the classic in a text that is translated.
struct Bases {
    /// Number of the text in the site.
    text: usize,
    /// Units, each with its number, in reading order.
    units: Vec<(usize, Unit)>,
}

impl Bases {
    fn of(id: &str, library: &Library) -> Self {
        let text = library.documents.iter().position(|d| d.id == id);
        let extract = text.map(|i| extract(&library.documents[i], library));
        let all = extract.iter().flat_map(|e| e.units().enumerate());
        let mut units: Vec<_> = all.filter(|(_, u)| u.layer.kind() == LayerKind::Base).collect();
        units.sort_by_key(|(_, u)| u.start());
        Bases { text: text.unwrap_or_default(), units }
    }

    /// Text and number of the passages that share characters with a span.
    fn covering(&self, span: Span) -> Vec<[usize; 2]> {
        let first =
            self.units.partition_point(|(_, u)| u.start() <= span.start()).saturating_sub(1);
        let met = self.units[first..].iter().take_while(|(_, u)| u.start() < span.end());
        met.filter(|(_, u)| u.parts.iter().any(|p| p.span.overlap(span) > 0))
            .map(|(n, _)| [self.text, *n])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn units(pieces: &[(Layer, &str)]) -> Vec<Value> {
        let library = Library {
            documents: vec![Arc::new(Document::of_pieces(pieces))],
            ..Library::default()
        };
        let mut words = vec![];
        words_for_pages(&library.documents[0], &library, &mut words).unwrap();
        let words: Value = serde_json::from_slice(&words).unwrap();
        words["units"].as_array().unwrap().clone()
    }

    #[test]
    fn plain_text_is_described_by_its_elements_alone() {
        let written =
            units(&[(Layer::Jing, "“賢獲。坐!"), (Layer::Blank, "\n"), (Layer::Zhu, "坐,𠀀也。")]);
        assert_eq!(
            written[0],
            json!([0, -1, 0, 0, "“賢獲。坐!", [["x1.1", 0, 1, ""], ["x1.2", 2, 0, ""]]])
        );
        assert_eq!(written[1], json!([2, -1, 0, 7, "坐,𠀀也。", [["z1", 0, 0, ""]]]));
    }

    #[test]
    fn where_the_plain_rules_fail_characters_are_described() {
        let written = units(&[(Layer::Jing, "葛\u{E0100}&KR0925;賢")]);
        let strange = written[0][7].as_array().unwrap();
        assert_eq!(
            (&strange[0][0], &strange[0][1], &strange[0][5]),
            (&json!(0), &json!(3), &json!(2))
        );
        assert_eq!((&strange[1][0], &strange[1][1]), (&json!(3), &json!(11)));
        // 賢 after them is as the rule says.
        assert_eq!((&strange[2], strange.len()), (&json!(1), 3));
    }
}
