//! A query as tokens, each with its place. Full-width marks count as the others, so that nobody has to leave the input
//! method.

use crate::diag::Error;
use crate::source::Place;

/// A token and the characters it stands at.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) from: usize,
    pub(super) to: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// `layer:` or `filter:`.
    Prefix(String),
    /// What follows `re:`.
    Pattern(String),
    Words(String),
    Quoted(String),
    Open,
    Close,
    On,
    And,
    Or,
    Not,
    Near(u32),
    Any,
}

/// How near is near, where nobody says.
const NEAR: u32 = 10;
const FARTHEST: u32 = 200;

/// The tokens of a query.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Error> {
    let mut lexer = Lexer { text, chars: text.chars().collect(), at: 0, tokens: vec![] };
    while lexer.at < lexer.chars.len() {
        lexer.token()?;
    }
    Ok(lexer.tokens)
}

/// A complaint about characters `from..to` of a query.
pub(super) fn wrong(text: &str, from: usize, to: usize, message: impl Into<String>) -> Error {
    let mut error = Error::usage(message).at(Place { line: 1, column: from + 1 }).line(text);
    error.path = Some("query".into());
    error.width = to.saturating_sub(from).max(1);
    error
}

/// The mark that closes a quotation.
fn closing(open: char) -> Option<char> {
    Some(match open {
        '"' => '"',
        '“' | '”' => '”',
        '＂' => '＂',
        '「' => '」',
        '『' => '』',
        _ => return None,
    })
}

fn is_colon(c: char) -> bool {
    matches!(c, ':' | '：')
}

/// True where a word ends.
fn breaks(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')' | '（' | '）' | '@' | '＠' | '|' | '｜') || closing(c).is_some()
}

struct Lexer<'a> {
    text: &'a str,
    chars: Vec<char>,
    at: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn push(&mut self, kind: Kind, from: usize) {
        self.tokens.push(Token { kind, from, to: self.at });
    }

    fn one(&mut self, kind: Kind) {
        self.at += 1;
        self.push(kind, self.at - 1);
    }

    fn token(&mut self) -> Result<(), Error> {
        let c = self.chars[self.at];
        let next = self.chars.get(self.at + 1).copied();
        match c {
            c if c.is_whitespace() => self.at += 1,
            '(' | '（' => self.one(Kind::Open),
            ')' | '）' => self.one(Kind::Close),
            '@' | '＠' => self.one(Kind::On),
            '|' | '｜' => self.one(Kind::Or),
            '-' | '－' if next.is_some_and(|c| !c.is_whitespace()) => self.one(Kind::Not),
            '*' | '＊' if next.is_none_or(breaks) => self.one(Kind::Any),
            _ if closing(c).is_some() => self.quoted(c)?,
            _ => self.word()?,
        }
        Ok(())
    }

    fn quoted(&mut self, open: char) -> Result<(), Error> {
        let from = self.at;
        let words = self.until_closed(open)?;
        self.push(Kind::Quoted(words), from);
        Ok(())
    }

    fn until_closed(&mut self, open: char) -> Result<String, Error> {
        let (from, close) = (self.at, closing(open));
        let Some(n) = self.chars[from + 1..].iter().position(|c| Some(*c) == close) else {
            let hint = format!("close it with {}", close.unwrap_or('"'));
            return Err(wrong(self.text, from, self.chars.len(), "this quotation is not closed").hint(hint));
        };
        self.at = from + n + 2;
        Ok(self.chars[from + 1..from + 1 + n].iter().collect())
    }

    fn word(&mut self) -> Result<(), Error> {
        let from = self.at;
        while let Some(c) = self.chars.get(self.at).filter(|c| !breaks(**c)) {
            self.at += 1;
            if !is_colon(*c) {
                continue;
            }
            let name: String = self.chars[from..self.at - 1].iter().collect();
            if name.is_empty() {
                return Err(wrong(self.text, from, self.at, "before the colon the name of a layer or filter is missing").hint(PREFIXES));
            }
            if is_pattern(&name) {
                return self.pattern(from);
            }
            self.push(Kind::Prefix(name), from);
            return Ok(());
        }
        let word: String = self.chars[from..self.at].iter().collect();
        let kind = match word.to_ascii_uppercase().as_str() {
            "AND" => Kind::And,
            "OR" => Kind::Or,
            "NOT" => Kind::Not,
            "NEAR" => Kind::Near(NEAR),
            upper if upper.starts_with("NEAR/") => Kind::Near(self.distance(&word, from)?),
            _ => Kind::Words(word),
        };
        self.push(kind, from);
        Ok(())
    }

    fn distance(&self, word: &str, from: usize) -> Result<u32, Error> {
        word["NEAR/".len()..].parse().ok().filter(|n| *n <= FARTHEST).ok_or_else(|| {
            wrong(self.text, from, self.at, format!("after NEAR/ stands a number from 0 to {FARTHEST}"))
                .hint("坐 NEAR/5 獲: at most 5 characters between the two")
        })
    }

    /// A pattern ends at a blank, or at a parenthesis that it did not open; in quotation marks it may hold anything.
    fn pattern(&mut self, start: usize) -> Result<(), Error> {
        let pattern = match self.chars.get(self.at) {
            Some(c) if closing(*c).is_some() => self.until_closed(*c)?,
            _ => {
                let from = self.at;
                let (mut depth, mut class) = (0usize, false);
                while let Some(c) = self.chars.get(self.at).filter(|c| !c.is_whitespace()) {
                    match c {
                        '\\' => self.at += 1,
                        '[' => class = true,
                        ']' => class = false,
                        '(' if !class => depth += 1,
                        ')' if !class && depth == 0 => break,
                        ')' if !class => depth -= 1,
                        _ => {}
                    }
                    self.at += 1;
                }
                self.at = self.at.min(self.chars.len());
                self.chars[from..self.at].iter().collect()
            }
        };
        self.push(Kind::Pattern(pattern), start);
        Ok(())
    }
}

fn is_pattern(name: &str) -> bool {
    matches!(name.to_lowercase().as_str(), "re" | "regex" | "正則" | "正则")
}

/// What may stand before a colon.
pub(super) const PREFIXES: &str = "before a colon may stand a layer (經: 注: 疏: 譯: …, `zhushu formats` lists them), by: or 人:, work: or 書:, \
chapter: or 篇:, witness: or 本:, re:";
