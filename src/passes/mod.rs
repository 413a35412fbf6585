//! Passes: one file (or folder) for each pass, run in the order of [`PASSES`]. A pass never changes
//! the text: it may replace a segment by finer ones, and add links, divisions, readings and
//! diagnostics.

pub mod align;
mod context;
pub mod evidence;
mod layers;
mod learned;
mod links;
mod speech;
mod structure;

use std::sync::Arc;

use crate::cache::CacheKey;
use crate::model::Document;
use crate::source::Span;
use evidence::neighbours;
use layers::{confirmed, headers, inline, labels, unlayered, unmarked, yinyi, zhuan};
use links::{apparatus, confirmed_links, lemmata, lemmata_beside, parallels, references};
use structure::{cited_as, confirmed_readings, divisions, loci, punctuation, repairs};

pub use context::Context;
pub use evidence::known;
pub use layers::split;
pub use learned::LayerModels;
pub use links::parallels::FoundParallel;
#[cfg(feature = "internals")]
pub use links::references::Rule;
pub(crate) use links::references::{labels, naming};

/// When a pass runs. All documents finish a stage before any begins the next, so
/// [`Context::library`] has the other documents as the previous stage left them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Reads the marks of the text itself.
    Marks,
    /// Separates the layers.
    Layers,
    /// Adds to the layers of one document: ids, repairs, divisions.
    Structure,
    /// Links documents to each other and to themselves.
    References,
    /// Finds parallel passages that no reference points to.
    Parallels,
}

impl Stage {
    /// All, in their order.
    pub const ALL: [Stage; 5] =
        [Stage::Marks, Stage::Layers, Stage::Structure, Stage::References, Stage::Parallels];

    /// Its name, in keys of results.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Stage::Marks => "marks",
            Stage::Layers => "layers",
            Stage::Structure => "structure",
            Stage::References => "references",
            Stage::Parallels => "parallels",
        }
    }
}

/// Documents that a pass reads besides its own.
pub(crate) type ReadDocuments = for<'a> fn(&Document, &Context<'a>) -> Vec<&'a Arc<Document>>;

/// Documents that a pass reads, and a key of what else it learns from the library.
pub(crate) type ReadAnswers =
    for<'a> fn(&Document, &Context<'a>) -> Option<(Vec<&'a Arc<Document>>, CacheKey)>;

/// What a pass reads besides what is the same for all documents. A result is kept from one build to
/// the next as long as nothing of it changes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reads {
    /// Its document only.
    Itself,
    /// Other documents too, as the stage before left them: those that the function lists.
    Documents(ReadDocuments),
    /// Others in which it looks up words by the index, which records that. Whether a change
    /// concerns the document can be seen afterwards only.
    Lookups,
    /// Others, or all of them, of which the function gives what matters for the document: those
    /// that it reads, and a key of all else. `None` if that is not known.
    Answers(ReadAnswers),
}

/// One pass.
pub struct Pass {
    /// Name, as in `zhushu formats`.
    pub name: &'static str,
    /// When it runs.
    pub stage: Stage,
    /// Passes that must have run before; checked by a test.
    pub needs: &'static [&'static str],
    /// Decides what a settled document ([`Document::settled`]) already has: layers, ids, readings,
    /// divisions. Such a pass skips settled documents, so that corrections made in a TEI file stay.
    pub settles: bool,
    /// What it does, in one line.
    pub about: &'static str,
    /// What it reads.
    pub(crate) reads: Reads,
    /// Computes what it needs from the whole library, before its stage begins. Unlike `run`, which
    /// works on many documents at once, it may work in parallel.
    pub prepare: Option<fn(&Context<'_>)>,
    /// Runs it.
    pub run: fn(&mut Document, &Context<'_>),
}

/// All passes, in the order they run.
pub static PASSES: &[Pass] = &[
    Pass {
        name: "inline",
        stage: Stage::Marks,
        needs: &[],
        settles: true,
        about: "separates the layers where words (注, 音義, 疏) in a running text are the only marks",
        reads: Reads::Documents(neighbours::of),
        prepare: None,
        run: inline::run,
    },
    Pass {
        name: "decided",
        stage: Stage::Layers,
        needs: &[],
        settles: true,
        about: "prepares what a person has decided about layers for the splitter",
        reads: Reads::Itself,
        prepare: None,
        run: confirmed::before,
    },
    Pass {
        name: "headers",
        stage: Stage::Layers,
        needs: &[],
        settles: false,
        about: "parses the lemma headers of the sub-commentary",
        reads: Reads::Itself,
        prepare: None,
        run: headers::run,
    },
    Pass {
        name: "bare",
        stage: Stage::Layers,
        needs: &["headers"],
        settles: true,
        about: "cuts 經 from 注 in a text without punctuation",
        reads: Reads::Documents(neighbours::of),
        prepare: None,
        run: inline::bare::run,
    },
    Pass {
        name: "unmarked",
        stage: Stage::Layers,
        needs: &["decided", "headers", "bare"],
        settles: true,
        about: "cuts 經 from 注 in a text in which nothing shows them, by a network that has read others",
        reads: Reads::Itself,
        prepare: None,
        run: unmarked::run,
    },
    Pass {
        name: "split",
        stage: Stage::Layers,
        needs: &["headers"],
        settles: true,
        about: "cuts 經 from 注 where nothing marks the border",
        reads: Reads::Documents(neighbours::of),
        prepare: None,
        run: split::run,
    },
    Pass {
        name: "labels",
        stage: Stage::Layers,
        needs: &[],
        settles: true,
        about: "separates section labels (右…) from the 經",
        reads: Reads::Documents(neighbours::of_labels),
        prepare: None,
        run: labels::run,
    },
    Pass {
        name: "yinyi",
        stage: Stage::Layers,
        needs: &[],
        settles: true,
        about: "separates 音義 from other text after a ○",
        reads: Reads::Itself,
        prepare: None,
        run: yinyi::run,
    },
    Pass {
        name: "zhuan",
        stage: Stage::Layers,
        needs: &["split"],
        settles: true,
        about: "separates the 傳 inside the 經 (喪服; 【傳】) from the rest of it",
        reads: Reads::Itself,
        prepare: None,
        run: zhuan::run,
    },
    Pass {
        name: "confirmed",
        stage: Stage::Layers,
        needs: &["decided", "split", "labels", "yinyi", "zhuan"],
        settles: true,
        about: "makes what a person has decided about layers hold",
        reads: Reads::Itself,
        prepare: None,
        run: confirmed::after,
    },
    Pass {
        name: "number",
        stage: Stage::Layers,
        needs: &["confirmed"],
        settles: true,
        about: "gives every segment its id",
        reads: Reads::Itself,
        prepare: None,
        run: |d, _| d.number(),
    },
    Pass {
        name: "unlayered",
        stage: Stage::Structure,
        needs: &[],
        settles: true,
        about: "warns of a text of which many characters are in no layer, or of notes in its classic",
        reads: Reads::Itself,
        prepare: None,
        run: unlayered::run,
    },
    Pass {
        name: "repairs",
        stage: Stage::Structure,
        needs: &[],
        settles: true,
        about: "finds characters that a one-to-one script conversion damaged (雲 for 云), and adds the reading",
        reads: Reads::Answers(repairs::answers),
        prepare: None,
        run: repairs::run,
    },
    Pass {
        name: "confirmed_readings",
        stage: Stage::Structure,
        needs: &["repairs"],
        settles: true,
        about: "takes up what a person has decided about readings",
        reads: Reads::Itself,
        prepare: None,
        run: confirmed_readings::run,
    },
    Pass {
        name: "cited_as",
        stage: Stage::Structure,
        needs: &[],
        settles: false,
        about: "finds the key by which the work of a text is cited",
        reads: Reads::Itself,
        prepare: None,
        run: cited_as::run,
    },
    Pass {
        name: "speech",
        stage: Stage::Structure,
        needs: &["headers", "split"],
        settles: false,
        about: "says who wrote each layer of notes, and whose words notes report",
        reads: Reads::Itself,
        prepare: None,
        run: speech::run,
    },
    Pass {
        name: "divisions",
        stage: Stage::Structure,
        needs: &["headers", "split"],
        settles: true,
        about: "divides the text into sections by labels (右…) and scopes (自此盡…)",
        reads: Reads::Itself,
        prepare: None,
        run: divisions::run,
    },
    Pass {
        name: "punctuation",
        stage: Stage::Structure,
        needs: &["split"],
        settles: true,
        about: "supplies punctuation for a text without any, if it is wanted",
        reads: Reads::Documents(loci::family_of),
        prepare: None,
        run: punctuation::run,
    },
    Pass {
        name: "loci",
        stage: Stage::References,
        needs: &["divisions", "split"],
        settles: true,
        about: "numbers the sentences of the 經 for citation, alike in all witnesses of a chapter, and shares their sections",
        reads: Reads::Documents(loci::family_of),
        prepare: None,
        run: loci::run,
    },
    Pass {
        name: "apparatus",
        stage: Stage::References,
        needs: &["split"],
        settles: false,
        about: "makes apparatus entries from notes about readings (今文X作Y, X讀爲Y, 今注疏本脱X字)",
        reads: Reads::Itself,
        prepare: None,
        run: apparatus::run,
    },
    Pass {
        name: "lemmata",
        stage: Stage::References,
        needs: &["headers", "split"],
        settles: false,
        about: "links each part of a lemma header to the words it treats",
        reads: Reads::Itself,
        prepare: None,
        run: lemmata::run,
    },
    Pass {
        name: "lemmata_beside",
        stage: Stage::References,
        needs: &["lemmata"],
        settles: false,
        about: "finds the words that a sub-commentary printed alone treats in other texts of the work",
        reads: Reads::Documents(lemmata_beside::beside),
        prepare: None,
        run: lemmata_beside::run,
    },
    Pass {
        name: "references",
        stage: Stage::References,
        needs: &["headers", "speech", "split"],
        settles: false,
        about: "finds quotations, citations and references to other places, and resolves them",
        reads: Reads::Lookups,
        prepare: None,
        run: references::run,
    },
    Pass {
        name: "confirmed_links",
        stage: Stage::References,
        needs: &["references"],
        settles: true,
        about: "takes up what a person has decided about references",
        reads: Reads::Documents(confirmed_links::targets),
        prepare: None,
        run: confirmed_links::run,
    },
    Pass {
        name: "parallels",
        stage: Stage::Parallels,
        needs: &["references"],
        settles: false,
        about: "finds passages of other chapters with the same words",
        reads: Reads::Answers(parallels::answers),
        prepare: Some(parallels::prepare),
        run: parallels::run,
    },
];

/// Runs the passes before `split`: the lemma headers, and the passes that handle what `split` must
/// not cut.
pub fn run_before_split(document: &mut Document, context: &Context<'_>) {
    PASSES.iter().take_while(|p| p.name != "split").for_each(|p| (p.run)(document, context));
}

/// Explains the passages of a document that `split` cuts. `document`, and the other documents in
/// the library of `context`, are as their readers left them.
///
/// With `within`, only the passages that overlap one of its spans are explained or, if there are
/// none, those whose sub-commentary does. Alternatives with a probability below `least` are left
/// out.
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
            "the passes are not in the order of their stages"
        );
    }

    #[test]
    fn needed_passes_run_before_the_pass() {
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
