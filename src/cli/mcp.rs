//! `zhushu mcp`: answers a program that speaks the Model Context Protocol on standard input and
//! output.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use super::language::say;
use super::{Outcome, aside};
use crate::Settings;
use crate::ask::{Answerer, Conversation};

#[derive(clap::Args)]
#[command(after_help = include_str!("data/mcp.txt"))]
pub struct Args {
    /// Folders that `build` wrote, and folders of texts, which are read when they are first asked
    /// [default: out if it is there, else corpus]
    #[arg(value_name = "FOLDER")]
    folders: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let answerer = Answerer::of(&args.folders, settings)?;
    if io::stdin().is_terminal() {
        aside::line(&say("waiting for a program that speaks MCP; the end of the input ends it"));
    }
    Conversation::of(answerer).hold(io::stdin().lock(), io::stdout().lock())?;
    Ok(0)
}
