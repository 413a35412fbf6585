//! `zhushu search`: searches the texts of a built corpus.

pub(super) mod kwic;
mod table;

use std::path::{Path, PathBuf};

use crate::build;
use crate::cli::language::say;
use crate::diag::{Error, ErrorKind};
use crate::model::Locus;
use crate::search::{
    Answer, Facet, Folding, Index, Options, Query, SearchResults, Show, Sort, Suggestion,
    UnknownName,
};

use self::table::Table;
use super::{Outcome, aside, output};

#[derive(clap::Args)]
#[command(after_help = include_str!("../data/search.txt"))]
pub struct Args {
    /// What to look for
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,
    /// Folder that `zhushu build` wrote to
    #[arg(long, value_name = "OUT", default_value = "out")]
    pub(super) index: PathBuf,
    /// Only exactly these characters: no variants, no other script
    #[arg(long)]
    exact: bool,
    /// Traditional and simplified characters match each other, variants do not
    #[arg(long, conflicts_with = "exact")]
    no_variants: bool,
    /// Do not match the classic across a note that interrupts it
    #[arg(long)]
    no_crossing: bool,
    /// Characters of context on either side
    #[arg(long, value_name = "N", default_value_t = 12)]
    context: usize,
    /// Order of the hits
    #[arg(long, value_enum, value_name = "ORDER", default_value_t = Order::Reading)]
    sort: Order,
    /// How many hits to show; 0 for all [default: 20 as text, else all]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// How many hits to skip first
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: usize,
    /// Only the number of hits
    #[arg(long, group = "figures")]
    count: bool,
    /// The number of hits by layer, work, …
    #[arg(long, value_enum, value_name = "WHAT")]
    by: Option<By>,
    /// The forms of the hits, and how often each occurs
    #[arg(long, group = "figures", conflicts_with = "by")]
    frequencies: bool,
    /// Sequences of N characters that contain a hit, and how often each occurs
    #[arg(long, value_name = "N", group = "figures", conflicts_with = "by", value_parser = clap::value_parser!(u16).range(1..=100))]
    ngrams: Option<u16>,
    /// Characters more frequent within N of a hit than in everything searched, by log-likelihood
    /// (Dunning 1993)
    #[arg(long, value_name = "N", group = "figures", conflicts_with = "by", value_parser = clap::value_parser!(u16).range(1..=100))]
    collocates: Option<u16>,
    /// Format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    to: Format,
    /// Where to write, or - for standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Order {
    /// The classics first, then what was written about them; in a text, variants last
    Reading,
    /// In the order of the corpus
    Place,
    /// By the text before, nearest character first
    Left,
    /// By the text after
    Right,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum By {
    /// 經, 注, 疏 …
    Layer,
    /// Work
    Work,
    /// Work and chapter
    Chapter,
    /// Speaker
    Commentator,
    /// Witness
    Witness,
}

impl Order {
    fn sort(self) -> Sort {
        match self {
            Order::Reading => Sort::Reading,
            Order::Place => Sort::Place,
            Order::Left => Sort::Left,
            Order::Right => Sort::Right,
        }
    }
}

impl By {
    /// The facet, and its name on the command line.
    fn facet(self) -> (Facet, &'static str) {
        match self {
            By::Layer => (Facet::Layer, "layer"),
            By::Work => (Facet::Work, "work"),
            By::Chapter => (Facet::Chapter, "chapter"),
            By::Commentator => (Facet::Commentator, "commentator"),
            By::Witness => (Facet::Witness, "witness"),
        }
    }
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    /// Lines for people
    Text,
    /// One object on each line
    Json,
    /// Tab-separated
    Tsv,
    /// Comma-separated, for spreadsheets
    Csv,
    /// An HTML table
    Html,
}

/// Hits shown by default.
const FEW: usize = 20;

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    let query: Query = args.query.join(" ").parse()?;
    let index = open(&folder(&args.index))?;
    super::build::age::report_changed_files(&args.index);
    let options =
        Options { folding: folding(args.exact, args.no_variants), crossing: !args.no_crossing };
    let found = index.search(&query, options)?;
    if found.total() == 0 {
        report_nothing(&index, &query, options)?;
        return Ok(1);
    }
    let limit = match args.limit {
        Some(0) => usize::MAX,
        Some(n) => n,
        None if args.to == Format::Text => FEW,
        None => usize::MAX,
    };
    match figures(args, &found)? {
        Some((mut table, what)) => {
            let all = table.rows.len();
            table.rows = table.rows.into_iter().skip(args.skip).take(limit).collect();
            table.write(args.to, &args.query.join(" "), args.output.as_deref())?;
            if !what.is_empty() {
                let compared = compared(args, &found)?;
                let what = format!("{what} of {} hits{compared}", found.total());
                report_count(table.rows.len(), all, &what);
            }
        }
        None => {
            let answers = found.answers(&Show {
                context: args.context,
                sort: args.sort.sort(),
                skip: args.skip,
                limit,
            })?;
            hits(args, &answers)?;
            report_count(answers.len(), found.total(), "hits");
        }
    }
    Ok(0)
}

/// The index in the output folder of a build, or the folder itself if it is an index.
pub(super) fn folder(out: &Path) -> PathBuf {
    let inside = out.join(build::EditionFormat::Index.folder());
    if !inside.exists() && out.join("index.json").exists() { out.into() } else { inside }
}

/// Opens an index.
///
/// # Errors
/// As [`Index::open`].
pub(super) fn open(folder: &Path) -> Result<Index, Error> {
    let hint =
        "`zhushu build` writes an edition with its index; --index names the folder of the index";
    Index::open(folder).map_err(|e| if e.kind == ErrorKind::Io { e.hint(hint) } else { e })
}

/// What the figures are about: only the layers and texts that hits can be in.
fn compared(args: &Args, found: &SearchResults<'_>) -> Result<String, Error> {
    if args.by.is_some() {
        return Ok(String::new());
    }
    let reach = found.reach()?;
    let layers = if reach.layers.is_empty() { say("all layers") } else { reach.layers.join(" ") };
    let texts = match &reach.texts[..] {
        [] => say("all texts"),
        texts if texts.len() > 3 => say(&super::columns::counted(texts.len(), "text")),
        texts => texts.join(", "),
    };
    let n = reach.characters;
    Ok(match args.collocates {
        Some(_) => format!(", compared with {layers} of {texts} ({n} characters)"),
        None => format!(", in {layers} of {texts} ({n} characters)"),
    })
}

/// Counts go to standard error, so that they are shown even if the hits go to a file.
fn report_count(shown: usize, all: usize, what: &str) {
    aside::line(&say(&format!("Showing {shown} of {all} {what}")));
}

fn hits(args: &Args, answers: &[Answer]) -> Result<(), super::Failure> {
    match args.to {
        Format::Text => output::styled(args.output.as_deref(), &kwic::lines(answers)),
        Format::Json => output::to(args.output.as_deref(), |out| {
            for answer in answers {
                serde_json::to_writer(&mut *out, answer)?;
                out.write_all(b"\n")?;
            }
            Ok(())
        }),
        to => Table::of_answers(answers).write(to, &args.query.join(" "), args.output.as_deref()),
    }
}

/// The figures that replace the hits, if asked for, and what their rows are.
fn figures(args: &Args, found: &SearchResults<'_>) -> Result<Option<(Table, &'static str)>, Error> {
    let table = if let Some(by) = args.by {
        let (facet, name) = by.facet();
        (Table::counts(name, found.count(facet)?), "groups")
    } else if args.count {
        (Table::counts("query", vec![(args.query.join(" "), found.total())]), "")
    } else if args.frequencies {
        (Table::counts("form", found.frequencies()?), "forms")
    } else if let Some(n) = args.ngrams {
        (Table::counts("ngram", found.ngrams(n.into())?), "n-grams")
    } else if let Some(n) = args.collocates {
        (Table::collocates(&found.collocates(n.into())?), "collocates")
    } else {
        return Ok(None);
    };
    Ok(Some(table))
}

/// Which characters count as the same under these options.
fn folding(exact: bool, no_variants: bool) -> Folding {
    match (exact, no_variants) {
        (true, _) => Folding::Exact,
        (_, true) => Folding::Script,
        _ => Folding::Full,
    }
}

/// What to report if nothing was found: unknown names in the query, and similar queries that find
/// something.
fn nothing(
    index: &Index,
    query: &Query,
    options: Options,
) -> Result<(Vec<UnknownName>, Vec<Suggestion>), Error> {
    Ok((index.unknown_names(query)?, index.suggest(query, options)?))
}

fn report_nothing(index: &Index, query: &Query, options: Options) -> Result<(), Error> {
    aside::line(&say(&format!("nothing found: {}", query.text())));
    let (unknown, near) = nothing(index, query, options)?;
    for unknown in unknown {
        let (name, known) = (unknown.name, unknown.known.join(", "));
        let line = match known.is_empty() {
            true => say(&format!("  there is no “{name}”, nor any other name of this kind")),
            false => say(&format!("  there is no “{name}”; there are: {known}")),
        };
        aside::line(&line);
    }
    if let Some(locus) = query.text().trim().parse::<Locus>().ok().filter(|l| l.from.is_some()) {
        aside::line(&say(&format!("  this is a locus: zhushu show {locus}")));
    }
    for near in near {
        let strict = options != Options::default() && near.query == query.text();
        let how = if strict { say("  with variants and across notes") } else { String::new() };
        aside::line(&format!("  {} {}  {}{how}", say("similar:"), near.query, near.total));
    }
    Ok(())
}
