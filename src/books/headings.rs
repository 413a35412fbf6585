//! Lines that look like titles: what each says, apart from whether it is one.
//!
//! A title line is short and has no sentence punctuation. It is read as a mark (●), a volume
//! (卷二十二), a title with or without a number (曲禮上第一), and a remark in brackets (凡七章).

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::latin;
use super::opened::with_opened_titles;
use super::plain_copies::is_of_copy;
use super::shown::shown_lines;
use crate::model::{Document, HeadingLine, Layer, LayerKind};
use crate::source::Span;
use crate::text::Line;
use crate::text::class::{closes, ends_sentence, is_content};
use crate::text::numeral;
use crate::text::pattern;

/// Characters of the longest title line, without the remark in brackets.
const MAX_TITLE_CHARS: usize = 28;
/// Characters of the longest title that may have a long note on it.
const MAX_GLOSSED_CHARS: usize = 8;
/// Brackets of such a note.
const REMARK_OPENS: [char; 5] = ['【', '（', '(', '〔', '['];
const REMARK_CLOSES: [char; 5] = ['】', '）', ')', '〕', ']'];

/// Readers of formats in which every heading is marked.
const MARKS_HEADINGS: [&str; 1] = ["markdown"];

/// How a title is numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numbering {
    /// 曲禮上第一
    After,
    /// 第一篇 天瑞
    Before,
    /// 一、天瑞, （一）天瑞, 01 天瑞
    List,
    /// 隱公元年
    Year,
    /// 乾下乾上
    Hexagram,
    /// Not numbered.
    None,
}

/// What titles of one kind share. Titles of one shape are believed or not together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TitleShape {
    /// The sign before it: ●, ◎, #.
    pub mark: Option<char>,
    /// 卷二十二 comes before it, or is all of it.
    pub volume: bool,
    /// Its number.
    pub numbering: Numbering,
    /// It is in 《》 or the like.
    pub wrapped: bool,
    /// There is a title besides volume and number.
    pub titled: bool,
}

/// A line that looks like a title.
#[derive(Clone, Debug)]
pub struct TitleLine {
    /// Number of its line, from 0.
    pub line: usize,
    /// The line without blanks around it.
    pub span: Span,
    /// What it shares with others.
    pub shape: TitleShape,
    /// Number of the volume; 0 for 卷首, 卷上 and the like.
    pub volume: Option<u32>,
    /// The volume as the line has it: 卷二十二.
    pub volume_words: String,
    /// The title, without mark, volume, number and remark; may be empty.
    pub title: String,
    /// Its number.
    pub number: Option<u32>,
    /// The reader already took it for a heading.
    pub marked: bool,
    /// Content characters that identify it, folded, to find it again in a table of contents.
    pub key: String,
}

/// Lines and title lines of a text.
#[derive(Clone, Debug)]
pub struct FoundTitles {
    /// All lines.
    pub lines: Vec<Line>,
    /// Those that look like titles, in order.
    pub titles: Vec<TitleLine>,
    /// For each line: whether it has text, and is no title.
    pub text: Vec<bool>,
}

static MARK: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:([●◎○■□◆◇★☆△▲▼▽◤§※◼◾▪•#*=\-—]+)\s*(?:\d{1,3}\s+)?)"));
static WRAPPED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:[\d.]*\s*)?[《〈「『\[［【]([^《〈「『【》〉」』】\]］]+)[》〉」』\]］】]$")
});
static REMARK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\s*(?:（[^（）]*）|\([^()]*\)|【[^【】]*】|〔[^〔〕]*〕|\[[^\[\]]*\])\s*(?:[…\.]*\s*\d*)$",
    )
});
static VOLUME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?P<of>[^卷第\s]{0,10}?)\s*(?:第(?P<a>[〇零一二三四五六七八九十百千]+)卷|卷[之第]?(?P<b>[〇零一二三四五六七八九十百千]+|[0-9]{1,4}|首|末|上|中|下)(?P<half>[上中下](?:[之]?[一二三四五])?)?)(?P<rest>$|[\s·・:：、　].*$|.*$)",
    )
});
static AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?P<t>.+?)\s*[第弟](?P<n>[〇零一二三四五六七八九十百千]+)(?:[篇章回节節編]|之[一二三四五六七八九十]+|[上中下])?$",
    )
});
static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:[第弟](?P<n>[〇零一二三四五六七八九十百千]+|[0-9]{1,3})[篇章回节節編品][\s:：·・　]*(?P<t>.*)|(?P<m>[〇零一二三四五六七八九十百千]+)章)$",
    )
});
static LIST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:[（(]?(?:(?P<n>[〇零一二三四五六七八九十百千]+)|(?P<d>[0-9]{1,3}))[、.．）)]\s*|(?P<e>[0-9]{1,3})\s+)(?P<t>.{1,16})$",
    )
});
static YEAR: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?P<t>[^\s第卷]{1,3}[公王侯])?(?:[（(][^（）()]*[）)])?(?P<n>元|[〇一二三四五六七八九十有]+)年$",
    )
});
static HEXAGRAM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^[䷀-䷿]?\s*(?P<t>[乾坤震巽坎離离艮兌兑]下[乾坤震巽坎離离艮兌兑]上)[。]?$")
});

/// Finds the lines of a document that look like titles.
pub fn find(document: &Document) -> FoundTitles {
    let text = document.source.text();
    let lines = with_opened_titles(text, shown_lines(document), ends_text);
    let lines = with_marked_titles(document, with_joined_titles(text, lines));
    let mut found = FoundTitles { titles: vec![], text: vec![false; lines.len()], lines };
    for n in 0..found.lines.len() {
        let line = &found.lines[n];
        if line.words.is_empty() || !is_shown(document, line.words) {
            continue;
        }
        let title = match document.confirmed_heading(line.words).map(|(what, _)| what) {
            Some(HeadingLine::Text) => None,
            Some(_) => title(document, n, line).or_else(|| Some(decided(document, n, line))),
            None => title(document, n, line).or_else(|| glossed(document, &found, n)),
        };
        let title =
            title.filter(|title| title.marked || !MARKS_HEADINGS.contains(&&*document.reader));
        match title {
            Some(title) => found.titles.push(title),
            None => found.text[n] = true,
        }
    }
    found
}

/// The lines, with a title at the end of one as a line of its own: 往欽哉！”夏書 禹貢第一. The break before
/// it was lost; the table of contents, or a line above, has the same title.
fn with_joined_titles(text: &str, lines: Vec<Line>) -> Vec<Line> {
    let mut titles: HashSet<&str> = HashSet::new();
    let mut all = Vec::with_capacity(lines.len());
    for line in lines {
        let words = &text[line.words.range()];
        let tail = words.rfind(|c| ends_sentence(c) || closes(c)).map(|at| {
            let rest = &words[at..];
            rest[rest.chars().next().map_or(0, char::len_utf8)..].trim_start()
        });
        let joined = tail.filter(|t| titles.contains(t)).map(|t| line.words.end() - t.len());
        if joined.is_none() && words.len() <= MAX_TITLE_CHARS * '\u{10FFFF}'.len_utf8() {
            let is_numbered = |t: &TitleLine| t.shape.titled && (t.number.or(t.volume)).is_some();
            titles.extend(parse(words).filter(is_numbered).map(|_| words));
        }
        match joined {
            Some(at) => {
                let before = text[line.words.start()..at].trim_end().len();
                all.push(Line {
                    whole: Span::new(line.whole.start(), at),
                    words: Span::new(line.words.start(), line.words.start() + before),
                });
                let end = line.whole.end();
                all.push(Line {
                    whole: Span::new(at, end),
                    words: Span::new(at, line.words.end()),
                });
            }
            None => all.push(line),
        }
    }
    all
}

/// The lines, with each heading that the format itself marks as a line of its own: the lines of XML
/// are not those of the text.
fn with_marked_titles(document: &Document, lines: Vec<Line>) -> Vec<Line> {
    let mut headings =
        document.segments.iter().filter(|s| s.layer == Layer::Heading).map(|s| s.span).peekable();
    let mut all = Vec::with_capacity(lines.len());
    for mut line in lines {
        while let Some(own) = headings.next_if(|h| h.start() < line.whole.end()) {
            if own.start() < line.words.start() || own.end() > line.words.end() {
                continue;
            }
            for at in [own.start(), own.end()] {
                if (line.words.start() + 1..line.words.end()).contains(&at) {
                    let before = Span::new(line.words.start(), at);
                    all.push(Line { whole: Span::new(line.whole.start(), at), words: before });
                    line.whole = Span::new(at, line.whole.end());
                    line.words = Span::new(at, line.words.end());
                }
            }
        }
        all.push(line);
    }
    all
}

/// True if a line is more than furniture of its file (page marks, headers of a format).
fn is_shown(document: &Document, words: Span) -> bool {
    let first = document.segment_at(words.start()).unwrap_or(0);
    let within = document.segments[first..].iter().take_while(|s| s.span.start() < words.end());
    within.filter(|s| !matches!(s.layer, Layer::Furniture | Layer::Blank | Layer::Mark)).any(|s| {
        let (from, to) = (s.span.start().max(words.start()), s.span.end().min(words.end()));
        document.words(Span::new(from, to.max(from))).chars().any(is_content)
    })
}

/// A line that a person decided is a title, whatever it looks like.
fn decided(document: &Document, n: usize, line: &Line) -> TitleLine {
    let words = document.words(line.words);
    let title = words.trim().to_string();
    let shape = TitleShape {
        mark: None,
        volume: false,
        numbering: Numbering::None,
        wrapped: false,
        titled: true,
    };
    TitleLine {
        line: n,
        span: line.words,
        shape,
        volume: None,
        volume_words: String::new(),
        key: key(&title, None, None),
        title,
        number: None,
        marked: false,
    }
}

fn title(document: &Document, n: usize, line: &Line) -> Option<TitleLine> {
    let words = document.words(line.words);
    let words = words.trim();
    // A look at the bytes first: most lines of a text are long.
    if words.is_empty() || words.len() > 2 * MAX_TITLE_CHARS * '\u{10FFFF}'.len_utf8() {
        return None;
    }
    let hexagram = is_hexagram(words);
    if words.chars().count() > 2 * MAX_TITLE_CHARS || !hexagram && ends_text(words) {
        return None;
    }
    let segment = document.segment_at(line.words.start()).map(|i| &document.segments[i]);
    let layer = segment.map(|s| s.layer);
    // Inside a note that brackets mark, a short line is a line of the note.
    if layer.is_some_and(|l| l.kind() == LayerKind::Note) && !hexagram {
        return None;
    }
    // What closes a section is no title of the next.
    if layer == Some(Layer::Label) || segment.is_some_and(is_of_copy) {
        return None;
    }
    let marked = layer == Some(Layer::Heading);
    let in_latin = || marked.then(|| in_latin(words)).flatten();
    let mut parsed = in_latin().or_else(|| parse(words))?;
    parsed.line = n;
    parsed.span = line.words;
    parsed.marked = marked;
    Some(parsed)
}

/// A title in a language of Europe: BOOK II.
fn in_latin(words: &str) -> Option<TitleLine> {
    let (mark, number, title) = latin::numbered(words)?;
    let shape = TitleShape {
        mark: Some(mark),
        volume: false,
        numbering: Numbering::Before,
        wrapped: false,
        titled: !title.is_empty(),
    };
    Some(TitleLine {
        line: 0,
        span: Span::new(0, 0),
        shape,
        volume: None,
        volume_words: String::new(),
        title: title.to_string(),
        number: Some(number),
        marked: true,
        key: words.to_lowercase(),
    })
}

/// A short title right below another, with a note on it: 原道訓【原本也…】. Its span is without the
/// note.
fn glossed(document: &Document, found: &FoundTitles, n: usize) -> Option<TitleLine> {
    let above = found.titles.last()?;
    if found.text[above.line + 1..n].contains(&true) {
        return None;
    }
    let line = found.lines[n].words;
    let words = document.slice(line);
    let bare = words[..words.find(REMARK_OPENS)?].trim_end();
    let short = (1..=MAX_GLOSSED_CHARS).contains(&bare.chars().count());
    let whole = is_one_note(&words[bare.len()..]) && short && !ends_text(bare);
    let mut parsed = parse(bare).filter(|t| whole && t.shape.titled)?;
    parsed.line = n;
    parsed.span = Span::new(line.start(), line.start() + bare.len());
    Some(parsed)
}

/// True if words are one note in brackets, which closes at their end.
fn is_one_note(words: &str) -> bool {
    let mut depth = 0usize;
    for (i, c) in words.trim_start().char_indices() {
        depth += usize::from(REMARK_OPENS.contains(&c));
        depth -= usize::from(depth > 0 && REMARK_CLOSES.contains(&c));
        if depth == 0 {
            return i + c.len_utf8() == words.trim().len() && i > 0;
        }
    }
    false
}

/// True if a line ends or goes on as running text does.
fn ends_text(words: &str) -> bool {
    let last = words.chars().last().unwrap_or_default();
    matches!(
        last,
        '。' | '，' | '、' | '；' | '：' | '？' | '！' | '”' | '’' | ',' | ';' | ':' | '!' | '?'
    ) || words.chars().any(|c| matches!(c, '。' | '？' | '！' | '；'))
}

/// Reads a line as a title.
fn parse(words: &str) -> Option<TitleLine> {
    let (mark, rest) = match MARK.captures(words) {
        Some(c) => (c[1].chars().next(), words[c[0].len()..].trim()),
        None => (None, words),
    };
    let (wrapped, rest) = match WRAPPED.captures(rest) {
        Some(c) => (true, c.get(1).map_or(rest, |m| m.as_str()).trim().to_string()),
        None => (false, rest.to_string()),
    };
    let rest = without_remark(&rest);
    if rest.chars().count() > MAX_TITLE_CHARS || !rest.chars().any(is_content) {
        return None;
    }
    let (volume, volume_words, rest) = volume(&rest);
    let (numbering, number, title) = numbered(&rest);
    let title = unwrapped(title.trim().trim_matches(['=', '*', '#']).trim()).to_string();
    let titled = title.chars().any(is_content);
    if !titled && volume.is_none() && number.is_none() {
        return None;
    }
    let shape = TitleShape { mark, volume: volume.is_some(), numbering, wrapped, titled };
    let key = key(&title, volume, number);
    let span = Span::new(0, 0);
    Some(TitleLine {
        line: 0,
        span,
        shape,
        volume,
        volume_words,
        title,
        number,
        marked: false,
        key,
    })
}

/// True for a line that is a title by its number: 學而第一, 卷二.
pub(super) fn is_numbered(words: &str) -> bool {
    let title = Some(words.trim()).filter(|w| !ends_text(w)).and_then(parse);
    let by_form = |t: &TitleLine| {
        t.shape.volume || matches!(t.shape.numbering, Numbering::After | Numbering::Before)
    };
    title.is_some_and(|t| by_form(&t))
}

/// Without brackets around the whole.
fn unwrapped(title: &str) -> &str {
    let pairs = [('《', '》'), ('〈', '〉'), ('「', '」')];
    let inner = pairs.iter().find_map(|(open, close)| {
        let inner = title.strip_prefix(*open)?.strip_suffix(*close)?;
        (!inner.contains([*open, *close])).then_some(inner)
    });
    inner.unwrap_or(title)
}

/// Without remarks in brackets at the end: （凡七章）, （起元年，盡元年）, page numbers.
fn without_remark(words: &str) -> String {
    let mut rest = words.trim();
    let ends = |c: char| REMARK_CLOSES.contains(&c) || c == '…' || c == '.' || c.is_numeric();
    while rest.ends_with(ends)
        && let Some(m) = REMARK.find(rest)
        && m.start() > 0
    {
        rest = rest[..m.start()].trim();
    }
    rest.trim_end_matches(['…', '.', '·']).trim().to_string()
}

/// The volume that a title begins with, and the rest. A name before it (淮南鴻烈解卷三) is the
/// book's.
fn volume(words: &str) -> (Option<u32>, String, String) {
    let found = if words.contains('卷') { VOLUME.captures(words) } else { None };
    let Some(c) = found else { return (None, String::new(), words.to_string()) };
    let half = c.name("half").map_or("", |m| m.as_str());
    let shown = c.name("a").or(c.name("b")).map_or("", |m| m.as_str());
    let shown = format!("卷{shown}{half}");
    let number = c.name("a").or(c.name("b")).map(|m| value(m.as_str()).unwrap_or(0));
    let rest = c["rest"].trim_start_matches([' ', '　', '·', '・', ':', '：', '、']).trim();
    match (&c["of"], rest) {
        // 隱公卷一: the name is the title, and what follows is none.
        (of, "") if of.ends_with('公') => (number, shown, of.to_string()),
        // 劉子卷一北齊劉晝撰: whose the book is.
        (_, by) if by.ends_with(['撰', '注', '註', '疏']) => (number, shown, String::new()),
        (_, rest) => (number, shown, rest.to_string()),
    }
}

/// 乾下乾上; a pattern is only tried where it can match, since there are many lines.
fn is_hexagram(words: &str) -> bool {
    words.contains('下') && HEXAGRAM.is_match(words)
}

fn numbered(words: &str) -> (Numbering, Option<u32>, String) {
    let named = |c: &regex::Captures<'_>| c.name("t").map_or("", |m| m.as_str()).to_string();
    if is_hexagram(words)
        && let Some(c) = HEXAGRAM.captures(words)
    {
        return (Numbering::Hexagram, None, named(&c));
    }
    if words.ends_with('年')
        && let Some(c) = YEAR.captures(words)
    {
        return (Numbering::Year, numeral::year(&format!("{}年", &c["n"])), named(&c));
    }
    let ordinal = ['第', '弟'];
    if words.contains(ordinal)
        && let Some(c) = AFTER.captures(words)
    {
        return (Numbering::After, value(&c["n"]), named(&c));
    }
    if (words.starts_with(ordinal) || words.ends_with('章'))
        && let Some(c) = BEFORE.captures(words)
    {
        let number = c.name("n").or(c.name("m")).and_then(|m| value(m.as_str()));
        return (Numbering::Before, number, named(&c));
    }
    let item = |c: char| c.is_ascii_digit() || "（(〇一二三四五六七八九十百千".contains(c);
    if words.starts_with(item)
        && let Some(c) = LIST.captures(words)
    {
        let number = c.name("n").or(c.name("d")).or(c.name("e"));
        let number = number.and_then(|m| value(m.as_str()));
        return (Numbering::List, number, named(&c));
    }
    (Numbering::None, None, words.to_string())
}

fn value(words: &str) -> Option<u32> {
    words.parse().ok().or_else(|| numeral::parse(words))
}

/// What a title has in common with its line in a table of contents.
fn key(title: &str, volume: Option<u32>, number: Option<u32>) -> String {
    let folded: String =
        title.chars().filter(|c| is_content(*c)).map(crate::text::fold::fold).collect();
    match (folded.is_empty(), volume, number) {
        (false, ..) => folded,
        (true, Some(v), _) => format!("卷{v}"),
        (true, None, Some(n)) => format!("第{n}"),
        (true, None, None) => folded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_read_in_their_many_shapes() {
        let read = |words: &str| {
            let t = parse(words)?;
            Some((t.shape.mark, t.volume, t.title, t.number))
        };
        for (words, mark, volume, title, number) in [
            ("士冠禮第一", None, None, "士冠禮", Some(1)),
            ("●卷二十二", Some('●'), Some(22), "", None),
            ("●卷一上·梁惠王章句上（凡七章）", Some('●'), Some(1), "梁惠王章句上", None),
            ("隱公卷一（起元年，盡元年）", None, Some(1), "隱公", None),
            ("** 1 《開宗明義章》", Some('*'), None, "開宗明義章", None),
            ("◇隱公元年", Some('◇'), None, "隱公", Some(1)),
            ("列子集释卷第二", None, Some(2), "", None),
            ("卷三 公孫丑上", None, Some(3), "公孫丑上", None),
            ("迹府弟一（一）", None, None, "迹府", Some(1)),
            ("《乾第一》", None, None, "乾", Some(1)),
            ("第二章 天瑞", None, None, "天瑞", Some(2)),
            ("（二）天瑞", None, None, "天瑞", Some(2)),
            ("02　天瑞", None, None, "天瑞", Some(2)),
            ("二章", None, None, "", Some(2)),
        ] {
            assert_eq!(read(words), Some((mark, volume, title.to_string(), number)), "{words}");
        }
        assert_eq!(read("……"), None);
    }
}
