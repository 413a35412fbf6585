//! The collations of a site: for each chapter that several texts have, a page for each of them as
//! base, with links to the others. A reader chooses the base by going to its page.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use rustc_hash::FxHashSet;

use super::collation::{bar, body};
use super::frame::{NamedPage, Title, named_frame};
use crate::collation::{CollatedLayers, CollatedWitness, Collation, indirect, sigla};
use crate::corpus::Library;
use crate::language::escape;
use crate::markup::Markup;
use crate::model::{Document, Layer, Role};
use crate::text::Key;
use crate::writers::collation::CollatedChapter;
use crate::writers::html::Frame;
use crate::writers::html::addresses::file_of;

/// Runs of the shorter text that are looked for in the longer, their characters, and the share of
/// them that two witnesses of one text must have in common.
const SAMPLES: usize = 80;
const SAMPLE_CHARS: usize = 5;
const MIN_SHARE: f64 = 0.3;

/// The texts of each chapter that has several witnesses, the longest first, by their numbers in the
/// library. A text that shares too little with the longest is not among them.
pub fn chapters(library: &Library) -> Vec<Vec<usize>> {
    let mut of_chapter: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (n, document) in library.documents.iter().enumerate() {
        let meta = &document.meta;
        if let (Role::Witness, Some(work), Some(chapter)) = (meta.role, &meta.work, &meta.chapter) {
            of_chapter.entry((work, chapter)).or_default().push(n);
        }
    }
    let several = of_chapter.into_values().filter(|texts| texts.len() > 1);
    several.map(|texts| related(&texts, library)).filter(|texts| texts.len() > 1).collect()
}

/// The ids of all texts that are in such a chapter.
pub(super) fn ids(library: &Library) -> BTreeSet<&str> {
    chapters(library).into_iter().flatten().map(|n| library.documents[n].id.as_str()).collect()
}

/// The page of a collation with a text as base.
pub(super) fn page_of(id: &str) -> String {
    format!("index.collated.{}", file_of(id))
}

/// The longest of some texts and those that share enough with it.
fn related(texts: &[usize], library: &Library) -> Vec<usize> {
    let classic = |n: &usize| -> Vec<char> {
        let document = &library.documents[*n];
        let spans = document.of_layer(Layer::Jing).map(|s| s.span);
        Key::of_spans(document.source.text(), spans).chars
    };
    let mut keys: Vec<(usize, Vec<char>)> = texts.iter().map(|n| (*n, classic(n))).collect();
    keys.sort_by_key(|(n, key)| (std::cmp::Reverse(key.len()), *n));
    let (longest, others) = match &keys[..] {
        [(_, longest), others @ ..] if longest.len() >= SAMPLE_CHARS => (longest, others),
        _ => return vec![],
    };
    // The samples are few, so it is they that are gathered.
    let sampled: FxHashSet<&[char]> = others.iter().flat_map(|(_, key)| samples(key)).collect();
    let runs = longest.windows(SAMPLE_CHARS).filter(|run| sampled.contains(run));
    let runs: FxHashSet<&[char]> = runs.collect();
    let shares = |key: &[char]| {
        let found = samples(key).filter(|s| runs.contains(s)).count();
        found > 0 && found as f64 >= MIN_SHARE * samples(key).count() as f64
    };
    let related = others.iter().filter(|(_, key)| shares(key)).map(|(n, _)| *n);
    std::iter::once(keys[0].0).chain(related).collect()
}

/// Runs of a text.
fn samples(key: &[char]) -> impl Iterator<Item = &[char]> {
    key.windows(SAMPLE_CHARS).step_by((key.len() / SAMPLES).max(1))
}

/// Writes the pages of a chapter.
///
/// # Errors
/// When `take` fails.
pub(super) fn write(
    chapter: &[usize],
    library: &Library,
    title: Title<'_>,
    take: &mut dyn FnMut(&str, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let documents: Vec<&Document> = chapter.iter().map(|n| &*library.documents[*n]).collect();
    let sigla = sigla(documents.iter().copied().zip(0..));
    let layers = CollatedLayers::of([Layer::Jing]);
    let witnesses = documents.iter().zip(&sigla);
    let witnesses = witnesses.map(|(d, siglum)| CollatedWitness::of(d, siglum.clone(), &layers));
    let mut collation = Collation::of(witnesses.collect(), 0);
    let name = documents[0].meta.locus().unwrap_or_else(|| documents[0].meta.title.clone());
    for base in 0..documents.len() {
        collation.rebase(base);
        let reported = indirect(&collation);
        let chapter = CollatedChapter { title: name.clone(), collation, reported };
        let mut page = Vec::new();
        let file = page_of(&documents[base].id);
        let full = format!("{} · {{collation}} · {}", escape(&name), escape(&sigla[base]));
        let with_language = (title, library.language);
        named_frame(
            NamedPage { file: &file, full },
            with_language,
            &mut page,
            |h| bar(h, Frame::Site),
            |h| {
                h.open("h2").words(&name).close().line();
                bases(h, &documents, &sigla, base);
                body(h, &chapter);
            },
        )?;
        take(&file, &page)?;
        collation = chapter.collation;
    }
    Ok(())
}

/// The choice of the base, and a link to its text.
fn bases(h: &mut Markup<'_>, documents: &[&Document], sigla: &[String], base: usize) {
    h.open("nav")
        .attr("class", "general")
        .in_own_language()
        .attr_said("aria-label", "{base-text}")
        .open("ul");
    for (n, document) in documents.iter().enumerate() {
        h.open("li").open("a").attr("href", page_of(&document.id));
        h.maybe("aria-current", (n == base).then_some("page"));
        h.said("span", "{base-text-colon}").words(&sigla[n]).close().close();
    }
    h.close().close().line();
    h.open("p").attr("class", "about").open("a").attr("href", file_of(&documents[base].id));
    h.words(&documents[base].meta.title).close().close().line();
}
