//! Lines as printed: their width in places, the half-size notes in them, what opens them; and the
//! page's own measure.

use std::sync::LazyLock;

use regex::Regex;

use crate::source::Span;
use crate::text::class::is_variation_selector;
use crate::text::pattern;

static ENTITY: LazyLock<Regex> = LazyLock::new(|| pattern(r"^&[A-Za-z0-9#-]{1,12};"));

/// What a line begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opener {
    /// 鄭注
    Zheng,
    /// 釋曰
    Shi,
    /// 鄭目錄
    Mulu,
}

static OPENERS: &[(&str, Opener)] = &[
    ("鄭目錄", Opener::Mulu),
    ("鄭目録", Opener::Mulu),
    ("鄭氏目", Opener::Mulu),
    ("鄭注", Opener::Zheng),
    ("鄭註", Opener::Zheng),
    ("釋曰", Opener::Shi),
];

/// One printed line.
#[derive(Clone, Debug)]
pub struct PrintLine {
    /// Its words, without the blanks around them.
    pub span: Span,
    /// Places it fills: a character one, a half-size character half of one (each stretch rounded
    /// up, since the two rows of a note end together).
    pub width: usize,
    /// The half-size notes in it, parentheses included.
    pub notes: Vec<Span>,
    /// True if it begins by going on with the half-size note at the end of the line before.
    pub reopens: bool,
    /// A half-size note is opened and closed neither here nor in the next line.
    pub unclosed: bool,
    /// A note is closed that is not open.
    pub stray: bool,
    /// What it begins with.
    pub opener: Option<Opener>,
    /// Bytes of that.
    pub opener_len: usize,
}

impl PrintLine {
    /// True if it begins with a half-size note.
    pub fn starts_with_note(&self) -> bool {
        self.notes.first().is_some_and(|n| n.start() == self.span.start())
    }
    /// Its full-size words.
    pub fn full_size(&self) -> Vec<Span> {
        let mut at = self.span.start();
        let mut out = vec![];
        for n in &self.notes {
            out.push(Span::new(at, n.start()));
            at = n.end();
        }
        out.push(Span::new(at, self.span.end()));
        out.retain(|s| !s.is_empty());
        out
    }
}

/// The lines of `text`, empty ones included.
pub fn split(text: &str) -> Vec<PrintLine> {
    let mut lines = Vec::new();
    let (mut at, mut open, mut closed_at_end) = (0, false, false);
    let mut raws = text.split_inclusive('\n').peekable();
    while let Some(raw) = raws.next() {
        let skipped = raw.len()
            - raw.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}').len();
        let words = raw[skipped..].trim_end();
        let closed_below = raws.peek().is_some_and(|next| {
            next.find([')', '）']).is_some_and(|c| !next[..c].contains(['(', '（']))
        });
        let mut line = measure(words, at + skipped, &mut open, closed_below);
        line.reopens = line.starts_with_note()
            && closed_at_end
            && !words.starts_with("(案")
            && !words.starts_with("（案");
        if line.width > 0 {
            closed_at_end = line.notes.last().is_some_and(|n| n.end() == line.span.end());
        }
        lines.push(line);
        at += raw.len();
    }
    lines
}

/// Measures one line. `open` is true if the previous line left a half-size note open, and is set
/// for the next line. A note that is never closed ends with its line; otherwise one slip would
/// swallow the text.
fn measure(words: &str, from: usize, open: &mut bool, closed_below: bool) -> PrintLine {
    let mut notes: Vec<Span> = Vec::new();
    let (mut full, mut half, mut halves) = (0usize, 0usize, 0usize);
    let mut start = open.then_some(0);
    let (mut skip_to, mut stray) = (0, false);
    for (i, c) in words.char_indices() {
        if i < skip_to {
            continue;
        }
        match c {
            '(' | '（' if start.is_none() => start = Some(i),
            ')' | '）' => match start.take() {
                Some(s) => {
                    notes.push(Span::new(from + s, from + i + c.len_utf8()));
                    halves += half.div_ceil(2);
                    half = 0;
                }
                None => stray = true,
            },
            _ if is_variation_selector(c) || c.is_control() || c == ' ' => {}
            _ => {
                if c == '&'
                    && let Some(entity) = ENTITY.find(&words[i..])
                {
                    skip_to = i + entity.end();
                }
                *(if start.is_some() { &mut half } else { &mut full }) += 1;
            }
        }
    }
    if let Some(s) = start {
        notes.push(Span::new(from + s, from + words.len()));
        halves += half.div_ceil(2);
    }
    *open = start.is_some() && closed_below;
    notes.retain(|n| !n.is_empty());
    let in_note = notes.first().is_some_and(|n| n.start() == from);
    let opener = OPENERS.iter().find(|(o, _)| !in_note && words.starts_with(o));
    PrintLine {
        span: Span::new(from, from + words.len()),
        width: (full + halves).max(usize::from(!words.is_empty())),
        notes,
        reopens: false,
        unclosed: start.is_some() && !closed_below,
        stray,
        opener: opener.map(|o| o.1),
        opener_len: opener.map_or(0, |o| o.0.len()),
    }
}

/// Places in a full line of 經 and in a full line of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// 經.
    pub classic: usize,
    /// Notes.
    pub note: usize,
}

/// The page's own measure: the width that lines opened by 鄭注 or 釋曰 and going on share most
/// often, and the wider one that others share. Without enough lines to see it, that of the 四庫
/// print.
pub fn measure_of(lines: &[PrintLine]) -> Measure {
    let wide = lines.iter().map(|l| l.width).max().unwrap_or(0);
    let mut opened = vec![0usize; wide + 2];
    let mut others = vec![0usize; wide + 2];
    for l in lines.iter().filter(|l| l.width > 0) {
        *(if l.opener.is_some() { &mut opened } else { &mut others })
            .get_mut(l.width)
            .expect("no line is wider than the widest") += 1;
    }
    // Ends of notes fall anywhere; only full lines heap up. Wider wins among equals.
    let peak = |counts: &[usize], range: std::ops::Range<usize>| {
        range.filter(|w| counts[*w] >= 2).max_by_key(|w| (counts[*w], *w))
    };
    let Some(note) = peak(&opened, wide / 2..wide + 1) else {
        return Measure { classic: 21, note: 20 };
    };
    let classic = peak(&others, note + 1..(note + 4).min(wide + 1)).unwrap_or(note + 1);
    Measure { classic, note }
}
