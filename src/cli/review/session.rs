//! The state of a review in the terminal: which question is shown, what a key does. It knows
//! nothing of the terminal, so that tests can drive it.

use crate::diag::{Error, ErrorKind};
use crate::model::{Confirmation, Layer};
use crate::review::answers::{Answers, Decided};
use crate::review::{Choice, Question, QuestionKind};
use crate::source::{Source, Span};

/// A key that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PressedKey {
    Char(char),
    Enter,
    Escape,
    Backspace,
    Left,
    Right,
    Up,
    Down,
}

/// A question that was answered or skipped, so that this can be undone.
struct Step {
    question: Question,
    decided: Option<Decided>,
}

/// A review.
pub struct Session<'a> {
    pub source: &'a Source,
    pub answers: Answers<'a>,
    /// What is still to be asked; the first is shown.
    pub queue: Vec<Question>,
    done: Vec<Step>,
    /// The chosen one of the choices, from 0.
    pub selected: usize,
    /// Where the person has moved the cut.
    pub moved: Option<Span>,
    /// A note that is being typed.
    pub typing: Option<String>,
    /// The note for the next answer.
    pub note: Option<String>,
    /// What happened last.
    pub message: String,
    /// The questions must be found again, because something was decided.
    pub stale: bool,
}

impl<'a> Session<'a> {
    pub fn new(source: &'a Source, answers: Answers<'a>, queue: Vec<Question>) -> Self {
        Session {
            source,
            answers,
            queue,
            done: vec![],
            selected: 0,
            moved: None,
            typing: None,
            note: None,
            message: String::new(),
            stale: false,
        }
    }

    /// The question that is shown.
    pub fn question(&self) -> Option<&Question> {
        self.queue.first()
    }

    /// How many were decided in this session.
    pub fn decided(&self) -> usize {
        self.done.iter().filter(|s| s.decided.is_some()).count()
    }

    /// The answer as it is shown: the chosen choice, or the cut where it was moved to.
    pub fn shown(&self) -> Option<Choice> {
        let q = self.question()?;
        let chosen = q.choices.get(self.selected)?;
        match self.moved {
            Some(span) => q.with_border(span),
            None => Some(chosen.clone()),
        }
    }

    /// Does what a key means. False ends the review.
    ///
    /// # Errors
    /// When the decision cannot be written; it is then not taken.
    pub fn press(&mut self, key: PressedKey) -> Result<bool, Error> {
        if let Some(typed) = &mut self.typing {
            match key {
                PressedKey::Char(c) => typed.push(c),
                PressedKey::Backspace => _ = typed.pop(),
                PressedKey::Enter => {
                    let typed = self.typing.take().filter(|t| !t.trim().is_empty());
                    self.note = typed;
                }
                PressedKey::Escape => self.typing = None,
                _ => {}
            }
            return Ok(true);
        }
        self.message.clear();
        let choices = self.question().map_or(0, |q| q.choices.len());
        match key {
            PressedKey::Char('q') | PressedKey::Escape => return Ok(false),
            PressedKey::Char('u') => self.undo()?,
            _ if choices == 0 => self.message = "nothing is left to be decided".into(),
            PressedKey::Enter | PressedKey::Char('y') => self.answer()?,
            PressedKey::Char(c @ '1'..='9') => {
                let n = c as usize - '1' as usize;
                if n < choices {
                    (self.selected, self.moved) = (n, None);
                    self.answer()?;
                } else {
                    self.message = format!("there is no choice {c}");
                }
            }
            PressedKey::Up => self.select((self.selected + choices - 1) % choices),
            PressedKey::Down => self.select((self.selected + 1) % choices),
            PressedKey::Left => self.shift(false),
            PressedKey::Right => self.shift(true),
            PressedKey::Char('s') => self.skip(),
            PressedKey::Char('n') => self.typing = Some(self.note.take().unwrap_or_default()),
            _ => self.message = "no such key; see the last line".into(),
        }
        Ok(true)
    }

    fn select(&mut self, n: usize) {
        (self.selected, self.moved) = (n, None);
    }

    /// Moves the cut by one character.
    fn shift(&mut self, on: bool) {
        let Some((q, shown)) = self.question().zip(self.shown()) else { return };
        if q.kind != QuestionKind::Cut {
            self.message = "only a cut can be moved".into();
            return;
        }
        let keys = self.answers.anchors().key();
        let at = keys.index_at(shown.span.start());
        let to = if on { at + 1 } else { at.saturating_sub(1) };
        match q.words_from(self.answers.anchors(), to) {
            Some(span) => self.moved = Some(span),
            None => self.message = "the passage ends here".into(),
        }
    }

    /// Takes the answer that is shown, and writes it.
    fn answer(&mut self) -> Result<(), Error> {
        let Some(choice) = self.shown() else { return Ok(()) };
        let asked = self.queue.first().map_or(choice.span, |question| question.span);
        let decided = match self.answers.decide(asked, &choice, self.note.clone()) {
            Ok(decided) => decided,
            // The place cannot be quoted, so this answer is not possible.
            Err(e) if e.kind == ErrorKind::Input => {
                self.message = e.message;
                return Ok(());
            }
            Err(e) => return Err(e),
        };
        self.message = format!("{} is written", decided.decision());
        let question = self.queue.remove(0);
        self.done.push(Step { question, decided: Some(decided) });
        self.note = None;
        self.stale = true;
        self.select(0);
        Ok(())
    }

    fn skip(&mut self) {
        let question = self.queue.remove(0);
        self.done.push(Step { question, decided: None });
        self.message = "skipped".into();
        self.select(0);
    }

    fn undo(&mut self) -> Result<(), Error> {
        let Some(step) = self.done.pop() else {
            self.message = "nothing can be undone".into();
            return Ok(());
        };
        if let Some(decided) = &step.decided {
            self.answers.undo(decided)?;
            self.stale = true;
        }
        self.message = "undone".into();
        self.queue.insert(0, step.question);
        self.select(0);
        Ok(())
    }

    /// Takes up questions that were found again after a decision. The one that is shown stays.
    pub fn renew(&mut self, found: Vec<Question>) {
        let same = |a: &Question, b: &Question| a.span == b.span && a.kind == b.kind;
        let known = |q: &Question| self.done.iter().any(|s| same(&s.question, q));
        let before = self.queue.len();
        let shown = (!self.queue.is_empty()).then(|| self.queue.remove(0));
        let mut queue: Vec<Question> = found.into_iter().filter(|q| !known(q)).collect();
        if let Some(shown) = shown {
            queue.retain(|q| !same(q, &shown));
            queue.insert(0, shown);
        }
        if queue.len() < before {
            self.message = format!("{} more settled by this", before - queue.len());
        }
        self.queue = queue;
    }

    /// The runs of the passage as they would be with the answer that is shown; for each whether it
    /// begins at the question.
    pub fn runs(&self) -> Vec<(Span, Layer, bool)> {
        let (Some(q), Some(shown)) = (self.question(), self.shown()) else { return vec![] };
        let mut runs: Vec<(Span, Layer, bool)> = vec![];
        for (span, layer) in &q.runs {
            match runs.last_mut() {
                // The border that is doubtful is drawn where the answer has it.
                Some(last) if q.kind == QuestionKind::Cut && begins(*span, q.span) => {
                    last.0 = Span::new(last.0.start(), span.end());
                }
                _ => runs.push((*span, *layer, false)),
            }
        }
        let at = shown.span.start();
        let Some(n) = runs.iter().position(|r| r.0.start() <= at && at < r.0.end()) else {
            return runs;
        };
        match shown.what {
            Confirmation::Cut(before, after) if before != after && runs[n].0.start() < at => {
                let whole = runs[n];
                runs[n] = (Span::new(whole.0.start(), at), before, false);
                runs.insert(n + 1, (Span::new(at, whole.0.end()), after, true));
            }
            Confirmation::Cut(_, after) => runs[n] = (runs[n].0, after, true),
            Confirmation::Layer(layer) => runs[n] = (runs[n].0, layer, true),
            Confirmation::Reading(_)
            | Confirmation::Link(_)
            | Confirmation::Bead(..)
            | Confirmation::Speaker(_)
            | Confirmation::Heading(_) => {
                runs[n].2 = true;
            }
        }
        runs
    }
}

/// True if a run begins with some words, whatever opens them.
fn begins(run: Span, words: Span) -> bool {
    run.start() <= words.start() && words.start() < run.start() + 12 && words.start() < run.end()
}
