//! Explanations for a person.

use std::fmt::Write as _;

use crate::model::NEEDS_REVIEW;
use crate::model::phrases::english;
use crate::model::{Document, EvidenceKind, Layer, Segment};
use crate::passes::split::explain::{
    Candidate, ExplainedPassage, Ground, HeaderMatch, HeaderWord, NamedPart, Testimony,
};
use crate::source::Span;
use anstyle::{AnsiColor, Style};

use super::runs;
use crate::cli::columns;
use crate::cli::language::{self, chinese, colon, detail_of, say};
use crate::language::Language;

/// Columns of quoted words.
const WORDS: usize = 36;
/// Evidence that weighs less is left to `--to json`.
const WEIGHTY: f64 = 0.3;

const TITLE: Style = Style::new().bold();
const FOR: Style = AnsiColor::Green.on_default();
const AGAINST: Style = AnsiColor::Red.on_default();

/// The passages, one after the other; if the pass had nothing to cut, the evidence for the layers
/// of the runs there.
pub fn text(
    document: &Document,
    passages: &[ExplainedPassage],
    within: Option<Span>,
    below: Option<f64>,
) -> String {
    if !passages.is_empty() {
        let each: Vec<String> =
            passages.iter().map(|p| Printer { document, out: String::new() }.passage(p)).collect();
        return each.join("\n");
    }
    let at_place = within.map(|_| runs::select(document, within, below)).unwrap_or_default();
    match (within, below) {
        (_, Some(p)) => say(&format!("no cut is less certain than {p}\n")),
        (None, None) if is_by_network(document) => {
            let runs = runs::select(document, None, None);
            evidence(document, &runs, say("nothing marks the layers of this text\n"))
        }
        (None, None) if is_plain(document) => say(&format!("nothing had to be cut: {PLAIN}\n")),
        (None, None) => say("nothing had to be cut: the source itself marks its layers\n"),
        (Some(_), None) if at_place.is_empty() => say("there is no text there\n"),
        (Some(_), None) => marked(document, &at_place),
    }
}

/// Why a text that the reader `plain` read has no cuts.
const PLAIN: &str = "it was read as a classic without notes; if it has notes: --from jizhu";

fn is_plain(document: &Document) -> bool {
    document.reader == "plain"
}

/// True if the network separated the layers.
fn is_by_network(document: &Document) -> bool {
    document.segments.iter().any(|s| s.evidence.iter().any(|e| e.kind == EvidenceKind::Network))
}

/// Runs that the pass did not cut: marked, or inferred by others.
fn marked(document: &Document, runs: &[&Segment]) -> String {
    evidence(document, runs, say("nothing had to be cut here\n"))
}

/// Runs with their evidence, after `out`.
fn evidence(document: &Document, runs: &[&Segment], mut out: String) -> String {
    let unexplained = if is_plain(document) { PLAIN } else { "the source itself marks it" };
    for s in runs {
        out.push_str(&runs::text(document, &[*s]));
        if s.evidence.is_empty() {
            let _ = writeln!(out, "    {}", say(unexplained));
        }
        for e in &s.evidence {
            let detail = detail_of(e).map(|d| format!("{}{d}", colon()));
            let (name, detail) = (chinese(e.code()), detail.unwrap_or_default());
            let _ = writeln!(out, "    {name}{}{detail}", in_english(e.code()));
        }
    }
    out
}

struct Printer<'a> {
    document: &'a Document,
    out: String,
}

impl Printer<'_> {
    fn passage(mut self, p: &ExplainedPassage) -> String {
        let doubt = match p.cuts.iter().filter(|c| c.certainty.get() < NEEDS_REVIEW).count() {
            0 => String::new(),
            doubtful => say(&format!(", {doubtful} of them doubtful")),
        };
        let runs = say(&columns::counted(p.cuts.len(), "run"));
        let (path, start) = (self.document.source.path().display(), self.place(p.span.start()));
        let _ = writeln!(self.out, "{TITLE}{path}:{start}{TITLE:#}  {runs}{doubt}\n");
        self.cuts(p);
        self.named(p);
        self.quoted(p);
        self.noticed(p);
        self.candidates(&p.cuts, false);
        self.candidates(&p.alternatives, true);
        self.out
    }

    /// The text of the passage, cut.
    fn cuts(&mut self, p: &ExplainedPassage) {
        let places: Vec<String> = p.cuts.iter().map(|c| self.place(c.span.start())).collect();
        let width = places.iter().map(String::len).max().unwrap_or(0);
        for (c, place) in p.cuts.iter().zip(places) {
            let words = columns::one_line(&self.document.words(c.span));
            let (words, zh) = (words.trim_end(), c.layer.zh());
            let (style, sure) = (runs::colour(c.layer), runs::certainty(true, c.certainty));
            let _ = writeln!(self.out, "  {place:width$}  {zh}  {sure}  {style}{words}{style:#}");
        }
    }

    fn heading(&mut self, words: &str) {
        let _ = writeln!(self.out, "\n{TITLE}{}{TITLE:#}", say(words));
    }

    fn named(&mut self, p: &ExplainedPassage) {
        if p.commentary.is_none() || p.named.is_empty() {
            let why =
                if p.commentary.is_none() { "no 疏 follows" } else { "the 疏 has no header" };
            return self.heading(why);
        }
        self.heading("the header of the 疏 names");
        let row = |n: &NamedPart| {
            let words = self.document.slice(n.span).to_string();
            vec![n.layer.zh().to_string(), words, say(&self.found(n))]
        };
        let rows: Vec<Vec<String>> = p.named.iter().map(row).collect();
        self.out.push_str(&columns::lines(&rows));
    }

    /// Where the lemmata of a header are.
    fn found(&self, n: &NamedPart) -> String {
        let place = |w: &HeaderWord, end: bool| {
            let (at, found) = w.at?;
            let remark = match found {
                HeaderMatch::Here | HeaderMatch::No => String::new(),
                HeaderMatch::Elsewhere => say(" (another place fits better)"),
                HeaderMatch::Nearly => say(" (one character differs)"),
            };
            Some(format!(
                "{}{remark}",
                self.place(if end { last(self.document, at) } else { at.start() })
            ))
        };
        let lost = "not in this passage";
        match (place(&n.from, false), n.to.as_ref().map(|to| place(to, true))) {
            (None, None | Some(None)) => lost.into(),
            (Some(from), None) => format!("at {from}"),
            (Some(from), Some(Some(to))) => format!("from {from} to {to}"),
            (Some(from), Some(None)) => format!("from {from}; its last words are {lost}"),
            (None, Some(Some(to))) => format!("to {to}; its first words are {lost}"),
        }
    }

    fn quoted(&mut self, p: &ExplainedPassage) {
        if p.quoted.is_empty() {
            return;
        }
        self.heading("the 疏 quotes");
        let row = |q: &crate::passes::split::explain::QuotedWords| {
            let words = format!("“{}”", columns::both_ends(&self.document.words(q.span), WORDS));
            let from = self.place(q.span.start());
            let at = match q.layer {
                Some(layer) => format!("at {from}, calls it {}", layer.zh()),
                None => format!("at {from}"),
            };
            vec![self.place(q.at.start()), words, say(&at)]
        };
        let rows: Vec<Vec<String>> = p.quoted.iter().map(row).collect();
        self.out.push_str(&columns::lines(&rows));
    }

    /// The evidence of other texts, and the diagnostics of the passage and of its 疏.
    fn noticed(&mut self, p: &ExplainedPassage) {
        if let Some(witness) = &p.witness {
            self.heading(&format!(
                "{witness} has this passage too; its evidence is listed with each place below"
            ));
        }
        let near =
            |s: Span| s.overlap(p.span) > 0 || p.commentary.is_some_and(|c| s.overlap(c) > 0);
        let document = self.document;
        let said: Vec<_> =
            document.diagnostics.iter().filter(|d| d.span.is_some_and(near)).collect();
        if said.is_empty() {
            return;
        }
        self.heading("noticed");
        let row = |d: &&crate::diag::Diagnostic| {
            vec![d.span.map(|s| self.place(s.start())).unwrap_or_default(), say(&d.message)]
        };
        let rows: Vec<Vec<String>> = said.iter().map(row).collect();
        self.out.push_str(&columns::lines(&rows));
    }

    fn candidates(&mut self, list: &[Candidate], alternatives: bool) {
        if list.is_empty() {
            return;
        }
        self.heading(match alternatives {
            false => "why each cut is there, compared with the best reading without it",
            true => "where else a layer could begin, compared with the reading above",
        });
        for c in list {
            let words = columns::beginning(&self.document.words(c.span), WORDS);
            let style = runs::colour(c.layer);
            let (place, zh, margin) = (self.place(c.span.start()), c.layer.zh(), c.margin);
            let sure = match alternatives {
                true => c.certainty.to_string(),
                false => runs::certainty(true, c.certainty),
            };
            let begins = format!("  {place}  {zh}  {sure}  {style}{words}{style:#}");
            let _ = writeln!(self.out, "{begins}  {margin:+.1}");
            self.grounds(&c.grounds, alternatives);
            self.testimony(c.testimony.as_ref());
            self.instead(c, alternatives);
        }
    }

    /// The evidence for a candidate, then the evidence against it.
    fn grounds(&mut self, grounds: &[Ground], alternatives: bool) {
        let (pro, con): (Vec<&Ground>, Vec<&Ground>) =
            grounds.iter().filter(|g| g.weight.abs() >= WEIGHTY).partition(|g| g.weight > 0.0);
        for g in pro.into_iter().chain(con) {
            let style = if g.weight > 0.0 { FOR } else { AGAINST };
            let (weight, name, facts) = (g.weight, chinese(g.code()), facts(g, alternatives));
            let facts = say(&facts.join("; "));
            let why = if facts.is_empty() { in_english(g.code()) } else { format!("  {facts}") };
            let _ = writeln!(self.out, "      {style}{weight:+.1}{style:#}  {name}{why}");
        }
    }

    fn testimony(&mut self, said: Option<&Testimony>) {
        if let Some(t) = said {
            let (style, what) = if t.agrees { (FOR, "agrees") } else { (AGAINST, "differs") };
            let (what, words) = (say(what), say(&t.words));
            let _ = writeln!(self.out, "      {style}{what}{style:#}  {} {words}", t.witness);
        }
    }

    fn instead(&mut self, c: &Candidate, alternatives: bool) {
        let other =
            |(at, layer): &(usize, Layer)| say(&format!("{} at {}", layer.zh(), self.place(*at)));
        let others: Vec<String> = c.instead.iter().map(other).collect();
        if others.is_empty() {
            return;
        }
        let words = if alternatives { "instead of" } else { "otherwise" };
        let _ = writeln!(self.out, "      {}{}{}", say(words), colon(), others.join(", "));
    }

    /// `line:column`.
    fn place(&self, at: usize) -> String {
        let p = self.document.source.place(at);
        format!("{}:{}", p.line, p.column)
    }
}

/// What a code means, after its Chinese name, unless messages are Chinese anyway.
fn in_english(code: &str) -> String {
    match language::shown() {
        Language::En => format!("  {}", english(code)),
        _ => String::new(),
    }
}

/// The features behind a piece of evidence that point the same way, strongest first.
fn facts(g: &Ground, alternatives: bool) -> Vec<String> {
    let strongest = g.facts.iter().filter(|f| {
        f.weight * g.weight > 0.0 && f.weight.abs() >= WEIGHTY.min(g.weight.abs() / 2.0)
    });
    let whose = if alternatives { "as cut, " } else { "without it, " };
    strongest.map(|f| format!("{}{}", if f.with { "" } else { whose }, f.words)).collect()
}

/// The last character of a text.
fn last(document: &Document, words: Span) -> usize {
    words.end() - document.slice(words).chars().next_back().map_or(0, char::len_utf8)
}
