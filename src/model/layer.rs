//! The layers of a commented classic. A layer with behaviour of its own is a variant of [`Layer`];
//! a commentary by a certain author is a row of `data/layers.tsv`, so that a new commentary needs a
//! row and no code.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// What a layer is for; writers choose markup by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LayerKind {
    /// The text that is commented on.
    Base,
    /// A short note within the base.
    Note,
    /// A running sub-commentary with paragraphs of its own.
    Commentary,
    /// Structure: headings, section labels, lemma headers.
    Structure,
    /// A modern translation.
    Translation,
    /// Marks, blanks and furniture that are not text of the work.
    Outside,
    /// Not yet separated.
    Undivided,
}

/// One layer of a text. Parsed from Chinese or pinyin: `注`, `zhu`, `鄭注` are the same.
///
/// ```
/// use zhushu::model::{Commentary, Layer};
/// assert_eq!("注".parse::<Layer>().unwrap(), Layer::Zhu);
/// assert_eq!("经".parse::<Layer>().unwrap().id(), "jing");
/// let ju: Layer = "句讀".parse().unwrap();
/// assert_eq!(ju, Layer::Named(Commentary::JU));
/// assert_eq!(ju.info().author, Some("張爾岐"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// 經: the classic.
    Jing,
    /// 傳: a tradition transmitted with the classic, such as 左傳.
    Zhuan,
    /// 注: the first commentary on the classic.
    Zhu,
    /// 音義: readings of characters.
    Yin,
    /// 案: editors' collation notes.
    An,
    /// 疏首: the lemma header of a sub-commentary.
    ShuHeader,
    /// 疏: the sub-commentary on classic and commentary.
    Shu,
    /// 右: a label that closes a section.
    Label,
    /// 題: titles of work, chapter and section.
    Heading,
    /// 譯: a modern translation.
    Translation,
    /// 他: text of the book outside its layers, such as a preface.
    Other,
    /// 未分: classic and commentary that are not yet separated.
    Undivided,
    /// 標: marks of layers in the source.
    Mark,
    /// 雜: page furniture, front matter, repeated pages.
    Furniture,
    /// 空: line ends and blanks between paragraphs.
    Blank,
    /// Any other commentary: a row of the table.
    Named(Commentary),
}

macro_rules! variants {
    ($( $name:ident $id:literal, )*) => {
        /// All other variants, with their ids in the table.
        const VARIANTS: &[(&str, Layer)] = &[ $( ($id, Layer::$name), )* ];

        /// The same, by index in [`VARIANTS`].
        enum Variant { $( $name, )* }

        /// Index of a layer in [`VARIANTS`]; none for a named commentary.
        fn variant(layer: Layer) -> Option<usize> {
            match layer {
                $( Layer::$name => Some(Variant::$name as usize), )*
                Layer::Named(_) => None,
            }
        }
    };
}

variants! {
    Jing "jing",
    Zhuan "zhuan",
    Zhu "zhu",
    Yin "yin",
    An "an",
    ShuHeader "shu_header",
    Shu "shu",
    Label "label",
    Heading "heading",
    Translation "translation",
    Other "other",
    Undivided "undivided",
    Mark "mark",
    Furniture "furniture",
    Blank "blank",
}

/// A named commentary: its row of the table. Only the table creates them, so the row exists. Every
/// segment of a long text has layers, so a layer is two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Commentary(u8);

/// The commentaries that a reader or a pass knows by name. All other code uses the table.
impl Commentary {
    /// 鄭箋. A text with it is a 毛詩, whose 傳 is the first commentary.
    pub const JIAN: Commentary = Commentary(row_of("jian"));
    /// 張爾岐's 句讀.
    pub const JU: Commentary = Commentary(row_of("ju"));
    /// 李如圭's 集釋.
    pub const JISHI: Commentary = Commentary(row_of("jishi"));
    /// A translator's notes.
    pub(crate) const YIZHU: Commentary = Commentary(row_of("yizhu"));

    /// All of them, in the order of the table.
    pub fn all() -> impl Iterator<Item = (Commentary, &'static LayerInfo)> {
        TABLE.iter().filter_map(|info| Some((info.layer.commentary()?, info)))
    }

    /// The marks of all of them, as alternatives of a regular expression.
    pub(crate) fn marks() -> String {
        Self::all().flat_map(|(_, info)| info.marks.iter().copied()).collect::<Vec<_>>().join("|")
    }

    /// The commentary that `mark` names in brackets or before a colon or a lemma: 箋.
    pub(crate) fn marked(mark: &str) -> Option<Commentary> {
        Self::all().find(|(_, info)| info.marks.contains(&mark)).map(|(c, _)| c)
    }
}

/// By its id in the table.
impl serde::Serialize for Layer {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.id())
    }
}

impl<'de> serde::Deserialize<'de> for Layer {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_str(LayerId)
    }
}

/// Reads the id of a layer. It is not copied: a document has one for each of its segments.
struct LayerId;

impl serde::de::Visitor<'_> for LayerId {
    type Value = Layer;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("layer")
    }

    fn visit_str<E: serde::de::Error>(self, id: &str) -> Result<Layer, E> {
        id.parse().map_err(E::custom)
    }
}

impl fmt::Debug for Commentary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(TABLE[usize::from(self.0)].id)
    }
}

/// When a named commentary was written, in the terms that passes need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Era {
    /// Transmitted with the classic. It reports the recensions of its time, and sub-commentaries
    /// explain it.
    Early,
    /// By a later scholar. It discusses the transmitted text.
    Late,
}

/// A row of the table: what is known about a layer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LayerInfo {
    /// The layer.
    pub layer: Layer,
    /// Pinyin name: in JSON, in TEI `@type`, on the command line.
    pub id: &'static str,
    /// Chinese name.
    pub zh: &'static str,
    /// First letters of the ids of its segments.
    pub prefix: &'static str,
    /// What it is for.
    pub kind: LayerKind,
    /// When it was written; only for a named commentary.
    pub era: Option<Era>,
    /// Who wrote it, if that is always the same person.
    pub author: Option<&'static str>,
    /// Its names in brackets or before a colon or a lemma.
    pub marks: Vec<&'static str>,
    /// How its text opens if nothing marks it.
    pub opens: Vec<&'static str>,
    /// Other names that users may type.
    pub aliases: Vec<&'static str>,
    /// One line for `zhushu formats`.
    pub about: &'static str,
}

/// In unit tests the table has an additional row, to test that a row is enough.
#[cfg(test)]
const ROWS: &str = concat!(
    include_str!("data/layers.tsv"),
    "jizhuan\t集傳\tq\tnote\tlate\t朱熹\t集傳\t朱子曰\t集传\t朱熹's commentary\n",
    "zhengyi\t胡疏\tr\tcommentary\tlate\t胡培翬\t-\t胡氏曰\t-\t胡培翬's sub-commentary\n",
);
#[cfg(not(test))]
const ROWS: &str = include_str!("data/layers.tsv");

static TABLE: LazyLock<Vec<LayerInfo>> =
    LazyLock::new(|| parse(ROWS).expect("a test reads the shipped table"));

/// The row of the table by index in [`VARIANTS`]. The kind of a layer is needed very often, so the
/// table is not searched for it.
static ROW_OF_VARIANT: LazyLock<Vec<usize>> = LazyLock::new(|| {
    let row = |id: &str| TABLE.iter().position(|i| i.id == id).expect("every variant has a row");
    VARIANTS.iter().map(|(id, _)| row(id)).collect()
});

/// The row of the table by the id of the layer.
static BY_ID: LazyLock<FxHashMap<&str, usize>> =
    LazyLock::new(|| TABLE.iter().map(|i| i.id).zip(0..).collect());

/// The rows of a table; lines that start with `#` are comments.
fn parse(table: &'static str) -> Result<Vec<LayerInfo>, String> {
    let lines = table.lines().filter(|l| !l.starts_with('#')).enumerate();
    let row = |(n, l)| row(n, l).ok_or_else(|| format!("not a row of the table of layers: {l}"));
    lines.map(row).collect()
}

/// The number of the row of an id, for constants: a name without a row does not compile.
const fn row_of(id: &str) -> u8 {
    let (rows, id) = (ROWS.as_bytes(), id.as_bytes());
    let (mut at, mut row) = (0, 0);
    while at < rows.len() {
        let mut same = 0;
        while same < id.len() && rows[at + same] == id[same] {
            same += 1;
        }
        if same == id.len() && rows[at + same] == b'\t' {
            return row;
        }
        row += (rows[at] != b'#') as u8;
        while rows[at] != b'\n' {
            at += 1;
        }
        at += 1;
    }
    panic!("no such row")
}

fn row(n: usize, line: &'static str) -> Option<LayerInfo> {
    let cells: Vec<&'static str> = line.split('\t').collect();
    let [id, zh, prefix, kind, era, author, marks, opens, aliases, about] = cells[..] else {
        return None;
    };
    let given = |cell: &'static str| Some(cell).filter(|c| *c != "-");
    let list = |cell| given(cell).map_or_else(Vec::new, |c| c.split(' ').collect());
    let variant = VARIANTS.iter().find(|(name, _)| *name == id).map(|(_, layer)| *layer);
    let kind = match kind {
        "base" => LayerKind::Base,
        "note" => LayerKind::Note,
        "commentary" => LayerKind::Commentary,
        "structure" => LayerKind::Structure,
        "translation" => LayerKind::Translation,
        "outside" => LayerKind::Outside,
        "undivided" => LayerKind::Undivided,
        _ => return None,
    };
    let era = match era {
        "early" => Some(Era::Early),
        "late" => Some(Era::Late),
        "-" if variant.is_some() => None,
        _ => return None,
    };
    Some(LayerInfo {
        layer: variant.or_else(|| Some(Layer::Named(Commentary(u8::try_from(n).ok()?))))?,
        id,
        zh,
        prefix,
        kind,
        era,
        author: given(author),
        marks: list(marks),
        opens: list(opens),
        aliases: list(aliases),
        about,
    })
}

impl Layer {
    /// All layers, in the order of the table.
    pub fn all() -> impl Iterator<Item = &'static LayerInfo> {
        TABLE.iter()
    }
    /// All of them as a hint for one who named another.
    pub(crate) fn names() -> String {
        let names: Vec<String> = Layer::all().map(|l| format!("{}/{}", l.zh, l.id)).collect();
        format!("there are {}", names.join(" "))
    }
    /// Its row of the table.
    pub fn info(self) -> &'static LayerInfo {
        &TABLE[self.number()]
    }
    /// Its index in the table: the order in which layers are listed.
    pub fn number(self) -> usize {
        match variant(self) {
            Some(variant) => ROW_OF_VARIANT[variant],
            None => self.commentary().map_or(0, |c| usize::from(c.0)),
        }
    }
    /// The layer at an index in the table.
    pub fn numbered(number: usize) -> Option<Layer> {
        TABLE.get(number).map(|i| i.layer)
    }
    /// Pinyin name.
    pub fn id(self) -> &'static str {
        self.info().id
    }
    /// Chinese name.
    pub fn zh(self) -> &'static str {
        self.info().zh
    }
    /// What it is for.
    pub fn kind(self) -> LayerKind {
        self.info().kind
    }
    /// The commentary, if it is a named one.
    pub fn commentary(self) -> Option<Commentary> {
        match self {
            Layer::Named(commentary) => Some(commentary),
            _ => None,
        }
    }
    /// When it was written, if it is a named commentary.
    pub(crate) fn era(self) -> Option<Era> {
        self.commentary().and_then(|_| self.info().era)
    }
    /// True unless it is a mark, furniture or a blank.
    pub fn is_text(self) -> bool {
        self.kind() != LayerKind::Outside
    }
}

impl PartialOrd for Layer {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Layer {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.number().cmp(&other.number())
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// An unknown layer name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLayer(pub String);

impl fmt::Display for UnknownLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no layer is called “{}”; there are", self.0)?;
        Layer::all().try_for_each(|i| write!(f, " {}/{}", i.zh, i.id))
    }
}

impl std::error::Error for UnknownLayer {}

impl FromStr for Layer {
    type Err = UnknownLayer;
    fn from_str(s: &str) -> Result<Self, UnknownLayer> {
        // Our own files have the ids.
        if let Some(row) = BY_ID.get(s) {
            return Ok(TABLE[*row].layer);
        }
        let name = s.trim().to_lowercase();
        TABLE
            .iter()
            .find(|i| i.id == name || i.zh == name || i.aliases.contains(&name.as_str()))
            .map(|i| i.layer)
            .ok_or_else(|| UnknownLayer(s.into()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_variant_and_every_commentary_in_the_code_has_a_row() {
        let rows = parse(ROWS).unwrap();
        let fixed = VARIANTS.iter().map(|(_, layer)| *layer);
        let named = [Commentary::JIAN, Commentary::JU, Commentary::JISHI].map(Layer::Named);
        for layer in fixed.chain(named) {
            assert_eq!(rows.iter().filter(|i| i.layer == layer).count(), 1, "{layer:?}");
        }
        assert!(rows.iter().all(|i| i.layer.commentary().is_some() == i.era.is_some()));
    }

    #[test]
    fn no_name_and_no_prefix_is_used_twice() {
        let (mut names, mut prefixes) = (HashSet::new(), HashSet::new());
        for info in Layer::all() {
            assert!(prefixes.insert(info.prefix), "{} is a prefix twice", info.prefix);
            for name in [info.id, info.zh].iter().chain(&info.aliases) {
                assert!(names.insert(*name), "{name} names two layers");
            }
        }
    }

    #[test]
    fn a_new_commentary_needs_only_a_row() {
        let jizhuan: Layer = "集傳".parse().unwrap();
        assert_eq!("集传".parse(), Ok(jizhuan));
        assert_eq!((jizhuan.id(), jizhuan.kind()), ("jizhuan", LayerKind::Note));
        assert_eq!((jizhuan.era(), jizhuan.info().author), (Some(Era::Late), Some("朱熹")));
        assert_eq!(Commentary::marked("集傳").map(Layer::Named), Some(jizhuan));
        assert!(Layer::Blank < jizhuan && Layer::numbered(jizhuan.number()) == Some(jizhuan));
    }

    /// A long text has hundreds of thousands of segments.
    #[test]
    fn layers_and_segments_take_few_bytes() {
        assert_eq!(size_of::<Layer>(), 2);
        assert_eq!(size_of::<Option<Layer>>(), 2);
        assert_eq!(size_of::<crate::model::Segment>(), 40);
        assert_eq!(size_of::<crate::model::Link>(), 104);
    }

    #[test]
    fn a_line_that_is_not_a_row_is_refused() {
        for line in ["jizhuan\t集傳", "x\t他\tq\tnote\t-\t-\t-\t-\t-\tno era\n"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
