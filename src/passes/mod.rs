//! Passes: one file (or folder) a pass, run in the order of [`PASSES`]. A pass only adds: it may
//! put finer segments in the place of one, and put links, divisions, readings and diagnostics
//! beside the text.

pub mod align;
mod context;
mod evidence;
mod layers;
mod links;
mod structure;

use crate::model::Document;
use crate::source::Span;
use layers::{headers, inline, labels, yinyi, zhuan};
use links::{apparatus, lemmata, parallels, references};
use structure::{divisions, identify, loci, repairs};

pub use context::Context;
pub use evidence::known;
pub use layers::split;

/// When a pass runs. All documents finish a stage before any begins the next, so a pass sees in its
/// [`Context::library`] the other documents as the stage before left them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Reads what a text's own marks say.
    Marks,
    /// Tells the layers apart.
    Layers,
    /// Adds what stands over the layers of one document: ids, repairs, divisions.
    Structure,
    /// Links documents to each other and to themselves.
    References,
    /// Finds what is told elsewhere too, of what no reference tells.
    Parallels,
}

/// One pass.
pub struct Pass {
    /// Name, as in `zhushu formats`.
    pub name: &'static str,
    /// When it runs.
    pub stage: Stage,
    /// Passes that must have run before; held by a test.
    pub needs: &'static [&'static str],
    /// Decides what a settled document ([`Document::settled`]) already carries: layers, ids,
    /// readings, divisions. Such a pass does not run on one, so that what a person mended in a TEI
    /// file stays.
    pub settles: bool,
    /// What it does, in one line.
    pub about: &'static str,
    /// Does it.
    pub run: fn(&mut Document, &Context<'_>),
}

/// All passes, in the order they run.
pub static PASSES: &[Pass] = &[
    Pass {
        name: "inline",
        stage: Stage::Marks,
        needs: &[],
        settles: true,
        about: "tells the layers apart where words (注, 音義, 疏) in a running text are the only marks",
        run: inline::run,
    },
    Pass {
        name: "headers",
        stage: Stage::Layers,
        needs: &[],
        settles: false,
        about: "parses the lemma headers of the sub-commentary",
        run: headers::run,
    },
    Pass {
        name: "bare",
        stage: Stage::Layers,
        needs: &["headers"],
        settles: true,
        about: "cuts 經 from 注 in a text without punctuation",
        run: inline::bare::run,
    },
    Pass {
        name: "split",
        stage: Stage::Layers,
        needs: &["headers"],
        settles: true,
        about: "cuts 經 from 注 where nothing marks the border",
        run: split::run,
    },
    Pass {
        name: "labels",
        stage: Stage::Layers,
        needs: &[],
        settles: true,
        about: "tells section labels (右…) from the 經",
        run: labels::run,
    },
    Pass {
        name: "yinyi",
        stage: Stage::Layers,
        needs: &[],
        settles: true,
        about: "tells 音義 from other words after a ○",
        run: yinyi::run,
    },
    Pass {
        name: "zhuan",
        stage: Stage::Layers,
        needs: &["split"],
        settles: true,
        about: "tells the 傳 that stands in the 經 (喪服; 【傳】) from the rest of it",
        run: zhuan::run,
    },
    Pass {
        name: "repairs",
        stage: Stage::Structure,
        needs: &[],
        settles: true,
        about: "finds what a one-to-one table of scripts spoilt (雲 for 云), and puts the reading beside it",
        run: repairs::run,
    },
    Pass {
        name: "number",
        stage: Stage::Structure,
        needs: &[],
        settles: true,
        about: "gives every segment its id",
        run: |d, _| d.number(),
    },
    Pass {
        name: "identify",
        stage: Stage::Structure,
        needs: &[],
        settles: false,
        about: "finds out which chapter a text is by its title, where no manifest says so",
        run: identify::run,
    },
    Pass {
        name: "divisions",
        stage: Stage::Structure,
        needs: &["headers", "split"],
        settles: true,
        about: "divides the text into sections by labels (右…) and scopes (自此盡…)",
        run: divisions::run,
    },
    Pass {
        name: "loci",
        stage: Stage::References,
        needs: &["divisions", "split"],
        settles: true,
        about: "numbers the sentences of the 經 for citing, the same in all witnesses of a chapter, and shares their sections",
        run: loci::run,
    },
    Pass {
        name: "apparatus",
        stage: Stage::References,
        needs: &["split"],
        settles: false,
        about: "makes apparatus entries of what notes say of readings (今文X作Y, X讀爲Y, 今注疏本脱X字)",
        run: apparatus::run,
    },
    Pass {
        name: "lemmata",
        stage: Stage::References,
        needs: &["headers", "split"],
        settles: false,
        about: "links each part of a lemma header to the words it treats",
        run: lemmata::run,
    },
    Pass {
        name: "references",
        stage: Stage::References,
        needs: &["headers", "split"],
        settles: false,
        about: "finds quotations, citations and words that point elsewhere, and resolves them",
        run: references::run,
    },
    Pass {
        name: "parallels",
        stage: Stage::Parallels,
        needs: &["references"],
        settles: false,
        about: "finds what other chapters tell in the same words",
        run: parallels::run,
    },
];

/// Runs what comes before cutting: the lemma headers, and the passes that take what is not for
/// `split` to cut.
pub fn run_before_split(document: &mut Document, context: &Context<'_>) {
    PASSES.iter().take_while(|p| p.name != "split").for_each(|p| (p.run)(document, context));
}

/// Explains the passages of a document that `split` cuts; `document` is as its reader left it, and
/// the library of `context` holds the documents beside it as theirs did.
///
/// With places `within`, only the passages that overlap one of them are explained or, if there are
/// none, those whose sub-commentary does. Alternatives are listed from a probability of `least` on.
pub fn explain_cuts(
    document: &Document,
    context: &Context<'_>,
    within: Option<&[Span]>,
    least: f64,
) -> Vec<split::explain::ExplainedPassage> {
    if document.settled || !document.has_undivided() {
        return Vec::new();
    }
    let mut document = document.clone();
    run_before_split(&mut document, context);
    split::explain::passages(document, context, within, least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_stages_are_in_order() {
        let mut names = std::collections::HashSet::new();
        for pass in PASSES {
            assert!(names.insert(pass.name), "two passes are called {}", pass.name);
            assert!(!pass.about.is_empty() && !pass.about.ends_with('.'), "{}", pass.name);
        }
        assert!(
            PASSES.is_sorted_by_key(|p| p.stage),
            "the table is not in the order in which the stages run"
        );
    }

    #[test]
    fn the_passes_a_pass_needs_run_before_it() {
        for (n, pass) in PASSES.iter().enumerate() {
            for need in pass.needs {
                let at = PASSES.iter().position(|p| p.name == *need);
                assert!(
                    at.is_some_and(|at| at < n),
                    "{} needs {need}, which does not run before it",
                    pass.name
                );
            }
        }
    }
}
