//! Years of the 春秋: 昭二十六年《左傳》, 僖五年滅弦. The duke is the chapter of the 左傳 (or of the
//! other two traditions) that is meant.

use super::rules::Rule;
use std::ops::Range;
use std::sync::LazyLock;

use ecow::eco_format;
use regex::Regex;

use super::place::PlaceFinder;
use crate::corpus::index::Indexed;
use crate::corpus::works::Named;
use crate::corpus::{Index, Stream};
use crate::model::{Document, Link, LinkKind, Status, Target};
use crate::source::Span;
use crate::text::class::is_content;
use crate::text::fold::fold;
use crate::text::numeral;

static YEAR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?P<see>[在見见案])?(?P<duke>[隱隐桓莊庄閔闵僖文宣成襄昭定哀])公?",
        r"(?P<year>(?:元|[一二三四五六七八九十有]{1,5})年)",
        r"(?P<says>(?:[《]?[春秋左氏公羊穀梁谷]{0,4}[經经傳传][》]?)?(?:稱|称|云|曰|又)?)"
    ))
    .expect("a valid pattern")
});

/// A year without its duke: 即下六年, 昭二十五年“…”；二十九年“…”.
static BARE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?P<year>(?:元|[一二三四五六七八九十有]{1,5})年)",
        r"(?P<says>[經经傳传]?(?:稱|称|云|曰|又)?)"
    ))
    .expect("a valid pattern")
});
/// What may be before such a year. Else it is that of another reign, or says how long something was.
const BEFORE_BARE: &[char] =
    &['即', '下', '上', '至', '及', '又', '見', '见', '在', '案', '按', '據', '据', '是'];
/// Before a year of the duke that is explained.
const OF_THIS_DUKE: &[char] = &['下', '上'];

/// A title, a tradition, or what is said in one.
static NAMES_TRADITION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("[《傳传]|左氏|公羊|[穀榖谷]梁").expect("a valid pattern"));
/// The label of the classic or of the tradition, in a text that has both; some are numbered.
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[【（(〔\[][經经傳传][文元〇一二三四五六七八九十有年]{0,6}[】）)〕\]]")
        .expect("a valid pattern")
});
/// Bytes before a place in which its label is looked for: a year of the 左傳 may be long.
const MAX_LABEL_BYTES: usize = 1 << 15;
/// The classic that the traditions explain.
const CLASSIC: &str = "春秋";

/// The works that are arranged by years.
const ANNALS: &[&str] = &[CLASSIC, "左傳", "公羊傳", "穀梁傳"];
/// Bytes before a title that are looked at.
const REACH_BYTES: usize = 48;

/// A year of a duke, as the text names them.
#[derive(Clone, Copy, Debug)]
pub struct Duke {
    name: char,
    year: u32,
}

/// A year of a duke.
#[derive(Clone, Copy, Debug)]
pub struct Year {
    /// The words that name it.
    pub span: Span,
    /// Who.
    pub duke: Duke,
    /// Whether the text says that it cites (傳曰, 見).
    pub cites: bool,
    /// Whether the text does not name the duke.
    pub is_bare: bool,
}

/// True for a tradition that is told by years.
pub fn is_annals(work: Option<&str>) -> bool {
    work.is_some_and(|w| ANNALS[1..].contains(&w))
}

/// All years that are named in a text.
pub fn all(text: &str, span: Span) -> Vec<Year> {
    let found = YEAR.captures_iter(&text[span.range()]).filter_map(|c| {
        let (duke, says) = (c.name("duke")?, c.name("says")?);
        let year = numeral::year(c.name("year")?.as_str())?;
        let see = c.name("see").map(|s| s.as_str());
        Some(Year {
            span: Span::new(span.start() + duke.start(), span.start() + says.end()),
            duke: Duke { name: duke.as_str().chars().next()?, year },
            cites: !says.is_empty() || see.is_some(),
            is_bare: false,
        })
    });
    found.collect()
}

/// The same with years without a duke: of the duke named last (`last` before the text) or of `home`, whose
/// years are explained. Where it may be either, both are given, `home` first.
pub fn with_bare(text: &str, span: Span, mut last: Option<char>, home: Option<char>) -> Vec<Year> {
    let named = all(text, span);
    let mut found = Vec::new();
    let mut rest = named.iter().peekable();
    for c in BARE.captures_iter(&text[span.range()]) {
        let at = span.start() + c.get_match().start();
        while let Some(year) = rest.next_if(|y| y.span.start() <= at) {
            last = Some(year.duke.name);
            found.push(*year);
        }
        let before = text[span.start()..at].chars().next_back();
        let Some(year) = c.name("year").and_then(|y| numeral::year(y.as_str())) else { continue };
        if before.is_some_and(|b| is_content(b) && !BEFORE_BARE.contains(&b)) {
            continue;
        }
        let is_home = before.is_some_and(|b| OF_THIS_DUKE.contains(&b));
        let other = last.filter(|l| !is_home && home.is_none_or(|h| fold(h) != fold(*l)));
        let here = Span::new(at, span.start() + c.get_match().end());
        let of = |name| {
            let duke = Duke { name, year };
            Year { span: here, duke, cites: false, is_bare: true }
        };
        found.extend([home, other].into_iter().flatten().map(of));
    }
    found.extend(rest);
    found
}

/// The duke whose years are explained.
pub fn home_duke(home: Option<&Named>) -> Option<char> {
    let home = home.filter(|h| is_annals(Some(&h.work)))?;
    let duke = home.chapter.as_ref()?.strip_suffix('公')?;
    let mut chars = duke.chars();
    chars.next().filter(|_| chars.next().is_none())
}

/// The duke whose year is named just before byte `at`.
pub fn before(text: &str, within: Span, at: usize) -> Option<Duke> {
    let mut start = at.saturating_sub(REACH_BYTES).max(within.start().min(at));
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let last = all(text, Span::new(start, at)).pop()?;
    let between = text[last.span.end()..at].chars().count();
    (between < 3).then_some(last.duke)
}

/// The year of a duke that is named just after byte `at` (《左傳》僖十五年).
pub fn after(text: &str, within: Span, at: usize) -> Option<Year> {
    let mut end = at.saturating_add(REACH_BYTES).min(within.end().max(at));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let first = all(text, Span::new(at, end)).into_iter().next()?;
    (first.span.start() == at).then_some(first)
}

/// Where the section of a year is in a stream of a chapter; all of it, if there is none.
pub fn range(entry: &Indexed, stream: Stream, year: Option<u32>) -> Range<usize> {
    let is_year = |title: &str| title.rsplit('公').next().and_then(numeral::year) == year;
    let divisions = entry.document.divisions.iter();
    let section =
        divisions.clone().find(|d| year.is_some() && d.title.as_deref().is_some_and(is_year));
    section.map_or(0..usize::MAX, |d| entry.view.range(stream, d.span.range()))
}

/// Names the classic as what is cited where no tradition is named and the words are in it: 桓十七年“公會邾儀父”,
/// 彼經亦書“儀父”. The links are in order.
pub fn name_classic(links: &mut [Link], document: &Document, index: &Index) {
    // The segment and the duke of the link before, if that cites the classic.
    let mut last = None;
    for link in links.iter_mut().filter(|l| l.kind == LinkKind::Citation) {
        let called = link.work.clone();
        let of_work = called.as_deref().and_then(|work| work.split_once('・'));
        let head = document.slice(link.span);
        let quote = head.find(['“', '「']).filter(|at| *at > 0);
        let head = quote.map_or(head, |at| &head[..at]);
        let Some((work, duke)) = of_work.filter(|_| !NAMES_TRADITION.is_match(head)) else {
            last = None;
            continue;
        };
        if !is_annals(Some(work)) || duke.contains('・') {
            last = None;
            continue;
        }
        let here = (document.segment_at(link.span.start()), duke.to_string());
        if Rule::PrefersClassic.on() && head.contains(['經', '经']) {
            prefer_classic(link, document, index);
        }
        let is_classic = match link.target.as_ref().and_then(|t| label_of(t, document, index)) {
            Some(label) => !is_of_tradition(label),
            // An edition may have no labels.
            None if link.target.is_some() => head.contains(['經', '经']),
            // 例在莊二十二年 says nothing of what is there.
            None if BARE.is_match(head) => link.quoted.is_some(),
            // 彼言 goes on with the classic.
            None => head.contains(['經', '经']) || last.as_ref() == Some(&here),
        };
        if is_classic {
            link.work = Some(eco_format!("{CLASSIC}・{duke}"));
        }
        last = is_classic.then_some(here);
    }
}

/// The first place in the classic becomes that of a link, if it has one and the text says that the words are there.
fn prefer_classic(link: &mut Link, document: &Document, index: &Index) {
    let is_in_classic =
        |t: &Target| label_of(t, document, index).is_some_and(|label| !is_of_tradition(label));
    if link.status == Status::Exact
        && let Some(target) = link.target.as_mut().filter(|t| !is_in_classic(t))
        && let Some(other) = link.alternatives.iter().position(is_in_classic)
    {
        std::mem::swap(target, &mut link.alternatives[other]);
    }
}

/// The last label before a place in a text of annals: 【經】, （傳）.
fn label_of<'a>(target: &Target, document: &'a Document, index: &'a Index) -> Option<&'a str> {
    let there = target.doc.as_ref().and_then(|id| index.get(id));
    let text = there.map_or(document, |entry| &entry.document).source.text();
    let at = target.span.start();
    let mut from = at.saturating_sub(MAX_LABEL_BYTES);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    LABEL.find_iter(&text[from..at]).last().map(|label| label.as_str())
}

fn is_of_tradition(label: &str) -> bool {
    label.contains(['傳', '传'])
}

/// The labels of a text of annals: what citations of it are called depends on them.
pub fn labels(entry: &Indexed) -> Vec<bool> {
    let of_annals = entry.named.as_ref().is_some_and(|n| is_annals(Some(&n.work)));
    let text = if of_annals { entry.document.source.text() } else { "" };
    LABEL.find_iter(text).map(|label| is_of_tradition(label.as_str())).collect()
}

impl Duke {
    /// The first character of what the duke is called.
    pub fn name(self) -> char {
        self.name
    }

    /// The year.
    pub fn year(self) -> u32 {
        self.year
    }

    /// The chapter of this duke in the tradition that the text explains, else in the 左傳.
    pub fn chapter(self, places: &PlaceFinder<'_>) -> Option<Named> {
        let work = places.work().filter(|w| is_annals(Some(*w))).unwrap_or("左傳");
        let title = format!("{work}-{}公", self.name);
        places.index.works.resolve(&title, None).map(|r| r.named).filter(|n| n.chapter.is_some())
    }

    /// Adds the chapter of this duke to a work arranged by years.
    pub fn narrow(self, named: &mut Named, places: &PlaceFinder<'_>) {
        if !ANNALS.contains(&named.work.as_str()) {
            return;
        }
        let work = if named.work == CLASSIC { "左傳" } else { &named.work };
        let title = format!("{work}-{}公", self.name);
        if let Some(found) = places.index.works.resolve(&title, None) {
            named.chapter = found.named.chapter;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_belongs_to_the_title_that_follows_at_once() {
        let year = |text: &str| {
            let at = text.find('《').expect("a title");
            before(text, Span::new(0, text.len()), at).map(|d| (d.name, d.year))
        };
        assert_eq!(year("案昭二十六年《左傳》稱禮"), Some(('昭', 26)));
        assert_eq!(year("僖五年,《左傳》云"), Some(('僖', 5)));
        assert_eq!(year("僖五年滅弦,弦子奔黃。《左傳》云"), None, "a year of the events");
    }

    #[test]
    fn a_year_without_a_duke_is_of_the_one_named_last_or_of_the_one_explained() {
        let years = |text: &str, home: Option<char>| -> Vec<(char, u32)> {
            let all = with_bare(text, Span::new(0, text.len()), None, home);
            all.iter().map(|y| (y.duke.name, y.duke.year)).collect()
        };
        let row = "昭二十五年卒；二十九年，";
        assert_eq!(years(row, None), [('昭', 25), ('昭', 29)]);
        assert_eq!(years(row, Some('宣')), [('昭', 25), ('宣', 29), ('昭', 29)]);
        assert_eq!(years("昭元年，即下六年夏", Some('宣')), [('昭', 1), ('宣', 6)]);
        assert_eq!(years("平王四十九年，君之三年之喪，子生八年", Some('宣')), []);
    }

    #[test]
    fn a_year_after_a_title_begins_at_once() {
        let year = |text: &str| {
            let at = text.find('》').expect("a title") + '》'.len_utf8();
            after(text, Span::new(0, text.len()), at).map(|d| (d.duke.name, d.duke.year))
        };
        assert_eq!(year("《左傳》僖十五年，秦伯伐晉。"), Some(('僖', 15)));
        assert_eq!(year("《左傳》云僖十五年，秦伯伐晉。"), None);
        assert_eq!(
            year("僖十五年《左傳》昭元年云"),
            Some(('昭', 1)),
            "the year before is another's"
        );
        let within = |words: usize| {
            let text = "《左傳》僖十五年";
            let at = "《左傳》".len();
            after(text, Span::new(0, at + words), at).is_some()
        };
        assert!(within("僖十五年".len()) && !within("僖十五".len()), "not beyond the span");
    }
}
