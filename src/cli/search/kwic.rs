//! Hits as lines (keyword in context); an ideograph is two columns wide.

use crate::model::NEEDS_REVIEW;
use crate::search::Answer;
use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;

use crate::cli::columns::one_line;

const HIT: Style = AnsiColor::Red.on_default().bold();
const QUIET: Style = Style::new().dimmed();

/// The lines, styled.
pub fn lines(answers: &[Answer]) -> String {
    let rows: Vec<[String; 3]> =
        answers.iter().map(|a| [place(a), layer(a), one_line(&a.left)]).collect();
    let width = |i: usize| rows.iter().map(|r| r[i].width()).max().unwrap_or(0);
    let widths = [0, 1, 2].map(width);
    let pad = |i: usize, cell: &str| " ".repeat(widths[i] - cell.width());
    let mut out = String::new();
    for (answer, [locus, layer, left]) in answers.iter().zip(&rows) {
        let (hit, right) = (one_line(&answer.hit), one_line(&answer.right));
        let line = format!(
            "{QUIET}{locus}{QUIET:#}{}  {layer}{}  {}{left} {HIT}{hit}{HIT:#} {right}",
            pad(0, locus),
            pad(1, layer),
            pad(2, left)
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The locus, the witness, since a locus is the same in all, and the leaf of its print.
fn place(answer: &Answer) -> String {
    let locus = &answer.locus;
    let place = match &locus.passage {
        Some(passage) if passage.text.work != locus.witness => {
            format!("{passage} {}", locus.witness)
        }
        _ => locus.to_string(),
    };
    match &answer.leaf {
        Some(leaf) => format!("{place} [{}]", one_line(leaf)),
        None => place,
    }
}

/// The layer, with its certainty if that is low: 注 .62.
fn layer(answer: &Answer) -> String {
    let zh = answer.layer.zh();
    if answer.certainty.get() >= NEEDS_REVIEW {
        zh.into()
    } else {
        format!("{zh} {}", crate::model::phrases::Percent(answer.certainty))
    }
}
