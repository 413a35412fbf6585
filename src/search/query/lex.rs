//! A query as tokens, each with its place. Full-width marks are accepted too, so that nobody has to
//! leave the input method.

use super::syntax::{DEFAULT_NEAR_CHARS, MAX_NEAR_CHARS, closing, is, is_pattern, is_sign, wrong};
use crate::diag::Error;

/// A token and its characters in the query.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QueryToken {
    pub(super) kind: TokenKind,
    pub(super) from: usize,
    pub(super) to: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// `layer:` or `filter:`.
    Prefix(String),
    /// What follows `re:`.
    Pattern(String),
    Phrase(String),
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

/// The tokens of a query.
pub(super) fn tokens(text: &str) -> Result<Vec<QueryToken>, Error> {
    let mut lexer = Lexer { text, chars: text.chars().collect(), at: 0, tokens: vec![] };
    while lexer.at < lexer.chars.len() {
        lexer.token()?;
    }
    Ok(lexer.tokens)
}

/// True if `c` ends a word.
fn breaks(c: char) -> bool {
    c.is_whitespace()
        || ["open", "close", "on", "bar"].iter().any(|sign| is_sign(sign, c))
        || closing(c).is_some()
}

struct Lexer<'a> {
    text: &'a str,
    chars: Vec<char>,
    at: usize,
    tokens: Vec<QueryToken>,
}

impl Lexer<'_> {
    fn push(&mut self, kind: TokenKind, from: usize) {
        self.tokens.push(QueryToken { kind, from, to: self.at });
    }

    fn one(&mut self, kind: TokenKind) {
        self.at += 1;
        self.push(kind, self.at - 1);
    }

    fn token(&mut self) -> Result<(), Error> {
        let c = self.chars[self.at];
        let next = self.chars.get(self.at + 1).copied();
        match c {
            c if c.is_whitespace() => self.at += 1,
            c if is_sign("open", c) => self.one(TokenKind::Open),
            c if is_sign("close", c) => self.one(TokenKind::Close),
            c if is_sign("on", c) => self.one(TokenKind::On),
            c if is_sign("bar", c) => self.one(TokenKind::Or),
            c if is_sign("minus", c) && next.is_some_and(|c| !c.is_whitespace()) => {
                self.one(TokenKind::Not)
            }
            c if is_sign("any", c) && next.is_none_or(breaks) => self.one(TokenKind::Any),
            _ if closing(c).is_some() => self.quoted(c)?,
            _ => self.word()?,
        }
        Ok(())
    }

    fn quoted(&mut self, open: char) -> Result<(), Error> {
        let from = self.at;
        let words = self.until_closed(open)?;
        self.push(TokenKind::Quoted(words), from);
        Ok(())
    }

    fn until_closed(&mut self, open: char) -> Result<String, Error> {
        let (from, close) = (self.at, closing(open));
        let Some(n) = self.chars[from + 1..].iter().position(|c| Some(*c) == close) else {
            return Err(wrong(
                self.text,
                from,
                self.chars.len(),
                "unclosed-quotation",
                &String::from_iter(close),
            ));
        };
        self.at = from + n + 2;
        Ok(self.chars[from + 1..from + 1 + n].iter().collect())
    }

    fn word(&mut self) -> Result<(), Error> {
        let from = self.at;
        while let Some(c) = self.chars.get(self.at).filter(|c| !breaks(**c)) {
            self.at += 1;
            if !is_sign("colon", *c) {
                continue;
            }
            let name: String = self.chars[from..self.at - 1].iter().collect();
            if name.is_empty() {
                return Err(wrong(self.text, from, self.at, "nothing-before-colon", ""));
            }
            if is_pattern(&name) {
                return self.pattern(from);
            }
            self.push(TokenKind::Prefix(name), from);
            return Ok(());
        }
        let word: String = self.chars[from..self.at].iter().collect();
        let upper = word.to_ascii_uppercase();
        let kind = match upper.split_once('/') {
            Some((near, n)) if is("near", near) => TokenKind::Near(self.distance(n, from)?),
            _ if is("and", &upper) => TokenKind::And,
            _ if is("or", &upper) => TokenKind::Or,
            _ if is("not", &upper) => TokenKind::Not,
            _ if is("near", &upper) => TokenKind::Near(DEFAULT_NEAR_CHARS),
            _ => TokenKind::Phrase(word),
        };
        self.push(kind, from);
        Ok(())
    }

    fn distance(&self, n: &str, from: usize) -> Result<u32, Error> {
        let fits = n.parse().ok().filter(|n| *n <= MAX_NEAR_CHARS);
        fits.ok_or_else(|| wrong(self.text, from, self.at, "distance", &MAX_NEAR_CHARS.to_string()))
    }

    /// A pattern ends at a blank, or at a parenthesis that it did not open. In quotation marks it
    /// may contain anything.
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
        self.push(TokenKind::Pattern(pattern), start);
        Ok(())
    }
}
