//! `lab`: training, held-out measurement and simulation. What ships is in the crate `zhushu`; this
//! one sees its insides through the feature `internals`, and is not published.
//!
//! A command is a module with `Args` and `run`, and a row of `commands!` below.

mod ablate;
mod lists;
mod simulate;
mod texts;
mod train;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, Subcommand};
use zhushu::corpus::Works;
use zhushu::diag::Error;
use zhushu::{Models, Settings};

/// Trains the models of zhushu, and measures them on what they have not seen.
#[derive(Parser)]
#[command(name = "lab", max_term_width = 100, arg_required_else_help = true)]
struct Lab {
    #[command(subcommand)]
    command: Command,
    /// Your own list of works and chapters, in the form of src/corpus/works.toml
    #[arg(long, global = true, value_name = "FILE")]
    works: Option<PathBuf>,
    /// A folder of models, made by `lab train`; they replace built-in ones
    #[arg(long, global = true, value_name = "FOLDER")]
    models: Option<PathBuf>,
    /// How many threads work at the same time [default: one for each processor]
    #[arg(short, long, global = true, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// The commands: name, module, and what it does.
macro_rules! commands {
    ($($name:ident $module:ident $about:literal;)*) => {
        #[derive(Subcommand)]
        enum Command {
            $(#[command(about = $about)] $name($module::Args),)*
        }

        impl Command {
            fn run(&self, settings: &Settings) -> Result<(), Error> {
                match self {
                    $(Command::$name(args) => $module::run(args, settings),)*
                }
            }
        }
    };
}

commands! {
    Ablate ablate "What each rule of the references does, over the lists read by hand (from the root of the sources)";
    Train train "Make the models of the splitter: runs of 經 and 注, or the weights of its features";
    Simulate simulate "How much better a cut becomes with each decision, if a cut by hand answers";
}

fn main() -> ExitCode {
    match run(&Lab::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            e.hint.iter().for_each(|hint| eprintln!("  help: {hint}"));
            ExitCode::FAILURE
        }
    }
}

fn run(lab: &Lab) -> Result<(), Error> {
    if let Some(n) = lab.jobs {
        // It fails only if threads were started before.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(n.get()).build_global();
    }
    lab.command.run(&settings(lab)?)
}

/// A person's own library is left out: what is measured must not depend on it.
fn settings(lab: &Lab) -> Result<Settings, Error> {
    let mut settings = Settings::default();
    if let Some(path) = &lab.works {
        let works = Works::with(&texts::string(path)?);
        settings.works = Arc::new(works.map_err(|e| Error::input(path, e.message()))?);
    }
    if let Some(folder) = &lab.models {
        settings.models = Models::open(folder)?;
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_sound() {
        <super::Lab as clap::CommandFactory>::command().debug_assert();
    }
}
