//! Which work a file is: by its manifest, its title, the chapters that its headings name, the name
//! of the file, or its words, in this order. Where two of them disagree, both are reported.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::cutting::MIN_NAMED;
use super::headings::FoundTitles;
use super::naming::{chapter_of, in_order};
use super::profile::{self, Profile};
use super::shown::shown_head;
use crate::corpus::Works;
use crate::corpus::works::{Named, Work};
use crate::model::{Certainty, Document};
use crate::text::class::is_content;
use crate::text::fold::fold;
use crate::text::numeral;

/// Lines at the beginning that may hold the title of the book.
const TITLE_LINES: usize = 4;
/// Share of a text's patterns that must be of a work before its words name the work. Undivided
/// commentary is most of a text.
const MIN_SHARE_OF_TEXT: f64 = 0.03;
/// Characters of a text's beginning that may hold the title of its only chapter.
const MAX_HEAD_CHARS: usize = 1200;

/// What shows which work a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grounds {
    /// The manifest names it.
    Manifest,
    /// Its title, at the beginning of the text.
    Title,
    /// Its chapters have the titles of this work's chapters.
    Chapters,
    /// The name of the file.
    FileName,
    /// Its words are those of the work.
    Words,
}

impl Grounds {
    /// Its name for programs.
    pub fn id(self) -> &'static str {
        match self {
            Grounds::Manifest => "manifest",
            Grounds::Title => "title",
            Grounds::Chapters => "chapters",
            Grounds::FileName => "file-name",
            Grounds::Words => "words",
        }
    }

    /// As a message names it.
    pub fn name(self) -> &'static str {
        match self {
            Grounds::Manifest => "the manifest",
            Grounds::Title => "the title",
            Grounds::Chapters => "the titles of chapters",
            Grounds::FileName => "the name of the file",
            Grounds::Words => "the text",
        }
    }
}

/// A work that something points to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claim {
    /// What points to it.
    pub by: Grounds,
    /// Canonical title of the work; of a work that is in no list, its title in the file.
    pub work: String,
    /// True if the list of works has it.
    pub listed: bool,
    /// How certain it is.
    pub certainty: Certainty,
    /// The words that say so, or of [`Grounds::Words`] a message.
    pub words: String,
}

impl Claim {
    /// The words as a part of a message: in quotation marks, unless they are a message themselves.
    pub fn shown(&self) -> String {
        match self.by {
            Grounds::Words => self.words.clone(),
            _ => format!("“{}”", self.words),
        }
    }
}

/// Which work a file is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Identified {
    /// All that point to a work, the most trusted first.
    pub claims: Vec<Claim>,
    /// The title of the whole book as the file has it, such as 周禮注疏.
    pub title: Option<String>,
    /// The line of that title.
    pub line: Option<String>,
    /// How much of each chapter of the canon the text has, by number of the chapter.
    pub chapters: Vec<profile::Match>,
}

impl Identified {
    /// The claim that is believed.
    pub fn best(&self) -> Option<&Claim> {
        self.claims.first()
    }

    /// A claim that contradicts the one that is believed.
    pub fn contradiction(&self) -> Option<(&Claim, &Claim)> {
        let best = self.best()?;
        let other = self.claims[1..].iter().find(|c| c.listed && c.work != best.work)?;
        Some((best, other))
    }
}

/// Words that follow the name of a classic in the title of an edition of it.
static EDITION: LazyLock<Regex> = LazyLock::new(|| {
    let words = include_str!("data/edition-words.txt");
    let words: Vec<&str> = words.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).collect();
    Regex::new(&format!("^(?:{})*$", words.join("|"))).expect("a valid pattern")
});

/// Gathers what points to a work.
pub(crate) fn identify(
    document: &Document,
    found: &FoundTitles,
    works: &Works,
    profile: &Profile,
) -> Identified {
    let matches = profile.matches(document);
    let mut identified = Identified::default();
    let mut claims = vec![];
    if let Some(work) = &document.meta.work {
        claims.push(claim(Grounds::Manifest, work, works.work(work).is_some(), 1.0, work));
    }
    if let Some((work, listed, title, line)) = first_title(document, found, works) {
        identified.title = Some(title.clone());
        identified.line = Some(line);
        claims.push(claim(Grounds::Title, &work, listed, if listed { 0.98 } else { 0.8 }, &title));
    }
    // A header may give it where the text begins with its first chapter.
    if identified.title.is_none()
        && let Some((work, true)) = title_of_work(&document.meta.title, works)
    {
        claims.push(claim(Grounds::Title, &work, true, 0.95, &document.meta.title));
    }
    if let Some((named, _)) = edition_of_chapter(&shown_head(document, MAX_HEAD_CHARS), works) {
        claims.push(claim(Grounds::Title, &named.work, true, 0.98, &named.locus()));
    }
    claims.extend(by_chapters(found, works));
    let stem = crate::corpus::id_of(document.source.path());
    // Signs may divide what of the work it has: 禮記正義_月令.
    let titles = [Some(stem.as_str()), stem.split(|c| !is_content(c)).next()];
    let by_title = titles.into_iter().flatten().filter_map(|title| title_of_work(title, works));
    let by_title = by_title.filter(|(_, listed)| *listed).map(|(work, _)| work).next();
    if let Some(work) = by_title.or_else(|| Some(chapter_of_file(&stem, works)?.0)) {
        claims.push(claim(Grounds::FileName, &work, true, 0.9, &stem));
    }
    claims.extend(by_words(&matches));
    // A title that no list has is believed only where nothing else speaks.
    claims.sort_by_key(|c| (c.by != Grounds::Manifest, !c.listed));
    identified.claims = claims;
    identified.chapters = matches;
    identified
}

fn claim(by: Grounds, work: &str, listed: bool, certainty: f64, words: &str) -> Claim {
    let (work, words) = (work.to_string(), words.to_string());
    Claim { by, work, listed, certainty: Certainty::new(certainty), words }
}

/// The title in the first lines: its work, whether a list has it, its words, and the line.
fn first_title(
    document: &Document,
    found: &FoundTitles,
    works: &Works,
) -> Option<(String, bool, String, String)> {
    let shown = found.lines.iter().enumerate().filter(|(_, l)| !l.words.is_empty());
    let mut unlisted = None;
    let shown = shown.map(|(_, l)| document.slice(l.words));
    // Remarks of a file begin with #, and so does the title of one in Markdown.
    let is_title = |l: &str| {
        let title = l.strip_prefix("# ").map(str::trim);
        title.is_some_and(|t| title_of_work(t, works).is_some_and(|(_, listed)| listed))
    };
    let shown = shown.filter(|l| !l.starts_with('#') || l.starts_with(ORG_TITLE) || is_title(l));
    for (nth, words) in shown.take(TITLE_LINES).enumerate() {
        let Some((title, of_a_book)) = book_title(words) else { continue };
        if super::framing::is_front_title(&title) {
            continue;
        }
        match title_of_work(&title, works) {
            Some((work, true)) => return Some((work, true, title, words.into())),
            Some((work, false)) if nth == 0 && of_a_book => {
                unlisted = unlisted.or(Some((work, false, title, words.into())));
            }
            _ => {}
        }
    }
    unlisted
}

/// The title of a book in a line such as 《周禮注疏》 唐 賈公彥 等撰, and whether the line is certain
/// to be one: it names an author, or an edition.
fn book_title(line: &str) -> Option<(String, bool)> {
    let line = line.strip_prefix(ORG_TITLE).unwrap_or(line);
    let line = line.trim().trim_start_matches(|c: char| !is_content(c) && c != '《');
    let (title, rest) = match line.strip_prefix('《').and_then(|l| l.split_once('》')) {
        Some((title, rest)) => (title, rest),
        None => line.split_at(
            line.find(|c: char| c.is_whitespace() || "（([【《,，".contains(c))
                .unwrap_or(line.len()),
        ),
    };
    let chars = title.chars().filter(|c| is_content(*c)).count();
    let author = rest.chars().count() < 40 && AUTHOR.is_match(rest) || EDITION_END.is_match(title);
    let running = rest.contains(['。', '；', '？']) || title.contains(['。', '：', '、']);
    ((1..=14).contains(&chars) && !running).then(|| (title.trim().to_string(), author))
}

/// Characters of a title of a chapter that is believed without its number: shorter ones are words.
const MIN_BARE_CHARS: usize = 3;
const MAX_BARE_CHARS: usize = 6;
/// The title in a mandoku file.
const ORG_TITLE: &str = "#+TITLE:";

/// Words of the line of an author.
static AUTHOR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("[撰著注註疏編编輯辑譯译校解述釋释]").expect("a valid pattern"));

/// A title that ends as those of commentaries do.
static EDITION_END: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("(?:注疏|注|註|疏|正義|正义|集解|集注|集註|集釋|集释|校釋|校释|章句|全解|解)$")
        .expect("a valid pattern")
});

/// The work that the title of an edition names: 春秋左傳正義 is 左傳. With false, the title of a work
/// that no list has, without the words of the edition.
pub(super) fn title_of_work(title: &str, works: &Works) -> Option<(String, bool)> {
    let folded: String = title.chars().filter(|c| is_content(*c)).map(fold).collect();
    let bare = PREFIXES.iter().filter_map(|p| folded.strip_prefix(p.as_str()));
    let forms: Vec<&str> = std::iter::once(folded.as_str()).chain(bare).collect();
    let fits = |name: &str| {
        let name: String = name.chars().map(fold).collect();
        let mut rests = forms.iter().filter_map(|f| f.strip_prefix(name.as_str()));
        rests.any(|rest| EDITION_FOLDED.is_match(rest)).then_some(name.chars().count())
    };
    let names = |w: &Work| std::iter::once(&w.title).chain(&w.abbr).filter_map(|n| fits(n)).max();
    // 毛詩注疏 is the 詩 with 注 and 疏, not the 毛詩注 with 疏.
    let has_chapters = |w: &Work| !w.chapters.is_empty() || !w.part.is_empty();
    let fitting = works.all().iter().filter_map(|w| Some((names(w)?, w)));
    let whole = folded.chars().count();
    let best = fitting.max_by_key(|(length, w)| (has_chapters(w), *length == whole, *length));
    if let Some((length, work)) = best
        && (length > 1 || folded.chars().count() == 1)
    {
        return Some((work.title.clone(), true));
    }
    let bare = without_edition(title);
    (bare.chars().count() >= 2).then_some((bare, false))
}

/// Words before the name of a work in the title of an edition, folded.
static PREFIXES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let words = include_str!("data/edition-prefixes.txt").lines();
    words.filter(|l| !l.starts_with('#')).map(|l| l.chars().map(fold).collect()).collect()
});

static EDITION_FOLDED: LazyLock<Regex> = LazyLock::new(|| {
    let pattern: String = EDITION.as_str().chars().map(fold).collect();
    Regex::new(&pattern).expect("a valid pattern")
});

/// A title without what names the edition: 列子集釋 → 列子.
fn without_edition(title: &str) -> String {
    let title: String = title.chars().filter(|c| is_content(*c)).collect();
    let starts = title.char_indices().map(|(i, _)| i).filter(|i| *i >= 3);
    let cut = starts
        .filter(|i| {
            let rest: String = title[*i..].chars().map(fold).collect();
            title[..*i].chars().count() >= 2 && EDITION_FOLDED.is_match(&rest)
        })
        .min();
    cut.map_or(title.clone(), |i| title[..i].to_string())
}

/// The folded title of a book without what names the edition.
pub(super) fn stem_of_title(folded: &str) -> String {
    without_edition(folded)
}

static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?P<title>[^\s第。,，:：“”<>{}○\x00-\x7f]{2,12})第(?P<n>[一二三四五六七八九十百]{1,4})",
    )
    .expect("a valid pattern")
});

/// The chapter that a title with its number names (鄉射禮第五), in the first lines or in the text
/// after them, if the list of works has the chapter under that number. Where something certain
/// names the work, it must be a chapter of that.
pub(super) fn titled(
    document: &Document,
    works: &Works,
    identified: &Identified,
) -> Option<(Named, u32)> {
    let head = shown_head(document, MAX_HEAD_CHARS);
    let home = identified.claims.iter().find(|c| c.by != Grounds::Words && c.listed);
    let titled = titled_in(&head, works)
        .or_else(|| bare_title(&head, works))
        .or_else(|| edition_of_chapter(&head, works));
    titled.filter(|(named, _)| home.is_none_or(|c| c.work == named.work))
}

/// The chapter whose title, without a number, is all of the first line: 梁惠王上, 學而篇.
fn bare_title(head: &str, works: &Works) -> Option<(Named, u32)> {
    let line = head.lines().map(str::trim).find(|l| !l.is_empty())?;
    let chars = line.chars().count();
    if !(MIN_BARE_CHARS..=MAX_BARE_CHARS).contains(&chars) || !line.chars().all(is_content) {
        return None;
    }
    let title = line.strip_suffix('篇').unwrap_or(line);
    let named = works.resolve(title, None)?.named;
    let same = |name: &String| name.chars().map(fold).eq(title.chars().map(fold));
    let number = works.number(&named)?;
    named.chapter.as_ref().is_some_and(same).then_some((named, number))
}

/// The chapter of which an edition begins with the first line: 《大學》章句集注, 中庸章句.
pub(super) fn edition_of_chapter(head: &str, works: &Works) -> Option<(Named, u32)> {
    let line = head.lines().map(str::trim).find(|l| !l.is_empty())?;
    let title = line.split(char::is_whitespace).next()?;
    let title: String = title.chars().filter(|c| is_content(*c)).map(fold).collect();
    let ends = title.char_indices().map(|(i, _)| i).take(MAX_BARE_CHARS + 1).skip(2);
    ends.filter(|end| EDITION_FOLDED.is_match(&title[*end..])).find_map(|end| {
        let named = works.resolve(&title[..end], None)?.named;
        let number = works.number(&named)?;
        let is_same = |name: &String| name.chars().map(fold).eq(title[..end].chars());
        named.chapter.as_ref().is_some_and(is_same).then_some((named, number))
    })
}

/// The chapter whose title, with its number, is in some words: 學而第一.
pub(super) fn titled_in(head: &str, works: &Works) -> Option<(Named, u32)> {
    NUMBERED.captures_iter(head).find_map(|c| {
        let number = numeral::parse(&c["n"])?;
        let title = c["title"].trim_matches(['《', '》']);
        // The work's own title may run into the chapter's.
        let starts = title.char_indices().map(|(i, _)| i);
        let named = starts
            .filter_map(|i| works.resolve(&title[i..], None))
            .map(|r| r.named)
            .find(|n| works.number(n) == Some(number))?;
        Some((named, number))
    })
}

/// The work whose chapters have the titles of the text.
pub(super) fn by_chapters(found: &FoundTitles, works: &Works) -> Option<Claim> {
    let titles = found.titles.iter().filter(|t| t.title.chars().count() > 1);
    let mut named: BTreeMap<usize, Vec<NamedTitle>> = BTreeMap::new();
    let mut count = 0;
    for (n, title) in titles.enumerate() {
        count += 1;
        for w in works.perhaps_named_in(&title.title) {
            let Some(work) = works.all().get(w) else { continue };
            let Some(chapter) = chapter_of(title, &work.title, works) else { continue };
            let Some(number) = works.number(&chapter) else { continue };
            named.entry(w).or_default().push((n, number, chapter.locus()));
        }
    }
    // Two short titles, 修身 and 正名, may be those of anything.
    let is_long = found.titles.iter().all(|t| t.title.chars().count() > 2);
    let claims = named.iter().filter_map(|(w, named)| {
        let (chapters, words) = chapters_in_order(named, count, is_long)?;
        Some((chapters, claim(Grounds::Chapters, &works.all()[*w].title, true, 0.95, &words)))
    });
    let mut claims: Vec<(usize, Claim)> = claims.collect();
    claims.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
    // The dukes of the 左傳 are also those of the 公羊傳.
    let tied = claims.get(1).is_some_and(|second| second.0 == claims[0].0);
    claims.into_iter().next().filter(|_| !tied).map(|(_, claim)| claim)
}

/// Number of a title, and the number and locus of the chapter that it names.
type NamedTitle = (usize, u32, String);

/// How many chapters the titles name in the order of the work, and the first of them, if that is
/// enough of `count` titles. Titles that come by chance are in no order, and few of those that look
/// alike.
fn chapters_in_order(named: &[NamedTitle], count: usize, is_long: bool) -> Option<(usize, String)> {
    let numbers: Vec<(usize, u32)> = named.iter().map(|(n, number, _)| (*n, *number)).collect();
    let chain: HashSet<usize> = in_order(&numbers).into_iter().collect();
    let mut chapters: Vec<&str> =
        named.iter().filter(|(n, ..)| chain.contains(n)).map(|(.., c)| c.as_str()).collect();
    chapters.dedup();
    let enough =
        chapters.len() >= MIN_NAMED && chain.len() * 2 > named.len() && named.len() * 3 > count;
    // In a file of two chapters nothing else looks like a title.
    let only = chapters.len() == 2 && count == 2 && is_long;
    let words = || chapters[..chapters.len().min(3)].join("、");
    (enough || only).then(|| (chapters.len(), words()))
}

/// The work and the number of the chapter that a file is called by, as loci are: yili-05-jinyi.
pub(super) fn chapter_of_file(stem: &str, works: &Works) -> Option<(String, u32)> {
    let mut parts = stem.split(['-', '_']);
    let (key, number) = (parts.next()?, parts.next()?);
    let work = works.all().iter().find(|w| w.key == key)?;
    Some((work.title.clone(), number.parse().ok()?))
}

/// The work of which the text has the words.
fn by_words(matches: &[profile::Match]) -> Option<Claim> {
    let best = matches.iter().max_by(|a, b| a.hits.cmp(&b.hits))?;
    // A book may have a chapter of another: 淮南子 has the 月令.
    let certain = best.is_certain() && best.of_text >= MIN_SHARE_OF_TEXT;
    let words = format!("word patterns of {}: {} of {}", best.chapter, best.hits, best.of);
    certain.then(|| claim(Grounds::Words, &best.work, true, best.certainty(), &words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editions_of_one_chapter_name_it() {
        let works = Works::builtin();
        let of = |line| super::edition_of_chapter(line, &works).map(|(n, _)| n.locus());
        assert_eq!(of("《大学》章句集注  [宋]朱熹\n"), Some("禮記・大學".into()));
        assert_eq!(of("中庸章句\n"), Some("禮記・中庸".into()));
        assert_eq!((of("大學之道，在明明德。"), of("論語集注"), of("學記")), (None, None, None));
    }

    #[test]
    fn numbered_titles_name_a_chapter() {
        let titled = |head| super::titled_in(head, &Works::builtin());
        assert_eq!(titled("鄉射禮第五").map(|t| t.0.locus()), Some("儀禮・鄉射禮".into()));
        assert_eq!(
            titled("[疏]《鄉飲酒禮》第四。").map(|t| t.0.locus()),
            Some("儀禮・鄉飲酒禮".into())
        );
        assert_eq!(titled("鄉射禮第九"), None);
    }

    #[test]
    fn a_file_may_be_called_by_a_locus() {
        let works = Works::builtin();
        let named = |stem| chapter_of_file(stem, &works);
        assert_eq!(named("yili-05-jinyi"), Some(("儀禮".to_string(), 5)));
        assert_eq!((named("yili"), named("notes-05"), named("yili-jinyi")), (None, None, None));
    }

    #[test]
    fn the_title_of_an_edition_names_its_work() {
        let works = Works::builtin();
        for (title, work, listed) in [
            ("周禮注疏", "周禮", true),
            ("春秋左传正义", "左傳", true),
            ("论语全解", "論語", true),
            ("淮南鸿烈解", "淮南子", true),
            ("列子集释", "列子", true),
            ("三国志裴松之注", "三國志", true),
            ("附釋音毛詩注疏", "詩經", true),
            ("墨子閒詁", "墨子", true),
            ("毛詩注疏", "詩經", true),
            ("毛詩故訓傳", "詩經", true),
            ("論語集解", "論語", true),
            ("山居雜志注", "山居雜志", false),
        ] {
            let found = title_of_work(title, &works);
            assert_eq!(found, Some((work.to_string(), listed)), "{title}");
        }
    }

    /// A text of random characters around a chapter that the profile knows.
    fn around(chapter: &str, chars: usize) -> Vec<profile::Match> {
        let mut seed = 7u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from_u32(0x4E00 + (seed >> 12) % 0x5000).unwrap_or('之')
        };
        let words: String = (0..chars).map(|_| next()).collect();
        let text: &'static str = Box::leak((words + chapter).into_boxed_str());
        Profile::builtin().matches(&Document::of_pieces(&[(crate::model::Layer::Jing, text)]))
    }

    #[test]
    fn a_chapter_of_another_work_in_a_large_book_does_not_name_the_book() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/yili-07-judou.md");
        let bundled = std::fs::read_to_string(path).unwrap();
        let found = by_words(&around(&bundled, 0)).expect("the text is in the profile");
        assert_eq!(found.work, "儀禮");
        assert_eq!(by_words(&around(&bundled, 400_000)), None);
    }
}
