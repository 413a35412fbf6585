//! Runs a review in the terminal. After each decision another thread finds the questions again,
//! while the person reads the next one.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::Duration;

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};

use super::Asking;
use super::screen;
use super::session::{PressedKey, Session};
use crate::cli::Failure;
use crate::corrections::placed;
use crate::diag::Error;
use crate::model::Document;
use crate::review::Question;

/// How long to wait for a key before looking for new questions.
const TICK: Duration = Duration::from_millis(100);

/// Runs until the person ends it.
pub fn run(asking: &Asking<'_>, session: &mut Session<'_>) -> Result<(), Failure> {
    std::thread::scope(|scope| {
        let (wanted, wants) = channel::<()>();
        let (found, finds) = channel();
        scope.spawn(move || find(asking, &wants, &found));
        let mut terminal = ratatui::try_init().map_err(terminal_error)?;
        let outcome = keys(&mut terminal, session, &wanted, &finds);
        ratatui::restore();
        // The thread ends when no one can want anything more.
        drop(wanted);
        outcome
    })
}

fn terminal_error(e: std::io::Error) -> Error {
    Error::request(format!("this needs a terminal: {e}"))
        .hint("use --export and --import without one")
}

/// Finds the questions again whenever something was decided.
fn find(asking: &Asking<'_>, wants: &Receiver<()>, found: &Sender<Vec<Question>>) {
    while wants.recv().is_ok() {
        // Several decisions may have been taken meanwhile: all of them are on disk.
        while wants.try_recv().is_ok() {}
        let questions = match decided(asking) {
            Ok(read) => asking.questions_of(&read),
            Err(_) => continue,
        };
        if found.send(questions).is_err() {
            return;
        }
    }
}

/// The documents with the decisions that are on disk now. The text is read again, since a title
/// that was decided is one for its reader; unless someone edited it meanwhile, because the
/// questions are about the words as they were.
pub fn decided(asking: &Asking<'_>) -> Result<Vec<Document>, Error> {
    let mut read = asking.read.clone();
    if let Some(first) = read.first_mut() {
        match asking.settings.entry(&asking.entry) {
            Ok(again) if again.source.text() == first.source.text() => *first = again,
            _ => {
                let corrections = placed::of_file(first.source.path())?;
                first.confirmed = placed::place(&first.source, &corrections).0;
            }
        }
    }
    Ok(read)
}

fn keys(
    terminal: &mut DefaultTerminal,
    session: &mut Session<'_>,
    wanted: &Sender<()>,
    finds: &Receiver<Vec<Question>>,
) -> Result<(), Failure> {
    loop {
        terminal.draw(|frame| screen::draw(frame, session))?;
        if event::poll(TICK)? {
            let Some(key) = pressed(&event::read()?) else { continue };
            if !session.press(key)? {
                return Ok(());
            }
            if std::mem::take(&mut session.stale) {
                let _ = wanted.send(());
            }
        }
        match finds.try_recv() {
            Ok(questions) => session.renew(questions),
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => {}
        }
    }
}

fn pressed(event: &Event) -> Option<PressedKey> {
    let Event::Key(key) = event else { return None };
    if key.kind == KeyEventKind::Release {
        return None;
    }
    Some(match key.code {
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => PressedKey::Escape,
        KeyCode::Char(c) => PressedKey::Char(c),
        KeyCode::Enter => PressedKey::Enter,
        KeyCode::Esc => PressedKey::Escape,
        KeyCode::Backspace => PressedKey::Backspace,
        KeyCode::Left => PressedKey::Left,
        KeyCode::Right => PressedKey::Right,
        KeyCode::Up => PressedKey::Up,
        KeyCode::Down => PressedKey::Down,
        _ => return None,
    })
}
