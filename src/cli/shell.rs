//! `zhushu completions` and `zhushu man`: what packages install beside the program, made from its
//! own description of its commands.

use std::path::PathBuf;

use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::diag::Error;
use crate::kept;

use super::{Cli, Outcome, help, output};

#[derive(clap::Args)]
#[command(after_help = include_str!("data/completions.txt"))]
pub struct CompletionArgs {
    /// The shell
    shell: Shell,
}

#[derive(clap::Args)]
#[command(after_help = include_str!("data/man.txt"))]
pub struct ManArgs {
    /// The folder to write into, or - for the page of the program on standard output
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Prints completions.
pub fn completions(args: &CompletionArgs) -> Outcome {
    let mut script = Vec::new();
    let mut cli = help::command(Cli::command());
    clap_complete::generate(args.shell, &mut cli, "zhushu", &mut script);
    output::to(None, |out| out.write_all(&script))?;
    Ok(0)
}

/// Writes manual pages.
pub fn man(args: &ManArgs) -> Outcome {
    let mut cli = help::command(Cli::command());
    cli.build();
    if args.folder.as_os_str() == "-" {
        let page = page(&cli)?;
        output::to(None, |out| out.write_all(&page))?;
        return Ok(0);
    }
    kept::make_folder(&args.folder)?;
    for command in all(&cli) {
        let file = args.folder.join(format!("{}.1", name(command)));
        let page = page(command)?;
        // A page of an earlier version begins as this one does.
        let head = page.split(|b| *b == b'\n').next().unwrap_or_default();
        if std::fs::read(&file).is_ok_and(|old| !old.starts_with(head)) {
            let error = Error::request(format!("{} is another file", file.display()));
            return Err(error.hint("name another folder, or remove it").into());
        }
        output::part(&file, &page)?;
    }
    Ok(0)
}

/// A command with all those below it, such as `zhushu library add`.
fn all(command: &Command) -> Vec<&Command> {
    let below = command.get_subcommands().filter(|c| c.get_name() != "help");
    std::iter::once(command).chain(below.flat_map(all)).collect()
}

/// The name of a command in one word: `zhushu-library-add`.
fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

/// One page in roff.
fn page(command: &Command) -> Result<Vec<u8>, Error> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone())
        .title(name(command))
        .render(&mut page)
        .map_err(|e| Error::io("-".as_ref(), "write", &e))?;
    Ok(page)
}
