//! `zhushu formats`: lists readers, passes, writers and layers from their tables.

use std::io::Write;

use crate::cli::language::say;
use crate::model::Layer;
use crate::passes::PASSES;
use crate::readers::READERS;
use crate::writers::WRITERS;
use crate::writers::alignment::ALIGNMENT_WRITERS;
use crate::writers::collation::COLLATION_WRITERS;
use crate::writers::references::REFERENCE_WRITERS;

use super::{Outcome, columns, export, output};

#[derive(clap::Args)]
#[command(after_help = include_str!("data/formats.txt"))]
pub struct Args {
    /// How to print
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    to: ListFormat,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum ListFormat {
    Text,
    Json,
}

/// One table: its name, its heading, its rows of name, detail and description.
type FormatList = (&'static str, &'static str, Vec<[String; 3]>);

/// Runs the command.
pub fn run(args: &Args) -> Outcome {
    let sections = sections();
    output::to(None, |out| match args.to {
        ListFormat::Text => text(&sections, out),
        ListFormat::Json => json(&sections, out),
    })?;
    Ok(0)
}

fn sections() -> Vec<FormatList> {
    let readers = READERS.iter().map(|r| [r.name.into(), String::new(), r.about.into()]).collect();
    let passes = (PASSES.iter())
        .map(|p| [p.name.into(), format!("{:?}", p.stage).to_lowercase(), p.about.into()])
        .collect();
    let written = |name: &str, ending: &str, about: &str| {
        [name.into(), format!(".{}", ending.trim_start_matches('.')), about.into()]
    };
    let writers = WRITERS.iter().map(|w| written(w.name, w.extension, w.about)).collect();
    let editions =
        export::formats().map(|[name, ending, about]| written(name, ending, about)).collect();
    let references =
        REFERENCE_WRITERS.iter().map(|w| written(w.name, w.extension, w.about)).collect();
    let alignments =
        ALIGNMENT_WRITERS.iter().map(|w| written(w.name, w.extension, w.about)).collect();
    let collations =
        COLLATION_WRITERS.iter().map(|w| written(w.name, w.extension, w.about)).collect();
    let layers = Layer::all()
        .map(|l| [format!("{} {}", l.zh, l.id), l.aliases.join(" "), l.about.into()])
        .collect();
    vec![
        ("readers", "readers (for --from)", readers),
        ("passes", "passes (in the order they run, with their stage)", passes),
        ("writers", "writers (for --to, with the extension of their files)", writers),
        ("editions", "editions (for export --to)", editions),
        ("references", "references (for refs --to, beside text)", references),
        ("alignments", "alignments (for align --to)", alignments),
        ("collations", "collations (for collate --to, beside summary and html)", collations),
        ("layers", "layers (with other accepted names)", layers),
    ]
}

fn text(sections: &[FormatList], out: &mut dyn Write) -> std::io::Result<()> {
    for (n, (_, heading, rows)) in sections.iter().enumerate() {
        let gap = if n > 0 { "\n" } else { "" };
        let detailed = rows.iter().any(|[_, detail, _]| !detail.is_empty());
        let cells = |[name, detail, about]: &[String; 3]| match detailed {
            true => vec![name.clone(), detail.clone(), say(about)],
            false => vec![name.clone(), say(about)],
        };
        let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
        let (heading, rows) = (say(heading), columns::lines(&rows));
        write!(out, "{gap}{heading}\n{rows}")?;
    }
    Ok(())
}

fn json(sections: &[FormatList], out: &mut dyn Write) -> std::io::Result<()> {
    let object: serde_json::Map<String, serde_json::Value> = sections
        .iter()
        .map(|(name, _, rows)| {
            let rows = rows.iter().map(|[name, detail, about]| serde_json::json!({"name": name, "detail": detail, "about": about}));
            (name.to_string(), rows.collect())
        })
        .collect();
    serde_json::to_writer_pretty(&mut *out, &object)?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    #[test]
    fn every_name_is_explained_in_every_language() {
        let mut missing = vec![];
        for [name, _, about] in sections().into_iter().flat_map(|(_, _, rows)| rows) {
            let said = [Language::ZhHant, Language::ZhHans].map(|l| l.message_of(&about));
            if !about.is_empty() && said.iter().any(|s| *s == about) {
                missing.push(format!("{name}: {about}"));
            }
        }
        assert!(missing.is_empty(), "not translated:\n{}", missing.join("\n"));
    }
}
