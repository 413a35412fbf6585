//! The query language: what can be asked, and how it is written.
//!
//! ```text
//! query   = any { "@" any }                        related to
//! any     = all { "OR" all }
//! all     = near { ["AND"] near }                  "NOT x" and "-x" among them exclude
//! near    = one { "NEAR/n" one }
//! one     = "NOT" one | "-" one | layer ":" one | filter ":" value | "re:" pattern
//!         | kind ":" name | "(" query ")" | "*" | words | "“…”"
//! ```

mod lex;
mod parse;
mod pattern;
mod syntax;

use std::collections::BTreeSet;
use std::str::FromStr;

pub(super) use self::pattern::Pattern;
use crate::diag::Error;
use crate::model::Layer;
use crate::reading::NameKind;

pub(super) use syntax::for_pages;

/// A query to an [`Index`](super::Index), parsed from text.
///
/// ```
/// use zhushu::search::Query;
/// let query: Query = "注:今文 @ 經:獲".parse()?;
/// let wrong = "注:(今文".parse::<Query>().unwrap_err();
/// assert_eq!(wrong.place.unwrap().column, 3);
/// # Ok::<(), zhushu::diag::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Query {
    pub(super) node: QueryNode,
    text: String,
}

impl Query {
    /// As it was typed.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl FromStr for Query {
    type Err = Error;

    /// Parses a query. An error has the place and a hint.
    fn from_str(text: &str) -> Result<Self, Error> {
        Ok(Query { node: parse::parse(text)?, text: text.to_string() })
    }
}

/// Characters that follow one another.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Phrase {
    /// Folded characters; `None` is any one character.
    pub(super) chars: Vec<Option<char>>,
    /// The characters as they were typed.
    pub(super) typed: Vec<Option<String>>,
}

/// What a filter compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    By,
    Work,
    Chapter,
    Witness,
}

impl Field {
    /// The name before the colon.
    pub(super) fn name(self) -> &'static str {
        match self {
            Field::By => "by",
            Field::Work => "work",
            Field::Chapter => "chapter",
            Field::Witness => "witness",
        }
    }
}

/// A restriction of where to search.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Filter {
    pub(super) field: Field,
    pub(super) value: String,
}

/// A query, or part of one.
#[derive(Clone, Debug)]
pub(super) enum QueryNode {
    Phrase(Phrase),
    Regex(Pattern),
    /// Every unit.
    Any,
    In(BTreeSet<Layer>, Box<QueryNode>),
    /// Parts that must all apply. [`QueryNode::Filter`] and [`QueryNode::Not`] occur only here.
    All(Vec<QueryNode>),
    Either(Vec<QueryNode>),
    Near(Box<QueryNode>, u32, Box<QueryNode>),
    On(Box<QueryNode>, Box<QueryNode>),
    Not(Box<QueryNode>),
    Filter(Filter),
    /// Names that the source marks, by their words or an id.
    Marked(NameKind, String),
}
