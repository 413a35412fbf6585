//! Labels that a shape does not know. Where each section of a text begins with a name in brackets,
//! a name that comes back is a label too, though no shape has it: what follows it belongs to none
//! of the sections around it. If another shape knows the name, its layer is known.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::{label_of, shapes};
use crate::corpus::{Shape, ShapeEnd, ShapeMark, ShapePlace};
use crate::model::Layer;
use crate::readers::MIN_SIGNS;
use crate::source::Span;
use crate::text::class::is_content;
use crate::text::{self, pattern};

/// A name in brackets at the start of a line.
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    let pair = |pair: [&str; 2]| format!(r"{}\s*\p{{Han}}{{1,6}}\s*{}", pair[0], pair[1]);
    let pairs = [["【", "】"], ["〔", "〕"], ["［", "］"], [r"\[", r"\]"], ["〖", "〗"]];
    pattern(&format!("^(?:{})", pairs.map(pair).join("|")))
});

/// A label that no mark of a shape is.
pub(in crate::readers) struct UnknownLabel<'t> {
    /// Its words, with the brackets.
    pub words: &'t str,
    /// Its layer by another shape.
    pub layer: Option<Layer>,
    /// Where it is first.
    pub first: Span,
    /// How many lines begin with it.
    pub lines: usize,
}

/// The labels of a text that no mark of a shape is; of no built-in shape, if none is given.
pub(in crate::readers) fn unknown<'t>(
    text: &'t str,
    shape: Option<&Shape>,
) -> Vec<UnknownLabel<'t>> {
    let mut found: BTreeMap<&str, UnknownLabel<'t>> = BTreeMap::new();
    for line in text::lines(text) {
        let words = &text[line.words.range()];
        let Some(label) = LABEL.find(words).map(|label| label.as_str()) else { continue };
        let first = Span::new(line.words.start(), line.words.start() + label.len());
        let new = UnknownLabel { words: label, layer: None, first, lines: 0 };
        found.entry(label).or_insert(new).lines += 1;
    }
    let comes_back = found.into_values().filter(|label| label.lines >= MIN_SIGNS);
    let is_known = |label: &UnknownLabel<'_>| match shape {
        Some(shape) => named(shape, label.words).is_some(),
        None => named_by_any(label.words).is_some(),
    };
    let mut unknown: Vec<_> = comes_back.filter(|label| !is_known(label)).collect();
    unknown.iter_mut().for_each(|label| label.layer = named_by_any(label.words));
    unknown.sort_by_key(|label| label.first.start());
    unknown
}

/// The layer that a shape gives what follows a label.
fn named(shape: &Shape, label: &str) -> Option<Layer> {
    label_of(shape, label).filter(|(len, _)| *len == label.len()).map(|(_, layer)| layer)
}

fn named_by_any(label: &str) -> Option<Layer> {
    shapes().iter().filter(|s| !s.marks.iter().any(|m| m.numbered)).find_map(|s| named(s, label))
}

/// The shape with the labels of a text that it does not know, if its sections go on to the next
/// mark. A label that no shape knows opens [`Layer::Other`].
pub(super) fn with_labels(shape: &Shape, text: &str) -> Option<Shape> {
    if !has_sections(shape) {
        return None;
    }
    let labels = unknown(text, Some(shape));
    let layer = |label: &UnknownLabel<'_>| label.layer.unwrap_or(Layer::Other);
    with(shape, labels.iter().map(|label| (label.words, layer(label))).collect())
}

/// The same with those labels that may make a text of the shape: names that another shape knows, of
/// more than one character. 經, 注 and 疏 alone are the marks of texts of another kind.
pub(super) fn with_names(shape: &Shape, text: &str) -> Option<Shape> {
    let is_name = |words: &str| words.chars().filter(|c| is_content(*c)).count() > 1;
    if !shape.items || !has_sections(shape) {
        return None;
    }
    let labels = unknown(text, Some(shape));
    let named = labels.iter().filter(|label| is_name(label.words));
    with(shape, named.filter_map(|label| Some((label.words, label.layer?))).collect())
}

fn with(shape: &Shape, labels: Vec<(&str, Layer)>) -> Option<Shape> {
    if labels.is_empty() { None } else { shape.with_marks(&labels) }
}

/// True if each mark of a shape begins a section.
fn has_sections(shape: &Shape) -> bool {
    let is_section = |m: &ShapeMark| m.place == ShapePlace::LineStart && m.ends == ShapeEnd::Mark;
    !shape.marks.is_empty() && shape.marks.iter().all(is_section)
}

#[cfg(test)]
mod tests {
    use crate::model::Layer;
    use crate::readers::read;
    use crate::source::Source;

    const CLASSIC: [&str; 4] = [
        "黃帝者，少典之子，姓公孫，名曰軒轅。",
        "生而神靈，弱而能言，幼而徇齊，長而敦敏。",
        "軒轅之時，神農氏世衰。",
        "諸侯相侵伐，暴虐百姓。",
    ];

    /// How many pieces of the classic, and of each other layer of interest, and the warnings.
    fn layers(before: &str, rest: &str, blank: &str) -> ([usize; 6], Vec<String>) {
        let one = |text: &&str| format!("{before}{text}\n{rest}{blank}");
        let text = format!("五帝本紀第一\n\n{}", CLASSIC.iter().map(one).collect::<String>());
        let d = read(Source::from_text("t.txt", text), None).unwrap();
        let of = |layer| d.of_layer(layer).count();
        let bie = "別注".parse().unwrap();
        let counts = [Layer::Jing, Layer::Zhu, bie, Layer::Shu, Layer::An, Layer::Other].map(of);
        let warnings = d.diagnostics.iter().filter(|d| d.code.starts_with("labels"));
        (counts, warnings.map(|d| d.code.to_string()).collect())
    }

    #[test]
    fn an_item_begins_where_its_sections_come_again() {
        let sections = "【集解】徐廣曰：號有熊。\n【索隱】案：有土德之瑞。\n【正義】輿地志云：涿鹿。\n【考證】張文虎曰：某本作某。\n";
        assert_eq!(layers("", sections, "\n").0, [4, 4, 4, 4, 4, 0]);
        assert_eq!(layers("", sections, "").0, [4, 4, 4, 4, 4, 0]);
    }

    #[test]
    fn a_name_that_another_shape_knows_has_its_layer() {
        let sections = "【集解】徐廣曰：號有熊。\n【索隱】案：有土德之瑞。\n";
        assert_eq!(layers("【正文】", sections, "").0, [4, 4, 4, 0, 0, 0]);
        let colons = "集解：徐廣曰：號有熊。\n索隱：案：有土德之瑞。\n正義：輿地志云：涿鹿。\n";
        assert_eq!(layers("", colons, "\n").0, [4, 4, 4, 4, 0, 0]);
    }

    #[test]
    fn marks_of_one_character_make_no_sections() {
        let text =
            CLASSIC.map(|text| format!("【經】{text}\n【傳】元年春王正月。\n【疏】正義曰：某。\n"));
        let d = read(Source::from_text("t.txt", text.concat()), None).unwrap();
        assert!(!["sections", "yizhu", "jing-zhuan-zhu"].contains(&&*d.reader), "{}", d.reader);
    }

    #[test]
    fn a_name_that_nobody_knows_is_of_no_layer_around_it() {
        let sections = "【注释】\n①有熊，国名。\n【译文】\n黄帝是少典的儿子，他的名字叫轩辕。\n【段意】\n此章各本颇有出入。\n";
        let (counts, warnings) = layers("【原文】\n", sections, "");
        assert_eq!((counts[0], counts[5]), (4, 4));
        assert_eq!(warnings, ["labels-unknown"]);
    }

    #[test]
    fn a_name_that_is_read_as_words_is_said() {
        let notes = "〔注〕徐廣曰：號有熊。\n〔疏〕釋曰：有土德之瑞，故號黃帝也。\n〔補〕輿地志云：涿鹿。\n";
        let (_, warnings) = layers("", notes, "\n");
        assert_eq!(warnings.len(), 1, "{warnings:?}");
    }
}
