//! References for a person, passage by passage: what is referred to and where it is.

use std::fmt::Write as _;

use crate::cli::language::{chinese, colon, say};
use crate::corpus::Library;
use crate::corpus::refs::Reference;
use crate::model::{Status, shown};
use anstyle::{AnsiColor, Style};

use crate::cli::columns;

const TITLE: Style = Style::new().bold();
const QUIET: Style = Style::new().dimmed();
const LOST: Style = AnsiColor::Red.on_default();
/// Columns of the text at either end.
const WORDS: usize = 44;

/// The list, with a count of each status at its end.
pub fn text(references: &[Reference<'_>]) -> String {
    let mut out = String::new();
    let mut document = None;
    let mut passage = None;
    for r in references {
        if document.replace(&r.from.document.id) != Some(&r.from.document.id) {
            let gap = if out.is_empty() { "" } else { "\n" };
            let _ = writeln!(out, "{gap}{TITLE}{}{TITLE:#}", r.from.document.meta.title);
            passage = None;
        }
        let name = r.from.name();
        if passage.as_ref() != Some(&name) {
            let _ = writeln!(out, "{QUIET}{name}{QUIET:#}");
            passage = Some(name);
        }
        out.push_str(&one(r));
    }
    let count = |status: Status| match references.iter().filter(|r| r.link.status == status).count()
    {
        0 => None,
        n => Some(format!("{n} {}", say(status.id()))),
    };
    let counts: Vec<String> = Status::ALL.into_iter().filter_map(count).collect();
    let all = say(&columns::counted(references.len(), "reference"));
    let _ = match references.is_empty() {
        true => writeln!(out, "{}", say("no references")),
        false => writeln!(out, "\n{all}{}{}", colon(), say(&counts.join(", "))),
    };
    out
}

/// `  citation 大射儀  《大射》三耦卒射…  → yili.07.32.1 三耦卒射  exact 0.98`.
fn one(r: &Reference<'_>) -> String {
    let link = r.link;
    let work = link.work.as_deref().map(|w| format!(" {w}")).unwrap_or_default();
    let words = columns::both_ends(&r.from.words(), WORDS);
    let end = match &r.to {
        Some(to) => {
            let place = match Library::is_beside(&to.document.id) {
                true => say(&format!("{} (in the library)", to.name())),
                false => to.name(),
            };
            format!("→ {place} {QUIET}{}{QUIET:#}", columns::both_ends(&to.words(), WORDS))
        }
        None => {
            let why: Vec<&str> = shown(&link.evidence).map(|e| chinese(e.code())).collect();
            format!("{LOST}→ ?{LOST:#} {QUIET}{}{QUIET:#}", why.join(";"))
        }
    };
    let judged = format!("{QUIET}{} {}{QUIET:#}", say(link.status.id()), link.certainty);
    format!("  {} {}{work}  {words}  {end}  {judged}\n", link.layer.zh(), chinese(link.kind.id()))
}
