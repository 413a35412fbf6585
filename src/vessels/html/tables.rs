//! Tables with a column for each layer: where their cells begin, and what these hold. The first row
//! names the columns; one above it may be a title.

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};
use rustc_hash::FxHashMap;

use super::roles::{MarkupRole, attribute, of_layer};
use crate::model::{KeyRole, Layer, columns, key_role};
use crate::source::Span;
use crate::vessels::NamedLayers;

/// Most rows above the names of the columns.
const MAX_ROWS_ABOVE: usize = 2;

/// A cell: where its tag begins, its words, and over how many columns and rows it goes.
struct TableCell {
    at: usize,
    words: String,
    columns: usize,
    rows: usize,
}

/// Columns that a cell may go over at most.
const MAX_SPAN: usize = 40;

/// The roles of the cells of such tables, and the columns whose names are not known.
pub(super) fn cells(
    text: &str,
    named: Option<&NamedLayers<'_>>,
) -> (FxHashMap<usize, MarkupRole>, Vec<(String, Span)>) {
    let (mut roles, mut unnamed) = (FxHashMap::default(), vec![]);
    if !text.contains("<table") && !text.contains("<TABLE") {
        return (roles, unnamed);
    }
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(!text.contains("xmlns="));
    // The rows of each table that is open.
    let mut open: Vec<Vec<Vec<TableCell>>> = vec![];
    for token in Tokenizer::new_with_emitter(text, emitter).flatten() {
        match token {
            Token::StartTag(tag) => match (&**tag.name, open.last_mut()) {
                (b"table", _) => open.push(vec![]),
                (b"tr", Some(rows)) => rows.push(vec![]),
                (b"td" | b"th", Some(rows)) => {
                    if rows.is_empty() {
                        rows.push(vec![]);
                    }
                    rows.last_mut().into_iter().for_each(|row| row.push(cell(&tag)));
                }
                _ => {}
            },
            Token::EndTag(tag) if **tag.name == *b"table" => {
                open.pop()
                    .into_iter()
                    .for_each(|rows| of_table(&rows, named, (&mut roles, &mut unnamed)));
            }
            Token::String(words) => {
                let cell = open.last_mut().and_then(|rows| rows.last_mut()?.last_mut());
                let words = &text[words.span.start..words.span.end];
                cell.into_iter().for_each(|cell| cell.words.push_str(words.trim()));
            }
            _ => {}
        }
    }
    (roles, unnamed)
}

fn cell(tag: &StartTag<usize>) -> TableCell {
    let span = |name: &str| {
        let number = attribute(tag, name).and_then(|n| n.trim().parse().ok()).unwrap_or(1usize);
        number.clamp(1, MAX_SPAN)
    };
    let (columns, rows) = (span("colspan"), span("rowspan"));
    TableCell { at: tag.span.start, words: String::new(), columns, rows }
}

fn of_table(
    rows: &[Vec<TableCell>],
    named: Option<&NamedLayers<'_>>,
    (roles, unnamed): (&mut FxHashMap<usize, MarkupRole>, &mut Vec<(String, Span)>),
) {
    let role = |name: &str| {
        let own = named.and_then(|named| named(name)).map(KeyRole::Of);
        own.or_else(|| key_role(name))
    };
    let names = |row: &[TableCell]| {
        let names = row.iter().flat_map(|cell| std::iter::repeat_n(&*cell.words, cell.columns));
        columns(names, role)
    };
    // Above the names is at most a title.
    let is_title = |row: &&Vec<TableCell>| row.iter().filter(|c| !c.words.is_empty()).count() < 2;
    let head = rows.iter().take(MAX_ROWS_ABOVE).take_while(is_title).count();
    let Some(columns) = rows.get(head).and_then(|row| names(row)) else { return };
    for (cell, role) in rows[head].iter().zip(&columns) {
        roles.insert(cell.at, MarkupRole::Drop);
        if role.is_none() && !cell.words.is_empty() {
            unnamed.push((cell.words.clone(), Span::new(cell.at, cell.at)));
        }
    }
    // Of each column in how many rows more a cell from above is in it.
    let mut taken = vec![0usize; columns.len()];
    for row in &rows[head + 1..] {
        let mut n = 0;
        for cell in row {
            while taken.get(n).is_some_and(|rows| *rows > 0) {
                taken[n] -= 1;
                n += 1;
            }
            // What no name is known for is no text of the work.
            let role = columns.get(n).copied().flatten().unwrap_or(KeyRole::About);
            roles.insert(cell.at, of_column(role));
            let over = n..(n + cell.columns).min(taken.len());
            taken[over.start.min(over.end)..over.end].iter_mut().for_each(|t| *t = cell.rows - 1);
            n += cell.columns;
        }
        let rest = taken.iter_mut().skip(n);
        rest.for_each(|rows| *rows = rows.saturating_sub(1));
    }
}

fn of_column(role: KeyRole) -> MarkupRole {
    match role {
        KeyRole::Of(Layer::Heading) => MarkupRole::LineOf(Layer::Heading),
        KeyRole::Of(layer) => match of_layer(layer) {
            Some(MarkupRole::Text) => MarkupRole::Classic,
            None => MarkupRole::Line,
            Some(role) => role,
        },
        KeyRole::About => MarkupRole::Drop,
    }
}
