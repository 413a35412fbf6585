//! Warnings about a text as a whole, from any reader: its title promises a commentary that was not
//! found, brackets do not close, or nearly everything is one layer. Each shows the first place.

use std::sync::LazyLock;

use regex::Regex;

use crate::diag::Diagnostic;
use crate::model::{Document, Layer, LayerKind};
use crate::source::{Source, Span};
use crate::text::class::is_content;
use crate::text::pattern;

/// Words of a title that promise notes on a text.
const NOTES: &str =
    "[注註疏箋笺]|集解|集[釋释]|章句|正[義义]|[義义]疏|音[義义]|集[傳传]|[詮诠]言|全解";
static PROMISES_NOTES: LazyLock<Regex> = LazyLock::new(|| pattern(NOTES));
/// The same, and those that promise a commentary, which may also be a corrected text or a
/// translation.
static PROMISES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        "{NOTES}|校[釋释]|[訓训][詁诂纂]|[閒间][詁诂]|索[隱隐]|[補补]正|通[釋释]|今[譯译]|衍[義义]|直解|本[義义]"
    ))
});
/// The line of a commentator: dynasty, name, and what he did, with blanks between (漢　高誘　注).
static COMMENTATOR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?m)^\s*\p{Han}{1,2}[ \u{3000}]+\p{Han}{2,4}[ \u{3000}]+(?:撰)?(?P<did>[注註疏箋笺解])[ \u{3000}]*$",
    )
});
/// Lines at the start of a text that may be its title, and the longest of them, in characters.
const TITLE_LINES: usize = 4;
const MAX_TITLE_CHARS: usize = 40;
/// Brackets that should be closed.
const PAIRS: [(char, char); 4] = [('【', '】'), ('〔', '〕'), ('〖', '〗'), ('［', '］')];
/// Share of a commented text above which one layer is implausibly large, in characters, and the
/// least length of a text for that.
const MAX_SHARE: f64 = 0.97;
const MIN_CHARS: usize = 2000;
/// Longest plausible note, in characters.
const MAX_NOTE_CHARS: usize = 8000;

/// Adds these warnings to the diagnostics. `recognises` tells whether the reader of the document
/// recognises a sample by itself.
pub(super) fn report(document: &mut Document, recognises: impl Fn(&str) -> bool) {
    if document.settled || document.meta.role != crate::model::Role::Witness {
        return;
    }
    let promise = unkept_promise(document, recognises);
    let found = [promise, unclosed(document), unmerged(document)].into_iter().flatten();
    let found: Vec<_> = found.chain(large(document)).collect();
    document.diagnostics.extend(found);
}

/// What a title promises. In 梁惠王章句上 it is the half of a chapter.
fn promise<'t>(promises: &Regex, title: &'t str) -> Option<regex::Match<'t>> {
    let is_half = |of: &regex::Match<'_>| {
        of.as_str() == "章句" && title[of.end()..].starts_with(['上', '下'])
    };
    promises.find_iter(title).find(|of| !is_half(of))
}

/// True if the first lines of a text, the line of a commentator or the name of the file promise
/// notes.
pub(super) fn promises_notes(source: &Source) -> bool {
    let lines = source.text().lines().map(str::trim).filter(|l| !l.is_empty()).take(TITLE_LINES);
    lines
        .filter(|l| l.chars().count() <= MAX_TITLE_CHARS && !l.contains(['。', '，', ',']))
        .any(|l| promise(&PROMISES_NOTES, l).is_some())
        || COMMENTATOR.is_match(source.text())
        || promise(&PROMISES_NOTES, stem(&source.name())).is_some()
}

/// The name of a file without its folders.
fn stem(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// The text has two versions of a place, as git writes them where people changed it in two ways.
fn unmerged(document: &Document) -> Option<Diagnostic> {
    let text = document.source.text();
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').map(|line| {
        at += line.len();
        (at - line.len(), line)
    });
    let (begin, line) = lines.find(|(_, line)| line.starts_with("<<<<<<< "))?;
    let span = Span::new(begin, begin + line.trim_end().len());
    let mut next = |marks: &str| lines.any(|(_, line)| line.starts_with(marks));
    (next("=======") && next(">>>>>>> ")).then(|| {
        let message = "two versions of a place are both in the text: a merge was not finished";
        Diagnostic::warning("unmerged", span, message)
            .hint("choose one of them, and delete the lines <<<<<<<, ======= and >>>>>>>")
    })
}

fn is_note(layer: Layer) -> bool {
    matches!(
        layer.kind(),
        LayerKind::Note | LayerKind::Commentary | LayerKind::Translation | LayerKind::Undivided
    )
}

/// The title, the line of a commentator or the name of the file promises notes, and there are none,
/// or neither marks nor glosses show where they are.
fn unkept_promise(document: &Document, recognises: impl Fn(&str) -> bool) -> Option<Diagnostic> {
    let layers = || document.segments.iter().map(|s| s.layer);
    let undivided = layers().any(|l| l == Layer::Undivided);
    let noted = layers().any(|l| is_note(l) && l != Layer::Undivided || l == Layer::ShuHeader);
    if noted || undivided && recognises(&super::sample_of(document.source.text())) {
        return None;
    }
    let words = document.segments.iter().filter(|s| s.layer.is_text()).take(TITLE_LINES);
    let in_text =
        words.filter(|s| document.slice(s.span).chars().count() <= MAX_TITLE_CHARS).find_map(|s| {
            let found = promise(&PROMISES, document.slice(s.span))?;
            let start = s.span.start();
            Some(Span::new(start + found.start(), start + found.end()))
        });
    let in_text = in_text.or_else(|| {
        let found = COMMENTATOR.captures(document.source.text())?.name("did")?;
        Some(Span::new(found.start(), found.end()))
    });
    let name = document.source.name();
    let stem = stem(&name);
    let word = match in_text {
        Some(span) => document.slice(span).to_string(),
        None => promise(&PROMISES, stem)?.as_str().to_string(),
    };
    let found = match undivided {
        true => "nothing shows where it is: any border of 經 and 注 is a guess",
        false => "no commentary was found: all text is 經",
    };
    let message = format!("the title has “{word}”, but {found}");
    let hint = "if notes are marked in the text, describe the marks in the manifest ([[shape]])";
    Some(Diagnostic::warning("no-commentary", in_text, message).hint(hint))
}

/// Warns about brackets that do not close before the next one opens or the paragraph ends.
fn unclosed(document: &Document) -> Option<Diagnostic> {
    if document.diagnostics.iter().any(|d| d.code == "bracket-unclosed") {
        return None;
    }
    let text = document.source.text();
    let mut left: Vec<Span> = vec![];
    let mut pending: [Option<Span>; PAIRS.len()] = Default::default();
    let mut blank = true;
    for (i, c) in text.char_indices() {
        match c {
            '\n' => {
                if blank {
                    left.extend(pending.iter_mut().filter_map(Option::take));
                }
                blank = true;
                continue;
            }
            // All pairs are in here, and almost no other character.
            '【'..='〗' | '［' | '］' => {
                for ((open, close), pending) in PAIRS.iter().zip(&mut pending) {
                    if c == *open {
                        left.extend(pending.replace(Span::new(i, i + c.len_utf8())));
                    } else if c == *close {
                        *pending = None;
                    }
                }
            }
            _ => {}
        }
        blank = blank && c.is_whitespace();
    }
    left.extend(pending.into_iter().flatten());
    let (span, n) = (*left.iter().min_by_key(|s| s.start())?, left.len());
    let message = match n {
        1 => "this bracket is not closed".to_string(),
        n => format!("this bracket is not closed, like {} others", n - 1),
    };
    Some(Diagnostic::warning("bracket-open", span, message).hint("close it in the source"))
}

/// Warns if nearly all of a text with notes is one layer, or if a note is implausibly long.
fn large(document: &Document) -> Vec<Diagnostic> {
    let mut of_layer: Vec<(Layer, usize, Span)> = vec![];
    let mut longest: Option<(usize, Span, Layer)> = None;
    for s in document.segments.iter().filter(|s| s.layer.is_text()) {
        let chars = document.slice(s.span).chars().filter(|c| is_content(*c)).count();
        match of_layer.iter_mut().find(|(l, ..)| *l == s.layer) {
            Some((_, n, _)) => *n += chars,
            None => of_layer.push((s.layer, chars, s.span)),
        }
        if s.layer.kind() == LayerKind::Note && longest.is_none_or(|(most, ..)| chars > most) {
            longest = Some((chars, s.span, s.layer));
        }
    }
    let all: usize = of_layer.iter().map(|(_, n, _)| n).sum();
    let mut found = vec![];
    let first = of_layer
        .iter()
        .find(|(l, n, _)| l.kind() != LayerKind::Undivided && *n as f64 > MAX_SHARE * all as f64);
    let commented = of_layer.iter().any(|(l, ..)| is_note(*l));
    if let Some((layer, n, span)) = first.filter(|_| commented && all >= MIN_CHARS) {
        let percent = n * 100 / all;
        let message = format!("{percent} of 100 characters are {}: are marks missed?", layer.zh());
        found.push(Diagnostic::warning("layer-large", *span, message));
    }
    if let Some((n, span, layer)) = longest.filter(|(n, ..)| *n > MAX_NOTE_CHARS) {
        let message = format!("a {} of {n} characters: does it end where it should?", layer.zh());
        found.push(Diagnostic::warning("note-long", span, message));
    }
    found
}
