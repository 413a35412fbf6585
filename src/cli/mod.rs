//! The command line: one file for each subcommand, and the only place that prints.
//!
//! A command returns an [`Outcome`]; [`main`] turns it into a message on standard error and an exit
//! code. If the reader closes the pipe early (`zhushu … | head`), that is not an error.

mod align;
mod aside;
mod build;
mod check;
mod collate;
mod columns;
mod common;
mod convert;
mod demo;
mod diff;
mod escapes;
mod export;
mod formats;
mod gloss;
mod help;
mod init;
mod language;
mod library;
mod mcp;
mod output;
mod readings;
mod refs;
mod render;
mod review;
mod score;
mod search;
mod self_test;
mod serve;
mod shell;
mod show;
mod sniff;
mod split;
mod texts;
mod verify;

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use crate::Settings;
use crate::corpus::Works;
use crate::diag::{Error, ErrorKind};
use crate::guard;
use crate::language::Language;
use crate::load;
use crate::models::Models;
use crate::source::{Lines, Source, Span};
use clap::{Parser, Subcommand};

/// Reads Chinese classics with commentaries (注疏), separates their layers, and writes editions.
#[derive(Parser)]
#[command(name = "zhushu", version, max_term_width = 100, after_help = include_str!("data/zhushu.txt"), arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print the licences and copyright notices of the crates in this program
    #[arg(long, exclusive = true, alias = "licences")]
    licenses: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: clap::ColorChoice,
    /// Your own list of works and chapters, in the form of src/corpus/works.toml; adds to the
    /// built-in one
    #[arg(long, global = true, value_name = "FILE")]
    works: Option<PathBuf>,
    /// The language of pages, help and messages: zh-Hant, zh-Hans or en [default: that of
    /// ZHUSHU_LANG, or of the locale]
    #[arg(long, global = true, value_name = "LANGUAGE")]
    lang: Option<Language>,
    /// What the lines of texts are: wrapped (cut by a page or a program; passages go on over their
    /// ends) or passages [default: decided for each text]
    #[arg(long, global = true, value_name = "LINES")]
    lines: Option<Lines>,
    /// Follow links in a folder of texts that lead out of it
    #[arg(long, global = true)]
    follow: bool,
    /// A folder of your own models, made by `lab train`; they replace built-in ones
    #[arg(long, global = true, value_name = "FOLDER")]
    models: Option<PathBuf>,
    /// The folder of your library [default: that of ZHUSHU_LIBRARY, or in the platform's folder for
    /// data]
    #[arg(long, global = true, value_name = "FOLDER")]
    library: Option<PathBuf>,
    /// Do not use your library
    #[arg(long, global = true, conflicts_with = "library")]
    no_library: bool,
    /// Print results and errors only: no progress, counts, notes or summary
    #[arg(short, long, global = true)]
    quiet: bool,
    /// How many threads work at the same time [default: one for each processor]
    #[arg(short, long, global = true, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

// The arguments of a command are described only when it is called: describing those of all was two
// fifths of the instructions to start.
#[derive(Subcommand)]
#[command(defer = true)]
enum Command {
    /// Read a corpus, separate its layers, link and align it, and write TEI, JSON and a reading
    /// site
    Build(build::Args),
    /// Search the texts of a built corpus: by layer, by speaker, through variants, across notes and
    /// lines
    Search(search::Args),
    /// Check the quotations of a text: are they so in the books at hand, and where?
    Verify(verify::Args),
    /// Serve the site of a built corpus on this machine, and answer queries from its index
    Serve(serve::Args),
    /// Answer a program that writes for you: search, passages, who quotes them (Model Context
    /// Protocol)
    Mcp(mcp::Args),
    /// Convert one file from any input format to any output format
    Convert(convert::Args),
    /// Write an edition: EPUB, PDF, Markdown, plain text, tables and every other format
    Export(export::Args),
    /// Align a classic with its translation, sentence by sentence or clause by clause
    Align(align::Args),
    /// Collate witnesses of the same text, and classify their differences
    Collate(collate::Args),
    /// Keep texts that every command reads with yours: plain classics, other editions
    Library(library::Args),
    /// Read everything and print warnings and remarks; write nothing
    Check(check::Args),
    /// Show what files are: encoding, format, work and chapters, with certainty and evidence
    Sniff(sniff::Args),
    /// Write a manifest for a folder of texts, with the works, chapters and translations recognised
    Init(init::Args),
    /// List the layers of a text, or explain the cuts of a passage
    Split(split::Args),
    /// Decide what the program doubts: in the terminal, or in a spreadsheet
    Review(review::Args),
    /// Show what changed between two folders that `build` wrote: layers, readings, links, beads
    Diff(diff::Args),
    /// Show a passage by its locus, with its layers and its translation
    Show(show::Args),
    /// List references: of texts, or to a passage
    Refs(refs::Args),
    /// Show what the notes say of a word: its sense, its sound, other readings
    Gloss(gloss::Args),
    /// Measure how well texts are cut, against cuts made by hand
    Score(score::Args),
    /// List the formats that can be read and written, the passes, and the layers
    Formats(formats::Args),
    /// Write the bundled corpus (five texts of 儀禮 and their manifest) into a new folder
    Demo(demo::Args),
    /// Try this program on the bundled corpus, and see what else of this machine it could use
    #[command(after_help = include_str!("data/self-test.txt"))]
    SelfTest,
    /// Print the completions of commands and options for a shell
    Completions(shell::CompletionArgs),
    /// Write the manual pages (man) of the program and its commands
    Man(shell::ManArgs),
}

impl Command {
    /// True for commands that read texts whose layers and references the library helps to find.
    fn reads_the_library(&self) -> bool {
        use Command::{
            Align, Build, Check, Collate, Convert, Export, Gloss, Mcp, Refs, Review, Show, Split,
            Verify,
        };
        matches!(
            self,
            Align(_)
                | Build(_)
                | Check(_)
                | Collate(_)
                | Convert(_)
                | Export(_)
                | Gloss(_)
                | Mcp(_)
                | Refs(_)
                | Review(_)
                | Show(_)
                | Split(_)
                | Verify(_)
        )
    }
}

/// The result of a command: an exit code, or why it ended early.
type Outcome = Result<u8, Failure>;

/// Why a command ended early.
#[derive(Debug)]
enum Failure {
    /// An error to report.
    Error(Box<Error>),
    /// The reader of our output closed it.
    Closed,
}

impl From<Error> for Failure {
    fn from(e: Error) -> Self {
        Failure::Error(Box::new(e))
    }
}

/// Only for standard output and error; errors about files name the file (see [`output`]).
impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        match e.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Error::io("-".as_ref(), "write to standard output", &e).into(),
        }
    }
}

/// The exit code of a command that ends with this error; `--help` lists them.
fn exit_code(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::Request | ErrorKind::Query => 2,
        ErrorKind::Manifest => 4,
        ErrorKind::Io => 5,
        _ => 3,
    }
}

/// The built-in works with those of the user's list.
fn works(path: &Path) -> Result<Works, Error> {
    load::note(path);
    let text = std::fs::read_to_string(path).map_err(|e| Error::io(path, "read", &e))?;
    Works::with(&text).map_err(|e| {
        let error = Error::input(path, e.message())
            .hint("src/corpus/works.toml is an example; [[work]] with a title is enough");
        let span = e.span().unwrap_or(0..0);
        error.over(&Source::from_text(path, text.clone()), Span::new(span.start, span.end))
    })
}

/// Runs the program.
pub fn main() -> ExitCode {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if !guard::note_place(info) {
            report(info);
        }
    }));
    let args: Vec<_> = std::env::args_os().collect();
    language::show_in(language::of_messages(&args, |name| std::env::var(name).ok()));
    let cli = Cli::try_parse().unwrap_or_else(|error| refused(error));
    match cli.color {
        clap::ColorChoice::Auto => anstream::ColorChoice::Auto,
        clap::ColorChoice::Always => anstream::ColorChoice::Always,
        clap::ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    match run(cli) {
        Ok(code) => ExitCode::from(code),
        Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(Failure::Error(e)) => {
            // If standard error is closed too, the error cannot be reported.
            let _ = render::error(&e);
            ExitCode::from(exit_code(e.kind))
        }
    }
}

/// Help, in the language of the person, or what is wrong with the command line.
fn refused(error: clap::Error) -> ! {
    use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand};
    if matches!(error.kind(), DisplayHelp | DisplayHelpOnMissingArgumentOrSubcommand) {
        let command = help::command(<Cli as clap::CommandFactory>::command());
        if let Err(shown) = command.try_get_matches() {
            help::finish(&shown);
        }
    }
    help::exit(&error)
}

/// What `.ci/licences.py` made of the crates in the program.
const LICENCES: &str = include_str!("data/licences.txt");
/// What the network was learned from, and the licence of its weights.
const WEIGHTS: &str = include_str!("../network/weights.txt");

fn run(cli: Cli) -> Outcome {
    if cli.licenses {
        output::to(None, |out| write!(out, "{LICENCES}\n{WEIGHTS}"))?;
        return Ok(0);
    }
    let Some(command) = cli.command else {
        let missing = clap::error::ErrorKind::MissingSubcommand;
        <Cli as clap::CommandFactory>::command()
            .error(missing, "a command is missing; see zhushu --help")
            .exit()
    };
    if cli.quiet {
        aside::silence();
    }
    if let Some(n) = cli.jobs {
        // More threads than cores are no faster, and thousands never end. It fails only if threads
        // were started before.
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let _ = rayon::ThreadPoolBuilder::new().num_threads(n.get().min(cores)).build_global();
    }
    let language = language::choose(cli.lang, |name| std::env::var(name).ok())?;
    // A search reads nothing but the index. The list of works would take a quarter of its time.
    if let Command::Search(args) = &command {
        if args.output.is_some() {
            build::note_sources(&args.index);
        }
        return search::run(args);
    }
    // The others stay: they have the terminal to themselves, or answer a browser or a program.
    let stays = matches!(command, Command::Mcp(_) | Command::Serve(_) | Command::Review(_));
    let is_done_once = !stays;
    let progress = is_done_once.then(aside::of_stages);
    let mut settings = Settings { language, progress, ..Settings::default() };
    if let Some(path) = &cli.works {
        settings.works = Arc::new(works(path)?);
    }
    settings.lines = cli.lines;
    settings.follow_links = cli.follow;
    if let Some(folder) = &cli.models {
        settings.models = Models::open(folder)?;
    }
    let folder = library::folder(cli.library.as_deref(), cli.no_library);
    settings.library.clone_from(&folder);
    if command.reads_the_library() {
        settings.shelf = folder.as_ref().and_then(|f| library::open(f, cli.library.is_some()));
    }
    let outcome = run_command(command, &settings, folder);
    settings.shelf.iter().for_each(|s| library::report_trouble(s));
    aside::finish();
    outcome
}

fn run_command(command: Command, settings: &Settings, library: Option<PathBuf>) -> Outcome {
    match command {
        Command::Build(args) => build::run(&args, settings),
        Command::Search(args) => search::run(&args),
        Command::Verify(args) => verify::run(&args, settings),
        Command::Serve(args) => serve::run(&args, settings),
        Command::Mcp(args) => mcp::run(&args, settings),
        Command::Convert(args) => convert::run(&args, settings),
        Command::Export(args) => export::run(&args, settings),
        Command::Align(args) => align::run(&args, settings),
        Command::Collate(args) => collate::run(&args, settings),
        Command::Library(args) => library::run(&args, settings, library),
        Command::Init(args) => init::run(&args, settings),
        Command::Sniff(args) => sniff::run(&args, settings),
        Command::Check(args) => check::run(&args, settings),
        Command::Split(args) => split::run(&args, settings),
        Command::Diff(args) => {
            [&args.old, &args.new].into_iter().for_each(|out| build::note_sources(out));
            diff::run(&args, settings)
        }
        Command::Review(args) => review::run(&args, settings),
        Command::Show(args) => show::run(&args, settings),
        Command::Refs(args) => refs::run(&args, settings),
        Command::Gloss(args) => gloss::run(&args, settings),
        Command::Score(args) => score::run(&args, settings),
        Command::Formats(args) => formats::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::SelfTest => self_test::run(),
        Command::Completions(args) => shell::completions(&args),
        Command::Man(args) => shell::man(&args),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound_and_every_command_shows_an_example() {
        let mut cli = super::Cli::command();
        cli.build();
        cli.clone().debug_assert();
        for command in cli.get_subcommands().filter(|c| c.get_name() != "help") {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(
                help.contains(&format!("zhushu {}", command.get_name())),
                "{} --help has no example",
                command.get_name()
            );
        }
    }
}
