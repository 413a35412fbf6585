//! What each rule of the references does, over the lists of references read by hand
//! (`tests/gold/links-*.tsv`) and the whole texts that they are of.
//!
//! A rule is left out, the references are read again, and what was right before and is not now (and
//! the other way round) is counted: entries found, predicted links that are real, places, works.
//! `changed` counts the links of the whole texts that are other ones without the rule, `alone` those
//! that are not there at all without it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use zhushu::Settings;
use zhushu::corpus::{Library, TextEntry};
use zhushu::model::{Document, Link, LinkKind};
use zhushu::passes::{Context, PASSES, Rule};

use crate::lists::{GoldList, Outcome, PredictedLink};

/// A text with the classics beside it, read up to the references, and the lists of it.
struct Prepared {
    library: Library,
    /// How many documents of the library are of the text.
    own: usize,
    lists: Vec<GoldList>,
}

/// What a reading gives.
struct Reading {
    outcomes: Vec<Outcome>,
    links: Vec<HashSet<String>>,
}

/// Measures each rule, or leaves out those that are named and prints the sums and each list.
///
/// # Errors
/// When a list or a text cannot be read.
pub fn run(
    shared: &Path,
    without: &[String],
    shards: Option<(usize, usize)>,
) -> std::io::Result<()> {
    let texts = prepared(shared)?;
    for rule in Rule::ALL {
        rule.leave_out(without.iter().any(|w| w == rule.id()));
    }
    let whole = read(&texts);
    if let Some(path) = std::env::var_os("DUMP") {
        let mut links: Vec<String> = whole.links.iter().flatten().cloned().collect();
        links.sort();
        std::fs::write(path, links.join("\n"))?;
    }
    let base = Outcome::sum(&whole.outcomes);
    eprintln!("{base}");
    if std::env::var_os("LISTS").is_some() {
        for (list, outcome) in texts.iter().flat_map(|t| &t.lists).zip(&whole.outcomes) {
            println!("{}\t{outcome}", list.name);
        }
        return Ok(());
    }
    if let Some(order) = std::env::var_os("DROP") {
        let order = std::fs::read_to_string(order)?;
        drop_in_order(&texts, &base, order.split_whitespace());
        return Ok(());
    }
    println!("# rule\tfound\treal\tplace\tresolved\twork\tentries\tchanged\talone");
    for (n, rule) in Rule::ALL.iter().enumerate() {
        if shards.is_some_and(|(k, of)| n % of != k) || without.iter().any(|w| w == rule.id()) {
            continue;
        }
        rule.leave_out(true);
        let now = read(&texts);
        rule.leave_out(false);
        let sum = Outcome::sum(&now.outcomes);
        let entries: usize =
            whole.outcomes.iter().zip(&now.outcomes).map(|(a, b)| a.differing(b)).sum();
        let (mut changed, mut alone) = (0, 0);
        for (before, after) in whole.links.iter().zip(&now.links) {
            changed += before.difference(after).count().max(after.difference(before).count());
            let spans: HashSet<&str> = after.iter().filter_map(|l| l.split('>').next()).collect();
            alone += before
                .iter()
                .filter(|l| !spans.contains(l.split('>').next().unwrap_or("")))
                .count();
        }
        println!("{}\t{}\t{entries}\t{changed}\t{alone}", rule.id(), base.gain_over(&sum));
    }
    Ok(())
}

/// Leaves rules out one after another, as long as no sum falls by more than half a percent.
fn drop_in_order<'a>(texts: &[Prepared], base: &Outcome, order: impl Iterator<Item = &'a str>) {
    let mut last = base.clone();
    for id in order {
        // Several may go together: a+b.
        let named = |r: &&Rule| id.split('+').any(|one| one == r.id());
        let rules: Vec<&Rule> = Rule::ALL.iter().filter(named).collect();
        rules.iter().for_each(|r| r.leave_out(true));
        let sum = Outcome::sum(&read(texts).outcomes);
        let holds = base.is_held_by(&sum);
        println!(
            "{id}\t{}\t{}\t{sum}",
            if holds { "out" } else { "kept" },
            last.gain_over(&sum).replace('\t', " ")
        );
        if holds {
            last = sum;
        } else {
            rules.iter().for_each(|r| r.leave_out(false));
        }
    }
}

fn prepared(shared: &Path) -> std::io::Result<Vec<Prepared>> {
    let mut lists = GoldList::all(Path::new("tests/gold"))?;
    let seed = |n: &str| -> std::io::Result<String> {
        let seeds = std::fs::read_dir(shared.join("seeds"))?;
        let mut names = seeds.filter_map(|e| e.ok()?.file_name().into_string().ok());
        Ok(format!("seeds/{}", names.find(|f| f.starts_with(n)).unwrap_or_default()))
    };
    let others = [
        ("000", seed("000")?),
        ("004", seed("004")?),
        ("lunyu_01", "samples/other/lunyu_01.txt".into()),
    ];
    for (name, text) in &others {
        let json = std::fs::read_to_string(shared.join(format!("gold/links_{name}.json")))?;
        lists.push(GoldList::json(name, text, &json));
    }
    let mut names: Vec<String> = lists.iter().map(|l| l.text.clone()).collect();
    names.sort();
    names.dedup();
    let mut canon: Vec<PathBuf> = std::fs::read_dir(shared.join("canon"))?
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "txt"))
        .collect();
    canon.sort();
    let mut seeds: Vec<PathBuf> =
        std::fs::read_dir(shared.join("seeds"))?.filter_map(|e| Some(e.ok()?.path())).collect();
    seeds.sort();
    let prepare = |name: String| {
        let first = shared.join(&name);
        let beside = if name.starts_with("seeds/") { &seeds } else { &canon };
        let beside: Vec<PathBuf> = beside.iter().filter(|p| **p != first).cloned().collect();
        let paths = std::iter::once(first).chain(beside);
        let entry = |path: PathBuf| zhushu::load::entry(&TextEntry::file(&path)).expect("it reads");
        let documents: Vec<Document> = paths.map(entry).collect();
        let path = documents[0].source.name().to_string();
        let mut settings = Settings::default();
        settings.references = false;
        let library = settings.run(documents);
        let own = library.documents.iter().filter(|d| d.source.name() == path).count();
        let (of_text, others) = lists.drain(..).partition(|l| l.text == name);
        lists = others;
        Prepared { library, own, lists: of_text }
    };
    let prepared = names.into_iter().map(prepare).collect();
    Ok(prepared)
}

fn read(texts: &[Prepared]) -> Reading {
    let read: Vec<(Vec<Outcome>, HashSet<String>)> = texts.par_iter().map(read_text).collect();
    let (mut outcomes, mut links) = (vec![], vec![]);
    for (some, all) in read {
        outcomes.extend(some);
        links.push(all);
    }
    Reading { outcomes, links }
}

fn read_text(text: &Prepared) -> (Vec<Outcome>, HashSet<String>) {
    let context = Context::new(&text.library);
    let passes = ["lemmata", "references"];
    let passes: Vec<_> =
        passes.iter().filter_map(|name| PASSES.iter().find(|p| p.name == *name)).collect();
    context.index();
    let whole = std::env::var_os("WHOLE").is_some();
    let documents: Vec<Document> = text.library.documents[..text.own]
        .par_iter()
        .filter(|d| {
            let from = d.source.file_char_of(0);
            let to = d.source.file_char_of(d.source.text().len());
            whole || text.lists.iter().any(|l| l.covers(from..to))
        })
        .map(|document| {
            let mut document = Document::clone(document);
            for pass in &passes {
                (pass.run)(&mut document, &context);
            }
            document
        })
        .collect();
    let predicted: Vec<PredictedLink> = documents
        .iter()
        .flat_map(|d| d.links.iter().filter(|l| l.kind != LinkKind::Lemma).map(move |l| (d, l)))
        .map(|(d, l)| predicted(d, l, &text.library.documents))
        .collect();
    let outcomes = text.lists.iter().map(|list| list.score(&predicted)).collect();
    (outcomes, predicted.iter().map(ToString::to_string).collect())
}

fn predicted(document: &Document, link: &Link, all: &[Arc<Document>]) -> PredictedLink {
    let chars = |d: &Document, span: zhushu::source::Span| {
        (d.source.file_char_of(span.start()), d.source.file_char_of(span.end()))
    };
    let target = link.target.as_ref().map(|t| {
        let other = t.doc.as_ref().and_then(|id| all.iter().find(|d| d.id == id.as_str()));
        let there = other.map_or(document, |d| &**d);
        let path = there.source.name();
        let name = path.rsplit('/').next().unwrap_or_default().to_string();
        (name, chars(there, t.span))
    });
    PredictedLink {
        at: chars(document, link.span),
        quoted: link.quoted.map(|q| chars(document, q)),
        kind: link.kind.id(),
        work: link.work.as_ref().map(ToString::to_string),
        target,
    }
}
