//! `zhushu refs`: the references of texts, or those to a passage.

mod list;

use std::path::PathBuf;

use crate::Settings;
use crate::ask::passage;
use crate::corpus::Library;
use crate::corpus::refs::{Catalogue, Wanted};
use crate::diag::Error;
use crate::model::{Layer, LinkKind, Status};
use crate::writers::references::REFERENCE_WRITERS;
use clap::builder::PossibleValuesParser;

use super::build;
use super::common::Common;
use super::texts::{self, Gathered};
use super::{Outcome, output, render, split};

#[derive(clap::Args)]
#[command(after_help = include_str!("../data/refs.txt"))]
pub struct Args {
    /// The text, a corpus folder, or a folder that `build` wrote; - for standard input
    #[arg(value_name = "FILE", default_value = "corpus")]
    file: PathBuf,
    /// Only those that lead to this passage, or are parallel to it
    #[arg(long, value_name = "LOCUS")]
    to_passage: Option<String>,
    /// Only those from this passage
    #[arg(long, value_name = "LOCUS")]
    from_passage: Option<String>,
    /// Only of these kinds
    #[arg(long, value_name = "KIND", num_args = 1.., value_parser = PossibleValuesParser::new(LinkKind::ALL.map(LinkKind::id)))]
    kind: Vec<String>,
    /// Only from these layers, by Chinese or pinyin names (疏, zhu …)
    #[arg(long, value_name = "LAYER", num_args = 1..)]
    layer: Vec<Layer>,
    /// Only with this status
    #[arg(long, value_name = "STATUS", num_args = 1.., value_parser = PossibleValuesParser::new(Status::ALL.map(Status::id)))]
    status: Vec<String>,
    /// Only at least this certain
    #[arg(long, value_name = "P", default_value_t = 0.0, hide_default_value = true, value_parser = split::probability)]
    certainty: f64,
    /// Only to this work or chapter: 周禮, 儀禮・燕禮
    #[arg(long, value_name = "TITLE")]
    work: Option<String>,
    /// Format to write: text, tsv, json, graphml or annotations [default: by the ending of -o, else
    /// text]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    #[command(flatten)]
    common: Common,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let format = format(args)?;
    let wanted = wanted(args, settings)?;
    let encoding = args.common.encoding.clone();
    let mut gathered = Gathered { encoding, ..Gathered::default() };
    let path = texts::built(&args.file);
    match path.is_dir() {
        true => gathered.add(&path, settings)?,
        false => {
            gathered = texts::beside(
                texts::entry(&path, args.common.from.as_deref(), args.common.encoding.as_deref()),
                &[],
                settings,
            )?
        }
    }
    gathered.encoding = None;
    let own = gathered.entries.len();
    for other in &args.common.with {
        gathered.add(&texts::built(other), settings)?;
    }
    gathered.unique_ids();
    let library = match built(args, settings)? {
        Some(library) => library,
        None => texts::link_and_align(gathered.read(settings)?, settings),
    };
    let ids = texts::ids_of(&library, &gathered.entries[..own]);
    let catalogue = Catalogue::of(&library);
    if let Some(locus) = [&wanted.to, &wanted.from]
        .into_iter()
        .flatten()
        .find(|l| catalogue.loci().all(|c| c.find(l).is_empty()))
    {
        return Err(passage::missing_error(locus, &library, &catalogue, &[]).into());
    }
    render::undecided(library.documents.iter().map(|d| &**d));
    let references = catalogue.references(&ids, &wanted);
    let path = args.common.output.as_deref();
    match REFERENCE_WRITERS.iter().find(|w| w.name == format) {
        Some(writer) => output::to(path, |out| (writer.write)(&references, out))?,
        None => output::styled(path, &list::text(&references))?,
    }
    Ok(0)
}

/// The texts as a build left them, if they alone are asked for.
fn built(args: &Args, settings: &Settings) -> Result<Option<Library>, Error> {
    let common = &args.common;
    let alone = common.with.is_empty() && common.from.is_none() && common.encoding.is_none();
    if alone { build::all(&args.file, settings) } else { Ok(None) }
}

fn wanted(args: &Args, settings: &Settings) -> Result<Wanted, Error> {
    let locus = |l: &Option<String>| l.as_deref().map(|w| passage::parse(w, settings)).transpose();
    Ok(Wanted {
        kinds: LinkKind::ALL
            .into_iter()
            .filter(|k| args.kind.iter().any(|a| a == k.id()))
            .collect(),
        layers: args.layer.clone(),
        statuses: Status::ALL
            .into_iter()
            .filter(|s| args.status.iter().any(|a| a == s.id()))
            .collect(),
        certainty: args.certainty,
        work: args.work.clone(),
        from: locus(&args.from_passage)?,
        to: locus(&args.to_passage)?,
    })
}

/// The named format, or the one with the extension of the output, or a list for a person.
fn format(args: &Args) -> Result<&'static str, Error> {
    let ending = output::ending(args.common.output.as_deref());
    let by_ending = || {
        REFERENCE_WRITERS
            .iter()
            .find(|w| ending.as_deref() == Some(w.extension))
            .map_or("text", |w| w.name)
    };
    let Some(name) = &args.to else { return Ok(by_ending()) };
    let names: Vec<_> =
        std::iter::once("text").chain(REFERENCE_WRITERS.iter().map(|w| w.name)).collect();
    names.iter().find(|n| *n == name).copied().ok_or_else(|| {
        Error::request(format!("references cannot be written as “{name}”"))
            .hint(format!("there are: {}", names.join(", ")))
    })
}
