//! Stretches of a line that a file has the other way round: double rows whose left column comes
//! first. The text is in the order of reading; the file, its lines and columns are restored.

use std::ops::Range;

use super::{KeptBytes, Span};

/// Two stretches of a line with one character of ASCII between them. The text has the one before it
/// first, the file the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Exchange {
    /// Both with what is between them, in bytes.
    pub(crate) span: Span,
    /// The byte between them.
    pub(crate) middle: u32,
}

impl Exchange {
    /// Stretches around byte `middle`.
    pub(crate) fn new(span: Span, middle: usize) -> Self {
        Exchange { span, middle: middle as u32 }
    }

    /// Where the first stretch begins, where it ends, and where the second ends.
    pub(crate) fn places(self) -> [usize; 3] {
        [self.span.start(), self.middle(), self.span.end()]
    }

    /// The byte between the stretches.
    pub(crate) fn middle(self) -> usize {
        self.middle as usize
    }

    fn first(self) -> Range<usize> {
        self.span.start()..self.middle()
    }

    fn second(self) -> Range<usize> {
        self.middle() + 1..self.span.end()
    }

    /// The same in a text `by` bytes later.
    pub(super) fn later(self, by: usize) -> Self {
        let span = Span::new(self.span.start() + by, self.span.end() + by);
        Exchange::new(span, self.middle() + by)
    }

    /// The same in a text `by` bytes earlier.
    pub(super) fn earlier(self, by: usize) -> Self {
        let span = Span::new(self.span.start() - by, self.span.end() - by);
        Exchange::new(span, self.middle() - by)
    }

    /// The same in the other of the two texts.
    pub(super) fn turned(self) -> Self {
        Exchange::new(self.span, self.span.start() + self.second().len())
    }

    /// Where a byte of the stretches is in the other of the two texts.
    fn moved(self, at: usize) -> usize {
        let (first, second) = (self.first(), self.second());
        match at {
            _ if first.contains(&at) => at + second.len() + 1,
            _ if at == self.middle() => self.span.start() + second.len(),
            _ => at - (first.len() + 1),
        }
    }

    fn is_of(self, text: &str) -> bool {
        let parts = [text.get(self.first()), text.get(self.second())];
        let whole = parts.iter().all(|p| p.is_some_and(|p| !p.contains('\n')));
        whole && text.as_bytes()[self.middle()].is_ascii_punctuation()
    }
}

/// True if a text has these stretches, in order.
pub(super) fn are_of(text: &str, all: &[Exchange]) -> bool {
    let in_order = all.windows(2).all(|w| w[0].span.end() <= w[1].span.start());
    in_order && all.iter().all(|e| e.is_of(text))
}

/// The other of the two texts, with its kept bytes.
pub(super) fn exchanged(
    text: &str,
    kept: &[KeptBytes],
    all: &[Exchange],
) -> (String, Vec<KeptBytes>) {
    let mut made = String::with_capacity(text.len());
    let mut at = 0;
    for e in all {
        made.push_str(&text[at..e.span.start()]);
        made.push_str(&text[e.second()]);
        made.push_str(&text[e.middle()..e.middle() + 1]);
        made.push_str(&text[e.first()]);
        at = e.span.end();
    }
    made.push_str(&text[at..]);
    let moved = |k: &KeptBytes| match around(all, k.span.start()) {
        Some(e) => {
            let start = e.moved(k.span.start());
            KeptBytes { span: Span::new(start, start + k.span.len()), ..k.clone() }
        }
        None => k.clone(),
    };
    let mut kept: Vec<KeptBytes> = kept.iter().map(moved).collect();
    kept.sort_by_key(|k| k.span.start());
    (made, kept)
}

/// The exchange that has byte `at`.
fn around(all: &[Exchange], at: usize) -> Option<Exchange> {
    let n = all.partition_point(|e| e.span.end() <= at);
    all.get(n).copied().filter(|e| e.span.start() <= at)
}

/// Those in a span.
pub(super) fn within(all: &[Exchange], span: Span) -> &[Exchange] {
    let from = all.partition_point(|e| e.span.start() < span.start());
    let to = all.partition_point(|e| e.span.start() < span.end());
    &all[from..to.max(from)]
}

/// Code points between the place of byte `at` in its line of the file and that in the text.
pub(super) fn column_shift(text: &str, all: &[Exchange], at: usize) -> isize {
    let Some(e) = around(all, at) else { return 0 };
    let chars = |r: Range<usize>| text[r].chars().count() as isize;
    match at {
        _ if e.first().contains(&at) => chars(e.second()) + 1,
        _ if at == e.middle() => chars(e.second()) - chars(e.first()),
        _ => -(chars(e.first()) + 1),
    }
}

/// Character `n` of a line of the text, from 0, as the file has it.
pub(super) fn char_of_line(text: &str, all: &[Exchange], line: Span, n: usize) -> Option<Span> {
    let here = within(all, line);
    let (stored, _) = exchanged(&text[..line.end()], &[], here);
    let (at, c) = stored[line.start()..].char_indices().nth(n)?;
    let at = line.start() + at;
    let at = around(here, at).map_or(at, |e| e.turned().moved(at));
    Some(Span::new(at, at + c.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::*;

    /// `甲(乙丙/丁)戊` whose file has 丁 first, and a row without exchange.
    fn rows() -> Source {
        let stored = "題\n甲(丁/乙丙)戊(己/庚)\n";
        let at = |words: &str| stored.find(words).unwrap();
        let span = Span::new(at("丁"), at(")"));
        let source = Source::from_text("a.txt", stored);
        source.exchanged(&[Exchange::new(span, at("/"))]).unwrap()
    }

    #[test]
    fn the_text_is_read_in_order_and_the_file_is_restored() {
        let source = rows();
        assert_eq!(source.text(), "題\n甲(乙丙/丁)戊(己/庚)\n");
        assert_eq!(source.bytes(), "題\n甲(丁/乙丙)戊(己/庚)\n".as_bytes());
        assert_eq!(
            source.sha256(),
            Source::from_text("b.txt", "題\n甲(丁/乙丙)戊(己/庚)\n").sha256()
        );
        assert!(source.exchanged(source.exchanges()).is_none());
    }

    #[test]
    fn lines_and_columns_are_those_of_the_file() {
        let source = rows();
        let stored = "甲(丁/乙丙)戊(己/庚)";
        let line = source.line(2).unwrap();
        for (n, c) in stored.chars().enumerate() {
            let span = source.char_of_line(line, n).unwrap();
            assert_eq!(source.slice(span), c.to_string());
            let place = source.place(span.start());
            assert_eq!((place.line, place.column), (2, n + 1), "{c}");
        }
        assert_eq!(source.char_of_line(line, stored.chars().count()), None);
    }

    #[test]
    fn parts_and_the_whole_keep_them() {
        let source = rows();
        let start = source.line(2).unwrap().start();
        let part = source.part(Span::new(start, source.text().len()), 2, 2);
        assert_eq!(part.bytes(), "甲(丁/乙丙)戊(己/庚)\n".as_bytes());
        assert_eq!(part.place(part.text().find("乙").unwrap()).column, 5);
        let first = source.part(Span::new(0, start), 1, 2);
        let whole = Source::joined([&first, &part].into_iter());
        assert_eq!((whole.text(), whole.bytes()), (source.text(), source.bytes()));
    }

    #[test]
    fn kept_bytes_move_with_their_characters() {
        let bytes = b"\xbc\xd7(\xb6\xff/\xd2\xd2\xff)\n".to_vec();
        let stored = Source::decode("a.txt", bytes.clone(), Some("gb18030")).unwrap();
        let (from, to) = (stored.text().find('(').unwrap() + 1, stored.text().find(')').unwrap());
        let middle = stored.text().find('/').unwrap();
        let all = [Exchange::new(Span::new(from, to), middle)];
        let source = stored.exchanged(&all).unwrap();
        assert_eq!((source.bytes(), source.sha256()), (bytes, stored.sha256()));
    }

    #[test]
    fn what_is_no_such_stretch_is_not_exchanged() {
        let source = Source::from_text("a.txt", "甲/乙\n丙丁");
        let wrong = [(0, 7, 4), (0, 11, 3), (0, 99, 3), (0, 7, 6), (1, 7, 3)];
        for (from, to, middle) in wrong {
            assert!(source.exchanged(&[Exchange::new(Span::new(from, to), middle)]).is_none());
        }
    }
}
