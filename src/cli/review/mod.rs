//! `zhushu review`: a person decides what the program doubts, in the terminal or in a spreadsheet.

mod screen;
mod session;
mod sheet;
mod terminal;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use super::language::say;
use crate::Settings;
use crate::corpus::TextEntry;
use crate::corrections::placed;
use crate::diag::{Error, ErrorKind};
use crate::model::{Document, Layer, NEEDS_REVIEW};
use crate::review::answers::{AnswerConflict, Answers};
use crate::review::order::{self, Order};
use crate::review::questions::questions;
use crate::review::{Question, QuestionKind};
use crate::source::Source;

use self::session::Session;
use super::columns::counted;
use super::split::probability;
use super::{Outcome, aside, output, render, texts};

#[derive(clap::Args)]
#[command(after_help = include_str!("../data/review.txt"))]
pub struct Args {
    /// The text
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Ask about decisions that are less certain than this
    #[arg(long, value_name = "P", value_parser = probability, default_value_t = NEEDS_REVIEW)]
    below: f64,
    /// Ask only about this: cut, layer, reading, link, bead, speaker or heading
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Vec<QuestionKind>,
    /// Ask only where this layer begins
    #[arg(long, value_name = "LAYER")]
    layer: Option<Layer>,
    /// What is asked first
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = FirstAsked::Instructive)]
    order: FirstAsked,
    /// Who decides [default: the name of the user who is logged in]
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Keep the decisions in FILE.WHO.review.toml, a file of your own
    #[arg(long, value_name = "WHO", value_parser = part_of_name)]
    own: Option<String>,
    /// Write the questions as a table for a spreadsheet (.tsv, .csv or .xlsx), or - for standard
    /// output
    #[arg(long, value_name = "SHEET", conflicts_with = "import")]
    export: Option<PathBuf>,
    /// Take the decisions from such a table
    #[arg(long, value_name = "SHEET")]
    import: Option<PathBuf>,
    /// Further texts, or a corpus folder, as witnesses
    #[arg(long, value_name = "OTHER", num_args = 1..)]
    with: Vec<PathBuf>,
    /// Format of FILE [default: recognised by its text]
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// Encoding of FILE, such as gb18030 or big5 [default: recognised by its bytes]
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
}

/// An order, as the command line names it.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum FirstAsked {
    /// What teaches the program most
    Instructive,
    /// What comes first in the text
    Place,
}

fn kind(name: &str) -> Result<QuestionKind, String> {
    let known = QuestionKind::ALL.iter().find(|(known, _)| *known == name);
    known.map(|(_, kind)| *kind).ok_or_else(|| {
        let names: Vec<&str> = QuestionKind::ALL.iter().map(|(name, _)| *name).collect();
        format!("there are {}", names.join(", "))
    })
}

/// What can be a part of the name of a file.
pub fn part_of_name(name: &str) -> Result<String, String> {
    // The part after the last dot names the person: `FILE.WHO.review.toml`.
    if name.trim().is_empty() || name.contains(['/', '\\', '.']) {
        return Err("this cannot be a part of the name of a file: no / and no dots".into());
    }
    Ok(name.to_string())
}

/// What is asked, about which texts.
struct Asking<'a> {
    args: &'a Args,
    settings: &'a Settings,
    /// Where the text is.
    entry: TextEntry,
    /// The text and those beside it, as their readers left them.
    read: Vec<Document>,
}

impl Asking<'_> {
    /// The questions that the options leave, in their order.
    fn questions(&self) -> Vec<Question> {
        self.questions_of(&self.read)
    }

    /// The same about these documents.
    fn questions_of(&self, read: &[Document]) -> Vec<Question> {
        let kinds = &self.args.kind;
        let of_others = [QuestionKind::Link, QuestionKind::Bead, QuestionKind::Speaker];
        let references = kinds.is_empty() || kinds.iter().any(|k| of_others.contains(k));
        let settings = Settings { references, ..self.settings.clone() };
        let mut all = questions(read, &settings, self.args.below);
        all.retain(|q| kinds.is_empty() || kinds.contains(&q.kind));
        all.retain(|q| self.args.layer.is_none_or(|layer| begins(q, layer)));
        let order = match self.args.order {
            FirstAsked::Instructive => Order::Instructive,
            FirstAsked::Place => Order::Place,
        };
        order::put(all, order)
    }
}

/// True if one of the answers is that a layer begins here.
fn begins(q: &Question, layer: Layer) -> bool {
    use crate::model::Confirmation;
    q.choices.iter().any(|c| match c.what {
        Confirmation::Cut(before, after) => after == layer && before != layer,
        Confirmation::Layer(decided) => decided == layer,
        Confirmation::Reading(_)
        | Confirmation::Link(_)
        | Confirmation::Bead(..)
        | Confirmation::Speaker(_)
        | Confirmation::Heading(_) => q.runs.iter().any(|r| r.1 == layer),
    })
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    if !args.file.is_file() {
        return Err(Error::input(&args.file, "this is not a file")
            .hint("review one text at a time; name others with --with")
            .into());
    }
    let first = texts::entry(&args.file, args.from.as_deref(), args.encoding.as_deref());
    let first = texts::as_its_manifest_says(first, settings)?;
    let gathered = texts::beside(first, &args.with, settings)?;
    let entry = gathered.entries[0].entry.clone();
    let read = gathered.read(settings)?;
    let asking = Asking { args, settings, entry, read };
    let source = std::sync::Arc::clone(&asking.read[0].source);
    if let Some(path) = &args.export {
        may_replace(path, &source)?;
        if path.to_string_lossy().to_lowercase().ends_with(crate::corrections::ENDING) {
            let message = format!("{} is a name for corrections, not for a table", path.display());
            return Err(Error::request(message).hint("name a .tsv, .csv or .xlsx file").into());
        }
        let questions = asking.questions();
        let (table, left_out) = sheet::file(path, &source, &questions)
            .map_err(|why| Error::request(format!("{}: {why}", path.display())))?;
        output::to(Some(path), |out| out.write_all(&table))?;
        if path.as_os_str() != "-" {
            let written = counted(questions.len() - left_out, "question");
            let path = path.display();
            output::styled(None, &say(&format!("{written} written to {path}\n")))?;
        }
        if left_out > 0 {
            let questions = counted(left_out, "question");
            let note = format!("{questions} left out: the same words are elsewhere in the text");
            aside::line(&say(&note));
        }
        return Ok(0);
    }
    let mut answers = Answers::open(&source, args.own.as_deref(), &by(args.by.as_deref())?)?;
    if let Some(path) = &args.import {
        return import(path, &mut answers);
    }
    if !std::io::IsTerminal::is_terminal(&std::io::stdout()) {
        let hint = "use --export and --import without one";
        return Err(Error::request("this needs a terminal").hint(hint).into());
    }
    aside::progress(&say("looking for what is doubtful"));
    let questions = asking.questions();
    aside::finish();
    let mut session = Session::new(&source, answers, questions);
    terminal::run(&asking, &mut session)?;
    let (decisions, left) = (counted(session.decided(), "decision"), session.queue.len());
    let path = session.answers.path.display();
    output::styled(None, &say(&format!("{decisions} in {path}; {left} left\n")))?;
    note_owner(&session.answers);
    Ok(0)
}

/// Who decides: the one named, or the user who is logged in.
///
/// # Errors
/// When neither is known.
pub fn by(named: Option<&str>) -> Result<String, Error> {
    let variable = |name: &&str| std::env::var(name).ok().filter(|v| !v.trim().is_empty());
    let user = || ["USER", "LOGNAME", "USERNAME"].iter().find_map(variable);
    let named = match named {
        Some(name) if name.trim().is_empty() => None,
        Some(name) => Some(name.to_string()),
        None => user(),
    };
    named.ok_or_else(|| {
        Error::request("it is not known who decides").hint("name yourself with --by")
    })
}

/// Refuses to write a table over answers, or over another file.
fn may_replace(path: &Path, source: &Source) -> Result<(), Error> {
    if path.as_os_str() == "-" || !path.exists() {
        return Ok(());
    }
    let bytes = std::fs::read(path).map_err(|e| Error::io(path, "read", &e))?;
    let answers = Answers::open(source, None, "")?;
    let import = "take the answers up with --import and delete the file, or name another one";
    let (message, hint) = match sheet::read(&bytes, &answers) {
        Ok(table) if is_without_words(&table) => return Ok(()),
        Ok(table) => {
            let answers = counted(table.right.len() + table.wrong.len(), "answer");
            let own = counted(table.own + table.changed, "row");
            let message =
                format!("this table has {answers} and {own} with your words, which would be lost");
            (message, import)
        }
        Err(_) => {
            let message = "this is not a table of questions, and would be lost";
            (message.to_string(), "name another file")
        }
    };
    Err(Error::input(path, message).of_kind(ErrorKind::Request).hint(hint))
}

/// True if nobody has written anything into a table.
fn is_without_words(table: &sheet::Imported) -> bool {
    table.right.len() + table.wrong.len() + table.own + table.changed == 0
}

fn import(path: &Path, answers: &mut Answers<'_>) -> Outcome {
    let bytes = std::fs::read(path).map_err(|e| Error::io(path, "read", &e))?;
    let imported = sheet::read(&bytes, answers)
        .map_err(|why| Error::input(path, why).hint("write the table again with --export"))?;
    if !imported.wrong.is_empty() {
        let rows = counted(imported.wrong.len(), "wrong row");
        return refuse(path, &imported.wrong, &rows);
    }
    let (open, own) = (imported.open, imported.own);
    let taken = answers.take_up(imported.right)?;
    if !taken.conflicts.is_empty() {
        let rows: Vec<_> = taken.conflicts.iter().map(|c| (c.row, conflict(c))).collect();
        return refuse(path, &rows, &counted(rows.len(), "conflict"));
    }
    let path = answers.path.display();
    let (decisions, rows) = (counted(taken.added, "decision"), counted(open, "row"));
    let mut text = String::new();
    let mut line = |english: String| text.push_str(&format!("{}\n", say(&english)));
    line(format!("{decisions} added to {path}; {rows} without an answer"));
    if taken.known > 0 {
        let answers = counted(taken.known, "answer");
        line(format!("{answers} already in the file, left as it is there"));
    }
    if taken.other_notes > 0 {
        let notes = counted(taken.other_notes, "note");
        line(format!("{notes} not taken from the table: the file has other words there"));
    }
    if own > 0 {
        let own = counted(own, "row");
        line(format!("{own} with a note but no answer, or words in columns of your own"));
    }
    let opposed = opposed(answers);
    if opposed > 0 {
        let decisions = counted(opposed, "decision");
        line(format!(
            "{decisions} in the file contradict each other, and none of them holds; `zhushu check` \
             lists them"
        ));
    }
    output::styled(None, &text)?;
    note_owner(answers);
    Ok(0)
}

/// How many decisions contradict others, such as those of other people.
fn opposed(answers: &Answers<'_>) -> usize {
    let source = Source::from_text("", answers.source_text());
    let (_, said) = placed::place(&source, &answers.corrections);
    said.iter().filter(|d| d.code == placed::CONTRADICTS).count()
}

/// Says what is the matter with rows of a table, from which nothing is taken.
fn refuse(path: &Path, wrong: &[(usize, String)], rows: &str) -> Outcome {
    let mut text = String::new();
    for (row, why) in wrong {
        text.push_str(&say(&format!("{}, row {row}: {why}\n", path.display())));
    }
    text.push_str(&say(&format!("{rows}; nothing was changed\n")));
    output::styled(None, &text)?;
    Ok(3)
}

fn conflict(c: &AnswerConflict) -> String {
    let AnswerConflict { answer, there, when, .. } = c;
    format!("it has “{answer}”, but since {when} the file has “{there}” here; delete one of them")
}

/// Says that a file of corrections has another owner now.
fn note_owner(answers: &Answers<'_>) {
    if answers.was_of_another {
        let path = answers.path.display();
        // If standard error is closed, nobody wants to know.
        let _ = render::note(&format!("{path} belonged to another user, and belongs to you now"));
    }
}
