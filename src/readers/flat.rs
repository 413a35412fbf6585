//! 注疏 in running text whose brackets a copy has lost:
//! `公食大夫之禮○使大夫戒各以其爵注戒猶告也…音義食音嗣…疏釋曰…`, as web pages show the 四庫 texts.
//!
//! Only the words 注, 音義, 疏 (釋曰, 正義曰) and ○ mark where a layer begins, nothing marks where
//! the classic continues, and each of these words is an ordinary word as well. The reader
//! recognises titles, furniture and ○ and leaves the rest to the pass `inline`.

use std::sync::{Arc, LazyLock};

use regex::Regex;

use crate::diag::{Diagnostic, Error};
use crate::model::thresholds::RECOGNISED_BY_FORM;
use crate::model::{Cover, Document, Evidence, EvidenceKind, Layer, Meta};
use crate::source::{Source, Span};
use crate::text::class::{circles, ends_clause, ends_sentence, is_content};
use crate::text::{self, Line, numeral, pattern};

/// Longest title, in characters.
const MAX_TITLE_CHARS: usize = 30;
/// A text must have at least one 注 in this many characters.
const MAX_CHARS_PER_NOTE: usize = 300;
/// Most characters between punctuation marks in a text that has punctuation.
const MAX_CHARS_PER_MARK: usize = 30;
/// A text with a round bracket in so many characters has its notes in brackets.
const MAX_CHARS_PER_BRACKET: usize = 150;

/// How 疏 and 音義 open.
static OPENINGS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"音[義义]|疏?[注註傳传箋笺]?(?:[釋释]曰|正[義义]曰|解云)"));
static TITLES: LazyLock<Regex> = LazyLock::new(|| {
    let n = "[一二三四五六七八九十百上中下之]+";
    pattern(&format!(
        r"^(?:欽定四庫全書.*|钦定四库全书.*|\S{{1,12}}[卷巻卷][第之]?{n}(?:考[證证])?|(?P<name>\S{{1,10}})第(?P<n>{n}))$"
    ))
});
/// What a wiki page puts around the text: its name, and links to its neighbours.
static FURNITURE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"維基文庫|维基文库|[(（]四[庫库]全[書书]本[)）]|^[←→]|^\S*卷\S+\s+\S+\s+卷\S+(?:\s+卷\S+)*$",
    )
});

/// Recognises texts with many labels and without brackets or punctuation.
pub fn sniff(head: &str) -> u8 {
    let start = super::start(head);
    if start.starts_with(['<', '{', '[', '#'])
        || head.contains(['¶', '【', '〔', '［'])
        || head.contains("[疏]")
    {
        return 0;
    }
    let words = head.chars().filter(|c| is_content(*c)).count();
    // Its brackets are not lost.
    if head.matches(['（', '(']).count() * MAX_CHARS_PER_BRACKET > words {
        return 0;
    }
    let marks = head.chars().filter(|c| ends_sentence(*c) || ends_clause(*c)).count();
    let notes = head.matches(['注', '註']).count();
    let (mut readings, mut comments) = (0, 0);
    for m in OPENINGS.find_iter(head) {
        *(if m.as_str().starts_with('音') { &mut readings } else { &mut comments }) += 1;
    }
    let labelled = comments >= 3
        && readings + head.matches('○').count() >= 2
        && notes * MAX_CHARS_PER_NOTE > words;
    if labelled && marks * MAX_CHARS_PER_MARK < words { 60 } else { 0 }
}

/// Reads. See the [module](self).
///
/// # Errors
/// None.
pub fn read(source: Source) -> Result<Document, Error> {
    let source = Arc::new(source);
    let mut document = Document::new(source.clone(), "flat");
    let text = source.text();
    let mut cover = Cover::new(text);
    let mut begun = false;
    for line in text::lines(text).iter().filter(|l| !l.words.is_empty()) {
        cover.to(line.words.start(), Layer::Blank);
        put(text, &mut cover, line, &mut begun, &mut document.meta);
    }
    cover.finish_into(&mut document);
    let message = "brackets and punctuation are lost: layers are separated by the words 注, 音義 and \
        疏 and by how the text reads";
    let hint = "a copy that keeps its brackets, given with --with, makes the borders certain";
    document.diagnostics.push(Diagnostic::warning("brackets-lost", None, message).hint(hint));
    Ok(document)
}

fn put(text: &str, cover: &mut Cover<'_>, line: &Line, begun: &mut bool, meta: &mut Meta) {
    let words = &text[line.words.range()];
    let short = words.chars().count() <= MAX_TITLE_CHARS && !words.contains('○');
    if !*begun && FURNITURE.is_match(words) {
        return cover.inferred(
            line.words.end(),
            Layer::Furniture,
            RECOGNISED_BY_FORM,
            Evidence::of(EvidenceKind::PageFurniture),
        );
    }
    let title = TITLES.captures(words);
    if title.is_some() || (!*begun && short) {
        if let Some((name, n)) =
            title.and_then(|c| Some((c.name("name")?, numeral::parse(c.name("n")?.as_str())?)))
            && meta.chapter.is_none()
        {
            (meta.chapter, meta.number) = (Some(name.as_str().to_string()), Some(n));
            meta.title = words.to_string();
        }
        return cover.inferred(
            line.words.end(),
            Layer::Heading,
            RECOGNISED_BY_FORM,
            Evidence::of(EvidenceKind::TitleLine),
        );
    }
    *begun = true;
    stretches(text, cover, line.words);
}

/// Reads a line of text, cut at its ○.
fn stretches(text: &str, cover: &mut Cover<'_>, line: Span) {
    let undivided = |cover: &mut Cover<'_>, end: usize| {
        cover.inferred(end, Layer::Undivided, 1.0, Evidence::of(EvidenceKind::LabelsInLine));
    };
    for circle in circles(&text[line.range()]).map(|i| line.start() + i) {
        undivided(cover, circle);
        cover.to(circle + text[circle..].chars().next().map_or(0, char::len_utf8), Layer::Mark);
    }
    undivided(cover, line.end());
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "儀禮注疏 (四庫全書本)/卷09\n\n維基文庫,自由的圖書館\n卷八 儀禮注疏 卷九 卷十\n\n  欽定四庫全書\n  儀禮注疏卷九\n  \
        漢鄭氏注 唐陸德明音義 賈公彦疏\n  公食大夫禮第九\n  公食大夫之禮○使大夫戒各以其爵注戒猶告也音義食音嗣釋曰自此盡如聘上介出請入告注問所以爲來事\
        音義爲于僞反注釋曰據大夫就賓館之門外三辭注爲旣先受賜疏注釋曰旣先受賜者謂聘日○賓朝服注於是朝服疏釋曰云大門外\n";

    #[test]
    fn lines_are_classified_and_cut_at_circles() {
        assert_eq!(sniff(TEXT), 60);
        let d = read(Source::from_text("t.txt", TEXT)).unwrap();
        d.check().unwrap();
        let count = |l: Layer| d.of_layer(l).count();
        assert_eq!((count(Layer::Heading), count(Layer::Undivided), count(Layer::Mark)), (4, 3, 2));
        assert_eq!((d.meta.chapter.as_deref(), d.meta.number), (Some("公食大夫禮"), Some(9)));
    }

    #[test]
    fn other_texts_are_not_claimed() {
        assert_eq!(
            sniff(
                "子曰：“學而時習之，不亦說乎？”注：馬曰。音義：說音悅。釋曰：正義曰：解云：釋曰○○"
            ),
            0
        );
        assert_eq!(sniff("[疏]釋曰自此釋曰釋曰注注注○○"), 0);
        assert_eq!(
            sniff("燕禮第六鄭目録云諸侯無事若卿大夫有勤勞之功釋曰案上下經注燕有四等釋曰云釋曰云"),
            0
        );
    }
}
