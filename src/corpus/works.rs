//! The authority file: works and chapters that commentaries cite, and the names by which they cite
//! them.
//!
//! The data are in `works.toml`, which anyone can extend. [`Works::resolve`] reads a title as it is
//! in a text (大射, 周禮-諸子職, 冬官·梓人, 燕禮注) and says which work and chapter is meant. Names are compared
//! folded. A chapter may be named without its work if that is customary (`bare`). A name that
//! several chapters share gives all of them.

use std::sync::{Arc, LazyLock, OnceLock};

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::works_file::{File, Sense};
use crate::model::Layer;
use crate::text::fold::fold;
use commentaries::after_name;
use scholars::Scholars;

mod bare;
mod commentaries;
mod glance;
pub(crate) mod openings;
mod scholars;
mod shared_names;
mod titles;

pub(crate) use commentaries::{Commentary, EditionTitle};
pub(crate) use scholars::Scholar;
pub(crate) use titles::ends_titles;

static DATA: &str = include_str!("works.toml");
static BUILTIN: LazyLock<Arc<Works>> =
    LazyLock::new(|| Arc::new(Works::parse(DATA).expect("works.toml is read by a test")));

/// Which text of a chapter a title means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// The appended record (記) of a chapter of the 儀禮.
    Record,
    /// Its commentary.
    Commentary,
    /// Its commentary that is called 傳: 毛傳, 孔傳.
    OldCommentary,
    /// Its sub-commentary.
    Subcommentary,
    /// The list of offices (序官) that opens its part.
    Opening,
    /// The tradition (傳) in a chapter of the 儀禮.
    Tradition,
    /// The preface (序) of a poem, a document or all of them.
    Preface,
}

/// One work of the authority file.
#[derive(Clone, Debug)]
pub struct Work {
    /// Canonical title.
    pub title: String,
    /// Short key for ids and loci.
    pub key: String,
    /// Other names.
    pub abbr: Vec<String>,
    /// When it was written, roughly.
    pub period: Option<String>,
    /// Identifier in the Kanseki Repository, if verified.
    pub kanripo: Option<String>,
    /// Identifier at the Chinese Text Project (`ctp:` URN without the prefix), if verified.
    pub ctext: Option<String>,
    /// Whether its chapters are cited without its title.
    pub bare: bool,
    /// Names that are recognised without 《》 if 曰 or 云 follows.
    pub bare_title: Vec<String>,
    /// Whether the names of its chapters are recognised in this way too.
    pub said: bool,
    /// Whether its chapters are named after offices.
    pub offices: bool,
    /// What is between it and its chapters: titles, each with the number of its first chapter.
    pub groups: Vec<(String, u32)>,
    /// Other works that contain its text.
    pub within: Vec<String>,
    /// Chapters whose text stands in the other chapters: the 文言 is in 乾 and 坤.
    pub spread: Vec<String>,
    /// Names of its usual commentaries in loci; the first is meant if a text says only 注.
    pub notes: Vec<String>,
    /// Endings that a citation may leave out.
    pub drop: Vec<String>,
    /// Chapters: canonical title first.
    pub chapters: Vec<Vec<String>>,
    /// Parts that hold chapters.
    pub part: Vec<Part>,
    /// What the sections of its chapters are, if they are customarily cited.
    pub sections: Option<Sections>,
}

/// The sections by which a work is customarily cited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Sections {
    /// Each paragraph of the classic: the 章 of the 論語, the stanzas of the 詩.
    Paragraph,
    /// Each year of a duke: 左傳, 公羊傳, 穀梁傳.
    Year,
    /// Each line of a hexagram, with what belongs to it: 周易.
    Line,
}

/// A part of a work, with its chapters.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Title.
    pub title: String,
    /// Other names.
    #[serde(default)]
    pub abbr: Vec<String>,
    /// The number of its first chapter in the work; without it, it follows what stands before it.
    pub at: Option<u32>,
    /// Chapters: canonical title first.
    #[serde(default)]
    pub chapters: Vec<Vec<String>>,
}

impl Work {
    /// The titles of its chapters, by their numbers.
    pub(crate) fn titles_of_chapters(&self) -> Vec<&str> {
        self.in_order().filter_map(|(_, names)| Some(names.first()?.as_str())).collect()
    }

    /// Its chapters in the order of their numbers, each by its names, with the part that it is of.
    pub fn in_order(&self) -> impl Iterator<Item = (Option<&Part>, &[String])> {
        let mut all: Vec<(Option<&Part>, &[String])> =
            self.chapters.iter().map(|names| (None, names.as_slice())).collect();
        let mut parts: Vec<&Part> = self.part.iter().collect();
        parts.sort_by_key(|part| (part.at.is_none(), part.at));
        for part in parts {
            let at = part.at.map_or(all.len(), |n| all.len().min(n.saturating_sub(1) as usize));
            let own = part.chapters.iter().map(|names| (Some(part), names.as_slice()));
            all.splice(at..at, own);
        }
        all.into_iter()
    }
}

/// A work, and the part and chapter of it, by canonical titles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Named {
    /// Canonical title of the work.
    pub work: String,
    /// Part.
    pub part: Option<String>,
    /// Chapter.
    pub chapter: Option<String>,
}

impl Named {
    /// Titles joined by ・: 周禮・考工記・梓人.
    pub fn locus(&self) -> String {
        let mut s = self.work.clone();
        for t in [&self.part, &self.chapter].into_iter().flatten() {
            s.push('・');
            s.push_str(t);
        }
        s
    }
}

/// What a title means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The most likely slot.
    pub named: Named,
    /// Which text of it.
    pub tail: Option<Tail>,
    /// Other slots that the name may mean.
    pub alternatives: Vec<Named>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    work: usize,
    part: Option<usize>,
    chapter: Option<(Option<usize>, usize)>,
    /// May be named without its work.
    bare: bool,
}

impl Slot {
    fn is_work(&self) -> bool {
        self.part.is_none() && self.chapter.is_none()
    }
}

/// The authority file, read. See the [module](self).
///
/// ```
/// use zhushu::corpus::Works;
/// let works = Works::builtin();
/// assert_eq!(works.resolve("大射", None).unwrap().named.locus(), "儀禮・大射儀");
/// assert_eq!(works.resolve("冬官-梓人", None).unwrap().named.locus(), "周禮・考工記・梓人");
/// assert!(works.resolve("燕射", None).is_none());
/// ```
#[derive(Debug)]
pub struct Works {
    works: Vec<Work>,
    names: FxHashMap<String, Vec<Slot>>,
    /// Those that are shown first.
    order: Vec<String>,
    ambiguous: Vec<String>,
    rites: Vec<String>,
    senses: Vec<Sense>,
    commentaries: Vec<Commentary>,
    /// Made when a reference is looked for first: much that is done with a text needs none.
    bare_names: OnceLock<bare::BareNames>,
    scholars: OnceLock<Scholars>,
    /// The TOML that extends the built-in file.
    added: Option<String>,
}

impl Works {
    /// Who wrote a layer of an edition.
    pub(crate) fn commentary(&self, edition: &EditionTitle, layer: Layer) -> Option<&Commentary> {
        self.commentaries.iter().find(|c| c.layer == layer && c.is_in(edition))
    }

    /// True if a scholar is known to have written notes of some layer on a work.
    pub(crate) fn annotates(&self, name: &str, work: &str) -> bool {
        self.commentaries.iter().any(|c| c.by == name && c.of.iter().any(|w| w == work))
    }

    /// The notes that a scholar is known to have written on a work.
    pub(crate) fn commentary_by(&self, name: &str, work: &str) -> Option<&Commentary> {
        let own = |c: &&Commentary| c.layer == Layer::Zhu && c.by == name;
        self.commentaries.iter().filter(own).find(|c| c.of.iter().any(|w| w == work))
    }

    /// What follows the name of a work in the title of an edition (folded): 注疏 in 春秋左傳注疏・隱公.
    /// `None` if the title is not one of the work or of a chapter of it.
    pub(crate) fn edition_words(&self, title: &str, work: &str) -> Option<String> {
        let title_of_work = work.to_string();
        let listed = self.work(work);
        let chapters = listed.into_iter().flat_map(|w| {
            w.chapters.iter().chain(w.part.iter().flat_map(|p| &p.chapters)).flatten()
        });
        let abbr = listed.into_iter().flat_map(|w| &w.abbr);
        let after = |names: &mut dyn Iterator<Item = &String>| {
            let rests = names.filter_map(|name| Some((name.len(), after_name(title, name)?)));
            rests.max_by_key(|(n, _)| *n).map(|(_, rest)| rest)
        };
        after(&mut std::iter::once(&title_of_work).chain(abbr)).or_else(|| after(&mut { chapters }))
    }

    /// The scholar with a name of the list, or one who has only that.
    pub(crate) fn scholar(&self, name: &str) -> Option<&Scholar> {
        self.scholars().named(name)
    }

    /// The authority file that is built in.
    pub fn builtin() -> Arc<Works> {
        Arc::clone(&BUILTIN)
    }

    /// The TOML that this file was [extended](Self::with) by.
    pub fn added(&self) -> Option<&str> {
        self.added.as_deref()
    }

    /// The built-in file extended by another. New works are added at the end. For a work that it
    /// already has, names and chapters are added, and period and identifiers are replaced. A name
    /// that then means several things is ambiguous.
    ///
    /// ```
    /// use zhushu::corpus::Works;
    /// let more = "[[work]]\ntitle = \"儀禮\"\nabbr = [\"曲臺記\"]\n\n[[work]]\ntitle = \"水經注\"\nkey = \"shuijingzhu\"\n";
    /// let works = Works::with(more)?;
    /// assert_eq!(works.resolve("曲臺記-鄉射", None).unwrap().named.locus(), "儀禮・鄉射禮");
    /// assert_eq!(works.work("水經注").unwrap().key, "shuijingzhu");
    /// # Ok::<(), toml::de::Error>(())
    /// ```
    ///
    /// # Errors
    /// The error of the TOML reader.
    pub fn with(toml: &str) -> Result<Self, toml::de::Error> {
        let (mut file, more): (File, File) = (toml::from_str(DATA)?, toml::from_str(toml)?);
        file.ambiguous.extend(more.ambiguous);
        file.rites.extend(more.rites);
        file.order.extend(more.order);
        file.sense.splice(0..0, more.sense);
        file.commentary.splice(0..0, more.commentary);
        for entry in more.work {
            match file.work.iter_mut().find(|w| w.title == entry.title) {
                Some(known) => known.add(entry),
                None => file.work.push(entry),
            }
        }
        let mut works = Self::of(file);
        works.added = Some(toml.to_string());
        let several =
            works.names.iter().filter(|(_, slots)| slots.iter().filter(|s| s.bare).count() > 1);
        let several: Vec<String> = several.map(|(name, _)| name.clone()).collect();
        works.ambiguous.extend(several);
        works.ambiguous.sort();
        works.ambiguous.dedup();
        Ok(works)
    }

    /// Reads an authority file.
    ///
    /// # Errors
    /// The error of the TOML reader.
    pub fn parse(toml: &str) -> Result<Self, toml::de::Error> {
        Ok(Self::of(toml::from_str(toml)?))
    }

    fn of(file: File) -> Self {
        let mut works = Works {
            names: FxHashMap::default(),
            order: file.order,
            ambiguous: file.ambiguous.iter().map(|s| folded(s)).collect(),
            rites: file.rites.iter().map(|s| folded(s)).collect(),
            senses: file.sense.into_iter().map(Sense::folded).collect(),
            commentaries: file.commentary,
            works: file.work.into_iter().map(super::works_file::Entry::work).collect(),
            bare_names: OnceLock::new(),
            scholars: OnceLock::new(),
            added: None,
        };
        for i in 0..works.works.len() {
            works.enter(i);
        }
        works
    }

    /// The place of a work among all, in the order in which they are shown: 周易 first. A work that
    /// the list lacks comes after the others.
    pub fn place(&self, title: &str) -> usize {
        let first = self.order.iter().position(|t| t == title);
        let listed = || self.works.iter().position(|w| w.title == title);
        first.unwrap_or_else(|| self.order.len() + listed().unwrap_or(self.works.len()))
    }

    /// All works.
    pub fn all(&self) -> &[Work] {
        &self.works
    }

    /// The work with this canonical title.
    pub fn work(&self, title: &str) -> Option<&Work> {
        self.works.iter().find(|w| w.title == title)
    }

    /// The canonical title of the work with this name, in either script.
    pub(crate) fn canonical(&self, work: &str) -> Option<&str> {
        let slot = self.names.get(&folded(work))?.iter().find(|s| s.is_work())?;
        Some(&self.works[slot.work].title)
    }

    /// The full name of the commentary of a work that a text calls `name` (注, 箋, 傳).
    pub(crate) fn notes(&self, work: &str, name: Option<char>) -> &str {
        let notes = self.work(work).map_or(&[][..], |w| &w.notes);
        let called = notes.iter().find(|n| name.is_some_and(|c| n.ends_with(c)));
        called.or(notes.first()).map_or("注", String::as_str)
    }

    /// True if, in the commentary on `home`, the name of a rite or a piece of music looks like a
    /// title.
    pub(crate) fn is_rite(&self, name: &str, home: Option<&str>) -> bool {
        let name = folded(name);
        self.rites.contains(&name) || self.sense(&name, home).is_some_and(|s| s.means.is_empty())
    }

    /// Names that are recognised without 《》.
    pub(crate) fn bare_names(&self) -> &bare::BareNames {
        self.bare_names.get_or_init(|| bare::BareNames::of(&self.works))
    }

    /// A scholar whom a person named, with what they wrote on `home`, as references name them.
    pub(crate) fn said_by(&self, name: &str, home: Option<&str>) -> String {
        let chars: Vec<char> = folded(name).chars().collect();
        let known = self.scholars().at(&chars, home, "").filter(|(n, ..)| *n == chars.len());
        match known.and_then(|(.., scholar)| scholar.work(home)) {
            Some(work) => format!("{name}({work})"),
            None => name.to_string(),
        }
    }

    /// Commentators and scholars.
    pub(crate) fn scholars(&self) -> &Scholars {
        self.scholars.get_or_init(Scholars::builtin)
    }

    /// What a folded name means in the commentary on `home`, if it depends on the work.
    fn sense(&self, name: &str, home: Option<&str>) -> Option<&Sense> {
        let fits = |s: &&Sense| {
            s.name == name
                && (s.home.is_empty() || home.is_some_and(|h| s.home.iter().any(|w| w == h)))
        };
        self.senses.iter().find(fits)
    }

    /// Number of a chapter in its work, from 1. A part that stands among chapters has the number of
    /// its first; other parts have numbers after all chapters, for the text before their first.
    pub fn number(&self, named: &Named) -> Option<u32> {
        let work = self.work(&named.work)?;
        let Some(chapter) = named.chapter.as_deref() else {
            let part = work.part.iter().position(|p| Some(&p.title) == named.part.as_ref())?;
            let after = (work.in_order().count() + part + 1) as u32;
            return Some(work.part[part].at.unwrap_or(after));
        };
        let number = work.in_order().position(|(part, names)| {
            names.first().is_some_and(|t| t == chapter)
                && (named.part.is_none() || named.part.as_ref() == part.map(|p| &p.title))
        });
        number.map(|n| n as u32 + 1)
    }

    /// The group of the chapter with a number: 國風・周南.
    pub fn group(&self, work: &str, number: u32) -> Option<&str> {
        let groups = self.work(work)?.groups.iter();
        let of = groups.filter(|(_, first)| *first <= number).max_by_key(|(_, first)| *first)?;
        Some(&of.0)
    }

    /// Enters all names of work `i`.
    fn enter(&mut self, i: usize) {
        let work = self.works[i].clone();
        let top = Slot { work: i, part: None, chapter: None, bare: true };
        for name in std::iter::once(&work.title).chain(&work.abbr) {
            self.add(name, top);
        }
        for (c, names) in work.chapters.iter().enumerate() {
            self.enter_chapter(
                names,
                &work.drop,
                Slot { chapter: Some((None, c)), bare: work.bare, ..top },
            );
        }
        for (p, part) in work.part.iter().enumerate() {
            let slot = Slot { part: Some(p), bare: work.bare, ..top };
            for name in std::iter::once(&part.title).chain(&part.abbr) {
                self.add(name, slot);
            }
            for (c, names) in part.chapters.iter().enumerate() {
                self.enter_chapter(names, &work.drop, Slot { chapter: Some((Some(p), c)), ..slot });
            }
        }
    }

    fn enter_chapter(&mut self, names: &[String], drop: &[String], slot: Slot) {
        for name in names {
            self.add(name, slot);
            for short in drop
                .iter()
                .filter_map(|d| name.strip_suffix(d.as_str()))
                .filter(|s| s.chars().count() > 1)
            {
                self.add(short, slot);
            }
        }
    }

    fn add(&mut self, name: &str, slot: Slot) {
        let slots = self.names.entry(folded(name)).or_default();
        if !slots.contains(&slot) {
            slots.push(slot);
        }
    }
}

pub(super) fn folded(s: &str) -> String {
    s.chars().filter(|c| crate::text::class::is_content(*c)).map(fold).collect()
}

#[cfg(test)]
mod tests;
