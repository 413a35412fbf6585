//! `zhushu train`: makes the files that the splitter learns from.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::Settings;
use crate::books;
use crate::corpus::Library;
use crate::diag::Error;
use crate::model::{Document, Layer};
use crate::passes::split::train::{self, Lesson};
use crate::passes::{self, Context, known};
use crate::score::{self, GoldError, Labelled};

use super::{Outcome, output, texts};

/// Make the models of the splitter: runs of 經 and 注, or the weights of its features
#[derive(clap::Args)]
#[command(after_help = include_str!("data/train.txt"))]
pub struct Args {
    /// Corpus folder or manifest with marked texts to learn from
    #[arg(default_value = "corpus", conflicts_with = "lesson")]
    corpus: PathBuf,
    /// Runs of 音義 and 疏 instead of 經 and 注
    #[arg(long, conflicts_with = "lesson")]
    voices: bool,
    /// The filter of the classics, from plain texts of them
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["lesson", "voices"])]
    canon: Option<PathBuf>,
    /// A text and the JSON with its correct cut; learns weights
    #[arg(long, value_name = "TEXT=JSON")]
    lesson: Vec<String>,
    /// The words of the chapters of a folder of plain classics, by which chapters are recognised
    #[arg(long, conflicts_with = "lesson")]
    profile: bool,
    /// Encoding of the texts, such as gb18030 or big5 [default: recognised by their bytes]
    #[arg(long, value_name = "LABEL")]
    encoding: Option<String>,
    /// Where to write, or - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    let made = match &args.canon {
        _ if args.profile => books::profile_of(read(&args.corpus, args, settings)?),
        Some(folder) => train::canon_file(&read(folder, args, settings)?)?,
        None if args.lesson.is_empty() => runs(args, settings)?.into_bytes(),
        None => weights(args, settings)?.into_bytes(),
    };
    output::to(args.output.as_deref(), |out| out.write_all(&made))?;
    Ok(0)
}

/// The texts of a corpus; the first error if one cannot be read.
fn read(corpus: &Path, args: &Args, settings: &Settings) -> Result<Vec<Document>, Error> {
    let mut corpus = texts::open(corpus, settings)?;
    texts::encode_as(&mut corpus, args.encoding.as_deref());
    let loaded = settings.read(&corpus)?;
    loaded.errors.into_iter().next().map_or(Ok(loaded.documents), Err)
}

/// Runs of the texts in which a reader leaves nothing undivided, so that their own marks show every
/// layer. 疏 and 音義 are always marked.
fn runs(args: &Args, settings: &Settings) -> Result<String, Error> {
    let documents = read(&args.corpus, args, settings)?;
    let marked: HashSet<String> =
        documents.iter().filter(|d| !d.has_undivided()).map(|d| d.id.clone()).collect();
    let library = settings.run(documents);
    let all = library.documents.iter().map(|d| &**d);
    Ok(if args.voices {
        known::write_voices(all)
    } else {
        known::write(all.filter(|d| marked.contains(&d.id)))
    })
}

fn weights(args: &Args, settings: &Settings) -> Result<String, Error> {
    let encoding = args.encoding.as_deref();
    let lessons =
        args.lesson.iter().map(|l| lesson(l, encoding, settings)).collect::<Result<Vec<_>, _>>()?;
    Ok(train::write_weights(&train::weights(&lessons, &settings.models.layers)))
}

fn lesson(argument: &str, encoding: Option<&str>, settings: &Settings) -> Result<Lesson, Error> {
    let (text, truth) = argument.rsplit_once('=').ok_or_else(|| {
        Error::request(format!("--lesson {argument}: no “=”")).hint("write TEXT=JSON")
    })?;
    let mut document = texts::read(&texts::entry(Path::new(text), None, encoding), settings)?;
    let library = Library::default();
    passes::run_before_split(
        &mut document,
        &Context::with(&library, &settings.works, &settings.models.layers),
    );
    let path = Path::new(truth);
    let wrong = |e: GoldError| {
        Error::input(path, e.to_string()).hint(format!("its spans must be code points of {text}"))
    };
    let spans = score::spans(&texts::json(path)?, &document.source).map_err(wrong)?;
    let known = |s: &Labelled| match s.layer {
        Some(layer @ (Layer::Jing | Layer::Zhu | Layer::Yin)) => {
            Some((layer, s.span(&document.source)))
        }
        _ => None,
    };
    let truth = spans.iter().filter_map(known).collect();
    Ok(Lesson { document, truth })
}
