//! `zhushu gloss`: what notes say of a word.

mod list;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;

use super::build;
use super::texts::{self, Gathered};
use super::{Outcome, output, render};
use crate::Settings;
use crate::cli::common::As;
use crate::corpus::Library;
use crate::corpus::refs::Catalogue;
use crate::diag::Error;
use crate::model::Layer;
use crate::reading::glosses::{self, Dictionary, GlossKind, GlossWanted, OwnEntry};
use crate::text::class::is_content;
use crate::writers;

#[derive(clap::Args)]
#[command(after_help = include_str!("../data/gloss.txt"))]
pub struct Args {
    /// The word, in any script and variant [default: all words]
    headword: Option<String>,
    /// The texts: files, a corpus folder, or a folder that `build` wrote
    #[arg(long = "in", value_name = "FILE", num_args = 1.., default_value = "corpus")]
    texts: Vec<PathBuf>,
    /// Only of these kinds
    #[arg(long, value_name = "KIND", num_args = 1.., value_parser = PossibleValuesParser::new(GlossKind::ALL.map(GlossKind::id)))]
    kind: Vec<String>,
    /// Only by these: scholars, or the copies whose readings are reported (鄭玄, 古文)
    #[arg(long, value_name = "NAME", num_args = 1..)]
    by: Vec<String>,
    /// Only from these layers, by Chinese or pinyin names (注, yin …)
    #[arg(long, value_name = "LAYER", num_args = 1..)]
    layer: Vec<Layer>,
    /// Only at least this certain
    #[arg(long, value_name = "P", default_value_t = 0.0, hide_default_value = true, value_parser = super::split::probability)]
    certainty: f64,
    /// Your own dictionaries, to be shown too: StarDict (.ifo), or lines of a headword, a tab and
    /// text
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "headword")]
    dictionary: Vec<PathBuf>,
    /// Format to write
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = As::Text)]
    to: As,
    /// Where to write, or - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    asked(args)?;
    let own = own_entries(args)?;
    let library = library(args, settings)?;
    let catalogue = Catalogue::of(&library);
    let documents = library.documents.iter().map(|d| &**d);
    render::undecided(library.documents.iter().map(|d| &**d));
    let all = glosses::placed(documents, &catalogue, &wanted(args));
    let path = args.output.as_deref();
    match args.to {
        As::Text => output::styled(path, &list::text(&all, &own))?,
        As::Tsv => output::to(path, |out| writers::glosses::tsv(&all, out))?,
        As::Json => output::to(path, |out| writers::glosses::json(&all, &own, out))?,
    }
    Ok(0)
}

/// Refuses a word that is none, and dictionaries where there is no place for them.
fn asked(args: &Args) -> Result<(), Error> {
    if let Some(word) = args.headword.as_ref().filter(|w| !w.chars().any(is_content)) {
        let error = Error::request(format!("“{word}” has no character that could be explained"));
        return Err(error.hint("without a word all words are listed"));
    }
    if args.to == As::Tsv && !args.dictionary.is_empty() {
        let error = Error::request("a table of glosses has no place for dictionaries");
        return Err(error.hint("--to json has both"));
    }
    Ok(())
}

/// The texts: as a build left them, else read and divided into layers.
fn library(args: &Args, settings: &Settings) -> Result<Library, Error> {
    if let [one] = &args.texts[..]
        && let Some(library) = build::all(one, settings)?
    {
        return Ok(library);
    }
    let mut gathered = Gathered::default();
    for path in &args.texts {
        gathered.add(&texts::built(path), settings)?;
    }
    gathered.unique_ids();
    // References and parallels are not needed, and take longest.
    let settings = Settings { references: false, ..settings.clone() };
    Ok(settings.run(gathered.read(&settings)?))
}

fn wanted(args: &Args) -> GlossWanted {
    GlossWanted {
        headword: args.headword.clone(),
        kinds: args.kind.iter().filter_map(|id| GlossKind::of_id(id)).collect(),
        by: args.by.clone(),
        layers: args.layer.clone(),
        certainty: args.certainty,
    }
}

/// What the dictionaries of the user say.
fn own_entries(args: &Args) -> Result<Vec<OwnEntry>, Error> {
    let Some(word) = &args.headword else { return Ok(vec![]) };
    let mut all = vec![];
    for path in &args.dictionary {
        let why = |e: glosses::DictionaryFault| {
            Error::input(path, format!("this dictionary cannot be read: {e}"))
        };
        let dictionary = Dictionary::open(path).map_err(why)?;
        for other in dictionary.left_out() {
            let other = other.display();
            _ = render::note(&format!("{other}: not read; name it to have it too"));
        }
        all.extend(dictionary.entries_of(word));
    }
    Ok(all)
}
