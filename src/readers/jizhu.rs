//! Classic and commentary run together in punctuated paragraphs, with no sub-commentary whose
//! headers would separate them: 朱熹's 章句集注, or a 注疏 text without its 疏.
//!
//! The reader recognises what the form of lines shows: titles, a preface before the title of the
//! text itself, labels of chapters (`右第一章`, `上傳之首章`). Undivided text is left to the pass `split`.
//! Such a text differs from a plain classic in its glosses: X，音Y and X，Y也 in every paragraph.
//! Recognition is conservative; `--from` overrides it.

use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::diag::{Diagnostic, Error};
use crate::model::thresholds::RECOGNISED_BY_FORM_ALONE;
use crate::model::{Cover, Document, Evidence, EvidenceKind, Layer};
use crate::source::{Source, Span};
use crate::text::{self, Line, class, pattern, sound};

/// Least number of sentences of a text for its glosses to be counted.
const MIN_SENTENCES: usize = 20;
/// Least number of glosses on words of the text before.
const MIN_TAKEN_UP: usize = 5;
/// How far before a gloss its word may be, in bytes.
const MAX_BYTES_BEFORE_GLOSS: usize = 450;
/// Longest title, in characters.
const MAX_TITLE_CHARS: usize = 24;

/// A gloss: 峻，大也.
static DEFINES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[“「]?[^，,：:「“]{1,3}[，,][^，,：:]{1,8}[也貌名]$"));
/// The label of a chapter, with a description of its content.
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^[上右](?:[经經传傳記记]之?)?第?[首一二三四五六七八九十百]+[章節节](?:[，,][^。]{0,40})?(?:。(?:[释釋][^。]{1,20}。)?)?",
    )
});

/// Glosses of sound and of meaning, as shares of the sentences.
pub fn sniff(head: &str) -> u8 {
    if super::start(head).starts_with(['<', '{', '[', '#'])
        || head.contains("[疏]")
        || head.contains('¶')
    {
        return 0;
    }
    let (mut all, mut sounds, mut senses, mut taken_up) = (0usize, 0usize, 0usize, 0usize);
    for sentence in sentences(head) {
        all += 1;
        sounds += usize::from(sound::is_gloss(sentence));
        if DEFINES.is_match(sentence) {
            senses += 1;
            taken_up += usize::from(takes_up(head, sentence));
        }
    }
    // A dictionary or an essay defines words too, but not those of the text before.
    let many = (sounds * 100 >= all && senses * 50 >= all) || taken_up * 100 >= all * 3;
    let of_the_text = taken_up >= MIN_TAKEN_UP && taken_up * 2 >= senses;
    if all >= MIN_SENTENCES && many && of_the_text { 25 } else { 0 }
}

/// True if the word that a sentence of `text` defines is in the text before it.
fn takes_up(text: &str, sentence: &str) -> bool {
    let at = sentence.as_ptr() as usize - text.as_ptr() as usize;
    let from = super::floor(text, at.saturating_sub(MAX_BYTES_BEFORE_GLOSS));
    let word = sentence.split(['，', ',']).next().unwrap_or_default();
    text[from..at].contains(word.trim_start_matches(['“', '「', '○']))
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['。', '！', '？', '；', '!', '?', ';', '\n'])
        .map(str::trim)
        .filter(|s| !s.is_empty())
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ParagraphKind {
    Title,
    /// The preface before the title.
    Preface,
    /// A label of this many bytes, then commentary.
    Label(usize),
    Text,
}

/// Reads. See the [module](self).
///
/// # Errors
/// None of its own.
pub fn read(source: Source) -> Result<Document, Error> {
    let source = Arc::new(source);
    let mut document = Document::new(source.clone(), "jizhu");
    let text = source.text();
    let lines: Vec<Line> = text::lines(text).into_iter().filter(|l| !l.words.is_empty()).collect();
    let kinds = kinds(text, &lines);
    let mut cover = Cover::new(text);
    for (line, kind) in lines.iter().zip(&kinds) {
        put(text, &mut cover, line.words, *kind);
    }
    document.segments = cover.finish().into();
    if let Some(n) = kinds.iter().position(|k| *k == ParagraphKind::Title) {
        document.meta.title = text[lines[n].words.range()].to_string();
    }
    let texts = kinds.iter().filter(|k| **k == ParagraphKind::Text).count();
    let message = format!("nothing separates 經 from 注 in {texts} paragraphs");
    document.diagnostics.push(
        Diagnostic::info("notes-undivided", None, message)
            .hint("if it is a classic without notes, read it with --from plain"),
    );
    Ok(document)
}

fn kinds(text: &str, lines: &[Line]) -> Vec<ParagraphKind> {
    // Without punctuation a short line shows nothing.
    let punctuated = text::is_punctuated(text);
    let mut kinds: Vec<ParagraphKind> = lines
        .iter()
        .enumerate()
        .map(|(n, line)| {
            let words = &text[line.words.range()];
            match LABEL.find(words) {
                Some(label) => ParagraphKind::Label(label.end()),
                None if punctuated && is_title(words, n == 0) => ParagraphKind::Title,
                None => ParagraphKind::Text,
            }
        })
        .collect();
    // Paragraphs without a gloss between the first title and the next are a preface.
    let titles: Vec<usize> =
        (0..kinds.len()).filter(|n| kinds[*n] == ParagraphKind::Title).collect();
    if let Some(&last) = titles.iter().find(|t| (0..**t).any(|n| kinds[n] == ParagraphKind::Text)) {
        let before: Vec<usize> = (0..last).filter(|n| kinds[*n] == ParagraphKind::Text).collect();
        let glosses = |n: &usize| {
            sentences(&text[lines[*n].words.range()])
                .any(|s| sound::is_gloss(s) || DEFINES.is_match(s))
        };
        if !before.iter().any(glosses) {
            before.into_iter().for_each(|n| kinds[n] = ParagraphKind::Preface);
        }
    }
    kinds
}

/// True for a short line without punctuation; a gloss may follow after a wide gap.
fn is_title(words: &str, first: bool) -> bool {
    let head = &words[..gap(words).unwrap_or(words.len())];
    let short = head.chars().count() <= MAX_TITLE_CHARS
        && class::is_content(head.chars().last().unwrap_or(' '))
        || first && head.ends_with(['》', '〉']);
    short
        && !head.chars().any(|c| class::ends_sentence(c) || class::ends_clause(c))
        && !head.contains(['“', '「'])
}

/// The first gap of at least two blanks.
fn gap(words: &str) -> Option<usize> {
    static GAP: LazyLock<Regex> = LazyLock::new(|| pattern(r"[ \u{3000}\t]{2,}"));
    GAP.find(words).map(|m| m.start())
}

fn put(text: &str, cover: &mut Cover<'_>, words: Span, kind: ParagraphKind) {
    cover.to(words.start(), Layer::Blank);
    let here = &text[words.range()];
    let form = Evidence::of;
    match kind {
        ParagraphKind::Title => {
            let head = gap(here).unwrap_or(here.len());
            cover.inferred(
                words.start() + head,
                Layer::Heading,
                RECOGNISED_BY_FORM_ALONE,
                form(EvidenceKind::TitleLine),
            );
            let rest = &here[head..];
            let layer =
                if rest.contains(['。', '，', ',']) { Layer::Zhu } else { Layer::Heading };
            cover.inferred(
                words.end(),
                layer,
                RECOGNISED_BY_FORM_ALONE,
                form(EvidenceKind::AfterTitle),
            );
        }
        ParagraphKind::Preface => cover.inferred(
            words.end(),
            Layer::Other,
            RECOGNISED_BY_FORM_ALONE,
            form(EvidenceKind::BeforeTitleWithoutGlosses),
        ),
        ParagraphKind::Label(len) => {
            cover.inferred(
                words.start() + len,
                Layer::Label,
                RECOGNISED_BY_FORM_ALONE,
                form(EvidenceKind::LabelForm),
            );
            cover.inferred(
                words.end(),
                Layer::Zhu,
                RECOGNISED_BY_FORM_ALONE,
                form(EvidenceKind::AfterLabel),
            );
        }
        ParagraphKind::Text => cover.to(words.end(), Layer::Undivided),
    }
}
