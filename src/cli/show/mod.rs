//! `zhushu show`: shows a passage by its locus, with all its commentaries.

mod cite;
mod json;
mod leaf;
pub mod missing;
mod text;

use std::path::PathBuf;

use crate::Settings;
use crate::build::{Built, is_current};
use crate::corpus::refs::Catalogue;
use crate::corpus::{Library, loci};
use crate::diag::Error;
use crate::model::{Bead, Certainty, Document, Layer, LayerKind, Locus, LocusPath};
use crate::source::Span;

use super::build;
use super::texts::{self, Gathered};
use super::{Outcome, output};

#[derive(clap::Args)]
#[command(after_help = include_str!("../data/show.txt"))]
pub struct Args {
    /// What to show: yili.05.2.3, a range, a section, a URN; titles are accepted for work and
    /// chapter; or a leaf of the print, SBCK 6-1b
    locus: String,
    /// Texts, corpus folders or folders that `build` wrote [default: out if it is current, else
    /// corpus]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Encoding of the texts, such as gb18030 or big5 [default: recognised by their bytes]
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Only these layers, by Chinese or pinyin names (經, zhu …)
    #[arg(long, value_name = "LAYER", num_args = 1..)]
    layer: Vec<Layer>,
    /// How to print
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ShowFormat::Text)]
    to: ShowFormat,
    /// Where to write, or - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum ShowFormat {
    /// For a person
    Text,
    /// For programs
    Json,
    /// How to cite it: a Chinese footnote, GB/T 7714, Chicago, APA, MLA
    Cite,
}

/// A stretch of a passage.
struct ShownStretch {
    span: Span,
    locus: Locus,
    layer: Layer,
    certainty: Certainty,
    inferred: bool,
    /// True if it is in the passage; otherwise it is about the passage and follows later.
    within: bool,
}

/// The passage in one text.
struct Shown<'a> {
    document: &'a Document,
    stretches: Vec<ShownStretch>,
    /// Beads of the passage, with the translation they are in.
    translated: Vec<(&'a Document, &'a Bead)>,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let asked = parse(&args.locus, settings).map_err(|e| in_two_words(args, settings).unwrap_or(e));
    let asked = match asked {
        Err(e) if !leaf::is_name(&args.locus) => return Err(e.into()),
        asked => asked,
    };
    let chapter = asked.as_ref().map_or_else(|_| String::new(), |locus| locus.text.to_string());
    let library = match built_chapter(args, &chapter, settings)? {
        Some(library) => library,
        None => read(&args.paths, args.encoding.as_deref(), settings)?,
    };
    let catalogue = Catalogue::of(&library);
    let all = |locus: Locus| {
        let documents = library.documents.iter();
        let shown = documents.map(|d| show(d, &library, &catalogue, &locus, &args.layer));
        let shown: Vec<_> = shown.filter(|s| !s.stretches.is_empty()).collect();
        (!shown.is_empty()).then_some((locus, shown))
    };
    let locus = asked.as_ref().ok();
    let sentence = || all(sentence_of_chapter(locus?, &library, &catalogue)?);
    let found = match locus.and_then(|locus| all(locus.clone())).or_else(sentence) {
        Some(found) => Some(found),
        None => leaf::locus(&args.locus, &library, &catalogue)?.and_then(all),
    };
    let Some((locus, shown)) = found else {
        let missing = |locus| missing::error(&locus, &library, &catalogue, &args.layer);
        let no_leaf = |e| leaf::missing(&args.locus).unwrap_or(e);
        return Err(asked.map_or_else(no_leaf, missing).into());
    };
    let path = args.output.as_deref();
    match args.to {
        ShowFormat::Text => output::styled(path, &text::text(&locus, &shown))?,
        ShowFormat::Json => output::to(path, |out| json::write(&locus, &shown, out))?,
        ShowFormat::Cite => output::styled(path, &cite::text(&locus, &shown))?,
    }
    Ok(0)
}

/// The texts of a chapter from a build, all if it has no such chapter: the one that is named, or
/// `out` if it is that of `corpus` as it is now.
fn built_chapter(args: &Args, name: &str, settings: &Settings) -> Result<Option<Library>, Error> {
    let built = match &args.paths[..] {
        [out] => Built::open(out, settings)?.inspect(|b| build::report_age(b, settings)),
        [] if is_current("corpus".as_ref(), "out".as_ref(), settings) => {
            Built::open("out".as_ref(), settings)?
        }
        _ => None,
    };
    Ok(built.and_then(|b| b.chapter(name).or_else(|| b.library())))
}

/// True if any text of the chapter has sections.
fn has_sections(locus: &Locus, library: &Library, catalogue: &Catalogue<'_>) -> bool {
    let all = library.documents.iter().filter_map(|d| catalogue.get(&d.id));
    let of_chapter = all.filter(|l| l.text == locus.text);
    of_chapter.flat_map(|l| l.units()).any(|u| u.passage.section > 0)
}

/// In a chapter without sections a number is that of a sentence: 禮記 曲禮.3 is 禮記 曲禮.0.3.
pub fn sentence_of_chapter(
    locus: &Locus,
    library: &Library,
    catalogue: &Catalogue<'_>,
) -> Option<Locus> {
    if has_sections(locus, library, catalogue) {
        return None;
    }
    let sentence = |p: LocusPath| match p {
        LocusPath { section, sentence: None, .. } if section > 0 => {
            Some(LocusPath::sentence(0, section, 0))
        }
        _ => None,
    };
    let from = sentence(locus.from?)?;
    let to = match locus.to {
        Some(to) => Some(sentence(to)?),
        None => None,
    };
    Some(Locus { from: Some(from), to, ..locus.clone() })
}

/// Reads a locus from the command line.
///
/// # Errors
/// When it is not a locus.
pub fn parse(words: &str, settings: &Settings) -> Result<Locus, Error> {
    loci::parse(words, &settings.works).map_err(|e| {
        Error::request(format!("“{words}” is not a locus: {e}")).hint(
            "a locus is work.chapter.section.sentence, such as yili.05.23.2 or 儀禮.鄉射.23.2; \
                see `zhushu show --help`",
        )
    })
}

/// The error for 論語 1.1 without quotation marks: the number was taken for a path.
fn in_two_words(args: &Args, settings: &Settings) -> Option<Error> {
    let next = args.paths.first().filter(|p| !p.exists())?.to_str()?;
    let whole = format!("{} {next}", args.locus);
    loci::parse(&whole, &settings.works).ok()?;
    let error = Error::request(format!("“{}” alone is not a locus", args.locus));
    Some(error.hint(format!("a locus with a blank needs quotation marks: '{whole}'")))
}

/// Reads and links the texts of some paths, or of the usual folders.
///
/// # Errors
/// When they cannot be read.
pub fn read(
    paths: &[PathBuf],
    encoding: Option<&str>,
    settings: &Settings,
) -> Result<Library, Error> {
    let usual = ["corpus", "out"]
        .map(PathBuf::from)
        .into_iter()
        .find(|p| p.is_dir())
        .unwrap_or_else(|| "corpus".into());
    let encoding = encoding.map(str::to_string);
    let mut gathered = Gathered { encoding, ..Gathered::default() };
    for path in if paths.is_empty() { std::slice::from_ref(&usual) } else { paths } {
        gathered.add(&texts::built(path), settings)?;
    }
    gathered.unique_ids();
    Ok(texts::link_and_align(gathered.read(settings)?, settings))
}

fn show<'a>(
    document: &'a Document,
    library: &'a Library,
    catalogue: &Catalogue<'a>,
    locus: &Locus,
    layers: &[Layer],
) -> Shown<'a> {
    let found = catalogue.get(&document.id).map(|l| (l, l.find(locus)));
    let Some((loci, found)) = found else {
        return Shown { document, stretches: vec![], translated: vec![] };
    };
    let wanted = |l: Layer| layers.is_empty() || layers.contains(&l);
    let further = loci.later_comments(&found).into_iter().map(|u| (u.span, u, false));
    let all = found.iter().map(|(span, u)| (*span, *u, true)).chain(further);
    let stretches = all.filter(|(_, u, _)| wanted(u.layer)).filter_map(|(span, unit, within)| {
        let segment = &document.segments[unit.segment];
        let inferred = !segment.evidence.is_empty();
        Some(ShownStretch {
            span,
            locus: loci.name(span)?,
            layer: unit.layer,
            certainty: segment.certainty,
            inferred,
            within,
        })
    });
    let classic: Vec<Span> =
        found.iter().filter(|(_, u)| u.layer.kind() == LayerKind::Base).map(|(s, _)| *s).collect();
    let mut translated = vec![];
    if wanted(Layer::Translation) {
        for alignment in library.alignments.iter().filter(|a| a.source == document.id) {
            let Some(other) = library.get(&alignment.translation) else { continue };
            let meets = |b: &&Bead| {
                b.source.iter().any(|s| classic.iter().any(|c| c.overlap(*s) > 0))
                    && !b.translation.is_empty()
            };
            translated.extend(alignment.beads.iter().filter(meets).map(|b| (&**other, b)));
        }
    }
    Shown { document, stretches: stretches.collect(), translated }
}
