//! A reading site of the chosen texts, like that of `build`.

use std::fs;
use std::path::Path;

use crate::diag::Error;
use crate::site::{Site, Title};
use crate::writers::editions::Edition;
use rayon::prelude::*;

use super::{Apparatus, Args, Translation, folder};
use crate::cli::Failure;

/// Name for `--to`.
pub const NAME: &str = "site";

/// What it is, in one line.
pub const ABOUT: &str = "a reading site, as `build` makes it: open index.html";

/// Refuses options that a site leaves to its readers.
///
/// # Errors
/// At the first such option.
pub fn allows(args: &Args) -> Result<(), Error> {
    let left = [
        ("--vertical", args.vertical, "choose 直排 on the pages"),
        (
            "--by-layer",
            args.by_layer,
            "the pages switch layers on and off; --layers leaves the others out entirely",
        ),
        ("--notes-at", args.notes_at.is_some(), "choose a layout on the pages"),
        ("--no-numbers", args.no_numbers, "on the pages, numbers are the addresses of sentences"),
        (
            "--translation",
            args.translation != Translation::Below,
            "the reader switches it on the pages",
        ),
        (
            "--apparatus",
            args.apparatus != Apparatus::End,
            "a site has the apparatus on a page of its own",
        ),
        ("--no-apparatus", args.no_apparatus, "a site has the apparatus on a page of its own"),
        ("--paper", args.pages.paper.is_some(), "a site is not on paper"),
        ("--marks", args.pages.marks.is_some(), "a browser sets the lines of a site"),
    ];
    match left.iter().find(|(_, asked, _)| *asked) {
        Some((option, _, hint)) => {
            Err(Error::request(format!("{option} does not work with a site")).hint(*hint))
        }
        None => Ok(()),
    }
}

/// Writes the site into the folder at `path`. The texts given by `--with` get pages too, since
/// references lead there.
///
/// # Errors
/// When no folder is given.
pub fn write(path: Option<&Path>, force: bool, edition: &Edition) -> Result<(), Failure> {
    let Some(path) = path.filter(|p| p.as_os_str() != "-") else {
        return Err(Error::request("a site is many files")
            .hint("name a folder for them with -o")
            .into());
    };
    let about = &edition.about;
    let title = Title {
        title: Some(&about.title),
        editors: &about.editors,
        licence: about.licence.as_deref(),
    };
    folder::write(path, force, |folder| {
        let site = Site::of(&edition.library, title);
        let put = |name: &str, page: &[u8]| fs::write(folder.join(name), page);
        let made = site.parts().par_iter().try_for_each(|part| site.write(part, &mut { put }));
        Ok(made.map_err(|e| Error::io(path, "write into the folder", &e))?)
    })
}
