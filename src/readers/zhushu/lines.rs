//! What each line of a 注疏 text is: the marks at its start, and the lines around it.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::model::{Commentary, EvidenceKind, Layer};
use crate::source::Span;
use crate::text;

/// The names that mark layers.
fn names(classic: &str) -> String {
    let named = Commentary::marks();
    [
        "(?P<shu>疏|䟽|正義|正义)|(?P<yin>音義|音义|釋文|释文)|(?P<zhu>注|註|鄭注|郑注)",
        &format!("(?P<named>{named})|(?P<jing>{classic})|(?P<zhuan>傳|传)"),
    ]
    .join("|")
}
/// A layer's mark in brackets: `[疏]`, `【正義】`, `[音義]`.
static MARK: LazyLock<Regex> = LazyLock::new(|| {
    let names = names("經|经");
    Regex::new(&format!(r"[\[【〔［](?:{names})[\]】〕］]")).expect("a valid pattern")
});
/// The same as a word at the start of a line: `注：`, and 疏 before the words that open a
/// sub-commentary.
static COLON: LazyLock<Regex> = LazyLock::new(|| {
    let names = names("經|经|經文|经文");
    Regex::new(&format!("^(?:{names})[：:]")).expect("a valid pattern")
});
static BARE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?P<mark>疏|䟽)[\s：:]*(?:釋曰|释曰|正義曰|正义曰|解云|(?:注|註)?\s*[“「])")
        .expect("a valid pattern")
});
/// The formula that opens a sub-commentary even where nothing marks it.
static FORMULA: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:釋曰|释曰|正義曰|正义曰|解云)[：:]").expect("a valid pattern")
});
/// Lines that words mark, for these to be marks.
const ENOUGH: usize = 3;
/// How a sub-commentary opens where its mark is lost, and how it goes on in a new line.
static OPENING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[○◯]?\s*(?:(?:釋曰|释曰|正義曰|正义曰|解云|疏云|疏曰)|(?:注|註|箋|笺|傳|传)?\s*[“「][^“”「」]{1,30}[”」]至[“「])")
        .expect("a valid pattern")
});
static GOES_ON: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?:[云雲言][“「《]|注[“「云雲])").expect("a valid pattern"));
/// 陸德明 speaks: `陆曰：…`.
static LU: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^[○◯]?\s*(?:陸|陆)(?:德明)?(?:《?(?:音義|音义|釋文|释文)》?)?\s*[曰云][:：]?")
        .expect("a valid pattern")
});
static HEADING: LazyLock<Regex> = LazyLock::new(|| {
    let n = r"[一二三四五六七八九十百〇零廿卅0-9]+";
    Regex::new(&format!(r"^(?:[●◎■◆#].{{0,60}}|\S{{1,16}}卷[之第]?{n}\s*[（(].{{1,30}}[）)]|={{2,}}.{{1,60}}={{2,}}|\S{{0,8}}卷[之第]?{n}(?:[\s　].{{0,30}})?|\S{{0,8}}卷[之第]?(?:{n}|[上中下])|(?:\S{{0,8}}卷[之第]?{n})?\s*\S{{1,12}}第{n}\s*(?:[（(]?[上中下之一二三四五]{{1,3}}[）)]?)?)$"))
        .expect("a valid pattern")
});

/// What a line is by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Blank,
    Heading,
    /// Opens with a layer's mark.
    Marked(Layer),
    /// Opens with ○.
    Circle,
    /// Opens with 陸曰.
    Lu,
    Other,
}

/// What a line is in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing.
    Blank,
    /// A title.
    Heading,
    /// 經 and 注, however the text tells them apart (or does not).
    Text,
    /// Opens with ○ where text may go on: 音義, or the rest of a note in brackets.
    Circle,
    /// One layer by its mark or its place.
    Layer(Layer),
}

/// A line, or the part of one from a `[疏]` in its midst.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Its words, without blanks around them.
    pub span: Span,
    /// Bytes of the mark it opens with.
    pub mark: usize,
    /// What it is.
    pub role: Role,
    /// Why, where the source does not say it: evidence code.
    pub why: Option<&'static EvidenceKind>,
    /// A blank line stands before it.
    pub after_blank: bool,
}

/// Counts marks of layers at the start of a line or where a sentence has ended; and lines that
/// words open instead: 疏 or its formula, or the names of layers with colons.
pub fn marked(text: &str) -> (usize, usize) {
    let opens = |at: usize| {
        let before = text[..at].trim_end_matches([' ', '\u{3000}', '\t']).chars().next_back();
        before.is_none_or(|c| matches!(c, '\n' | '。' | '”' | '」' | '）' | ')' | '\u{FEFF}'))
    };
    let marks = MARK.captures_iter(text).filter(|c| {
        opens(c.get_match().start()) && (c.name("shu").is_some() || c.name("zhu").is_some())
    });
    let colons = colon_marks(text);
    let lines = text.lines().map(|l| l.trim_start_matches(['\u{FEFF}', ' ', '\u{3000}', '\t']));
    let words = lines
        .filter(|l| BARE.is_match(l) || FORMULA.is_match(l) || colons && COLON.is_match(l))
        .count();
    (marks.count(), words)
}

/// True if lines open with the names of layers and colons, of at least two layers.
fn colon_marks(text: &str) -> bool {
    let lines = text
        .lines()
        .filter_map(|l| COLON.captures(l.trim_start_matches(['\u{FEFF}', ' ', '\u{3000}', '\t'])));
    let layers: Vec<Layer> = lines.map(|c| layer_of(&c)).collect();
    layers.len() >= ENOUGH && layers.iter().any(|l| *l != layers[0])
}

/// The layer that a mark names.
fn layer_of(mark: &Captures<'_>) -> Layer {
    if let Some(named) = mark.name("named").and_then(|m| Commentary::marked(m.as_str())) {
        return Layer::Named(named);
    }
    let names =
        [("shu", Layer::Shu), ("yin", Layer::Yin), ("zhu", Layer::Zhu), ("jing", Layer::Jing)];
    names.iter().find(|(n, _)| mark.name(n).is_some()).map_or(Layer::Zhuan, |(_, l)| *l)
}

/// The pieces of a text, blank lines left out, in order.
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut found = cut(text);
    let odes = found.iter().any(|(_, k)| *k == Kind::Marked(Layer::Named(Commentary::JIAN)));
    let notes_marked =
        found.iter().any(|(_, k)| matches!(k, Kind::Marked(Layer::Zhu | Layer::Named(_))));
    let in_blocks = stands_in_blocks(&found);
    let mut state = Role::Heading;
    let mut seen_text = false;
    for (p, kind) in &mut found {
        let words = &text[p.span.range()];
        (p.role, p.why) = match (*kind, state) {
            (Kind::Blank, _) => (Role::Blank, None),
            (Kind::Heading, _) => (Role::Heading, None),
            // Where nothing marks the notes, a line of 經 or 傳 holds them too.
            (Kind::Marked(Layer::Jing | Layer::Zhuan), _) if !notes_marked => (Role::Text, None),
            // The 傳 of the 毛詩 is its commentary.
            (Kind::Marked(Layer::Zhuan), _) if odes => (Role::Layer(Layer::Zhu), None),
            (Kind::Marked(layer), _) => (Role::Layer(layer), None),
            (Kind::Lu, s) if s != Role::Layer(Layer::Shu) => {
                (Role::Layer(Layer::Yin), Some(&EvidenceKind::LuSpeaks))
            }
            (Kind::Circle | Kind::Lu, Role::Layer(Layer::Shu)) => (Role::Layer(Layer::Shu), None),
            (Kind::Circle, _) if OPENING.is_match(words) => {
                (Role::Layer(Layer::Shu), Some(&EvidenceKind::OpeningForm))
            }
            (Kind::Circle, _) => (Role::Circle, None),
            (_, Role::Layer(Layer::Shu)) if OPENING.is_match(words) => {
                (Role::Layer(Layer::Shu), Some(&EvidenceKind::OpeningForm))
            }
            _ if FORMULA.is_match(words) => {
                (Role::Layer(Layer::Shu), Some(&EvidenceKind::OpeningForm))
            }
            (_, Role::Layer(Layer::Shu)) if GOES_ON.is_match(words) => {
                (Role::Layer(Layer::Shu), Some(&EvidenceKind::GoesOn))
            }
            (_, Role::Layer(Layer::Shu)) if in_blocks && !p.after_blank => {
                (Role::Layer(Layer::Shu), Some(&EvidenceKind::NoBlankLine))
            }
            _ if !seen_text && is_bare(words) => (Role::Heading, Some(&EvidenceKind::TitleLine)),
            _ => (Role::Text, None),
        };
        seen_text |= matches!(p.role, Role::Text | Role::Layer(_));
        state = match p.role {
            Role::Blank => state,
            Role::Circle => Role::Text,
            role => role,
        };
    }
    found.into_iter().map(|(p, _)| p).collect()
}

/// Cuts the text into lines, and lines at marks of sub-commentary in their midst.
fn cut(text: &str) -> Vec<(Piece, Kind)> {
    let mut found = Vec::new();
    let mut after_blank = true;
    let colons = colon_marks(text);
    for line in text::lines(text) {
        let words = &text[line.words.range()];
        if words.is_empty() {
            after_blank = true;
            continue;
        }
        let inner = MARK.find_iter(words).map(|m| m.start()).filter(|s| *s > 0);
        let cuts: Vec<usize> = std::iter::once(0).chain(inner).chain([words.len()]).collect();
        for w in cuts.windows(2) {
            let whole = Span::new(line.words.start() + w[0], line.words.start() + w[1]);
            let span =
                Span::new(whole.start(), whole.start() + text[whole.range()].trim_end().len());
            let (kind, mark) = kind(&text[span.range()], colons);
            found.push((
                Piece {
                    span,
                    mark,
                    role: Role::Blank,
                    why: None,
                    after_blank: after_blank && w[0] == 0,
                },
                kind,
            ));
            after_blank = false;
        }
    }
    found
}

/// What words are by themselves, and the bytes of their mark.
fn kind(words: &str, colons: bool) -> (Kind, usize) {
    let Some(first) = words.chars().next() else { return (Kind::Blank, 0) };
    let marked = matches!(first, '[' | '【' | '〔' | '［')
        .then(|| MARK.captures(words))
        .flatten()
        .filter(|c| c.get_match().start() == 0);
    if let Some(c) = marked.or_else(|| COLON.captures(words).filter(|_| colons)) {
        return (Kind::Marked(layer_of(&c)), c.get_match().end());
    }
    if let Some(m) = BARE.captures(words).and_then(|c| c.name("mark")) {
        return (Kind::Marked(Layer::Shu), m.end());
    }
    match first {
        _ if is_heading(words) => (Kind::Heading, 0),
        '陸' | '陆' if LU.is_match(words) => (Kind::Lu, 0),
        '○' | '◯' | '〇' => {
            (if LU.is_match(words) { Kind::Lu } else { Kind::Circle }, first.len_utf8())
        }
        _ => (Kind::Other, 0),
    }
}

fn is_heading(words: &str) -> bool {
    let sentence = words.contains(['。', '；', '？', '！'])
        || words.contains(['，', ',']) && !words.starts_with(['●', '◎', '■', '◆', '《']);
    words.len() < 200 && !sentence && HEADING.is_match(words)
}

/// Short and without punctuation: at the head of a text, a title or the names of those who made it.
fn is_bare(words: &str) -> bool {
    words.chars().count() <= 30
        && !words.contains(['。', '，', ',', '；', ';', '：', ':', '？', '！', '（', '('])
}

/// True if the text sets its sections apart by blank lines, within which the lines of one
/// sub-commentary follow each other.
fn stands_in_blocks(found: &[(Piece, Kind)]) -> bool {
    let (mut apart, mut close) = (0, 0);
    let mut in_shu = false;
    for (p, kind) in found {
        match kind {
            Kind::Marked(Layer::Shu) => in_shu = true,
            Kind::Other if in_shu => {
                *(if p.after_blank { &mut apart } else { &mut close }) += 1;
                in_shu &= !p.after_blank;
            }
            Kind::Circle => {}
            _ => in_shu = false,
        }
    }
    apart > 0 && apart >= 4 * close
}
