//! The site of a corpus: the pages of its texts, which the `html` writer writes, and general pages.
//!
//! Names of the general pages begin with `index`, which is not the id of any text
//! ([`corpus::id_of`](crate::corpus::id_of)).

mod about;
mod beside;
mod collated;
pub(crate) mod collation;
mod contents;
mod figures;
mod frame;
mod glosses;
mod lists;
mod long_list;
pub(crate) mod review;
pub(crate) mod search;
mod sitemap;
mod unplaced;

use std::io;

use crate::corpus::Library;
use crate::model::Document;
use crate::writers::editions::citation::Cited;
use crate::writers::editions::styles;
use crate::writers::html::{self, LinkedLibrary};

pub use contents::index;
pub use frame::Title;
pub use search::ENDPOINT;

/// Takes name and content of a file. All belong in one folder.
pub type Take<'t> = &'t mut dyn FnMut(&str, &[u8]) -> io::Result<()>;

/// Writes a general page of a corpus; a long list has further ones.
pub type General = fn(&Library, Title<'_>, Take<'_>) -> io::Result<()>;

/// The general pages by their files' names.
pub static GENERAL: &[(&str, General)] = &[
    (frame::INDEX, contents::pages),
    (frame::APPARATUS, lists::apparatus),
    (frame::UNPLACED, unplaced::unplaced),
    (frame::FIGURES, |library, title, take| {
        contents::by_work((frame::FIGURES, figures::figures), library, title, take)
    }),
    (frame::ABOUT, |library, title, take| {
        contents::by_work((frame::ABOUT, about::about), library, title, take)
    }),
];

/// The texts of which a general page shows something, by their numbers, if it shows all that is in
/// them: the page is as it was as long as they are. `None` for a page that shows a little of every
/// text.
pub fn shown(general: usize, library: &Library) -> Option<Vec<usize>> {
    let of_text: fn(&Document) -> bool = match GENERAL[general].0 {
        frame::APPARATUS => |d| !d.apparatus.is_empty(),
        frame::UNPLACED => unplaced::has_any,
        _ => return None,
    };
    let texts = library.documents.iter().enumerate();
    Some(texts.filter(|(_, d)| of_text(d)).map(|(n, _)| n).collect())
}

/// Files that the pages of a site share, by name: style sheet, scripts, search.
pub fn shared(library: &Library) -> Vec<(&'static str, String)> {
    let assets = html::assets::shared().map(|(name, words)| (name, words.to_string()));
    let drawer = (html::DRAWER_FILE, contents::drawer(library));
    assets
        .into_iter()
        .chain(html::assets::words())
        .chain([drawer, (html::BESIDE_FILE, beside::SCRIPT.to_string())])
        .chain(search::shared(library))
        .collect()
}

/// A part of a site. Parts do not depend on each other, so they can be written in parallel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SitePart {
    /// A general page, by its number in [`GENERAL`].
    General(usize),
    /// The files that all pages share.
    Shared,
    /// Citation records, for reference managers.
    Citation,
    /// The pages of a text.
    Text {
        /// Its number in the library.
        number: usize,
        /// The other witnesses of its chapter that it is collated with, by their numbers.
        witnesses: Vec<usize>,
    },
    /// The file for searching a text, by its number in the library.
    Words(usize),
    /// The collation of the witnesses of a chapter, a page for each as base, by the numbers of the
    /// witnesses in the library.
    Chapter(Vec<usize>),
}

/// All parts of the site of a library.
pub fn parts(library: &Library) -> Vec<SitePart> {
    let chapters = collated::chapters(library);
    let mut witnesses = vec![vec![]; library.documents.len()];
    for chapter in &chapters {
        for n in chapter {
            witnesses[*n] = chapter.iter().copied().filter(|other| other != n).collect();
        }
    }
    let texts = witnesses.into_iter().enumerate();
    let texts = texts.map(|(number, witnesses)| SitePart::Text { number, witnesses });
    texts
        .chain((0..library.documents.len()).map(SitePart::Words))
        .chain((0..GENERAL.len()).map(SitePart::General))
        .chain(chapters.into_iter().map(SitePart::Chapter))
        .chain([SitePart::Shared, SitePart::Citation])
        .collect()
}

/// The site of a library.
///
/// ```
/// use zhushu::{Site, SiteTitle, corpus::Library};
///
/// let library = Library::default();
/// let site = Site::of(&library, SiteTitle::default());
/// let mut names = Vec::new();
/// for part in site.parts() {
///     site.write(&part, &mut |name: &str, _: &[u8]| Ok(names.push(name.to_string())))?;
/// }
/// assert!(names.contains(&"index.html".to_string()));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Site<'a> {
    library: LinkedLibrary<'a>,
    title: Title<'a>,
}

impl<'a> Site<'a> {
    /// The site of `library`, with this title.
    pub fn of(library: &'a Library, title: Title<'a>) -> Self {
        Site { library: LinkedLibrary::over_sheets(library), title }
    }

    /// All of its parts.
    pub fn parts(&self) -> Vec<SitePart> {
        parts(&self.library)
    }

    /// Writes a part. `take` gets name and content of each of its files, one at a time, so that
    /// only one is in memory; all belong in one folder.
    ///
    /// # Errors
    /// When `take` fails.
    pub fn write(&self, part: &SitePart, take: Take<'_>) -> io::Result<()> {
        let (library, title) = (self.library.plain(), self.title);
        match part {
            SitePart::General(n) => {
                let (_, write) = GENERAL[*n];
                write(library, title, take)
            }
            SitePart::Shared => {
                let files = shared(library);
                files.iter().try_for_each(|(name, words)| take(name, words.as_bytes()))?;
                glosses::files(library).iter().try_for_each(|(name, words)| take(name, words))
            }
            SitePart::Citation => {
                let name = library.language.fill(&title.name());
                let cited = Cited::library(library, &name, title.editors, title.licence);
                let (mut bibtex, mut csl) = (Vec::new(), Vec::new());
                cited.bibtex(&mut bibtex)?;
                cited.csl(&mut csl)?;
                take(frame::BIBTEX, &bibtex)?;
                take(frame::CSL, &csl)?;
                sitemap::of(library).map_or(Ok(()), |map| take(sitemap::FILE, map.as_bytes()))
            }
            SitePart::Text { number, witnesses } => {
                self.pages(&library.documents[*number], witnesses, take)
            }
            SitePart::Words(number) => {
                let (document, mut words) = (&library.documents[*number], Vec::new());
                search::words(document, library, &mut words)?;
                take(&search::file(document), &words)
            }
            SitePart::Chapter(witnesses) => collated::write(witnesses, library, title, take),
        }
    }

    /// Writes the pages of a text, several if it is long. With other `witnesses` they have a link
    /// to their collation.
    fn pages(&self, document: &Document, witnesses: &[usize], take: Take<'_>) -> io::Result<()> {
        let collation = (!witnesses.is_empty()).then(|| collated::page_of(&document.id));
        let beside = beside::texts(document, witnesses, &self.library);
        let beside = beside.iter().map(|d| (d.id.clone(), d.meta.title.clone())).collect();
        let name = self.library.language.fill(&self.title.name());
        let cited = Cited::one(document, &name, self.title.editors, self.title.licence);
        let styles = styles::for_pages(&cited, document);
        let record = Some(cited.passage()?);
        let in_site = html::InSite { collation, beside, record, styles };
        html::write_sheets(document, &self.library, in_site, None, take)
    }
}

/// The content policy that a server sends with the pages of a site.
pub const SERVED_POLICY: &str = html::assets::SERVED;
