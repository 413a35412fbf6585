//! Warnings where a text and its witnesses disagree on what is 經 and what 注, whichever was
//! followed.

use super::reading::other;
use crate::diag::Diagnostic;
use crate::model::Document;
use crate::model::thresholds::MIN_TEACHING_CERTAINTY;
use crate::passes::evidence::paragraph::Paragraph;
use crate::passes::evidence::run::Run;
use crate::passes::evidence::votes::{FIRM_VOTE, for_label};
use crate::source::Span;

/// Warns where a witness was followed although the text alone is nearly certain of the other layer,
/// and where the text was followed against a witness.
pub fn disagreements(
    document: &Document,
    p: &Paragraph,
    decided: &[Run],
    alone: &[(Run, f64)],
) -> Vec<Diagnostic> {
    let text = document.source.text();
    let who = p.votes.witness.as_deref().unwrap_or("a witness");
    let chars = |r: &Run| (p.units[r.from].from, p.units[r.to - 1].to);
    let mut out = Vec::new();
    let names = ["經", "注", "音義"];
    let warn = |from: usize, to: usize, message: String| {
        let span: Span = p.key.span(from, to);
        let hint = "compare the printed editions: the witness may mark the place differently, \
                    or the texts may only resemble each other";
        Diagnostic::warning("witness-disagrees", span, message).hint(hint)
    };
    for run in decided {
        let (from, to) = chars(run);
        let against = firm_stretches(&p.votes.of[from..to], other(run.label));
        for (a, b) in against.into_iter().map(|(a, b)| (from + a, from + b)) {
            let words = quoted(&text[p.key.span(a, b).range()]);
            let (here, there) = (names[run.label], names[other(run.label)]);
            out.push(warn(
                a,
                b,
                format!("{who} has {words} as {there}; the text's own evidence makes it {here}"),
            ));
        }
    }
    for (run, _) in alone.iter().filter(|a| a.1 >= MIN_TEACHING_CERTAINTY) {
        let (from, to) = chars(run);
        for other in decided.iter().filter(|d| d.label != run.label) {
            let (a, b) = (from.max(chars(other).0), to.min(chars(other).1));
            if a < b && p.votes.sum(other.label, a, b) >= 1.0 {
                let words = quoted(&text[p.key.span(a, b).range()]);
                let (here, there) = (names[run.label], names[other.label]);
                out.push(warn(a, b, format!("{who} has {words} as {there}; by the text's own evidence it would be {here}")));
            }
        }
    }
    out
}

/// Ranges of at least two characters with firm votes for a label.
fn firm_stretches(votes: &[f64], label: usize) -> Vec<(usize, usize)> {
    let (mut out, mut from) = (Vec::new(), 0);
    for k in 0..=votes.len() {
        let firm = votes.get(k).is_some_and(|v| for_label(label, *v) >= FIRM_VOTE);
        if !firm {
            if k >= from + 2 {
                out.push((from, k));
            }
            from = k + 1;
        }
    }
    out
}

/// The text in quotation marks, shortened in the middle.
fn quoted(words: &str) -> String {
    let chars: Vec<char> = words.chars().filter(|c| *c != '\n').collect();
    if chars.len() <= 24 {
        return format!("“{}”", chars.iter().collect::<String>());
    }
    let part = |c: &[char]| c.iter().collect::<String>();
    format!("“{}…{}”", part(&chars[..10]), part(&chars[chars.len() - 10..]))
}
