//! `zhushu library`: the user's own library of texts, which are read once and then used with every
//! text.

mod list;
mod read;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::language::{colon, say};
use crate::Settings;
use crate::diag::{Error, ErrorKind};
use crate::load;
use crate::shelf::inventory::{Holding, Inventory};
use crate::shelf::{FoundShelf, Shelf, ShelfWriter, inventory_alone};
use etcetera::BaseStrategy as _;

use super::columns::counted;
use super::{Outcome, output, render, texts};
use read::Changes;

/// The variable that names the folder of the library.
const VARIABLE: &str = "ZHUSHU_LIBRARY";
/// The folder of the library in the platform's folder for data.
const FOLDER: [&str; 2] = ["zhushu", "library"];

/// What helps if a library cannot be used: what was in it is not known any more.
const ADD_AGAIN: &str = "`zhushu library add` builds it from the texts that you name";
const UPDATE: &str = "`zhushu library update` reads it again";

/// What helps if something else is where a library has its inventory: none is added to there.
const ELSEWHERE: &str = "name another folder with --library, or delete the file `inventory` in it";

#[derive(clap::Args)]
#[command(after_help = include_str!("../data/library.txt"))]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Read texts, or all texts of a folder, and keep them
    Add {
        /// Texts and folders
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Encoding of the texts, such as gb18030 or big5 [default: recognised by their bytes]
        #[arg(long, value_name = "LABEL")]
        encoding: Option<String>,
    },
    /// Show what is in the library, or the chapters of some of it
    List {
        /// As the list shows them
        names: Vec<String>,
    },
    /// Remove what was added under these names; the texts themselves stay where they are
    Remove {
        /// As the list shows them
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// Read again what changed since it was added
    Update {
        /// As the list shows them [default: all]
        names: Vec<String>,
    },
}

/// The folder of the library: of the option, of the variable, or of the platform. `None` if there
/// is to be none.
pub fn folder(option: Option<&Path>, none: bool) -> Option<PathBuf> {
    if none {
        return None;
    }
    if let Some(folder) = option {
        return Some(folder.into());
    }
    match std::env::var_os(VARIABLE) {
        Some(folder) if folder.is_empty() => None,
        Some(folder) => Some(folder.into()),
        None => {
            Some(etcetera::choose_base_strategy().ok()?.data_dir().join(FOLDER[0]).join(FOLDER[1]))
        }
    }
}

/// The library in a folder, for a command that uses it. One that cannot be used is reported, and
/// the command goes on without it.
pub fn open(folder: &Path, named: bool) -> Option<Arc<Shelf>> {
    let message = match Shelf::open(folder) {
        FoundShelf::Shelf(shelf) => return Some(Arc::from(shelf)),
        FoundShelf::Nothing if !named => return None,
        FoundShelf::Nothing => format!("there is no library in {}", folder.display()),
        FoundShelf::Unusable(why) => {
            let hint = help_for(folder);
            format!("the library in {} is not used ({why}); {hint}", folder.display())
        }
        FoundShelf::Unreadable(path, e) => {
            let why = Error::io(&path, "read", &e);
            let hint = "try again";
            format!("the library in {} is not used ({why}); {hint}", folder.display())
        }
    };
    // If standard error is closed, the message cannot be shown.
    let _ = render::note(&message);
    None
}

/// Says what of the library could not be read while a command ran.
pub fn report_trouble(shelf: &Shelf) {
    if let Some(trouble) = shelf.trouble() {
        let hint = UPDATE;
        let _ = render::note(&format!("part of the library was not used: {trouble}; {hint}"));
    }
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings, folder: Option<PathBuf>) -> Outcome {
    let Some(folder) = folder else {
        return Err(Error::request("there is no folder for a library")
            .hint(format!("name one with --library FOLDER, or set {VARIABLE}"))
            .into());
    };
    match &args.command {
        Command::Add { paths, encoding } => add(&folder, paths, encoding.as_deref(), settings),
        Command::List { names } => list(&folder, names, settings),
        Command::Remove { names } => remove(&folder, names),
        Command::Update { names } => update(&folder, names, settings),
    }
}

fn add(folder: &Path, paths: &[PathBuf], encoding: Option<&str>, settings: &Settings) -> Outcome {
    // Before anything is written: all that was named must be there.
    let paths = paths.iter().map(|p| real(p)).collect::<Result<Vec<_>, Error>>()?;
    let mut writer = begin(folder)?;
    let (mut lines, mut code) = (vec![], 0);
    for path in paths {
        let holdings = &writer.inventory.holdings;
        let at = holdings.iter().position(|h| h.path == path).unwrap_or(holdings.len());
        if at == holdings.len() {
            let name = writer.inventory.free_name(&name_of(&path));
            writer.inventory.holdings.push(Holding {
                name,
                path,
                encoding: encoding.map(String::from),
                read: 0,
                files: vec![],
            });
        }
        let changes = read::again(&mut writer, at, settings)?;
        let holding = &writer.inventory.holdings[at];
        if holding.files.is_empty() {
            let failed = changes.failed.into_iter().next().map(|f| *f.1);
            return Err(failed.unwrap_or_else(|| load::no_text(&holding.path)).into());
        }
        lines.push(say(&format!("added {}: {}", holding.name, list::figures_of(holding))));
        lines.extend(changes.left_out());
        code = code.max(changes.code());
    }
    end(writer, folder, lines)?;
    Ok(code)
}

fn update(folder: &Path, names: &[String], settings: &Settings) -> Outcome {
    // A writer would begin with an empty one, and the names of all texts would be lost.
    if let FoundShelf::Unusable(why) = Shelf::open(folder)
        && inventory_alone(folder).holdings.is_empty()
    {
        return Err(unusable(folder, &why).into());
    }
    let mut writer = begin(folder)?;
    check_names(&writer.inventory, names)?;
    let (mut lines, mut code) = (vec![], 0);
    for at in 0..writer.inventory.holdings.len() {
        let holding = &writer.inventory.holdings[at];
        let name = holding.name.clone();
        if !names.is_empty() && !names.contains(&name) {
            continue;
        }
        if !holding.path.exists() {
            let path = holding.path.display();
            lines.push(say(&format!("{name}: kept as it is; {path} is gone")));
            continue;
        }
        let changes = read::again(&mut writer, at, settings)?;
        lines.push(format!("{name}{}{}", colon(), say(&changes.to_string())));
        lines.extend(changes.left_out());
        lines.extend(changes.kept());
        code = code.max(changes.code());
    }
    end(writer, folder, lines)?;
    Ok(code)
}

fn remove(folder: &Path, names: &[String]) -> Outcome {
    let mut writer = begin(folder)?;
    check_names(&writer.inventory, names)?;
    writer.inventory.holdings.retain(|h| !names.contains(&h.name));
    end(writer, folder, names.iter().map(|name| say(&format!("removed {name}"))).collect())
}

fn list(folder: &Path, names: &[String], settings: &Settings) -> Outcome {
    let text = match Shelf::open(folder) {
        FoundShelf::Shelf(shelf) if names.is_empty() => list::all(&shelf, folder, settings),
        FoundShelf::Shelf(shelf) => {
            check_names(shelf.inventory(), names)?;
            list::chapters(shelf.inventory(), names)
        }
        FoundShelf::Nothing => say(&format!("there is no library in {}\n", folder.display())),
        FoundShelf::Unusable(why) => return Err(unusable(folder, &why).into()),
        FoundShelf::Unreadable(path, e) => return Err(Error::io(&path, "read", &e).into()),
    };
    output::styled(None, &text)?;
    Ok(0)
}

/// An error if there is something else where a library has its inventory.
fn foreign(inventory: &Path) -> Error {
    let message = "this is not the inventory of a library, or of one of another version";
    Error::input(inventory, message).of_kind(ErrorKind::Request).hint(ELSEWHERE)
}

fn unusable(folder: &Path, why: &str) -> Error {
    if let Some(path) = Shelf::foreign_inventory(folder) {
        return foreign(&path);
    }
    Error::input(folder, format!("this library cannot be used: {why}")).hint(help_for(folder))
}

/// What helps with a library that cannot be used.
fn help_for(folder: &Path) -> &'static str {
    match Shelf::foreign_inventory(folder) {
        Some(_) => ELSEWHERE,
        None if inventory_alone(folder).holdings.is_empty() => ADD_AGAIN,
        None => UPDATE,
    }
}

fn begin(folder: &Path) -> Result<ShelfWriter, Error> {
    match Shelf::open(folder) {
        FoundShelf::Unreadable(path, e) => return Err(Error::io(&path, "read", &e)),
        _ => Shelf::foreign_inventory(folder).map_or(Ok(()), |path| Err(foreign(&path)))?,
    }
    let is_known = !inventory_alone(folder).holdings.is_empty();
    let wait = || _ = render::note("waiting for another zhushu that changes the library");
    let (writer, unusable) =
        ShelfWriter::begin(folder, wait).map_err(|e| Error::io(folder, "write the library", &e))?;
    if let Some(why) = unusable {
        _ = render::note(&match is_known {
            true => format!("the index of the library is made again ({why})"),
            false => format!(
                "the library is made again ({why}); add what is missing in `zhushu library list`"
            ),
        });
    }
    Ok(writer)
}

fn end(writer: ShelfWriter, folder: &Path, lines: Vec<String>) -> Outcome {
    let figures = list::figures(&writer.inventory);
    writer.end().map_err(|e| Error::io(folder, "write the library", &e))?;
    let figures = format!("{}{}{figures}", folder.display(), colon());
    output::styled(None, &format!("{}\n{figures}\n", lines.join("\n")))?;
    Ok(0)
}

fn check_names(inventory: &Inventory, names: &[String]) -> Result<(), Error> {
    let known: HashSet<&str> = inventory.holdings.iter().map(|h| &*h.name).collect();
    match names.iter().find(|n| !known.contains(&***n)) {
        None => Ok(()),
        Some(name) => Err(Error::request(format!("nothing in the library is called “{name}”"))
            .hint("`zhushu library list` shows the names")),
    }
}

fn real(path: &Path) -> Result<PathBuf, Error> {
    let real = path.canonicalize().map_err(|e| Error::io(path, "read", &e))?;
    read::check_name(&real)?;
    Ok(real)
}

/// What a folder or file is called in the list.
fn name_of(path: &Path) -> String {
    let named = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    let is_manifest = path.file_name().is_some_and(|n| n == crate::corpus::MANIFEST);
    match path.is_dir() || is_manifest {
        true => named.file_name().map_or("library".into(), |n| n.to_string_lossy().into_owned()),
        false => texts::entry(path, None, None).id,
    }
}

/// `3 texts read again, 1 gone`.
impl std::fmt::Display for Changes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.read + self.gone == 0 {
            return f.write_str("unchanged");
        }
        write!(f, "{} read", counted(self.read, "text"))?;
        if self.gone == 0 {
            return Ok(());
        }
        f.write_str(", ")?;
        write!(f, "{} removed", self.gone)
    }
}
