//! Which texts are collated with each other, under which sigla, and with which base.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::collation::{CollatedLayers, CollatedWitness, Collation, indirect, sigla};
use crate::corpus::Library;
use crate::corpus::loci::text_of;
use crate::diag::Error;
use crate::model::{Document, Role};
use crate::text::fold::fold;
use crate::writers::collation::CollatedChapter;

use super::super::render;
use super::shown;

/// Least share of the shorter text that must be in the base; with less they are not witnesses of
/// one text. The numbering of sentences has the same limit.
const MIN_SHARED: f64 = 0.3;

/// The texts of a command line, with the argument that named each.
pub struct NamedTexts {
    pub library: Library,
    /// The file of each text, and the number of its argument.
    pub paths: Vec<(PathBuf, usize)>,
    pub arguments: Vec<PathBuf>,
}

/// What the user wants of them.
pub struct ChapterChoice<'a> {
    pub layers: &'a CollatedLayers,
    pub chapter: Option<&'a str>,
    pub base: Option<&'a str>,
    /// Whether readings that the witnesses report are wanted.
    pub indirect: bool,
}

/// A text and the number of its argument.
type NamedText<'a> = (&'a Document, usize);

/// The collations of all chapters that there are several witnesses of.
///
/// # Errors
/// When nothing can be collated.
pub fn collated<'a>(
    named: &'a NamedTexts,
    choice: &ChapterChoice<'_>,
) -> Result<Vec<CollatedChapter<'a>>, Error> {
    let texts = named.texts();
    let groups = groups(&texts, named.arguments.len(), choice)?;
    let letters = letters(&groups);
    let mut chapters = Vec::new();
    for group in &groups {
        let number = |text: &NamedText<'_>| match named.arguments.len() {
            1 => letters[&letter_of(text.0)],
            _ => text.1,
        };
        let sigla = sigla(group.iter().map(|text| (text.0, number(text))));
        chapters.extend(collation(group, sigla, named, choice)?);
    }
    match chapters.is_empty() {
        true => Err(Error::request("the texts share too little to be witnesses of one text")
            .hint("check --layer, or name the chapter of a book with --chapter")),
        false => Ok(chapters),
    }
}

impl NamedTexts {
    fn texts(&self) -> Vec<NamedText<'_>> {
        let witnesses = self.library.documents.iter().filter(|d| d.meta.role == Role::Witness);
        let argument = |d: &Document| self.paths.iter().find(|(p, _)| p == d.source.path());
        witnesses.map(|d| (&**d, argument(d).map_or(0, |(_, n)| *n))).collect()
    }
}

/// The texts that belong together: if each argument is one text, all of them; else texts of the
/// same work and chapter.
fn groups<'a>(
    texts: &[NamedText<'a>],
    arguments: usize,
    choice: &ChapterChoice<'_>,
) -> Result<Vec<Vec<NamedText<'a>>>, Error> {
    let single = (0..arguments).all(|n| texts.iter().filter(|t| t.1 == n).count() == 1);
    if single && arguments > 1 && choice.chapter.is_none() {
        return Ok(vec![texts.to_vec()]);
    }
    let mut groups: Vec<Vec<NamedText<'_>>> = Vec::new();
    for text in texts.iter().filter(|(d, _)| is_wanted(d, choice.chapter)) {
        let key = |d: &Document| Some((d.meta.work.clone()?, d.meta.chapter.clone()?));
        let Some(own) = key(text.0) else { continue };
        match groups.iter_mut().find(|g| key(g[0].0).as_ref() == Some(&own)) {
            Some(group) => group.push(*text),
            None => groups.push(vec![*text]),
        }
    }
    let from = |g: &Vec<NamedText<'_>>| g.iter().map(|t| t.1).collect::<BTreeSet<_>>().len();
    groups.retain(|g| g.len() > 1 && from(g) > usize::from(arguments > 1));
    match (groups.is_empty(), choice.chapter) {
        (false, _) => Ok(groups),
        (true, Some(wanted)) => {
            Err(Error::request(format!("there are no two witnesses of a chapter “{wanted}”"))
                .hint(list_of(texts)))
        }
        (true, None) if texts.len() < 2 => {
            Err(Error::request("a collation needs two witnesses, and there is only one text")
                .hint("name another text, or a folder with several"))
        }
        (true, None) => Err(Error::request("no two texts are of the same work and chapter")
            .hint("a manifest can state them (work, chapter); two single texts need neither")),
    }
}

/// True if a text is of the chapter that is asked for, if any.
fn is_wanted(document: &Document, wanted: Option<&str>) -> bool {
    wanted.is_none_or(|wanted| is_of_chapter(document, wanted))
}

/// True if a text is of the chapter with this title, number or locus.
pub fn is_of_chapter(document: &Document, wanted: &str) -> bool {
    let folded = |words: &str| words.chars().map(fold).collect::<String>();
    let meta = &document.meta;
    document.id == wanted
        || meta.number.is_some() && meta.number == wanted.parse().ok()
        || meta.chapter.as_deref().is_some_and(|c| folded(c) == folded(wanted))
        || text_of(document).to_string() == wanted
}

fn list_of(texts: &[NamedText<'_>]) -> String {
    let names: BTreeSet<&str> =
        texts.iter().filter_map(|(d, _)| d.meta.chapter.as_deref()).collect();
    match names.is_empty() {
        true => "no text says which chapter it is".into(),
        false => format!("there are: {}", names.into_iter().collect::<Vec<_>>().join("、")),
    }
}

/// The collation of one group; none if its texts share too little.
fn collation<'a>(
    group: &[NamedText<'a>],
    sigla: Vec<String>,
    named: &NamedTexts,
    choice: &ChapterChoice<'_>,
) -> Result<Option<CollatedChapter<'a>>, Error> {
    let mut witnesses: Vec<CollatedWitness<'_>> = Vec::new();
    for ((document, _), siglum) in group.iter().zip(sigla) {
        let witness = CollatedWitness::of(document, siglum, choice.layers);
        match witness.chars().is_empty() {
            true if group.len() == 2 => return Err(nothing(document, choice)),
            true => {}
            false => witnesses.push(witness),
        }
    }
    if witnesses.len() < 2 {
        return Ok(None);
    }
    let base = base(&witnesses, group, named, choice)?;
    let mut collation = Collation::of(witnesses, base);
    let unrelated = unrelated(&collation);
    if !unrelated.is_empty() {
        let all = collation.witnesses.len();
        for n in &unrelated {
            let path = shown(collation.witnesses[*n].document.source.path());
            // If standard error is closed, the message cannot be shown.
            _ = render::note(&format!("{path} shares too little with the base and is left out"));
        }
        if all - unrelated.len() < 2 {
            return Ok(None);
        }
        let before = unrelated.iter().filter(|n| **n < base).count();
        let mut n = 0;
        collation.witnesses.retain(|_| {
            n += 1;
            !unrelated.contains(&(n - 1))
        });
        collation = Collation::of(collation.witnesses, base - before);
    }
    let document = collation.witnesses[collation.base].document;
    let title = document.meta.locus().unwrap_or_else(|| document.meta.title.clone());
    let reported = if choice.indirect { indirect(&collation) } else { vec![] };
    Ok(Some(CollatedChapter { title, collation, reported }))
}

fn nothing(document: &Document, choice: &ChapterChoice<'_>) -> Error {
    let names: Vec<&str> = choice.layers.layers().iter().map(|l| l.zh()).collect();
    let message = format!("the text has nothing in the layer {}", names.join("、"));
    Error::input(document.source.path(), message).hint("--layer names another")
}

/// The witnesses that share too little with the base.
fn unrelated(collation: &Collation<'_>) -> Vec<usize> {
    let length = |n: usize| collation.witnesses[n].chars().len();
    let share = |n: usize| {
        let own = collation.moved.iter().filter(|m| m.witness == n);
        let moved: usize =
            own.map(|m| collation.witnesses[n].shown(m.own.clone()).chars().count()).sum();
        (collation.matched[n] + moved) as f64
    };
    let few = |n: &usize| share(*n) < MIN_SHARED * length(*n).min(length(collation.base)) as f64;
    (0..collation.witnesses.len()).filter(few).collect()
}

/// Whose letter it is: a work and a file.
type LetterOf<'a> = (Option<&'a str>, &'a Path);

fn letter_of(document: &Document) -> LetterOf<'_> {
    (document.meta.work.as_deref(), document.source.path())
}

/// The numbers of the letters of texts in one folder. A file with several chapters of a work has
/// the same letter in all of them; files of one chapter have, in their order, those that no such
/// file has. No letter is that of two works.
fn letters<'a>(groups: &[Vec<NamedText<'a>>]) -> FxHashMap<LetterOf<'a>, usize> {
    let mut chapters: FxHashMap<LetterOf<'_>, usize> = FxHashMap::default();
    for text in groups.iter().flatten() {
        *chapters.entry(letter_of(text.0)).or_default() += 1;
    }
    let mut numbers: FxHashMap<LetterOf<'_>, usize> = FxHashMap::default();
    // Of each work the numbers of files of one chapter.
    let mut shared: FxHashMap<Option<&str>, Vec<usize>> = FxHashMap::default();
    let mut next = 0;
    for group in groups {
        let mut used = 0;
        for text in group {
            let own = letter_of(text.0);
            let of_work = shared.entry(own.0).or_default();
            let free = of_work.get(used).copied().filter(|_| chapters[&own] == 1);
            let number = *numbers.entry(own).or_insert_with(|| free.unwrap_or(next));
            if chapters[&own] == 1 {
                used += 1;
                of_work.extend((number == next).then_some(number));
            }
            next += usize::from(number == next);
        }
    }
    numbers
}

/// True for a document that a person calls by its id, that of its book, its file or its path.
pub fn is_called(document: &Document, name: &str) -> bool {
    let chapter = document.id.strip_prefix(name).and_then(|rest| rest.strip_prefix('-'));
    document.id == name
        || chapter.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        || document.source.path().ends_with(name)
        || document.source.name() == name
}

/// The number of the base among the witnesses.
fn base(
    witnesses: &[CollatedWitness<'_>],
    group: &[NamedText<'_>],
    named: &NamedTexts,
    choice: &ChapterChoice<'_>,
) -> Result<usize, Error> {
    let arguments = named.arguments.len();
    let Some(wanted) = choice.base else {
        let longest = (0..witnesses.len()).rev().max_by_key(|n| witnesses[*n].chars().len());
        return Ok(if arguments > 1 { 0 } else { longest.unwrap_or(0) });
    };
    let number: Option<usize> = wanted.parse().ok();
    let is_numbered = |w: &CollatedWitness<'_>| {
        let position = group.iter().position(|(d, _)| std::ptr::eq(*d, w.document));
        let argument = position.map(|n| if arguments > 1 { group[n].1 } else { n } + 1);
        w.siglum == wanted || number.is_some() && argument == number
    };
    let is_named = |w: &CollatedWitness<'_>| is_called(w.document, wanted);
    if let Some(n) = witnesses.iter().position(is_numbered) {
        return Ok(n);
    }
    let mut named = (0..witnesses.len()).filter(|n| is_named(&witnesses[*n]));
    let all = || {
        let all = witnesses.iter().map(|w| {
            let path = shown(w.document.source.path());
            format!("{} ({path})", w.siglum)
        });
        format!("there are: {}", all.collect::<Vec<_>>().join(", "))
    };
    match (named.next(), named.next()) {
        (Some(n), None) => Ok(n),
        (Some(_), Some(_)) => {
            let message = format!("several witnesses are called “{wanted}”");
            Err(Error::request(message).hint(all()))
        }
        (None, _) => {
            let message = format!("no witness is called “{wanted}”");
            Err(Error::request(message).hint(all()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn two_works_have_no_letter_in_common() {
        let document = |work: &str, path: &str| {
            let mut d = Document::new(std::sync::Arc::new(Source::from_text(path, "學")), "plain");
            d.meta.work = Some(work.into());
            d
        };
        let chapters = [
            [document("孟子", "a/孟子.txt"), document("孟子", "b/孟子.txt")],
            [document("孟子", "a/孟子.txt"), document("孟子", "c/孟子.txt")],
            [document("論語", "a/論語-1.txt"), document("論語", "b/論語-1.txt")],
            [document("論語", "a/論語-2.txt"), document("論語", "b/論語-2.txt")],
        ];
        let groups: Vec<Vec<NamedText<'_>>> =
            chapters.iter().map(|texts| texts.iter().map(|d| (d, 0)).collect()).collect();
        let letters = letters(&groups);
        let of = |group: &Vec<NamedText<'_>>| {
            group.iter().map(|text| letters[&letter_of(text.0)]).collect::<Vec<_>>()
        };
        let found: Vec<_> = groups.iter().map(of).collect();
        assert_eq!(found, [[0, 1], [0, 1], [2, 3], [2, 3]]);
    }
}
