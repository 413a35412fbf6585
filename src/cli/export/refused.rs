//! What an export refuses: options that a format does not know, places to write to that lie among
//! the texts, texts without what a format is made of.

use std::path::Path;

use super::{Apparatus, Args, Job, Points, Translation};
use crate::corpus::MANIFEST;
use crate::diag::Error;
use crate::reading::Leaves;
use crate::writers::editions::{FORMATS, Format};

/// Refuses to write among the texts of a folder without a manifest: they would be more at the next
/// command.
pub(super) fn apart(args: &Args) -> Result<(), Error> {
    let real = |path: &Path| {
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        path.canonicalize().or_else(|_| folder.canonicalize()).ok()
    };
    let texts = &args.from_path;
    let is_plain = texts.is_dir()
        && !texts.join(MANIFEST).is_file()
        && !crate::build::record_of(texts).is_file();
    let output = args.output.as_deref().filter(|o| is_plain && o.as_os_str() != "-");
    let Some((root, output)) = real(texts).zip(output.and_then(real)) else { return Ok(()) };
    match output.starts_with(&root) {
        true => Err(Error::request("the output would lie among the texts")
            .hint("name a file or folder elsewhere with -o")),
        false => Ok(()),
    }
}

/// Refuses texts that name no leaf of a print.
pub(super) fn has_leaves(jobs: &[Job], format: &Format) -> Result<(), Error> {
    let mut documents = jobs.iter().flat_map(|(edition, _)| edition.documents());
    if documents.any(|d| !Leaves::of(d).all().is_empty()) {
        return Ok(());
    }
    let name = format.name;
    let error =
        Error::request(format!("{name} needs the leaves of a print, and the text names none"));
    Err(error.hint(
        "leaves begin where a text has <pb:…_006-1b> (Kanseki Repository) or <pb n=\"…\"/> (TEI)",
    ))
}

/// Refuses what a format cannot do.
pub(super) fn allows(args: &Args, format: &Format) -> Result<(), Error> {
    let able = |able: fn(&Format) -> bool| {
        FORMATS.iter().filter(|f| able(f)).map(|f| f.name).collect::<Vec<_>>().join(", ")
    };
    if args.vertical && !format.vertical {
        let error = Error::request(format!("{} has no vertical layout", format.name));
        return Err(error.hint(format!("--vertical works with {}", able(|f| f.vertical))));
    }
    let parts = [
        (args.by_layer, "--by-layer"),
        (!args.layers.is_empty(), "--layers"),
        (args.passages.is_some(), "--passages"),
    ];
    // Signs of leaves that stand in other layers would be lost, and words be on the leaf before.
    if format.leaves
        && let Some((_, option)) = parts.iter().find(|(asked, _)| *asked)
    {
        let error = Error::request(format!("{option} does not work with {}", format.name));
        return Err(error.hint("a leaf has the text of all layers; each names its own"));
    }
    let without = [(matches!(args.punctuation, Points::None), "--punctuation none")];
    if format.explained
        && let Some((_, option)) = parts.iter().chain(&without).find(|(asked, _)| *asked)
    {
        let error = Error::request(format!("{option} does not work with {}", format.name));
        return Err(error.hint(
            "glosses are found in notes together with the text that they explain; \
             `zhushu gloss --layer` chooses among them",
        ));
    }
    if args.notes_at.is_some() && !format.notes {
        let error = Error::request(format!("{} has one place for notes", format.name));
        return Err(error.hint(format!("--notes-at works with {}", able(|f| f.notes))));
    }
    if args.pages.paper.is_some() && !format.paper {
        let option = "--paper";
        let error =
            Error::request(format!("{} has no pages, and {option} needs them", format.name));
        return Err(error.hint(format!("it works with {}", able(|f| f.paper))));
    }
    let laid = [
        ("--translation facing", args.translation == Translation::Facing, true),
        ("--apparatus foot", args.apparatus == Apparatus::Foot, true),
        ("--marks", args.pages.marks.is_some(), false),
    ];
    for (option, _, level) in laid.into_iter().filter(|(_, asked, _)| *asked) {
        if !format.pages {
            return Err(Error::request(format!(
                "{} has no pages, and {option} needs them",
                format.name
            ))
            .hint(format!("it works with {}", able(|f| f.pages))));
        }
        if args.vertical && level {
            let hint = "vertical pages have the translation below and the apparatus at the end";
            return Err(
                Error::request(format!("{option} does not work with --vertical")).hint(hint)
            );
        }
    }
    Ok(())
}
