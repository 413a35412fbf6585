//! Glosses for a person: by word, kind and sense, with who says it and where.

use std::fmt::Write as _;

use anstyle::Style;

use crate::cli::columns::{self, counted};
use crate::cli::language::{chinese, say};
use crate::reading::glosses::{GlossGroup, OwnEntry, PlacedGloss, grouped};

const WORD: Style = Style::new().bold();
const QUIET: Style = Style::new().dimmed();
/// Columns of a statement.
const WORDS: usize = 44;

/// The list, with a count at its end, after what the user's own dictionaries say.
pub fn text(all: &[PlacedGloss<'_>], own: &[OwnEntry]) -> String {
    let mut out = String::new();
    let mut word = None;
    for group in grouped(all) {
        if word != Some(group.headword) {
            let gap = if out.is_empty() { "" } else { "\n" };
            let _ = writeln!(out, "{gap}{WORD}{}{WORD:#}", group.headword);
            word = Some(group.headword);
        }
        out.push_str(&one(&group));
    }
    for entry in own {
        let gap = if out.is_empty() { "" } else { "\n" };
        let OwnEntry { dictionary, headword, text } = entry;
        let _ = writeln!(out, "{gap}{WORD}{headword}{WORD:#}  {QUIET}{dictionary}{QUIET:#}");
        text.lines().for_each(|line| _ = writeln!(out, "  {line}"));
    }
    let _ = match all.is_empty() {
        true => writeln!(out, "{}", say("no note of these texts explains it in a known formula")),
        false => writeln!(out, "\n{}", say(&columns::counted(all.len(), "statement"))),
    };
    out
}

/// `  訓 從` and below it each statement with who, where and certainty.
fn one(group: &GlossGroup<'_, '_>) -> String {
    let n = group.glosses.len();
    let times = if n > 1 {
        format!("  {QUIET}{}{QUIET:#}", say(&counted(n, "statement")))
    } else {
        String::new()
    };
    let mut out = format!("  {} {}{times}\n", chinese(group.kind.id()), group.sense);
    for g in &group.glosses {
        let who = g.gloss.who.as_deref().map(|who| format!(" {who}")).unwrap_or_default();
        let layer = g.gloss.layer.zh();
        let words = columns::both_ends(&g.from.words(), WORDS);
        let _ = writeln!(
            out,
            "    {QUIET}{}{QUIET:#}  {layer}{who}  {words}  {QUIET}{}{QUIET:#}",
            g.from.name(),
            g.gloss.certainty
        );
    }
    out
}
