//! The table of what may be asked.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::answerer::Answerer;
use super::arguments::ParameterKind::{Flag, Number, OneOf, Required, Several, SomeOf, Words};
use super::arguments::{Arguments, Parameter};
use super::{contents, passages, quotations, search};
use crate::diag::Error;

/// Says whether the answer is no longer wanted.
pub(super) type IsOver = Arc<dyn Fn() -> bool + Send + Sync>;

type Run = fn(&Answerer, &Arguments, &IsOver) -> Result<Value, Error>;

/// Something that may be asked.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Operation {
    /// Its name: that of the tool, and the end of its address.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it answers.
    pub about: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    pub(super) run: Run,
}

const LAYERS: Parameter = Parameter::new(
    "layer",
    Several,
    "Only these layers, by Chinese or pinyin names: 經 (jing, the classic), 注 (zhu), 疏 (shu), \
     音義 (yinyi), 今譯 (translation) …",
);
const SKIP: Parameter =
    Parameter::new("skip", Number(0, 100_000_000), "How many to pass over: `more` says it.");

/// All operations.
pub static OPERATIONS: &[Operation] = &[
    Operation {
        name: "search",
        title: "Search the texts",
        about: "Finds words in Chinese classics and their commentaries, through variant and \
                simplified characters and across notes that interrupt the classic. Each hit has \
                its place (locus and URN), edition, layer (classic, note, sub-commentary …), who \
                says it, and how certain the layer is. If nothing is found, similar queries that \
                find something are named. Nothing found means: not in the texts that were \
                searched.",
        parameters: &[
            Parameter::new(
                "q",
                Required,
                "What to look for. 仁 or \"取 爵\"; 注:今文 in the notes only; by:鄭玄 what he says; \
                 work:儀禮 in a work; AND, OR, NOT within a passage; 坐 NEAR/5 獲; ? and * for \
                 characters; re: for a regular expression; 仁 @ 經:孝 in comments on a passage with \
                 孝.",
            ),
            Parameter::new("limit", Number(20, 1000), "How many hits to give."),
            SKIP,
            Parameter::new("context", Number(12, 200), "Characters of context on either side."),
            Parameter::new(
                "sort",
                OneOf(&["reading", "place", "left", "right"]),
                "Order of the hits: the classics first, the order of the corpus, or by the text \
                 before or after.",
            ),
            Parameter::new("exact", Flag, "Only exactly these characters."),
            Parameter::new("no-variants", Flag, "Both scripts match each other, variants do not."),
            Parameter::new("no-crossing", Flag, "Do not match across a note that interrupts."),
            Parameter::new(
                "by",
                SomeOf(&["layer", "work", "chapter", "commentator", "witness"]),
                "What to count the hits by; layer unless it is given.",
            ),
        ],
        run: search::answer,
    },
    Operation {
        name: "passage",
        title: "Show a passage with its commentaries",
        about: "Shows a passage of a classic with everything that the texts say about it: notes, \
                sub-commentaries, glosses on sounds, translations; each stretch with its locus, \
                URN, layer, author and certainty. In each text that has the passage.",
        parameters: &[
            Parameter::new(
                "locus",
                Required,
                "The passage: 論語 12.1, 儀禮・鄉射禮.5.2, yili.05.2.3, a range yili.05.2-3, a URN \
                 urn:cts:zhushu:yili.05:2.3, or a leaf of the print, SBCK 6-1b.",
            ),
            LAYERS,
            Parameter::new("by", Several, "Only what these people say: 鄭玄, 賈公彥."),
            Parameter::new("limit", Number(100, 1000), "How many stretches to give."),
            SKIP,
        ],
        run: passages::answer,
    },
    Operation {
        name: "who_quotes",
        title: "Who quotes a passage",
        about: "Lists the places that quote or cite a passage, or have the same words: where, in \
                which layer, who says it, the words with their context, the kind (citation of \
                another work, quotation, internal reference, parallel) and the certainty. What \
                other texts say comes first.",
        parameters: &[
            Parameter::new("locus", Required, "The passage, as in `passage`."),
            Parameter::new(
                "kind",
                SomeOf(&["citation", "internal", "quotation", "parallel"]),
                "Only references of these kinds.",
            ),
            LAYERS,
            Parameter::new(
                "certainty",
                Number(0, 100),
                "Only references that are at least this certain, in per cent.",
            ),
            Parameter::new("context", Number(20, 200), "Characters of context on either side."),
            Parameter::new("limit", Number(20, 500), "How many places to give."),
            SKIP,
        ],
        run: quotations::answer,
    },
    Operation {
        name: "contents",
        title: "What there is to read and to search",
        about: "Lists the works that are here, or the chapters and texts of one of them, with \
                loci, URNs, editions, authors and how many characters each layer has. Ask this \
                first: all else is answered from these texts only.",
        parameters: &[
            Parameter::new("work", Words, "A work, such as 論語 or lunyu: its texts are listed."),
            Parameter::new("limit", Number(100, 1000), "How many works or texts to give."),
            SKIP,
        ],
        run: contents::answer,
    },
];

/// The operation with a name.
pub(super) fn named(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}

impl Operation {
    /// The JSON schema of its arguments.
    pub(super) fn schema(&self) -> Value {
        let all = self.parameters.iter().map(|p| (p.name.to_string(), p.schema()));
        let required = self.parameters.iter().filter(|p| matches!(p.kind, Required));
        let required: Vec<&str> = required.map(|p| p.name).collect();
        json!({
            "type": "object", "properties": all.collect::<Map<_, _>>(), "required": required,
            "additionalProperties": false,
        })
    }
}
