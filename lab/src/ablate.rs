//! What each rule of the references does, over the lists of references read by hand
//! (`tests/gold/links-*.tsv`) and the whole texts that they are of.
//!
//! A rule is left out, the references are read again, and what was right before and is not now (and
//! the other way round) is counted: entries found, predicted links that are real, places, works.
//! `changed` counts the links of the whole texts that are other ones without the rule, `alone`
//! those that are not there at all without it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use zhushu::Settings;
use zhushu::corpus::{Library, TextEntry};
use zhushu::diag::Error;
use zhushu::model::{Document, Link, LinkKind};
use zhushu::passes::{Context, PASSES, Rule};

use crate::lists::{GoldList, Outcome, PredictedLink};

/// A text with the classics beside it, read up to the references, and the lists of it.
struct Prepared {
    library: Library,
    /// How many documents of the library are of the text.
    own: usize,
    lists: Vec<GoldList>,
    /// Whether all chapters are read.
    whole: bool,
}

/// What a reading gives.
struct Reading {
    outcomes: Vec<Outcome>,
    links: Vec<HashSet<String>>,
}

/// What to measure.
#[derive(clap::Args)]
pub struct Args {
    /// The folder with the texts of the lists and the classics beside them
    texts: PathBuf,
    /// Leave out these rules from the start
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    without: Vec<String>,
    /// Print the figures of each list, and measure no rule
    #[arg(long)]
    lists: bool,
    /// Leave out the rules of a file one after another, as long as no sum falls by more than half a
    /// percent; a+b go together
    #[arg(long, value_name = "FILE")]
    drop: Option<PathBuf>,
    /// Read whole texts, and not only the chapters that have lists
    #[arg(long)]
    whole: bool,
    /// Write all links, a line each, to compare two versions of the program
    #[arg(long, value_name = "FILE")]
    links: Option<PathBuf>,
}

/// Prints what each rule does.
///
/// # Errors
/// When a list or a text cannot be read.
pub fn run(args: &Args, _: &Settings) -> Result<(), Error> {
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |e: std::io::Error| Error::input(&path, e.to_string())
    };
    let texts = prepared(args).map_err(failed(&args.texts))?;
    for rule in Rule::ALL {
        rule.leave_out(args.without.iter().any(|w| w == rule.id()));
    }
    let whole = read(&texts);
    let base = Outcome::sum(&whole.outcomes);
    if let Some(path) = &args.links {
        let mut links: Vec<&str> = whole.links.iter().flatten().map(String::as_str).collect();
        links.sort_unstable();
        std::fs::write(path, links.join("\n")).map_err(failed(path))?;
    }
    println!("# {base}");
    if let Some(path) = &args.drop {
        let order = std::fs::read_to_string(path).map_err(failed(path))?;
        drop_in_order(&texts, &base, order.split_whitespace());
    } else if args.lists {
        for (list, outcome) in texts.iter().flat_map(|t| &t.lists).zip(&whole.outcomes) {
            println!("{}\t{outcome}", list.name);
        }
    } else {
        table(args, &texts, &whole);
    }
    Ok(())
}

/// A row for each rule: what is right with it only, and how many links are others without it.
fn table(args: &Args, texts: &[Prepared], whole: &Reading) {
    let base = Outcome::sum(&whole.outcomes);
    println!("# rule\tfound\treal\tplace\tresolved\twork\tentries\tchanged\talone");
    for rule in Rule::ALL.iter().filter(|r| !args.without.iter().any(|w| w == r.id())) {
        rule.leave_out(true);
        let now = read(texts);
        rule.leave_out(false);
        let sum = Outcome::sum(&now.outcomes);
        let outcomes = whole.outcomes.iter().zip(&now.outcomes);
        let entries: usize = outcomes.map(|(a, b)| a.differing(b)).sum();
        let (mut changed, mut alone) = (0, 0);
        for (before, after) in whole.links.iter().zip(&now.links) {
            changed += before.difference(after).count().max(after.difference(before).count());
            let span = |l: &String| l.split('>').next().unwrap_or_default().to_string();
            let spans: HashSet<String> = after.iter().map(span).collect();
            alone += before.iter().filter(|l| !spans.contains(&span(l))).count();
        }
        println!("{}\t{}\t{entries}\t{changed}\t{alone}", rule.id(), base.gain_over(&sum));
    }
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

fn prepared(args: &Args) -> std::io::Result<Vec<Prepared>> {
    let shared = &args.texts;
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
        Prepared { library, own, lists: of_text, whole: args.whole }
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
    let documents: Vec<Document> = text.library.documents[..text.own]
        .par_iter()
        .filter(|d| {
            let from = d.source.file_char_of(0);
            let to = d.source.file_char_of(d.source.text().len());
            text.whole || text.lists.iter().any(|l| l.covers(from..to))
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
