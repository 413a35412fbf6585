//! Parses tokens into a query, by recursive descent. Every error has its place and a hint.

use std::collections::BTreeSet;

use super::lex::{QueryToken, TokenKind, tokens};
use super::pattern::sets_within_sets;
use super::syntax::{self, MAX_CHARS, MAX_DEPTH, MAX_PATTERNS, MAX_SETS, is_sign};
use super::{Filter, Pattern, Phrase, QueryNode};
use crate::diag::Error;
use crate::model::Layer;
use crate::source::Span;
use crate::text::Key;

/// As many characters are shown of a query that is too long.
const SHOWN_CHARS: usize = 40;

/// Parses a query.
pub(super) fn parse(text: &str) -> Result<QueryNode, Error> {
    if text.chars().count() > MAX_CHARS {
        let start: String = text.chars().take(SHOWN_CHARS).chain(['…']).collect();
        return Err(syntax::wrong(&start, 0, SHOWN_CHARS, "too-long", &MAX_CHARS.to_string()));
    }
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, depth: 0, links: 0 };
    parser.check_patterns()?;
    let node = parser.query()?;
    match parser.peek() {
        None => Ok(node),
        Some(token) => Err(parser.wrong(token, "closes-nothing", "")),
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<QueryToken>,
    at: usize,
    /// How many parentheses, layers and NOT are open. Evaluation recurses as deep as the query is
    /// nested, so there is a limit.
    depth: usize,
    /// How many @ and NEAR there are so far. Each makes the tree one level deeper.
    links: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&QueryToken> {
        self.tokens.get(self.at)
    }

    fn take(&mut self, kind: &TokenKind) -> bool {
        let found = self.peek().is_some_and(|t| t.kind == *kind);
        self.at += usize::from(found);
        found
    }

    /// An error if it would take long to compile all regular expressions.
    fn check_patterns(&self) -> Result<(), Error> {
        let mut sets = 0;
        let patterns = self.tokens.iter().filter_map(|t| match &t.kind {
            TokenKind::Pattern(typed) => Some((t, typed)),
            _ => None,
        });
        for (n, (token, typed)) in patterns.enumerate() {
            sets += sets_within_sets(typed);
            if n == MAX_PATTERNS {
                return Err(self.wrong(token, "too-many-patterns", &MAX_PATTERNS.to_string()));
            }
            if sets > MAX_SETS {
                return Err(self.wrong(token, "too-many-sets", &MAX_SETS.to_string()));
            }
        }
        Ok(())
    }

    /// An error of the table about a token.
    fn wrong(&self, token: &QueryToken, code: &str, what: &str) -> Error {
        syntax::wrong(self.text, token.from, token.to, code, what)
    }

    /// An error that something is missing after the last token.
    fn missing(&self, code: &str) -> Error {
        let (from, to) = self.tokens.last().map_or((0, 1), |t| (t.from, t.to));
        syntax::wrong(self.text, from, to, code, "")
    }

    fn query(&mut self) -> Result<QueryNode, Error> {
        let mut node = self.any()?;
        while self.take(&TokenKind::On) {
            self.link(self.at - 1)?;
            let right = if self.take(&TokenKind::Not) {
                QueryNode::Not(Box::new(self.any()?))
            } else {
                self.any()?
            };
            node = QueryNode::On(Box::new(node), Box::new(right));
        }
        Ok(node)
    }

    fn any(&mut self) -> Result<QueryNode, Error> {
        let mut nodes = vec![self.all()?];
        while self.take(&TokenKind::Or) {
            nodes.push(self.all()?);
        }
        Ok(single(nodes, QueryNode::Either))
    }

    fn all(&mut self) -> Result<QueryNode, Error> {
        let first = self.peek().cloned();
        let mut nodes = vec![self.near()?];
        loop {
            let and = self.take(&TokenKind::And);
            match self.peek().map(|t| &t.kind) {
                Some(TokenKind::Or | TokenKind::On | TokenKind::Close) | None if !and => break,
                _ => nodes.push(self.near()?),
            }
        }
        // A lone “-x” does not say what it excludes from. Filters alone mean everything that they
        // allow.
        if nodes.iter().all(|n| matches!(n, QueryNode::Not(_))) {
            let token = first.unwrap_or(QueryToken { kind: TokenKind::Not, from: 0, to: 1 });
            return Err(self.wrong(&token, "only-not", ""));
        }
        let alone = nodes.len() == 1 && !matches!(nodes[0], QueryNode::Filter(_));
        Ok(if alone { nodes.swap_remove(0) } else { QueryNode::All(nodes) })
    }

    fn near(&mut self) -> Result<QueryNode, Error> {
        let mut node = self.one()?;
        while let Some(QueryToken { kind: TokenKind::Near(n), .. }) = self.peek() {
            let (n, token) = (*n, self.at);
            self.link(token)?;
            self.at += 1;
            let right = self.one()?;
            if [&node, &right]
                .iter()
                .any(|n| matches!(n, QueryNode::Not(_) | QueryNode::Filter(_) | QueryNode::On(..)))
            {
                return Err(self.wrong(&self.tokens[token], "near-words", ""));
            }
            node = QueryNode::Near(Box::new(node), n, Box::new(right));
        }
        Ok(node)
    }

    /// Counts the token at `at` as a link between two sides.
    fn link(&mut self, at: usize) -> Result<(), Error> {
        self.links += 1;
        if self.links > MAX_DEPTH { Err(self.too_deep(&self.tokens[at])) } else { Ok(()) }
    }

    fn too_deep(&self, token: &QueryToken) -> Error {
        self.wrong(token, "too-deep", &MAX_DEPTH.to_string())
    }

    fn one(&mut self) -> Result<QueryNode, Error> {
        let Some(token) = self.peek().cloned() else { return Err(self.missing("too-early")) };
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH + 1 {
            return Err(self.too_deep(&token));
        }
        let node = self.one_at(token)?;
        self.depth -= 1;
        Ok(node)
    }

    fn one_at(&mut self, token: QueryToken) -> Result<QueryNode, Error> {
        Ok(match &token.kind {
            TokenKind::Not => QueryNode::Not(Box::new(self.one()?)),
            TokenKind::Open => self.parenthesis(&token)?,
            TokenKind::Any => QueryNode::Any,
            TokenKind::Phrase(words) => QueryNode::Phrase(self.words(&token, words, true)?),
            TokenKind::Quoted(words) => QueryNode::Phrase(self.words(&token, words, false)?),
            TokenKind::Pattern(pattern) => QueryNode::Regex(self.pattern(&token, pattern)?),
            TokenKind::Prefix(name) => self.prefixed(&token, name)?,
            TokenKind::Near(_) | TokenKind::And | TokenKind::Or | TokenKind::On => {
                return Err(self.wrong(&token, "nothing-before", ""));
            }
            TokenKind::Close => return Err(self.wrong(&token, "nothing-in-parentheses", "")),
        })
    }

    fn parenthesis(&mut self, open: &QueryToken) -> Result<QueryNode, Error> {
        let node = self.query();
        let unclosed =
            self.peek().is_none() && self.tokens.last().is_none_or(|t| t.kind != TokenKind::Close);
        if unclosed || node.is_ok() && !self.take(&TokenKind::Close) {
            return Err(self.wrong(open, "unclosed-parenthesis", ""));
        }
        node
    }

    fn prefixed(&mut self, token: &QueryToken, name: &str) -> Result<QueryNode, Error> {
        if let Some(field) = syntax::field(name) {
            return Ok(QueryNode::Filter(Filter { field, value: self.value(token)? }));
        }
        if let Some(kind) = syntax::name_kind(name) {
            return Ok(QueryNode::Marked(kind, self.name_or_id(token)?));
        }
        let layers = layers(name).ok_or_else(|| {
            let code = if syntax::is("layer", &name.to_lowercase()) {
                "layer-itself"
            } else {
                "unknown-prefix"
            };
            self.wrong(token, code, name)
        })?;
        let inner = self.one()?;
        match inner {
            QueryNode::Not(x) => Ok(QueryNode::Not(Box::new(QueryNode::In(layers, x)))),
            inner => Ok(QueryNode::In(layers, Box::new(inner))),
        }
    }

    /// A name, or an id, which may have colons: `cbdb:12345`.
    fn name_or_id(&mut self, prefix: &QueryToken) -> Result<String, Error> {
        let (mut value, mut end) = (String::new(), prefix.to);
        while let Some(QueryToken { kind: TokenKind::Prefix(part), from, to }) =
            self.peek().cloned()
            && from == end
        {
            value += &format!("{part}:");
            end = to;
            self.at += 1;
        }
        Ok(value + &self.value(prefix)?)
    }

    fn value(&mut self, prefix: &QueryToken) -> Result<String, Error> {
        match self.peek().map(|t| t.kind.clone()) {
            Some(TokenKind::Phrase(value) | TokenKind::Quoted(value))
                if !value.trim().is_empty() =>
            {
                self.at += 1;
                Ok(value)
            }
            _ => Err(self.wrong(prefix, "no-name", "")),
        }
    }

    fn words(&self, token: &QueryToken, typed: &str, wildcards: bool) -> Result<Phrase, Error> {
        let mut words = Phrase { chars: vec![], typed: vec![] };
        let pieces: Vec<&str> =
            if wildcards { typed.split(|c| is_sign("one", c)).collect() } else { vec![typed] };
        for (i, piece) in pieces.iter().enumerate() {
            if i > 0 {
                words.chars.push(None);
                words.typed.push(None);
            }
            let key = Key::of(piece, Span::new(0, piece.len()));
            words.chars.extend(key.chars.iter().copied().map(Some));
            words.typed.extend(
                (0..key.len()).map(|n| Some(piece[key.span(n, n + 1).range()].to_string())),
            );
        }
        if wildcards && typed.contains(|c| is_sign("any", c)) {
            return Err(self.wrong(token, "star", ""));
        }
        if words.chars.iter().all(Option::is_none) {
            return Err(self.wrong(token, "no-character", ""));
        }
        Ok(words)
    }

    fn pattern(&self, token: &QueryToken, pattern: &str) -> Result<Pattern, Error> {
        if pattern.is_empty() {
            return Err(self.wrong(token, "no-pattern", ""));
        }
        Pattern::new(pattern).map_err(|e| {
            let why = e.to_string();
            let last = why.lines().last().unwrap_or_default().trim_start_matches("error: ");
            self.wrong(token, "bad-pattern", last)
        })
    }
}

fn single(mut nodes: Vec<QueryNode>, many: impl FnOnce(Vec<QueryNode>) -> QueryNode) -> QueryNode {
    if nodes.len() == 1 { nodes.swap_remove(0) } else { many(nodes) }
}

/// A layer by name, or several by their one-character names (經注).
fn layers(name: &str) -> Option<BTreeSet<Layer>> {
    if let Ok(layer) = name.parse() {
        return Some([layer].into());
    }
    name.chars().map(|c| c.to_string().parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::eval::Folding;
    use crate::text::fold::fold;

    /// The query as it was understood.
    fn shape(text: &str) -> String {
        show(&parse(text).unwrap_or_else(|e| panic!("{text}: {e}")))
    }

    fn show(node: &QueryNode) -> String {
        let list =
            |nodes: &[QueryNode], with: &str| nodes.iter().map(show).collect::<Vec<_>>().join(with);
        match node {
            QueryNode::Phrase(w) => w.typed.iter().map(|c| c.as_deref().unwrap_or("?")).collect(),
            QueryNode::Regex(r) => format!("/{}/", r.folded(Folding::Full)),
            QueryNode::Any => "*".into(),
            QueryNode::In(layers, x) => {
                format!("{}:{}", layers.iter().map(|l| l.zh()).collect::<String>(), show(x))
            }
            QueryNode::All(nodes) => format!("({})", list(nodes, " & ")),
            QueryNode::Either(nodes) => format!("({})", list(nodes, " | ")),
            QueryNode::Near(a, n, b) => format!("({} ~{n} {})", show(a), show(b)),
            QueryNode::On(a, b) => format!("[{} @ {}]", show(a), show(b)),
            QueryNode::Not(x) => format!("!{}", show(x)),
            QueryNode::Filter(f) => format!("{:?}={}", f.field, f.value),
            QueryNode::Marked(kind, name) => format!("<{} {name}>", kind.id()),
        }
    }

    #[test]
    fn queries_are_parsed() {
        for (text, want) in [
            ("賢獲", "賢獲"),
            ("“賢,獲?”", "賢獲"),
            ("賢?獲", "賢?獲"),
            ("zhu:賢獲", "注:賢獲"),
            ("經注:賢", "經注:賢"),
            ("注：（今文 AND 古文）", "注:(今文 & 古文)"),
            ("今文 古文 OR 賢 -獲", "((今文 & 古文) | (賢 & !獲))"),
            ("今文 NOT 注:古文", "(今文 & !注:古文)"),
            ("今文 注:NOT 古文", "(今文 & !注:古文)"),
            ("今文 注:-古文", "(今文 & !注:古文)"),
            ("坐 NEAR/5 獲 NEAR 賢", "((坐 ~5 獲) ~10 賢)"),
            ("注:今文 @ 經:獲", "[注:今文 @ 經:獲]"),
            ("經:* @ NOT 注:*", "[經:* @ !注:*]"),
            ("by:鄭玄 chapter:鄉射 今文", "(By=鄭玄 & Chapter=鄉射 & 今文)"),
            ("by:鄭玄", "(By=鄭玄)"),
            ("person:鄭玄", "<person 鄭玄>"),
            ("人名：cbdb:12345 今文", "(<person cbdb:12345> & 今文)"),
            ("注:place:“高 密”", "注:<place 高 密>"),
            ("re:今文.{1,4}爲", "/今文.{1,4}為/"),
            ("今文 or 古文 and not 獲", "(今文 | (古文 & !獲))"),
            ("今文|古文｜獲", "(今文 | 古文 | 獲)"),
            ("坐 near/5 獲", "(坐 ~5 獲)"),
            ("\"and\"", "and"),
            ("(re:(今|古)文) OR 獲", "(/(今|古)文/ | 獲)"),
            ("re:\"a b\"", "/a b/"),
            ("((賢))", "賢"),
        ] {
            let got = shape(text);
            let want: String = if text.starts_with("re:今") {
                want.chars().map(|c| if c.is_ascii() { c } else { fold(c) }).collect()
            } else {
                want.into()
            };
            assert_eq!(got, want, "{text}");
        }
    }

    #[test]
    fn there_may_be_so_many_regular_expressions_and_no_more() {
        let query = |n: usize| vec!["re:今[^文]爲"; n].join(" OR ");
        assert!(parse(&query(MAX_PATTERNS)).is_ok());
        let error = parse(&query(MAX_PATTERNS + 1)).unwrap_err();
        assert!(error.message.contains("too many regular expressions"), "{error}");
    }

    #[test]
    fn there_may_be_so_many_sets_within_sets_and_no_more() {
        let query = |n: usize| format!("re:今[{}] re:[今[^文]]", r"\W".repeat(n - 1));
        assert!(parse(&query(MAX_SETS)).is_ok());
        let error = parse(&query(MAX_SETS + 1)).unwrap_err();
        assert!(error.message.contains("too many sets"), "{error}");
    }

    #[test]
    fn too_deep_nesting_is_an_error() {
        let deep =
            |open: &str, n: usize, close: &str| format!("{}獲{}", open.repeat(n), close.repeat(n));
        for (open, close) in [("(", ")"), ("注:", ""), ("", " @ 獲"), ("", " NEAR/2 獲")] {
            assert!(parse(&deep(open, MAX_DEPTH, close)).is_ok(), "{open}{close}");
            for (n, message) in [(MAX_DEPTH + 1, "too deep"), (20_000, "too long")] {
                let e = parse(&deep(open, n, close)).expect_err(open);
                assert!(e.message.contains(message), "{open}{close} {n}: {e}");
            }
        }
        assert!(parse(&deep("-", 900, "")).is_err());
        // The last parenthesis is open, but the error is the depth.
        assert!(parse(&deep("(獲 @ ", 40, ")")).is_ok());
        assert!(parse(&deep("(獲 @ 獲 @ ", 40, ")")).is_err());
    }

    #[test]
    fn errors_have_their_column_and_a_hint() {
        for (text, column, hint) in [
            ("", 1, true),
            ("注:", 1, true),
            ("注:(今文", 3, true),
            ("今文)", 3, true),
            ("今文 AND", 4, true),
            ("AND 今文", 1, true),
            ("“今文", 1, true),
            ("鄭:今文", 1, true),
            ("layer:注 今文", 1, true),
            ("| 今文", 1, true),
            ("by: 今文 :獲", 8, true),
            ("()", 2, true),
            ("NOT 今文", 1, true),
            ("re:今(", 1, true),
            ("re:", 1, true),
            ("坐 NEAR/x 獲", 3, true),
            ("。、", 1, true),
            ("今*", 1, true),
        ] {
            match parse(text) {
                Err(e) => {
                    assert_eq!(e.place.map(|p| p.column), Some(column), "{text}: {e}");
                    assert_eq!(e.hint.is_some(), hint, "{text}: {e}");
                }
                Ok(_) => panic!("{text} should be an error"),
            }
        }
    }
}
