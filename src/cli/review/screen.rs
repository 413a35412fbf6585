//! What a review shows in the terminal.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span as Styled};
use ratatui::widgets::Paragraph;
use unicode_width::UnicodeWidthChar;

use super::session::Session;
use super::sheet::evidence;
use crate::cli::columns::{beginning, counted};
use crate::cli::language::{colon, say};
use crate::model::{Confirmation, HeadingLine, Layer, LayerKind};
use crate::review::{Choice, Question};
use crate::source::Span;

/// Facts that are shown.
const FACTS: usize = 4;
/// Columns of the layer's name and the mark beside a run.
const MARGIN: usize = 6;

const KEYS: &str = "Enter yes · 1-9 choose · ↑↓ look · ←→ move · s skip · n note · u undo · q end";

/// Draws the review.
pub fn draw(frame: &mut Frame<'_>, session: &Session<'_>) {
    let (choices, facts) = session
        .question()
        .map_or((0, 0), |q| (q.choices.len() as u16, q.facts.len().min(FACTS) as u16));
    let areas = Layout::vertical([
        Constraint::Length(2),
        Constraint::Min(3),
        Constraint::Length(choices + 1),
        Constraint::Length(facts + 2),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .split(frame.area());
    frame.render_widget(Paragraph::new(title(session)), areas[0]);
    passage(frame, session, areas[1]);
    let width = usize::from(areas[2].width);
    if let Some(q) = session.question() {
        let rows = q.choices.iter().enumerate().map(|(n, c)| choice(session, q, n, c, width));
        frame.render_widget(Paragraph::new(rows.collect::<Vec<_>>()), areas[2]);
        frame.render_widget(Paragraph::new(why(q, width)), areas[3]);
    }
    frame.render_widget(Paragraph::new(status(session)), areas[4]);
    let keys = Style::new().add_modifier(Modifier::REVERSED);
    frame.render_widget(Paragraph::new(Line::styled(say(KEYS), keys)), areas[5]);
}

fn title(session: &Session<'_>) -> Line<'static> {
    let left = counted(session.queue.len(), "question");
    let progress = say(&format!("{} decided, {left} left", session.decided()));
    let name = session.source.name().into_owned();
    let at = session.question().map_or(String::new(), |q| {
        let place = session.source.place(q.span.start());
        format!("{name}:{}:{}  {}  ", place.line, place.column, say(q.kind.name()))
    });
    let bold = Style::new().add_modifier(Modifier::BOLD);
    Line::from(vec![Styled::styled(at, bold), Styled::raw(progress)])
}

/// The colour of a layer's text.
fn colour(layer: Layer) -> Style {
    match layer.kind() {
        LayerKind::Base => Style::new().add_modifier(Modifier::BOLD),
        LayerKind::Note => Style::new().fg(Color::Cyan),
        LayerKind::Commentary => Style::new().fg(Color::Green),
        _ => Style::new().fg(Color::Yellow),
    }
}

/// The passage, one run after the other, with the place of the question in the middle.
fn passage(frame: &mut Frame<'_>, session: &Session<'_>, area: Rect) {
    let width = usize::from(area.width).saturating_sub(MARGIN + 1).max(8);
    let (mut lines, mut at) = (vec![], 0);
    for (span, layer, asked) in session.runs() {
        if asked {
            at = lines.len();
        }
        let mark = if asked { "▶" } else { " " };
        for (n, words) in wrapped(&text(session, span), width).into_iter().enumerate() {
            let name = match n {
                0 => format!("{mark} {} ", layer.zh()),
                _ => String::new(),
            };
            let used: usize = name.chars().map(|c| c.width().unwrap_or(0)).sum();
            let name = name + &" ".repeat(MARGIN.saturating_sub(used));
            lines.push(Line::from(vec![Styled::raw(name), Styled::styled(words, colour(layer))]));
        }
    }
    let height = usize::from(area.height);
    let first = at.saturating_sub(height / 2).min(lines.len().saturating_sub(height));
    let shown: Vec<Line<'_>> = lines.into_iter().skip(first).collect();
    frame.render_widget(Paragraph::new(shown), area);
}

/// The text of a run in one line; a reading that is asked about is marked in it.
fn text(session: &Session<'_>, span: Span) -> String {
    let source = session.source;
    let flat = |span: Span| -> String {
        source.slice(span).chars().filter(|c| !c.is_control() && !c.is_whitespace()).collect()
    };
    match session.shown() {
        Some(Choice { what: Confirmation::Reading(word), span: at, .. }) if span.contains(at) => {
            let before = flat(Span::new(span.start(), at.start()));
            let after = flat(Span::new(at.end(), span.end()));
            format!("{before}【{}→{word}】{after}", source.slice(at))
        }
        Some(Choice {
            what: Confirmation::Link(_) | Confirmation::Bead(..) | Confirmation::Speaker(_),
            span: at,
            ..
        }) if span.contains(at) => {
            let before = flat(Span::new(span.start(), at.start()));
            let after = flat(Span::new(at.end(), span.end()));
            format!("{before}【{}】{after}", flat(at))
        }
        _ => flat(span),
    }
}

/// Lines of so many columns.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let (mut lines, mut used) = (vec![String::new()], 0);
    for c in text.chars() {
        let columns = c.width().unwrap_or(0);
        if used + columns > width {
            lines.push(String::new());
            used = 0;
        }
        used += columns;
        if let Some(last) = lines.last_mut() {
            last.push(c);
        }
    }
    lines
}

fn choice(
    session: &Session<'_>,
    q: &Question,
    n: usize,
    c: &Choice,
    width: usize,
) -> Line<'static> {
    let selected = n == session.selected;
    let moved = if selected { session.moved } else { None };
    let (what, span) = match moved.and_then(|_| session.shown()) {
        Some(shown) => (shown.what, shown.span),
        None => (c.what.clone(), c.span),
    };
    let decision = match &what {
        Confirmation::Cut(a, b) if a == b => format!("no border, {} goes on", a.zh()),
        Confirmation::Cut(a, b) => format!("{} ends, {} begins", a.zh(), b.zh()),
        Confirmation::Layer(layer) => format!("this is {}", layer.zh()),
        Confirmation::Reading(word) if word == session.source.slice(span) => {
            format!("{word} is right")
        }
        Confirmation::Reading(word) => format!("{word} is meant"),
        Confirmation::Link(None) => "this is no reference".to_string(),
        Confirmation::Link(Some(place)) => match &place.doc {
            Some(id) => format!("leads to {id}: {}", place.words()),
            None => format!("leads to {} in this text", place.words()),
        },
        Confirmation::Heading(HeadingLine::Chapter) => "a chapter begins here".to_string(),
        Confirmation::Heading(HeadingLine::Other) => "another heading".to_string(),
        Confirmation::Heading(HeadingLine::Text) => "text, no heading".to_string(),
        Confirmation::Speaker(None) => "nobody who is named says this".to_string(),
        Confirmation::Speaker(Some(name)) => format!("{name} says this"),
        Confirmation::Bead(id, None) => format!("nothing in {id} corresponds to this"),
        Confirmation::Bead(id, Some(place)) => format!("{id} has {}", place.words()),
    };
    let chance = match moved {
        Some(_) => say("moved"),
        None => format!("{:.2}", c.probability),
    };
    let decision = say(&decision);
    let place = if span == q.span && moved.is_none() { "" } else { ": " };
    let words = if place.is_empty() { "" } else { session.source.slice(span) };
    let row = format!("{} {chance:>5}  {decision}{place}{words}", n + 1);
    let style = if selected { Style::new().fg(Color::Yellow) } else { Style::new() };
    let mark = if selected { "→ " } else { "  " };
    Line::styled(format!("{mark}{}", beginning(&row, width.saturating_sub(3))), style)
}

/// The evidence and the weightiest facts.
fn why(q: &Question, width: usize) -> Vec<Line<'static>> {
    let mut lines = vec![Line::raw(beginning(&evidence(q), width))];
    for (fact, weight) in q.facts.iter().take(FACTS) {
        let fact = say(fact);
        let row = if *weight == 0.0 { fact } else { format!("{weight:+.1}  {fact}") };
        lines.push(Line::raw(format!("  {}", beginning(&row, width.saturating_sub(2)))));
    }
    lines
}

fn status(session: &Session<'_>) -> Line<'static> {
    match (&session.typing, &session.note) {
        (Some(typed), _) => Line::raw(format!("{}{}{typed}▏", say("note"), colon())),
        (None, Some(note)) if session.message.is_empty() => {
            Line::raw(format!("{}{}{note}", say("note"), colon()))
        }
        _ if session.question().is_none() && session.message.is_empty() => {
            Line::raw(say("nothing is left to be decided"))
        }
        _ => Line::raw(say(&session.message)),
    }
}
