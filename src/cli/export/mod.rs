//! `zhushu export`: an edition in any format, from a built corpus, a corpus or a file.

mod about;
mod folder;
mod glyphs;
mod merge;
mod pages;
mod passages;
mod pdf;
mod refused;
mod site;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Settings;
use crate::corpus::{LayerChoice, Library, Passages, Punctuation};
use crate::diag::Error;
use crate::model::{Document, Layer, LayerKind, Role};
use crate::text::script::Script;
use crate::writers::editions::{
    About, Edition, EditionFile, FORMATS, Facing, Format, Layout, NotesAt, by_name, unique,
};

use super::build;
use super::texts::{self, Gathered};
use super::{Failure, Outcome, columns, output, render};

#[derive(clap::Args)]
#[command(after_help = help())]
pub struct Args {
    /// What to export: the folder that `build` wrote, a corpus, a file, or - for standard input
    #[arg(value_name = "FROM")]
    from_path: PathBuf,
    /// Format to write [default: by the ending of -o]
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<String>,
    /// File or folder to write, or - for standard output
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,
    /// Replace files in that folder that no export wrote
    #[arg(long)]
    force: bool,
    /// One text of all witnesses of a chapter, named by its title, number or locus
    #[arg(long, value_name = "CHAPTER")]
    merge: Option<String>,
    /// The text that decides where the merged ones differ, by its id, file or siglum [default: the
    /// longest]
    #[arg(long, value_name = "TEXT", requires = "merge")]
    base: Option<String>,
    /// In the merged text, also the notes of the other texts: each after the words that it follows
    /// there
    #[arg(long, requires = "merge")]
    notes: bool,
    /// Only these layers, by Chinese or pinyin names; headings stay
    #[arg(long, value_name = "LAYERS", value_delimiter = ',')]
    layers: Vec<Layer>,
    /// Only these passages, by their loci (論語 1.1, 禮記 中庸 1-3), or @FILE with a list of them
    #[arg(long, value_name = "LIST", conflicts_with = "merge")]
    passages: Option<String>,
    /// Script of the output; the sources stay as they are
    #[arg(long, value_name = "SCRIPT", value_parser = ["trad", "simp", "tw", "hk"])]
    script: Option<String>,
    /// Damaged characters as the source has them, or repaired; the apparatus lists the others
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = DamagedText::Source)]
    readings: DamagedText,
    /// Punctuation of the output
    #[arg(long, value_name = "STYLE", value_enum, default_value_t = Points::Source)]
    punctuation: Points,
    /// From top to bottom, columns from right to left
    #[arg(long)]
    vertical: bool,
    #[command(flatten)]
    pages: pages::PageOptions,
    /// A file for each layer
    #[arg(long)]
    by_layer: bool,
    /// Without the numbers of sentences
    #[arg(long)]
    no_numbers: bool,
    /// Without the apparatus after each text
    #[arg(long)]
    no_apparatus: bool,
    /// Where the translation of a passage goes; facing needs pages (typst, pdf)
    #[arg(long, value_name = "WHERE", value_enum, default_value_t = Translation::Below)]
    translation: Translation,
    /// Where the apparatus goes
    #[arg(long, value_name = "WHERE", value_enum, default_value_t = Apparatus::End, conflicts_with = "no_apparatus")]
    apparatus: Apparatus,
    /// Where the notes of the classic go, in docx, odt and latex [default: foot]
    #[arg(long, value_name = "WHERE", value_enum)]
    notes_at: Option<NotesWhere>,
    /// Title of the edition [default: the manifest's, or that of the text]
    #[arg(long, value_name = "WORDS")]
    title: Option<String>,
    /// Further texts, or a corpus folder, as witnesses and as targets of references
    #[arg(long, value_name = "OTHER", num_args = 1..)]
    pub with: Vec<PathBuf>,
    /// Format of the file to read [default: recognised by its text]
    #[arg(long, value_name = "READER")]
    pub from: Option<String>,
    /// Encoding of the file to read, such as gb18030 or big5 [default: recognised by its bytes]
    #[arg(long, value_name = "LABEL")]
    pub encoding: Option<String>,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Translation {
    /// Below the passage
    Below,
    /// On the facing page
    Facing,
    /// Nowhere; the text of the translation itself is still written
    None,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Apparatus {
    /// After each text
    End,
    /// At the foot of the page
    Foot,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum NotesWhere {
    /// At the foot of the page
    Foot,
    /// In the line, in small type
    Inline,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum DamagedText {
    /// As the source has them
    Source,
    /// Repaired where damage of this copy is probable (雲 for 云)
    Repaired,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Points {
    /// As the source has it
    Source,
    /// Points in full width: ，：；
    Fullwidth,
    /// The same, and quotation marks 「」 and 『』 by their depth
    Corner,
    /// The same, and quotation marks “” and ‘’ by their depth
    Curly,
    /// None
    None,
    /// As the source has it; a text without any gets that of a punctuated copy of the same chapter
    Supplied,
    /// The same, and where no copy has any, what a network trained on punctuated books expects;
    /// each mark with its certainty
    Inferred,
}

/// The table of formats, before the examples.
fn help() -> String {
    let rows: Vec<Vec<String>> =
        formats().map(|[name, _, about]| vec![name.to_string(), about.to_string()]).collect();
    ["Formats:\n", &columns::lines(&rows), "\n", include_str!("../data/export.txt")].concat()
}

/// Everything that `--to` accepts, the extension of its files, and what it is.
pub fn formats() -> impl Iterator<Item = [&'static str; 3]> {
    std::iter::once([site::NAME, "html", site::ABOUT])
        .chain(FORMATS.iter().map(|f| [f.name, f.extension, f.about]))
}

/// True if `--to` accepts the name.
pub fn knows(name: &str) -> bool {
    formats().any(|[known, ..]| known == name)
}

/// True if a format has the extension of this file.
pub fn knows_ending(path: &Path) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    FORMATS.iter().any(|f| name.ends_with(&format!(".{}", f.extension)))
}

fn names() -> String {
    formats().map(|[name, ..]| name).collect::<Vec<_>>().join(", ")
}

/// Runs the command.
pub fn run(args: &Args, settings: &Settings) -> Outcome {
    refused::apart(args)?;
    if args.to.as_deref() == Some(site::NAME) {
        site::allows(args)?;
        let made = Made::of(args, settings, true)?;
        site::write(args.output.as_deref(), args.force, &made.whole(args)?)?;
        return Ok(0);
    }
    let format = format(args)?;
    refused::allows(args, format)?;
    if format.name == "pdf" {
        pdf::found()?;
    }
    let made = Made::of(args, settings, format.references)?;
    let jobs = made.jobs(args, format)?;
    if format.leaves {
        refused::has_leaves(&jobs, format)?;
    }
    write(args, format, &jobs)?;
    if format.name == "pdf" {
        glyphs::warn(jobs.iter().map(|(edition, _)| edition));
    }
    output::wrote(args.output.as_deref());
    let written = |d: &&Arc<Document>| made.ids.contains(&d.id);
    render::warned(made.library.documents.iter().filter(written).map(|d| &**d));
    // The program ends now, and the system frees memory faster than item by item.
    std::mem::forget((made, jobs));
    Ok(0)
}

/// The texts of an edition, read, linked and aligned.
struct Made {
    library: Library,
    /// Ids of the texts to write.
    ids: Vec<String>,
    about: About,
    /// What is chosen of them.
    passages: Passages,
}

impl Made {
    fn of(args: &Args, settings: &Settings, references: bool) -> Result<Self, Error> {
        let path = texts::built(&args.from_path);
        let gathered = gather(args, &path, settings)?;
        let about = about::about(args.title.as_deref(), &args.from_path, &gathered, settings)?;
        let mut library = match built(args, settings)? {
            Some(library) => library,
            None => {
                let settings = Settings { references, ..settings.clone() };
                texts::link_and_align(gathered.read(&settings)?, &settings)
            }
        };
        let ids = texts::ids_of(&library, &gathered.entries[..gathered.own]);
        let ids = match &args.merge {
            Some(chapter) => {
                let which =
                    merge::MergeChoice { chapter, base: args.base.as_deref(), notes: args.notes };
                vec![merge::merge(&mut library, &ids, &which, settings)?]
            }
            None => ids,
        };
        let about = about.of(&library, &ids);
        // A title on the command line is that of the whole edition, also in formats that write each
        // text separately.
        for d in library.documents.iter_mut().filter(|_| args.title.is_some()) {
            Arc::make_mut(d).meta.collection.title.clone_from(&args.title);
        }
        let passages = match &args.passages {
            Some(list) => passages::of(list, &library, &args.layers, settings)?,
            None => Passages::new(),
        };
        Ok(Made { library, ids, about, passages })
    }

    fn edition(&self, choice: &LayerChoice, layout: Layout) -> Edition {
        let passages = self.passages.clone();
        let library = LayerChoice { passages, ..choice.clone() }.of(&self.library);
        // Of passages the translation is beside them, unless it is all that is asked for.
        let alone = choice.layers.iter().all(|l| l.kind() == LayerKind::Translation)
            && !choice.layers.is_empty();
        let is_own =
            |d: &Document| self.passages.is_empty() || alone || d.meta.role == Role::Witness;
        let ids = self.ids.iter().filter(|id| library.get(id).is_some_and(|d| is_own(d)));
        let ids: Vec<String> = ids.cloned().collect();
        let mut about = self.about.clone();
        if let Some(to) = choice.script {
            about.title = crate::text::script::convert(&about.title, to).into_owned();
        }
        Edition { about, library, ids, layout }
    }

    /// The chosen edition.
    fn whole(&self, args: &Args) -> Result<Edition, Error> {
        let whole = self.edition(&args.choice(args.layers.clone()), args.layout());
        if whole.ids.is_empty() {
            if self.ids.is_empty() {
                let hint = "`zhushu check` on the folder says why";
                return Err(Error::request("none of the files could be read as a text").hint(hint));
            }
            if args.layers.is_empty() {
                let error = Error::request("none of the texts to write has these passages");
                return Err(error.hint("texts given by --with are not written"));
            }
            let names: Vec<_> = args.layers.iter().map(|l| l.zh()).collect();
            let error = Error::request(format!("the texts have nothing of {}", names.join(" ")));
            return Err(error.hint("`zhushu split FILE` lists what they have"));
        }
        Ok(whole)
    }

    /// The chosen edition; with `--by-layer` one for each layer of the texts.
    fn jobs(&self, args: &Args, format: &Format) -> Result<Vec<Job>, Error> {
        let whole = self.whole(args)?;
        if !args.by_layer {
            let parts = (format.files)(&whole);
            return Ok(vec![(whole, parts)]);
        }
        let mut jobs = vec![];
        for id in &whole.ids {
            let Some(document) = whole.library.get(id) else { continue };
            for info in Layer::all()
                .filter(|l| !matches!(l.kind, LayerKind::Structure | LayerKind::Outside))
            {
                if document.of_layer(info.layer).next().is_none() {
                    continue;
                }
                let choice = args.choice(vec![info.layer]);
                let mut one = self.edition(&choice, Layout { apparatus: false, ..args.layout() });
                one.ids = vec![id.clone()];
                let (stem, mut parts) =
                    (format!("{}-{}", crate::model::slug(id), info.id), (format.files)(&one));
                let several = parts.len() > 1;
                for part in &mut parts {
                    part.name =
                        if several { format!("{stem}-{}", part.name) } else { stem.clone() };
                }
                jobs.push((one, parts));
            }
        }
        // Names of two texts may differ only in characters that file names leave out.
        let mut names =
            unique(jobs.iter().flat_map(|(_, parts): &Job| parts).map(|p| p.name.clone()))
                .into_iter();
        for part in jobs.iter_mut().flat_map(|(_, parts)| parts) {
            part.name = names.next().unwrap_or_default();
        }
        Ok(jobs)
    }
}

impl Args {
    /// An edition of a file with what holds where no option is given.
    pub fn plain(file: &Path) -> Self {
        let command = <Args as clap::Args>::augment_args(clap::Command::new("export"));
        // A name that begins with a hyphen is not an option here.
        let words = ["export".as_ref(), "--".as_ref(), file.as_os_str()];
        let matches = command.get_matches_from(words);
        clap::FromArgMatches::from_arg_matches(&matches).expect("only the file is needed")
    }

    fn script(&self) -> Option<Script> {
        let name = self.script.as_deref()?;
        Script::ALL.iter().find(|(n, _)| *n == name).map(|(_, s)| *s)
    }

    fn choice(&self, layers: Vec<Layer>) -> LayerChoice {
        let punctuation = match self.punctuation {
            Points::Source => Punctuation::Source,
            Points::Fullwidth => Punctuation::FullWidth,
            Points::Corner => Punctuation::Corner,
            Points::Curly => Punctuation::Curly,
            Points::None => Punctuation::Without,
            Points::Supplied => Punctuation::Supplied,
            Points::Inferred => Punctuation::Inferred,
        };
        let repaired = self.readings == DamagedText::Repaired;
        let passages = Passages::new();
        LayerChoice { layers, script: self.script(), repaired, punctuation, passages }
    }

    fn layout(&self) -> Layout {
        let translation = match self.translation {
            Translation::Below => Facing::Below,
            Translation::Facing => Facing::Facing,
            Translation::None => Facing::None,
        };
        let foot = self.apparatus == Apparatus::Foot;
        Layout {
            vertical: self.vertical,
            numbers: !self.no_numbers,
            apparatus: !self.no_apparatus,
            foot,
            translation,
            notes: match self.notes_at {
                Some(NotesWhere::Inline) => NotesAt::Inline,
                Some(NotesWhere::Foot) | None => NotesAt::Foot,
            },
            paper: self.pages.paper(),
            marks: self.pages.marks(),
        }
    }
}

/// The texts as a build left them, if they alone are asked for.
fn built(args: &Args, settings: &Settings) -> Result<Option<Library>, Error> {
    let alone = args.with.is_empty() && args.from.is_none() && args.encoding.is_none();
    if alone { build::all(&args.from_path, settings) } else { Ok(None) }
}

/// The texts to write, then the others.
struct Texts {
    gathered: Gathered,
    own: usize,
}

impl std::ops::Deref for Texts {
    type Target = Gathered;
    fn deref(&self) -> &Gathered {
        &self.gathered
    }
}

fn gather(args: &Args, path: &Path, settings: &Settings) -> Result<Texts, Error> {
    let manifest = path.file_name().is_some_and(|n| n == crate::corpus::MANIFEST);
    let mut gathered = Gathered { encoding: args.encoding.clone(), ..Gathered::default() };
    if path.is_dir() || manifest {
        gathered.add(path, settings)?;
        gathered.encoding = None;
    } else {
        let others: Vec<PathBuf> = args.with.iter().map(|p| texts::built(p)).collect();
        let entry = texts::entry(path, args.from.as_deref(), args.encoding.as_deref());
        return Ok(Texts { gathered: texts::beside(entry, &others, settings)?, own: 1 });
    }
    let own = gathered.entries.len();
    for other in &args.with {
        gathered.add(&texts::built(other), settings)?;
    }
    gathered.unique_ids();
    Ok(Texts { gathered, own })
}

/// An edition and its files.
type Job = (Edition, Vec<EditionFile>);

fn write(args: &Args, format: &Format, jobs: &[Job]) -> Result<(), Failure> {
    let files: Vec<(&Edition, &EditionFile)> =
        jobs.iter().flat_map(|(e, parts)| parts.iter().map(move |p| (e, p))).collect();
    let path = args.output.as_deref().filter(|p| p.as_os_str() != "-");
    let make =
        |edition: &Edition, part: &EditionFile, out: &mut dyn std::io::Write| match format.name {
            "pdf" => pdf::write(edition, format, part, out),
            _ => (format.write)(edition, part.which, out),
        };
    match (&files[..], path) {
        ([], _) => Err(Error::request(format!("there is nothing to write as {}", format.name))
            .hint("TMX needs a text and its translation")
            .into()),
        ([(edition, part)], path) if !args.by_layer && !path.is_some_and(Path::is_dir) => {
            output::to(path, |out| make(edition, part, out))
        }
        (_, None) => Err(Error::request(format!("{} makes {} files", format.name, files.len()))
            .hint("name a folder for them with -o")
            .into()),
        (_, Some(path)) => folder::write(path, args.force, |folder| {
            files.iter().try_for_each(|(edition, part)| {
                let name = format!("{}.{}", part.name, format.extension);
                output::to(Some(&folder.join(name)), |out| make(edition, part, out))
            })
        }),
    }
}

/// The named format, or the one with the extension of the output.
fn format(args: &Args) -> Result<&'static Format, Error> {
    if let Some(name) = &args.to {
        let lost = |e: Error| match name.as_str() {
            "parquet" => e,
            "html" | "source" => e.hint(format!("`zhushu convert --to {name}` writes it")),
            _ => e.hint(format!("there are: {}", names())),
        };
        return by_name(name).map_err(lost);
    }
    let name = args.output.as_ref().map(|p| p.to_string_lossy().to_lowercase()).unwrap_or_default();
    let ends = |f: &&Format| name.ends_with(&format!(".{}", f.extension));
    FORMATS.iter().find(ends).ok_or_else(|| {
        Error::request("the format is not given").hint(format!("name it with --to: {}", names()))
    })
}
