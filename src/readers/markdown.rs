//! The Markdown that zhushu exports: the classic in paragraphs with the numbers of its sentences,
//! notes as footnotes that begin with the name of their layer (`[^1]: 注 …`), sub-commentary in
//! quotations (`> **疏** *header* …`).

use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::diag::Error;
use crate::model::{Cover, Document, Layer, Role, SourceFact};
use crate::source::Source;
use crate::text::letters::{self, Letters};
use crate::text::pattern;

/// A footnote with the name of its layer.
static NOTE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(\[\^\d+\]: (\p{Han}{1,4})) +"));
/// A quotation with the name of its layer, and the header of a sub-commentary.
static SAID: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^> \*\*(\p{Han}{1,4})\*\* (?:\*((?:[^*\\\n]|\\.)+)\* )?"));
/// The name of a tradition before its paragraph.
static BASE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\*\*(\p{Han}{1,4})\*\* "));
static HEADING: LazyLock<Regex> = LazyLock::new(|| pattern(r"^#{1,6} (?:\d+ )?"));
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^<sup>\d+[a-z]?</sup>"));
/// What is not text inside a line: the number of a sentence, that of a footnote, the sign before an
/// escaped character.
static INSIDE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"<sup>\d+[a-z]?</sup>|(\[\^\d+\])|\\(?:[!-/:-@\[-`{-~])|&#\d+;"));

/// The heading of the apparatus, and what a line of it begins with.
const APPARATUS: &str = "校勘";

fn is_entry(line: &str) -> bool {
    line.starts_with("- ")
}

/// True for a line such as `版本 only some passages`.
fn is_fact(line: &str) -> bool {
    let names = SourceFact::NAMES.iter().map(|(_, zh)| zh);
    names.into_iter().any(|name| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')))
}

/// Recognises our front matter, and footnotes or quotations with the name of their layer, or the
/// numbers of sentences.
pub fn sniff(head: &str) -> u8 {
    let front = super::start(head).starts_with("---");
    let layer = |name: &str| name.parse::<Layer>().is_ok();
    let ours = |l: &str| {
        NOTE.captures(l).is_some_and(|c| layer(&c[2]))
            || SAID.captures(l).is_some_and(|c| layer(&c[1]))
    };
    // A text without notes has the numbers of its sentences, a translation the name of its layer.
    let is_ours = head.contains("\nsources:\n- title:");
    let numbered = |l: &str| is_ours && (NUMBERED.is_match(l) || l.starts_with("  layer: "));
    if front && head.lines().any(|l| ours(l) || numbered(l)) { 100 } else { 0 }
}

/// Reads. See the [module](self).
///
/// # Errors
/// None of its own.
pub fn read(source: Source) -> Result<Document, Error> {
    let source = Arc::new(source);
    let text = source.text();
    let mut document = Document::new(Arc::clone(&source), "markdown");
    let mut cover = Cover::new(text);
    let front = front_matter(text);
    cover.to(front, Layer::Furniture);
    let title = text[..front].lines().find_map(|l| l.strip_prefix("title: "));
    if let Some(title) = title {
        document.meta.title = title.trim().trim_matches('"').replace("\\\"", "\"");
    }
    let bases = bases(&text[..front]);
    if !bases.is_empty() && bases.iter().all(|layer| *layer == Layer::Translation) {
        document.meta.role = Role::Translation;
        let written = &text[front..];
        if Letters::of(written).is_another_language() {
            document.meta.language = letters::language(written).into();
        }
    }
    let (mut bases, mut base) = (bases.into_iter(), Layer::Jing);
    let mut at = front;
    // The facts after a title, and the list of the apparatus, are not of the text.
    let mut aside = None;
    for line in text[front..].split_inclusive('\n') {
        let end = at + line.trim_end().len();
        if aside.is_some_and(|is: fn(&str) -> bool| is(line)) {
            cover.to(end, Layer::Furniture);
            at += line.len();
            continue;
        }
        aside = aside.filter(|_| line.trim().is_empty());
        let named = |c: &regex::Captures<'_>, n: usize| c[n].parse::<Layer>().ok();
        let note = NOTE.captures(line).and_then(|c| named(&c, 2).map(|layer| (c, layer)));
        let said = SAID.captures(line).and_then(|c| named(&c, 1).map(|layer| (c, layer)));
        if let Some(found) = HEADING.find(line) {
            cover.to(at + found.end(), Layer::Mark);
            cover.to(end, Layer::Heading);
            if line.starts_with("# ") {
                base = bases.next().unwrap_or(Layer::Jing);
            }
            let is_apparatus = line[found.end()..].trim() == APPARATUS;
            aside = Some(if is_apparatus { is_entry } else { is_fact });
        } else if let Some((c, layer)) = note {
            cover.to(at + c[1].len(), Layer::Mark);
            words(&mut cover, text, at + c[0].len(), end, layer);
        } else if let Some((c, layer)) = said {
            if let Some(header) = c.get(2) {
                cover.to(at + header.start(), Layer::Mark);
                words(&mut cover, text, at + header.start(), at + header.end(), Layer::ShuHeader);
            }
            cover.to(at + c[0].len(), Layer::Mark);
            words(&mut cover, text, at + c[0].len(), end, layer);
        } else if let Some((c, layer)) =
            BASE.captures(line).and_then(|c| named(&c, 1).map(|layer| (c, layer)))
        {
            cover.to(at + c[0].len(), Layer::Mark);
            words(&mut cover, text, at + c[0].len(), end, layer);
        } else {
            words(&mut cover, text, at, end, base);
        }
        at += line.len();
    }
    cover.finish_into(&mut document);
    Ok(document)
}

/// Words of one layer. The number of a footnote is a mark between two pieces, other marks are
/// inside one.
fn words(cover: &mut Cover<'_>, text: &str, from: usize, to: usize, layer: Layer) {
    // Blanks after a mark are of it, though nothing follows them.
    let to = to.max(from);
    let (mut at, mut begun) = (from, false);
    let mut piece = |cover: &mut Cover<'_>, from: usize, to: usize| {
        match (from < to, begun) {
            (false, _) => return,
            (true, true) => cover.go_on(from, to),
            (true, false) => {
                cover.to(from, Layer::Mark);
                cover.to(to, layer);
            }
        }
        begun = true;
    };
    for c in INSIDE.captures_iter(&text[from..to]) {
        let (start, end) = (from + c.get_match().start(), from + c.get_match().end());
        piece(cover, at, start);
        // The character after the sign is text.
        at = if c[0].starts_with('\\') { start + 1 } else { end };
        if c.get(1).is_some() {
            cover.to(start, layer);
            cover.to(end, Layer::Mark);
            return words(cover, text, end, to, layer);
        }
    }
    piece(cover, at, to);
    cover.to(to, Layer::Mark);
}

/// The layer of each text of the file: that which the front matter names beside its title, else the
/// classic.
fn bases(front: &str) -> Vec<Layer> {
    let mut all = vec![];
    for line in front.lines() {
        if line.starts_with("- title: ") {
            all.push(Layer::Jing);
        }
        let named = line.strip_prefix("  layer: ").and_then(|l| l.trim_matches('"').parse().ok());
        if let Some((last, layer)) = all.last_mut().zip(named) {
            *last = layer;
        }
    }
    all
}

/// Where the front matter ends.
fn front_matter(text: &str) -> usize {
    let Some(body) = text.find("---\n") else { return 0 };
    text[body + 4..].find("\n---\n").map_or(0, |end| body + 4 + end + 5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline;

    #[test]
    fn only_what_is_marked_is_a_heading() {
        let lines = ["子曰主忠信", "子曰君子不器", "子曰學而時習之", "有子曰其為人也孝弟"];
        let line = |n: usize| format!("<sup>{n}</sup>{}[^{n}]\n\n", lines[n - 1]);
        let note = |n: usize| format!("[^{n}]: 注 包曰同門曰朋\n\n");
        let all = |one: &dyn Fn(usize) -> String| (1..=4).map(one).collect::<String>();
        let text = format!(
            "---\ntitle: \"論語\"\n---\n\n# 論語\n\n## 1 學而\n\n{}{}",
            all(&line),
            all(&note)
        );
        let library = pipeline::convert(Source::from_text("a.md", text), None).unwrap();
        let of = |layer| {
            let all = library.documents.iter().map(|d| d.of_layer(layer).count());
            all.sum::<usize>()
        };
        assert_eq!((of(Layer::Jing), of(Layer::Heading)), (4, 2));
    }

    #[test]
    fn footnotes_quotations_and_numbers() {
        let text = "---\ntitle: \"燕禮\"\n---\n\n# 燕禮\n\n版本 某本\n\n## 1 射\n\n> **疏** *“射”* \n\n**傳** <sup>1</sup>若夫射。\n\n<sup>1</sup>若射。[^1]<sup>2</sup>則大\\*射正[^2]\n\n> **疏** *“若射”。* 釋曰：經。\n\n[^1]: 注 大射正。\n\n[^2]: 音義 正音征。\n\n## 校勘\n\n- yili\\.06 射\\] 讀 謝\n";
        assert_eq!(sniff(text), 100);
        let d = read(Source::from_text("a.md", text)).unwrap();
        d.check().unwrap();
        let of =
            |layer| d.of_layer(layer).map(|s| d.words(s.span).into_owned()).collect::<Vec<_>>();
        assert_eq!(of(Layer::Jing), ["若射。", "則大*射正"]);
        assert_eq!(of(Layer::Zhuan), ["若夫射。"]);
        assert_eq!(of(Layer::Zhu), ["大射正。"]);
        assert_eq!(of(Layer::Yin), ["正音征。"]);
        assert_eq!(
            (of(Layer::ShuHeader), of(Layer::Shu)),
            (vec!["“射”".into(), "“若射”。".into()], vec!["釋曰：經。".into()])
        );
        assert_eq!(of(Layer::Heading), ["燕禮", "射", "校勘"]);
        assert_eq!(d.meta.title, "燕禮");
    }
}
