//! The table of what may be asked.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::answerer::Answerer;
use super::arguments::ParameterKind::{Flag, Number, OneOf, Required, Several, SomeOf, Words};
use super::arguments::{Arguments, Parameter};
use super::bounds::IsOver;
use super::{contents, glossed, passages, quotations, search, verified};
use crate::diag::Error;

type Answering = fn(&Answerer, &Arguments, &IsOver) -> Result<Value, Error>;

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
    pub(super) run: Answering,
}

const LAYERS: Parameter = Parameter::new(
    "layer",
    Several,
    "Only these layers, by Chinese or pinyin names: 經 (jing, the classic), 注 (zhu), 疏 (shu), \
     音義 (yinyi), 今譯 (translation) …",
);
const SKIP: Parameter =
    Parameter::new("skip", Number(0, 100_000_000), "How many to pass over: `more` says it.");

const CERTAINTY: Parameter =
    Parameter::new("certainty", Number(0, 100), "Only what is at least this certain, in per cent.");

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
                searched. Hits are sorted within each edition (`in`), one edition after another.",
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
                other texts say comes first, one edition (`in`) after another.",
        parameters: &[
            Parameter::new("locus", Required, "The passage, as in `passage`."),
            Parameter::new(
                "kind",
                SomeOf(&["citation", "internal", "quotation", "parallel"]),
                "Only references of these kinds.",
            ),
            LAYERS,
            CERTAINTY,
            Parameter::new("context", Number(20, 200), "Characters of context on either side."),
            Parameter::new("limit", Number(20, 500), "How many places to give."),
            SKIP,
        ],
        run: quotations::answer,
    },
    Operation {
        name: "verify",
        title: "Check quotations",
        about: "Checks a quotation, or every quotation and 《title》 of a text: verbatim, elsewhere \
                than it is said to be, with differences (shown), only nearly there, or not found in \
                what was searched. Not found does not mean that it is invented: it may be in other \
                books.",
        parameters: &[
            Parameter::new(
                "text",
                Required,
                "A quotation, or a text with quotations in quotation marks.",
            ),
            Parameter::new(
                "cited",
                Words,
                "What a single quotation is said to be from: 論語 12.1, 禮記・大學.",
            ),
            Parameter::new("limit", Number(100, 1000), "How many quotations to give."),
            SKIP,
        ],
        run: verified::answer,
    },
    Operation {
        name: "gloss",
        title: "What notes say of a word",
        about: "Lists what the notes here say that a word means or how it is read: X，Y也; X猶Y; \
                X讀爲Y; X，音Y …; each with who says it, in which note on which passage, and how \
                certain it is that it is a gloss of this word.",
        parameters: &[
            Parameter::new("word", Required, "The word, in any script and variant: 純."),
            Parameter::new(
                "kind",
                SomeOf(&[
                    "means",
                    "refers-to",
                    "is-like",
                    "sound-gloss",
                    "called",
                    "read-as",
                    "read-like",
                    "sounds",
                    "fanqie",
                    "tone",
                    "other-reading",
                    "emended",
                ]),
                "Only of these kinds.",
            ),
            LAYERS,
            Parameter::new("by", Several, "Only by these people: 鄭玄, 孔穎達."),
            CERTAINTY,
            Parameter::new("limit", Number(50, 1000), "How many glosses to give."),
            SKIP,
        ],
        run: glossed::answer,
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

/// The operation with a name.
///
/// # Errors
/// When there is none.
pub fn operation(name: &str) -> Result<&'static Operation, Error> {
    named(name).ok_or_else(|| {
        let names: Vec<&str> = OPERATIONS.iter().map(|o| o.name).collect();
        Error::request(format!("there is no operation {name}")).hint(names.join(", "))
    })
}

impl Operation {
    /// The answer; `is_over` says when it is not wanted any more.
    ///
    /// # Errors
    /// When an edition cannot be read, or nothing is there that is asked for.
    pub fn answer(
        &self,
        answerer: &Answerer,
        arguments: &Arguments,
        is_over: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Result<Value, Error> {
        let is_over: IsOver = Arc::new(is_over);
        (self.run)(answerer, arguments, &is_over)
    }

    /// The same, with arguments as a JSON object.
    ///
    /// # Errors
    /// Also when the arguments are wrong.
    pub fn answer_json(
        &self,
        answerer: &Answerer,
        arguments: &Value,
        is_over: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Result<Value, Error> {
        let none = Map::new();
        let given = match arguments {
            Value::Null => &none,
            Value::Object(given) => given,
            _ => return Err(Error::request("the arguments must be an object")),
        };
        self.answer(answerer, &Arguments::of_json(self.parameters, given)?, is_over)
    }

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::LinkKind;
    use crate::reading::glosses::GlossKind;

    #[test]
    fn names_are_those_of_the_model() {
        let names = |operation: &str| {
            let parameters = named(operation).unwrap().parameters.iter();
            let kinds = parameters.filter(|p| p.name == "kind").map(|p| match p.kind {
                SomeOf(names) => names,
                _ => &[],
            });
            kinds.flatten().copied().collect::<Vec<_>>()
        };
        assert_eq!(names("gloss"), GlossKind::ALL.map(GlossKind::id));
        assert!(names("who_quotes").iter().all(|n| LinkKind::ALL.iter().any(|k| k.id() == *n)));
    }
}
