//! The flow in parts, each text beside all others: the links are those of the whole flow.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use zhushu::Settings;
use zhushu::corpus::Library;
use zhushu::corpus::figures::{CorpusFigures, MAX_SEED_PLACES, TextFigures};
use zhushu::model::{Document, LinkKind};
use zhushu::pipeline::FlowPart;

use crate::support::corpus::{library, texts};

type FoundLink = (String, LinkKind, usize, usize, Option<(String, usize, usize)>);

fn links<'a>(documents: impl IntoIterator<Item = &'a Document>) -> BTreeSet<FoundLink> {
    let mut found = BTreeSet::new();
    for d in documents {
        for l in &d.links {
            let to = l.target.as_ref().map(|t| {
                (t.doc.as_deref().unwrap_or(&d.id).to_string(), t.span.start(), t.span.end())
            });
            found.insert((d.id.clone(), l.kind, l.span.start(), l.span.end(), to));
        }
    }
    found
}

fn owned(library: &Library) -> Vec<Document> {
    library.documents.iter().map(|d| (**d).clone()).collect()
}

/// What Spark adds up.
fn figures(documents: &[Document], copies: f64) -> CorpusFigures {
    let (mut chars, mut grams, mut seeds) = (0, BTreeMap::new(), BTreeMap::new());
    for text in documents.iter().map(TextFigures::of) {
        chars += text.chars;
        text.grams.iter().for_each(|(gram, n)| *grams.entry(*gram).or_insert(0) += n);
        text.seeds.iter().for_each(|(seed, _)| *seeds.entry(*seed).or_insert(0) += 1);
    }
    let formulas = seeds.iter().filter(|(_, n)| **n > MAX_SEED_PLACES).map(|(seed, _)| *seed);
    let least = CorpusFigures::least_count(copies);
    // A gram of one character is always kept.
    let kept = grams.into_iter().filter(|(gram, n)| *gram < 1 << 21 || *n > least);
    CorpusFigures::new(chars, copies, kept.collect(), formulas.collect())
}

/// Runs a part for each document alone, beside the others.
fn one_by_one(part: FlowPart, before: &[Document], figures: &Arc<CorpusFigures>) -> Vec<Document> {
    let settings = Settings::default();
    let run = |n: usize| {
        let mut beside = before.to_vec();
        let own = beside.remove(n);
        let library = settings.run_part(part, vec![own], beside, Some(figures));
        owned(&library).remove(0)
    };
    (0..before.len()).map(run).collect()
}

#[test]
fn parts_of_the_corpus_have_the_links_of_the_whole() {
    let whole = links(library().documents.iter().map(|d| &**d));
    let split = Settings::default().run_part(FlowPart::Layers, texts(), vec![], None);
    let split = owned(&split);
    let chapters: BTreeSet<_> = split.iter().map(|d| (&d.meta.work, &d.meta.chapter)).collect();
    let figures = Arc::new(figures(&split, split.len() as f64 / chapters.len() as f64));
    let referring = one_by_one(FlowPart::References, &split, &figures);
    let linked = one_by_one(FlowPart::Parallels, &referring, &figures);
    let parts = links(&linked);
    assert!(whole.iter().any(|l| l.1 == LinkKind::Parallel), "there are parallels to be found");
    let only: Vec<_> = whole.symmetric_difference(&parts).collect();
    // Of places with the same words, the first of the library is chosen; alone, an own text is first.
    assert!(only.len() * 100 <= whole.len(), "{} of {}: {only:#?}", only.len(), whole.len());
}

#[test]
fn parallels_found_by_pairs_are_those_of_the_whole() {
    let settings = Settings::default();
    let split = owned(&settings.run_part(FlowPart::Layers, texts(), vec![], None));
    let referring = owned(&settings.run_part(FlowPart::References, split, vec![], None));
    let figures = Arc::new(figures(&referring, 1.0));
    let whole = settings.run_part(FlowPart::Parallels, referring.clone(), vec![], Some(&figures));
    let numbers: Vec<usize> = (0..referring.len()).collect();
    let all = numbers.iter().flat_map(|a| (a + 1..referring.len()).map(|b| (*a, b)));
    let (even, odd): (Vec<_>, Vec<_>) = all.partition(|(a, b)| (a + b) % 2 == 0);
    let mut found = vec![vec![]; referring.len()];
    for pairs in [odd, even] {
        let part = settings.parallels_of_pairs(referring.clone(), &numbers, &pairs, Some(&figures));
        found.iter_mut().zip(part).for_each(|(all, part)| all.extend(part));
    }
    let of_pairs = settings.with_parallels(referring, found, vec![]);
    let all_links =
        |library: &Library| owned(library).into_iter().map(|d| d.links).collect::<Vec<_>>();
    assert_eq!(all_links(&of_pairs), all_links(&whole));
    assert!(links(whole.documents.iter().map(|d| &**d)).iter().any(|l| l.1 == LinkKind::Parallel));
}

#[test]
fn what_a_text_names_is_known_without_the_others() {
    let settings = Settings::default();
    let split = owned(&settings.run_part(FlowPart::Layers, texts(), vec![], None));
    let named: BTreeSet<_> = split.iter().flat_map(|d| settings.works_named_by(d)).collect();
    let library = settings.run_part(FlowPart::References, split, vec![], None);
    let cited = library.documents.iter().flat_map(|d| d.links.clone()).filter(|l| {
        l.kind == LinkKind::Citation && l.target.as_ref().is_some_and(|t| t.doc.is_some())
    });
    let works: Vec<_> = cited.filter_map(|l| l.work).collect();
    assert!(!works.is_empty());
    for work in works {
        let work = work.split('・').next().unwrap_or_default();
        assert!(named.iter().any(|(named, _)| named == work), "{work}");
    }
}

#[test]
fn without_the_figures_of_the_corpus_a_part_finds_other_parallels() {
    let split = owned(&Settings::default().run_part(FlowPart::Layers, texts(), vec![], None));
    let own = |figures: Option<&Arc<CorpusFigures>>| {
        let parts = vec![split[0].clone()];
        let library =
            Settings::default().run_part(FlowPart::Parallels, parts, split[1..].to_vec(), figures);
        links(library.documents.iter().map(|d| &**d))
    };
    // As a part of a corpus a thousand times as large, fewer words are too rare for chance.
    let of_all = figures(&split, 1.0);
    let larger = {
        let mut grams = BTreeMap::new();
        for text in split.iter().map(TextFigures::of) {
            text.grams.iter().for_each(|(gram, n)| *grams.entry(*gram).or_insert(0) += n * 1000);
        }
        CorpusFigures::new(40_000_000, 1.0, grams.into_iter().collect(), vec![])
    };
    let formulas = {
        let all = split.iter().map(TextFigures::of).flat_map(|t| t.seeds).map(|s| s.0).collect();
        CorpusFigures::new(40_000, 1.0, vec![], all)
    };
    assert!(!own(Some(&Arc::new(of_all))).is_empty());
    assert!(own(Some(&Arc::new(larger))).len() < own(None).len());
    assert_eq!(own(Some(&Arc::new(formulas))), BTreeSet::new(), "formulas are no seeds");
}
