//! `zhushu demo`: the bundled corpus, written out for someone who has only the program.

use std::fs;
use std::path::{Path, PathBuf};

use super::language::say;
use crate::diag::Error;
use include_dir::{Dir, include_dir};

use super::{Outcome, output};
use crate::kept::{self, scratch};

static CORPUS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/corpus");

#[derive(clap::Args)]
#[command(after_help = include_str!("data/demo.txt"))]
pub struct Args {
    /// Folder to create; the texts go into its folder corpus/
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    empty(&args.folder)?;
    let target = args.folder.join("corpus");
    kept::make_folder(&args.folder)?;
    write_out(&target).map_err(|e| Error::io(&target, "write", &e))?;
    let (n, shown) = (CORPUS.files().count(), args.folder.display());
    output::to(None, |out| {
        let next = format!("{n} files in {shown}/corpus; next: cd {shown} && zhushu build");
        writeln!(out, "{}", say(&next))
    })?;
    Ok(0)
}

/// The bundled texts: names of their files, and what is in them.
pub fn texts() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let files = CORPUS.files().filter_map(|f| Some((f.path().to_str()?, f.contents())));
    files.filter(|(name, _)| name.ends_with(".txt"))
}

/// Writes the corpus under another name and renames it when it is complete.
fn write_out(target: &Path) -> std::io::Result<()> {
    let parent = target.parent().unwrap_or(Path::new("."));
    scratch::sweep(parent);
    let scratch = scratch::ScratchFolder::new_in(parent)?;
    let whole = scratch.path().join("corpus");
    fs::create_dir(&whole)?;
    for file in CORPUS.files() {
        fs::write(whole.join(file.path()), file.contents())?;
    }
    fs::rename(whole, target)
}

/// Refuses a folder that is not empty, so that nothing is overwritten.
fn empty(folder: &Path) -> Result<(), Error> {
    match fs::read_dir(folder).map(Iterator::count) {
        Ok(0) => Ok(()),
        Ok(_) => Err(Error::request(format!("{} is not empty", folder.display()))
            .hint("name a folder that does not exist yet")),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(Error::io(folder, "use the folder", &e)),
    }
}
