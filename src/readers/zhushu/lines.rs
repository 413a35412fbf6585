//! Classifies the lines of a 注疏 text, by the marks at their start and by the lines around them.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::model::{Commentary, EvidenceKind, Layer};
use crate::source::Span;
use crate::text::{self, pattern};

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
    pattern(&format!(r"[\[【〔［](?:{names})[\]】〕］]"))
});
/// The same as a word at the start of a line: `注：`, and 疏 before the words that open a
/// sub-commentary.
static COLON: LazyLock<Regex> = LazyLock::new(|| {
    let names = names("經|经|經文|经文");
    pattern(&format!("^(?:{names})[：:]"))
});
static BARE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"^(?P<mark>疏|䟽)[\s：:]*(?:釋曰|释曰|正義曰|正义曰|解云|(?:注|註)?\s*[“「"])"#)
});
/// The formula that opens a sub-commentary even where nothing marks it.
static FORMULA: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:釋曰|释曰|正義曰|正义曰|解云)[：:]"));
/// Fewest lines that must begin with such words before they count as marks.
const MIN_MARKED_LINES: usize = 3;
/// How a sub-commentary opens if its mark is lost, and how it continues in a new line.
static OPENING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"^[○◯]?\s*(?:(?:釋曰|释曰|正義曰|正义曰|解云|疏云|疏曰)|(?:注|註|箋|笺|傳|传)?\s*[“「"][^“”「」"]{1,30}[”」"]至[“「"])"#,
    )
});
static GOES_ON: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"^(?:[云雲言][“「《"]|注[“「云雲"])"#));
/// 陸德明 speaks: `陆曰：…`.
static LU: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^[○◯]?\s*(?:陸|陆)(?:德明)?(?:《?(?:音義|音义|釋文|释文)》?)?\s*[曰云][:：]?")
});
static HEADING: LazyLock<Regex> = LazyLock::new(|| {
    let n = r"[一二三四五六七八九十百〇零廿卅0-9]+";
    pattern(&format!(
        r"^(?:[●◎■◆#].{{0,60}}|\S{{1,16}}卷[之第]?{n}\s*[（(].{{1,30}}[）)]|={{2,}}.{{1,60}}={{2,}}|\S{{0,8}}卷[之第]?{n}(?:[\s　].{{0,30}})?|\S{{0,8}}卷[之第]?(?:{n}|[上中下])|(?:\S{{0,8}}卷[之第]?{n})?\s*\S{{1,12}}第{n}\s*(?:[（(]?[上中下之一二三四五]{{1,3}}[）)]?)?)$"
    ))
});

/// The kind of a line by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineMark {
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

/// The kind of a line in its context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceRole {
    /// Nothing.
    Blank,
    /// A title.
    Heading,
    /// 經 and 注, whether the text separates them or not.
    Text,
    /// Opens with ○ where text may continue: 音義, or the rest of a note in brackets.
    Circle,
    /// One layer by its mark or its place.
    Layer(Layer),
}

/// A line, or the part of one from a `[疏]` inside it.
#[derive(Clone, Copy, Debug)]
pub struct LinePiece {
    /// Its words, without blanks around them.
    pub span: Span,
    /// Bytes of the mark it opens with.
    pub mark: usize,
    /// What it is.
    pub role: PieceRole,
    /// The evidence, if the source does not mark it.
    pub why: Option<&'static EvidenceKind>,
    /// True if it follows a blank line.
    pub after_blank: bool,
}

/// Counts marks of layers at the start of a line or after a sentence, and lines that begin with
/// words instead: 疏 or its formula, or the names of layers with colons.
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
    layers.len() >= MIN_MARKED_LINES && layers.iter().any(|l| *l != layers[0])
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
pub fn pieces(text: &str) -> Vec<LinePiece> {
    const SHU: PieceRole = PieceRole::Layer(Layer::Shu);
    let mut found = cut(text);
    let odes = found.iter().any(|(_, k)| *k == LineMark::Marked(Layer::Named(Commentary::JIAN)));
    let notes_marked =
        found.iter().any(|(_, k)| matches!(k, LineMark::Marked(Layer::Zhu | Layer::Named(_))));
    let in_blocks = has_blocks(&found);
    let mut state = PieceRole::Heading;
    let mut seen_text = false;
    for (p, kind) in &mut found {
        let words = &text[p.span.range()];
        (p.role, p.why) = match (*kind, state) {
            (LineMark::Blank, _) => (PieceRole::Blank, None),
            (LineMark::Heading, _) => (PieceRole::Heading, None),
            // If nothing marks the notes, a line of 經 or 傳 contains them too.
            (LineMark::Marked(Layer::Jing | Layer::Zhuan), _) if !notes_marked => {
                (PieceRole::Text, None)
            }
            // The 傳 of the 毛詩 is its commentary.
            (LineMark::Marked(Layer::Zhuan), _) if odes => (PieceRole::Layer(Layer::Zhu), None),
            (LineMark::Marked(layer), _) => (PieceRole::Layer(layer), None),
            (LineMark::Lu, s) if s != SHU => {
                (PieceRole::Layer(Layer::Yin), Some(&EvidenceKind::LuSpeaks))
            }
            (LineMark::Circle | LineMark::Lu, SHU) => (SHU, None),
            (LineMark::Circle, _) if OPENING.is_match(words) => {
                (SHU, Some(&EvidenceKind::OpeningForm))
            }
            (LineMark::Circle, _) => (PieceRole::Circle, None),
            (_, SHU) if OPENING.is_match(words) => (SHU, Some(&EvidenceKind::OpeningForm)),
            _ if FORMULA.is_match(words) => (SHU, Some(&EvidenceKind::OpeningForm)),
            (_, SHU) if GOES_ON.is_match(words) => (SHU, Some(&EvidenceKind::GoesOn)),
            (_, SHU) if in_blocks && !p.after_blank => (SHU, Some(&EvidenceKind::NoBlankLine)),
            _ if !seen_text && is_bare(words) => {
                (PieceRole::Heading, Some(&EvidenceKind::TitleLine))
            }
            _ => (PieceRole::Text, None),
        };
        seen_text |= matches!(p.role, PieceRole::Text | PieceRole::Layer(_));
        state = match p.role {
            PieceRole::Blank => state,
            PieceRole::Circle => PieceRole::Text,
            role => role,
        };
    }
    found.into_iter().map(|(p, _)| p).collect()
}

/// Cuts the text into lines, and lines at marks of sub-commentary inside them.
fn cut(text: &str) -> Vec<(LinePiece, LineMark)> {
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
                LinePiece {
                    span,
                    mark,
                    role: PieceRole::Blank,
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

/// The kind of a text by itself, and the bytes of its mark.
fn kind(words: &str, colons: bool) -> (LineMark, usize) {
    let Some(first) = words.chars().next() else { return (LineMark::Blank, 0) };
    let marked = matches!(first, '[' | '【' | '〔' | '［')
        .then(|| MARK.captures(words))
        .flatten()
        .filter(|c| c.get_match().start() == 0);
    if let Some(c) = marked.or_else(|| COLON.captures(words).filter(|_| colons)) {
        return (LineMark::Marked(layer_of(&c)), c.get_match().end());
    }
    if let Some(m) = BARE.captures(words).and_then(|c| c.name("mark")) {
        return (LineMark::Marked(Layer::Shu), m.end());
    }
    match first {
        _ if is_heading(words) => (LineMark::Heading, 0),
        '陸' | '陆' if LU.is_match(words) => (LineMark::Lu, 0),
        '○' | '◯' | '〇' => {
            (if LU.is_match(words) { LineMark::Lu } else { LineMark::Circle }, first.len_utf8())
        }
        _ => (LineMark::Other, 0),
    }
}

fn is_heading(words: &str) -> bool {
    let sentence = words.contains(['。', '；', '？', '！'])
        || words.contains(['，', ',']) && !words.starts_with(['●', '◎', '■', '◆', '《']);
    words.len() < 200 && !sentence && HEADING.is_match(words)
}

/// Short and without punctuation: at the start of a text, a title or the names of its authors.
fn is_bare(words: &str) -> bool {
    words.chars().count() <= 30
        && !words.contains(['。', '，', ',', '；', ';', '：', ':', '？', '！', '（', '('])
}

/// True if blank lines separate the sections of the text, and the lines of a sub-commentary follow
/// each other without blank lines.
fn has_blocks(found: &[(LinePiece, LineMark)]) -> bool {
    let (mut apart, mut close) = (0, 0);
    let mut in_shu = false;
    for (p, kind) in found {
        match kind {
            LineMark::Marked(Layer::Shu) => in_shu = true,
            LineMark::Other if in_shu => {
                *(if p.after_blank { &mut apart } else { &mut close }) += 1;
                in_shu &= !p.after_blank;
            }
            LineMark::Circle => {}
            _ => in_shu = false,
        }
    }
    apart > 0 && apart >= 4 * close
}
