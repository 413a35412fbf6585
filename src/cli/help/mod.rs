//! The help of the program in the languages of [`Language`].
//!
//! English is in the code: doc comments of commands and options, and the examples in `cli/data/`.
//! Other languages have a folder here. Its `texts.ftl` has a message for each command, with an
//! attribute for each argument (`.output`) and for each value of one (`.by-clause`); its other
//! files are the examples. What several commands share is in the message `common`.
//!
//! The program parses with the English description, which costs nothing more. Only when help is to
//! be shown is the description translated and the line parsed again.
//!
//! `clap` writes a few words itself, which cannot be replaced: `[default: …]` and `[possible
//! values: …]` are therefore hidden and written as a part of the text, headings are in a template,
//! `[OPTIONS]` and `[COMMAND]` are replaced in the finished usage.

mod examples;
mod values;

use std::io::{ErrorKind, Write as _};

use clap::{Arg, ArgAction, Command};
use fluent_bundle::{FluentBundle, FluentResource};

use super::{language, render};
use crate::diag::Error;
use crate::language::Language;

pub(crate) use values::with_values;

/// The message whose attributes serve every command that has none of its own.
const COMMON: &str = "common";

/// The description of the command line in the language in which messages are shown.
pub(crate) fn command(english: Command) -> Command {
    match Texts::of(language::shown()) {
        Some(texts) => translated(english, &texts),
        None => english,
    }
}

/// Reports what is wrong with the command line, in the language in which messages are shown, and
/// ends the program as `clap` does.
pub(crate) fn exit(error: &clap::Error) -> ! {
    if language::shown() == Language::En || !error.use_stderr() {
        finish(error);
    }
    // Standard error may be closed; then nothing can be reported.
    let _ = write!(anstream::stderr(), "{}", refusal(error));
    std::process::exit(error.exit_code())
}

/// Prints what `clap` says and ends the program. Help that could not be written is an error.
pub(crate) fn finish(error: &clap::Error) -> ! {
    let failed = error.print().and_then(|()| std::io::stdout().flush()).err();
    let failed = failed.filter(|e| !error.use_stderr() && e.kind() != ErrorKind::BrokenPipe);
    let Some(e) = failed else { std::process::exit(error.exit_code()) };
    // If standard error is closed too, the error cannot be reported.
    let _ = render::error(&Error::io("-".as_ref(), "write to standard output", &e));
    std::process::exit(UNWRITTEN)
}

/// The exit code where a file cannot be written; `--help` lists it.
const UNWRITTEN: i32 = 5;

/// What `clap` says, line by line.
fn refusal(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let texts = Texts::of(language::shown());
    let line = |line: &str| match &texts {
        Some(texts) => language::say(&texts.placeholders(line.to_string())),
        None => language::say(line),
    };
    text.split_inclusive('\n').map(line).collect()
}

/// What a language has for the help.
pub(crate) struct Texts {
    pub(crate) language: Language,
    bundle: FluentBundle<FluentResource>,
}

impl Texts {
    /// `None` for English, which is in the code.
    pub(crate) fn of(language: Language) -> Option<Texts> {
        let file = match language {
            Language::ZhHant => include_str!("zh-Hant/texts.ftl"),
            Language::ZhHans => include_str!("zh-Hans/texts.ftl"),
            Language::En => return None,
        };
        // Tests check that the files have no errors.
        let resource = FluentResource::try_new(file.to_string()).unwrap_or_else(|(r, _)| r);
        let mut bundle = FluentBundle::new(vec![language.id().parse().unwrap_or_default()]);
        bundle.set_use_isolating(false);
        let _ = bundle.add_resource(resource);
        Some(Texts { language, bundle })
    }

    /// What a command does.
    pub(crate) fn about(&self, command: &str) -> Option<String> {
        let pattern = self.bundle.get_message(command)?.value()?;
        Some(self.bundle.format_pattern(pattern, None, &mut Vec::new()).into_owned())
    }

    /// An attribute of a command, or else the common one.
    pub(crate) fn part(&self, command: &str, name: &str) -> Option<String> {
        self.own(command, name).or_else(|| self.own(COMMON, name))
    }

    fn own(&self, command: &str, name: &str) -> Option<String> {
        let attribute = self.bundle.get_message(command)?.get_attribute(name)?;
        Some(self.bundle.format_pattern(attribute.value(), None, &mut Vec::new()).into_owned())
    }

    /// A usage with the words for what `clap` calls options and commands.
    fn placeholders(&self, usage: String) -> String {
        [("OPTIONS", "options"), ("COMMAND", "command")].into_iter().fold(
            usage,
            |usage, (name, word)| {
                // In brackets if it may be missing.
                let usage = usage.replace(&format!("[{name}]"), &format!("[{}]", self.word(word)));
                usage.replace(&format!("<{name}>"), &format!("<{}>", self.word(word)))
            },
        )
    }

    /// A word that `clap` would write itself.
    fn word(&self, name: &str) -> String {
        self.own("clap", name).unwrap_or_default()
    }
}

/// The description with all texts of a language, ready to parse.
fn translated(english: Command, texts: &Texts) -> Command {
    let version = Arg::new("version").short('V').long("version").action(ArgAction::Version);
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help).global(true);
    let mut all = english
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(help.help(texts.word("help")))
        .arg(version.help(texts.word("version")));
    // A derived command has its options and examples only once it is built.
    all.build();
    let all = in_words(all, "zhushu", texts);
    with_usage(all, texts)
}

/// Texts of a command and of those below it. `id` is its message: `library-add`.
fn in_words(command: Command, id: &str, texts: &Texts) -> Command {
    let mut command = command.mut_args(|arg| match texts.part(id, arg.get_id().as_str()) {
        Some(text) => with_values(arg, id, &text, texts),
        None => arg,
    });
    if let Some(about) = texts.about(id) {
        command = command.about(about);
    }
    if let Some(examples) = examples::of(id, texts) {
        command = command.after_help(examples);
    }
    let below = |c: Command| {
        let name = c.get_name().to_string();
        if name == "help" {
            return c;
        }
        let id = if id == "zhushu" { name } else { format!("{id}-{name}") };
        in_words(c, &id, texts)
    };
    command.mut_subcommands(below)
}

/// The usage and the headings, which need the finished description.
fn with_usage(mut command: Command, texts: &Texts) -> Command {
    let usage = command.render_usage().ansi().to_string();
    let usage = usage.split_once("Usage:").map_or(usage.as_str(), |(_, usage)| usage);
    let usage = texts.placeholders(usage.to_string());
    let template = template(&command, texts);
    if command.get_name() == "help" {
        return command.about(texts.word("help-command"));
    }
    command
        .override_usage(usage.trim_start_matches("\x1b[0m").trim_start().to_string())
        .help_template(template)
        .mut_subcommands(|c| with_usage(c, texts))
}

/// The order of `clap`'s own help, with our headings.
fn template(command: &Command, texts: &Texts) -> String {
    let style = *command.get_styles().get_header();
    let heading = |name: &str| format!("{style}{}{style:#}", texts.word(name));
    let mut template = format!("{{about-with-newline}}\n{}{{usage}}\n", heading("usage"));
    let mut list = |there_are: bool, name: &str, tag: &str| {
        if there_are {
            template.push_str(&format!("\n{}\n{{{tag}}}\n", heading(name)));
        }
    };
    list(command.get_subcommands().next().is_some(), "commands", "subcommands");
    list(command.get_positionals().next().is_some(), "arguments", "positionals");
    list(true, "options-heading", "options");
    // What follows begins with a blank line of its own.
    template.trim_end().to_string() + "{after-help}"
}

#[cfg(test)]
mod tests;
