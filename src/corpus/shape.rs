//! Descriptions of shapes: which marks open which layer in a kind of text, and where that ends. The
//! manifest has `[[shape]]` tables, and the built-in shapes are a file of the same form.
//!
//! ```toml
//! [[shape]]
//! name = "two-notes"
//! text = "jing"                     # what no mark opens
//! brackets = ["〔〕", "【】"]        # around the names below
//! mark = [
//!   { names = ["注"], layer = "zhu", ends = "line" },
//!   { opens = ["{", "(("], closes = "}", layer = "an" },
//! ]
//! furniture = ["^第\\d+頁$"]
//! ```

use regex::Regex;
use regex_automata::meta;
use toml::de::DeTable;

use super::fields::{Fields, TomlText, nearest, parse, wrong};
use crate::diag::Error;
use crate::model::Layer;
use crate::source::Source;

/// A number in a mark: `〔{n}〕`, and a mark that is only a number: `{c}`.
const NUMBER: &str = "[一二三四五六七八九十百廿卅〇○零0-9０-９]{1,4}";
const CIRCLED: &str = "(?:[①-⑳㉑-㉟㊱-㊿⑴-⒇⒈-⒛❶-❿]|[¹²³⁰⁴-⁹]{1,3})";
/// A commentator's name before the name of a layer: `{h}注`.
const PERSON: &str = "\\p{Han}{0,2}";
/// Most bytes of a compiled pattern.
const MAX_PATTERN_BYTES: usize = 10 << 20;

/// How a kind of text marks its layers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Shape {
    /// Its name, for `--from` and for `reader = "…"` of a text.
    pub name: String,
    /// What it is, in one line.
    pub about: String,
    /// The score of a text that it fits, 0 to 100. 0: only used if it is named.
    pub claims: u8,
    /// The layer of unmarked text.
    pub text: Layer,
    /// The layers of the lines of a block, in order; the last one applies up to the end of the
    /// block. A blank line or a heading ends a block.
    pub turns: Vec<Layer>,
    /// The layers of the lines by how far in they begin: of those that begin as far out as any, and
    /// of the others.
    pub indents: Option<[Layer; 2]>,
    /// Its marks. Their order is that of the sections of an item, see [`Shape::items`].
    pub marks: Vec<ShapeMark>,
    /// An unmarked line directly before a mark of an earlier kind begins a new item and is text; if
    /// marks name the text too, one before the first mark of a file that has no such.
    pub items: bool,
    /// A name also opens its layer where it stands alone in a line, with or without signs around it
    /// (`◆原文`, `### 原文`, `一、原文`): such names, and the number of the mark of each.
    pub alone: Vec<(String, usize)>,
    /// What a text must have for the shape to be recognised.
    pub fit: ShapeFit,
    /// Lines that are headings.
    pub headings: Vec<Regex>,
    /// Lines that are furniture.
    pub furniture: Vec<Regex>,
    /// All opening marks. A match has the number of its kind, which is that of its pattern; groups
    /// in one pattern would give it as well, and cost four times as much.
    pub(crate) openings: meta::Regex,
    /// The pattern of each mark.
    patterns: Vec<String>,
}

impl Shape {
    /// The same shape with more marks, each of which begins a line and opens a layer up to the next
    /// mark. `None` if that are too many.
    pub(crate) fn with_marks(&self, more: &[(&str, Layer)]) -> Option<Shape> {
        let mut shape = self.clone();
        for (words, layer) in more {
            shape.patterns.push(regex::escape(words));
            shape.marks.push(ShapeMark {
                layer: *layer,
                ends: ShapeEnd::Mark,
                place: ShapePlace::LineStart,
                goes_on: false,
                numbered: false,
            });
        }
        shape.openings = built(&shape.patterns).ok()?;
        Some(shape)
    }

    /// The number of the mark whose name is alone in a line.
    pub(crate) fn alone_in(&self, line: &str) -> Option<usize> {
        if self.alone.is_empty() {
            return None;
        }
        let bare = line.trim_matches(is_around);
        self.alone.iter().find(|(name, _)| name == bare).map(|(_, mark)| *mark)
    }
}

/// What a text must have, besides some marks, for a shape to be recognised.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ShapeFit {
    /// Least number of kinds of marks that recur.
    pub kinds: u32,
    /// Marks need not recur to count.
    pub once: bool,
    /// Least share of marks that are inside a line, in percent.
    pub inside: u32,
    /// What it must not have.
    pub without: Option<Regex>,
    /// The text must come first and be sentences, and what is about it must follow: it repeats no
    /// fewer words of the text before it than what follows the next text does.
    pub echo: bool,
    /// Each closing mark must be there.
    pub closed: bool,
}

/// One kind of marks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ShapeMark {
    /// The layer that it opens; [`Layer::Mark`] if it opens none.
    pub layer: Layer,
    /// Where that layer ends. The next mark always ends it, except inside brackets that must close.
    pub ends: ShapeEnd,
    /// Where the mark must be.
    pub place: ShapePlace,
    /// Text may continue after the note in the same line; where it does is decided by how it reads.
    pub goes_on: bool,
    /// Marks with numbers: the first mark with a number refers to a note, the second opens it.
    pub numbered: bool,
}

/// Where a marked layer ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapeEnd {
    /// At the end of its line.
    Line,
    /// At a blank line.
    Paragraph,
    /// At the next mark or heading.
    Mark,
    /// At this closing mark.
    Closing(String),
}

/// Where a mark must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShapePlace {
    /// Anywhere.
    Anywhere,
    /// At the start of a line.
    LineStart,
}

/// True for what may stand around a name that is alone in its line.
fn is_around(c: char) -> bool {
    c.is_whitespace()
        || c.is_ascii_punctuation()
        || c.is_ascii_digit()
        || "◆◇●○■□★☆▲△▼※·•＜＞〈〉《》（）［］【】〖〗〔〕：、．一二三四五六七八九十".contains(c)
}

const FILE: &[&str] = &["shape"];
const SHAPE: &[&str] = &[
    "name",
    "about",
    "claims",
    "fit",
    "text",
    "turns",
    "indents",
    "brackets",
    "mark",
    "items",
    "alone",
    "headings",
    "furniture",
];
const FIT: &[&str] = &["kinds", "once", "inside", "without", "echo", "closed"];
const MARK: &[&str] =
    &["names", "opens", "closes", "ends", "layer", "place", "goes_on", "numbered"];

/// The shapes of a file that contains nothing else.
///
/// # Errors
/// The first mistake.
pub(crate) fn read(source: &Source) -> Result<Vec<Shape>, Error> {
    let toml = parse(source)?;
    shapes(source, &Fields::new(source, "the file", toml.get_ref(), 0..0, FILE)?)
}

/// The `[[shape]]` tables of a manifest.
pub(super) fn shapes(source: &Source, top: &Fields<'_>) -> Result<Vec<Shape>, Error> {
    let mut found: Vec<Shape> = vec![];
    for (table, at) in top.tables("shape")? {
        let f = Fields::new(source, "[[shape]]", table, at, SHAPE)?;
        let name = f.need("name")?;
        if found.iter().any(|s| s.name == name.value) {
            let message = format!("the shape “{}” is described twice", name.value);
            return Err(wrong(source, name.span, message));
        }
        found.push(ShapeReader { source, f: &f }.shape(name)?);
    }
    Ok(found)
}

struct ShapeReader<'a> {
    source: &'a Source,
    f: &'a Fields<'a>,
}

impl ShapeReader<'_> {
    fn shape(&self, name: TomlText) -> Result<Shape, Error> {
        let f = self.f;
        let brackets = self.brackets()?;
        let (mut marks, mut openings, mut alone) = (vec![], vec![], vec![]);
        for (table, at) in f.tables("mark")? {
            if f.flag("alone")? {
                let fields = Fields::new(self.source, "a mark", table, at.clone(), MARK)?;
                let names = fields.texts("names")?.into_iter();
                alone.extend(names.map(|name| (name.value, marks.len())));
            }
            let (mark, opening) = self.mark(table, at, &brackets)?;
            openings.push(opening);
            marks.push(mark);
        }
        let (turns, indents) = (self.layers("turns")?, self.indents(&name)?);
        if marks.is_empty() && turns.is_empty() && indents.is_none() {
            let message = format!("the shape “{}” has no marks", name.value);
            return Err(wrong(self.source, name.span, message).hint(
                "give it `mark = [{ opens = [\"〔注〕\"], layer = \"zhu\", ends = \"line\" }]`",
            ));
        }
        Ok(Shape {
            about: f.string("about")?.unwrap_or_default(),
            claims: f.number("claims")?.unwrap_or(0).min(100) as u8,
            text: f.text("text")?.map_or(Ok(Layer::Jing), |t| self.layer(&t))?,
            turns,
            indents,
            marks,
            fit: self.fit()?,
            items: f.flag("items")?,
            alone,
            headings: self.patterns("headings")?,
            furniture: self.patterns("furniture")?,
            openings: built(&openings).map_err(|e| self.no_pattern(&name, &e))?,
            patterns: openings,
            name: name.value,
        })
    }

    fn fit(&self) -> Result<ShapeFit, Error> {
        let Some((table, at)) = self.f.table("fit")? else { return Ok(ShapeFit::default()) };
        let f = Fields::new(self.source, "fit", table, at, FIT)?;
        let (kinds, inside) = (f.number("kinds")?, f.number("inside")?);
        let without = f.text("without")?.map(|t| self.compile(&t.value, &t)).transpose()?;
        let [once, echo, closed] = [f.flag("once")?, f.flag("echo")?, f.flag("closed")?];
        let (kinds, inside) = (kinds.unwrap_or(0), inside.unwrap_or(0));
        Ok(ShapeFit { kinds, once, inside, without, echo, closed })
    }

    /// Pairs of characters that may surround a name.
    fn brackets(&self) -> Result<Vec<(char, char)>, Error> {
        let pair = |t: TomlText| {
            let mut chars = t.value.chars();
            match (chars.next(), chars.next(), chars.next()) {
                (Some(open), Some(close), None) => Ok((open, close)),
                _ => {
                    let message = format!("“{}” is not a pair of brackets", t.value);
                    Err(wrong(self.source, t.span, message).hint("two characters: \"〔〕\""))
                }
            }
        };
        self.f.texts("brackets")?.into_iter().map(pair).collect()
    }

    fn mark(
        &self,
        table: &DeTable<'_>,
        at: std::ops::Range<usize>,
        brackets: &[(char, char)],
    ) -> Result<(ShapeMark, String), Error> {
        let f = Fields::new(self.source, "a mark", table, at, MARK)?;
        let layer = f.need("layer")?;
        let mut openings: Vec<String> =
            f.texts("opens")?.iter().map(|t| opening(&t.value)).collect();
        for name in f.texts("names")? {
            let name = opening(&name.value);
            let quoted = |c: char| regex::escape(c.encode_utf8(&mut [0; 4]));
            openings.extend(
                brackets.iter().map(|(a, b)| format!("{}\\s*{name}\\s*{}", quoted(*a), quoted(*b))),
            );
        }
        if openings.is_empty() {
            let hint = "`opens` lists marks as they are; `names` lists names in `brackets`";
            return Err(wrong(self.source, layer.span, "nothing opens this layer").hint(hint));
        }
        // Of two marks with the same beginning the longer one is matched.
        openings.sort_by_key(|o| std::cmp::Reverse(o.len()));
        let ends = match (f.text("ends")?, f.string("closes")?) {
            (_, Some(closing)) => ShapeEnd::Closing(closing),
            (None, None) => ShapeEnd::Line,
            (Some(t), None) => self.end(&t)?,
        };
        let place = match f.text("place")? {
            Some(t) if t.value == "line" => ShapePlace::LineStart,
            Some(t) if t.value != "anywhere" => {
                return Err(self.not_one_of(&t, &["line", "anywhere"]));
            }
            _ => ShapePlace::Anywhere,
        };
        let mark = ShapeMark {
            layer: self.layer(&layer)?,
            ends,
            place,
            goes_on: f.flag("goes_on")?,
            numbered: f.flag("numbered")?,
        };
        Ok((mark, openings.join("|")))
    }

    fn end(&self, t: &TomlText) -> Result<ShapeEnd, Error> {
        match t.value.as_str() {
            "line" => Ok(ShapeEnd::Line),
            "paragraph" => Ok(ShapeEnd::Paragraph),
            "mark" => Ok(ShapeEnd::Mark),
            _ => Err(self.not_one_of(t, &["line", "paragraph", "mark"])),
        }
    }

    fn not_one_of(&self, t: &TomlText, known: &[&str]) -> Error {
        let message = format!("“{}” is not one of: {}", t.value, known.join(", "));
        wrong(self.source, t.span, message)
    }

    fn indents(&self, shape: &TomlText) -> Result<Option<[Layer; 2]>, Error> {
        match self.layers("indents")?[..] {
            [] => Ok(None),
            [out, further_in] => Ok(Some([out, further_in])),
            _ => {
                let message = "`indents` needs two layers: of the outer lines and of the others";
                Err(wrong(self.source, shape.span, message))
            }
        }
    }

    fn layers(&self, key: &str) -> Result<Vec<Layer>, Error> {
        self.f.texts(key)?.iter().map(|t| self.layer(t)).collect()
    }

    fn layer(&self, name: &TomlText) -> Result<Layer, Error> {
        name.value.parse().map_err(|_| {
            let message = format!("no layer is called “{}”", name.value);
            let hint = nearest(&name.value, Layer::all().map(|l| l.id)).unwrap_or_else(|| {
                let all: Vec<_> = Layer::all().map(|l| format!("{}/{}", l.zh, l.id)).collect();
                format!("there are {}", all.join(" "))
            });
            wrong(self.source, name.span, message).hint(hint)
        })
    }

    fn patterns(&self, key: &str) -> Result<Vec<Regex>, Error> {
        self.f.texts(key)?.iter().map(|t| self.compile(&t.value, t)).collect()
    }

    fn compile(&self, pattern: &str, at: &TomlText) -> Result<Regex, Error> {
        let built = regex::RegexBuilder::new(pattern).size_limit(MAX_PATTERN_BYTES).build();
        built.map_err(|e| self.no_pattern(at, &e))
    }

    fn no_pattern(&self, at: &TomlText, e: &dyn std::fmt::Display) -> Error {
        wrong(self.source, at.span, format!("this is not a regular expression: {e}"))
    }
}

/// The openings of all marks as one pattern.
fn built(patterns: &[String]) -> Result<meta::Regex, Box<meta::BuildError>> {
    let limit = meta::Config::new().nfa_size_limit(Some(MAX_PATTERN_BYTES));
    meta::Builder::new().configure(limit).build_many(patterns).map_err(Box::new)
}

/// A mark as a regular expression.
fn opening(mark: &str) -> String {
    regex::escape(mark)
        .replace("\\{n\\}", NUMBER)
        .replace("\\{c\\}", CIRCLED)
        .replace("\\{h\\}", PERSON)
}

/// Keeps the names of the keys in one place for the schema's test.
#[cfg(test)]
pub(super) const KEYS: [&[&str]; 3] = [SHAPE, FIT, MARK];
