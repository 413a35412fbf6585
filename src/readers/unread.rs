//! Signs that usually set layers apart, and that were read as words of the text: brackets, labels,
//! numbers of notes, columns, a second kind of prose. Whatever reader took the text, it did not
//! know them; a person must hear of them. Each kind is reported once, at its first place.

use std::sync::LazyLock;

use regex::Regex;

use crate::diag::Diagnostic;
use crate::model::{Document, Layer, LayerKind};
use crate::source::Span;
use crate::text::class::is_content;
use crate::text::{self, pattern};

/// Readers of formats that say themselves what is text.
const FORMATS: &[&str] = &["tei", "xml", "mandoku"];
/// The code of the warning that labels were read as words.
const LABELS: &str = "labels-unread";
/// Least number of signs of a kind, and the least share of the text in brackets, in percent.
pub(super) const MIN_SIGNS: usize = 3;
const MIN_PERCENT: usize = 3;
/// Longest stretch in brackets, in bytes: what is longer is a passage.
const MAX_SIGN_BYTES: usize = 1200;
/// Least share of lines of another kind of prose, and the shortest such line, in characters.
const MIN_LINES_PERCENT: usize = 25;
const MIN_LINE: usize = 10;

/// Stretches in brackets; titles and quotation marks are none.
static BRACKETS: LazyLock<Regex> = LazyLock::new(|| {
    let pairs = [
        "[]", "［］", "〖〗", "{}", "｛｝", "＜＞", "‹›", "«»", "︵︶", "︹︺", "︻︼", "（）",
        "()", "【】", "〔〕",
    ];
    let one = |pair: &&str| {
        let mut ends = pair.chars().map(|c| regex::escape(&c.to_string()));
        let (a, b) = (ends.next().unwrap_or_default(), ends.next().unwrap_or_default());
        format!(r"{a}[^\n{a}{b}]+{b}")
    };
    pattern(&pairs.iter().map(one).collect::<Vec<_>>().join("|"))
});
/// Numbers of notes inside a line.
static NUMBERS: LazyLock<Regex> = LazyLock::new(|| {
    let n = "[0-9０-９一二三四五六七八九十]{1,3}";
    pattern(&format!(
        r"[^\n](?:\[\^?(?:{n}|[a-z])\]|［{n}］|〔{n}〕|[（(]{n}[）)]|[{{<]{n}[}}>]|<sup>|[①-⑳㊀-㊉¹²³⁴-⁹†])"
    ))
});
/// Words of modern prose, and words that it does not use. Bookish translations have many lines
/// without the first, but few with the second.
const MODERN: [char; 8] = ['的', '了', '是', '們', '们', '這', '这', '在'];
const OLD: [char; 8] = ['曰', '矣', '焉', '哉', '兮', '乎', '吾', '豈'];

/// What was not read.
pub(super) fn report(document: &mut Document) {
    if document.settled || FORMATS.contains(&&*document.reader) {
        return;
    }
    let brackets = brackets(document);
    let unknown = unknown_label(document).filter(|d| d.code != LABELS || brackets.is_none());
    let found = [brackets, labels(document), unknown, numbers(document), columns(document)];
    let found: Vec<_> = found.into_iter().flatten().chain(prose(document)).collect();
    document.diagnostics.extend(found);
}

fn warning(code: &'static str, at: Span, message: String) -> Option<Diagnostic> {
    let hint = "if it sets layers apart, name the format (--from) or describe the marks in the manifest ([[shape]])";
    Some(Diagnostic::warning(code, at, message).hint(hint))
}

/// The text that notes would be cut from, piece by piece without what is known to be a mark.
fn base(document: &Document) -> impl Iterator<Item = Span> + '_ {
    let base = |layer: Layer| matches!(layer.kind(), LayerKind::Base | LayerKind::Undivided);
    let segments = document.segments.iter().filter(move |s| base(s.layer));
    segments.flat_map(|s| document.without_marks(s.span))
}

/// The first match in the base, how many there are, and their characters. Only matches with so many
/// characters that are neither signs nor ASCII count.
fn matches(document: &Document, sign: &Regex, least: usize) -> Option<(Span, usize, usize)> {
    let mut found: Option<(Span, usize, usize)> = None;
    for piece in base(document) {
        for m in sign.find_iter(document.slice(piece)).filter(|m| m.len() <= MAX_SIGN_BYTES) {
            let chars = m.as_str().chars().filter(|c| is_content(*c) && !c.is_ascii()).count();
            if chars >= least {
                let at = Span::new(piece.start() + m.start(), piece.start() + m.end());
                let entry = found.get_or_insert((at, 0, 0));
                (entry.1, entry.2) = (entry.1 + 1, entry.2 + chars);
            }
        }
    }
    found
}

fn brackets(document: &Document) -> Option<Diagnostic> {
    if document.diagnostics.iter().any(|d| d.code == "brackets-not-notes") {
        return None;
    }
    let (first, n, chars) = matches(document, &BRACKETS, 2)?;
    let all: usize =
        base(document).map(|s| document.slice(s).chars().filter(|c| is_content(*c)).count()).sum();
    if n < MIN_SIGNS || chars * 100 < MIN_PERCENT * all {
        return None;
    }
    let words = document.slice(first);
    let sign: String = words.chars().take(1).chain(['…']).chain(words.chars().last()).collect();
    let percent = chars * 100 / all.max(1);
    let message =
        format!("{n} brackets such as {sign}, {percent} % of the text, are read as its words");
    warning("brackets-unread", first, message)
}

fn numbers(document: &Document) -> Option<Diagnostic> {
    let (first, n, _) = matches(document, &NUMBERS, 0)?;
    let start = first.start() + document.slice(first).chars().next().map_or(0, char::len_utf8);
    let at = Span::new(start, first.end());
    let sign = document.slice(at);
    let message = format!("{n} numbers of notes, such as {sign}, are read as words of the text");
    if n < MIN_SIGNS { None } else { warning("numbers-unread", at, message) }
}

/// Lines that begin with the name of a layer, followed by text of another.
fn labels(document: &Document) -> Option<Diagnostic> {
    let text = document.source.text();
    let mut wrong: Vec<Span> = vec![];
    for line in text::lines(text) {
        let words = &text[line.words.range()];
        let Some((len, layer)) = super::label_at_start(words) else { continue };
        let inside = words[len..].chars().any(is_content);
        let at = if inside { line.words.start() + len } else { line.whole.end() };
        let follows = text[at..].find(is_content).map(|i| at + i);
        let read = follows.and_then(|at| document.segment_at(at)).map(|i| &document.segments[i]);
        let kind = |layer: Layer| match layer.kind() {
            LayerKind::Commentary => LayerKind::Note,
            kind => kind,
        };
        if read.is_some_and(|s| kind(s.layer) != kind(layer)) {
            wrong.push(Span::new(line.words.start(), line.words.start() + len));
        }
    }
    let (first, n) = (*wrong.first()?, wrong.len());
    let word = document.slice(first).trim();
    let message =
        format!("{n} lines name a layer, such as “{word}”, and what follows is read as another");
    warning(LABELS, first, message)
}

/// Lines that begin with the same name in brackets, which no shape knows: they are set apart from
/// the sections around them, or read as words.
fn unknown_label(document: &Document) -> Option<Diagnostic> {
    let text = document.source.text();
    let has_other = document.of_layer(Layer::Other).next().is_some();
    super::unknown_labels(text, None).into_iter().find_map(|label| {
        let n = document.segment_at(label.first.start())?;
        let segment = &document.segments[n];
        if !segment.span.contains(label.first) {
            return None;
        }
        let (lines, words) = (label.lines, label.words);
        let is_set_apart = || {
            let follows = document.segments[n + 1..].iter().find(|s| s.layer.is_text());
            follows.is_some_and(|s| s.layer == Layer::Other)
        };
        match segment.layer.kind() {
            LayerKind::Outside if has_other && is_set_apart() => {
                let message = format!(
                    "{lines} lines begin with “{words}”, which names no layer that is known; what \
                     follows is 他"
                );
                warning("labels-unknown", label.first, message)
            }
            LayerKind::Outside | LayerKind::Structure => None,
            _ => {
                let message = format!(
                    "{lines} lines begin with “{words}”, which is read as words of the text"
                );
                warning(LABELS, label.first, message)
            }
        }
    })
}

fn columns(document: &Document) -> Option<Diagnostic> {
    if document.reader == "table" || document.reader == "json" {
        return None;
    }
    let text = document.source.text();
    let lines: Vec<_> = text::lines(text).into_iter().filter(|l| !l.words.is_empty()).collect();
    let first = lines.first()?.words;
    let sign = ['\t', '|', '｜'].into_iter().find(|sign| {
        let count = |l: &text::Line| text[l.words.range()].matches(*sign).count();
        let usual = count(lines.last().unwrap_or(&lines[0]));
        let like = lines.iter().filter(|l| count(l) == usual).count();
        usual > 0 && like > MIN_SIGNS && like * 10 >= lines.len() * 9
    })?;
    let sign = if sign == '\t' { "TAB".to_string() } else { sign.to_string() };
    let message =
        format!("the lines have columns, divided by {sign}, that are read as running text");
    warning("columns-unread", first, message)
}

/// Modern prose in a classic, or the reverse.
fn prose(document: &Document) -> Option<Diagnostic> {
    let (mut all, mut modern, mut old) = (0usize, vec![], vec![]);
    let of = |s: &&crate::model::Segment| {
        matches!(s.layer.kind(), LayerKind::Base | LayerKind::Translation)
    };
    let translation = document.meta.role == crate::model::Role::Translation;
    for s in document.segments.iter().filter(of) {
        for line in document.words(s.span).split('\n') {
            let chars = line.chars().filter(|c| is_content(*c)).count();
            if chars < MIN_LINE || (s.layer == Layer::Translation) != translation {
                continue;
            }
            all += 1;
            modern.extend(super::is_modern_prose(line).then_some(s.span));
            old.extend((!line.contains(MODERN) && line.contains(OLD)).then_some(s.span));
        }
    }
    let other = if translation { old } else { modern };
    if other.len() < MIN_SIGNS - 1 || other.len() * 100 < MIN_LINES_PERCENT * all {
        return None;
    }
    let n = other.len();
    if !translation {
        let message = format!(
            "{n} of {all} lines are modern prose, and all are read as 經: is a translation among them?"
        );
        let hint = "if all of it is a translation, say role = \"translation\" in the manifest; if some \
                    is, name the format (--from) or describe the marks ([[shape]])";
        return Some(Diagnostic::warning("prose-mixed", other[0], message).hint(hint));
    }
    let message = format!(
        "{n} of {all} lines are old prose, and all are read as 譯: is the classic among them?"
    );
    warning("prose-mixed", other[0], message)
}

#[cfg(test)]
mod tests {
    use crate::readers::read;
    use crate::source::Source;

    fn codes(text: &str) -> Vec<String> {
        let d = read(Source::from_text("t.txt", text), None).unwrap();
        let unread =
            d.diagnostics.iter().filter(|d| d.code.ends_with("-unread") || d.code == "prose-mixed");
        unread.map(|d| d.code.to_string()).collect()
    }

    #[test]
    fn what_no_reader_knows_is_said() {
        let brackets = "孟子見梁惠王«孟子去齊適梁之時也»王曰叟«叟長老之稱猶父也»不遠千里而來。\n亦將有以利吾國乎«曰辭也»孟子對曰。\n";
        assert_eq!(codes(brackets), ["brackets-unread"]);
        let numbers =
            "大夫{1}以旌，士以弓{2}，招{3}虞人。\n不進。\n1 大夫有采地。\n2 旌旗也。\n3 招來也。\n";
        assert_eq!(codes(numbers), ["numbers-unread"]);
        let columns = "子曰學而｜孔子曰學\n有子曰其為人也｜有子曰人\n曾子曰吾日｜曾子曰我\n子夏曰賢｜子夏曰好\n";
        assert_eq!(codes(columns), ["columns-unread"]);
    }

    #[test]
    fn a_classic_among_its_translation_is_said() {
        let classic =
            "孟子曰：「仁，人心也；義，人路也。」\n孟子曰：「今有無名之指，屈而不信矣。」\n";
        let translation = "孟子說：「仁是人的本心，義是人所走的正路。」\n孟子說：「現在有人的無名指彎曲了。」\n人們都知道這個的。還有別的話也是這樣的。\n";
        assert_eq!(codes(&format!("{classic}{translation}")), ["prose-mixed"]);
    }

    #[test]
    fn nothing_is_said_of_what_was_read() {
        for text in [
            "學而時習之【說，悅也】不亦說乎【包曰同門】有朋自遠方來【同志】。\n",
            "子曰：「學而時習之，不亦說乎？」《詩》云：〈關雎〉。\n有子曰：「其為人也孝弟。」\n",
        ] {
            assert_eq!(codes(text), [""; 0], "{text}");
        }
    }
}
