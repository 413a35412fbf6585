//! The layers of a commented classic, in one table: adding a layer is one line of it.

use std::fmt;
use std::str::FromStr;

/// What a layer is for; writers choose markup by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LayerKind {
    /// The text commented upon.
    Base,
    /// A note on the base, short, standing in its place.
    Note,
    /// A running sub-commentary with paragraphs of its own.
    Commentary,
    /// Structure: headings, section labels, lemma headers.
    Structure,
    /// A modern translation.
    Translation,
    /// Marks, blanks and scraps that carry no text of the work.
    Outside,
    /// Not yet told apart.
    Undivided,
}

macro_rules! layers {
    ($( $variant:ident $id:literal $zh:literal $prefix:literal $kind:ident [$($alias:literal)*] $about:literal; )*) => {
        /// One layer of a text. Parsed from Chinese or pinyin: `注`, `zhu`, `鄭注` are the same.
        ///
        /// ```
        /// use zhushu::model::Layer;
        /// assert_eq!("注".parse::<Layer>().unwrap(), Layer::Zhu);
        /// assert_eq!("经".parse::<Layer>().unwrap().id(), "jing");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Layer { $( #[doc = $about] $variant, )* }

        static TABLE: &[LayerInfo] = &[ $( LayerInfo {
            layer: Layer::$variant, id: $id, zh: $zh, prefix: $prefix, kind: LayerKind::$kind, aliases: &[$($alias),*], about: $about,
        }, )* ];
    };
}

/// What is known of a layer.
#[derive(Debug)]
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
    /// Other names a user may type.
    pub aliases: &'static [&'static str],
    /// One line for `zhushu formats`.
    pub about: &'static str,
}

layers! {
    Jing "jing" "經" "x" Base ["经" "classic" "text"] "the classic";
    Zhuan "zhuan" "傳" "c" Base ["传"] "a tradition that stands with the classic, such as 喪服傳 or 左傳";
    Zhu "zhu" "注" "z" Note ["註" "鄭注" "郑注" "commentary"] "a commentary on the classic";
    Jian "jian" "箋" "i" Note ["笺"] "a second commentary beside the first, such as 鄭箋";
    Yin "yin" "音義" "y" Note ["音" "音义" "yinyi" "釋文"] "readings of characters";
    Ju "ju" "句讀" "j" Note ["judou" "句读"] "notes of 張爾岐's 句讀";
    Jishi "jishi" "集釋" "k" Commentary ["释" "釋" "集释"] "李如圭's explanations, opened by 釋曰";
    An "an" "案" "a" Note ["note" "按"] "editors' collation notes";
    ShuHeader "shu_header" "疏首" "h" Structure ["header"] "the lemma header of a sub-commentary";
    Shu "shu" "疏" "s" Commentary ["正義" "正义" "subcommentary"] "the sub-commentary on classic and commentary";
    Label "label" "右" "b" Structure ["章"] "a label that closes a section, 右…";
    Heading "heading" "題" "t" Structure ["题" "head"] "titles of work, chapter and section";
    Translation "translation" "譯" "e" Translation ["译" "譯文" "jinyi" "今譯"] "a modern translation";
    Other "other" "他" "o" Structure ["misc"] "text of the book outside its layers, such as a preface";
    Undivided "undivided" "未分" "u" Undivided [] "classic and commentary not yet told apart";
    Mark "mark" "標" "m" Outside ["標記"] "what the source uses to set layers apart";
    Furniture "furniture" "雜" "f" Outside ["杂"] "page furniture, front matter, repeated pages";
    Blank "blank" "空" "w" Outside [] "line ends and blanks between paragraphs";
}

impl Layer {
    /// All layers, in the order of the table.
    pub fn all() -> impl Iterator<Item = &'static LayerInfo> {
        TABLE.iter()
    }
    /// Its line of the table.
    pub fn info(self) -> &'static LayerInfo {
        &TABLE[self as usize]
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
    /// True unless it is marks, furniture or blanks.
    pub fn is_text(self) -> bool {
        self.kind() != LayerKind::Outside
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for Layer {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        let low = s.trim().to_lowercase();
        TABLE
            .iter()
            .find(|i| i.id == low || i.zh == low || i.aliases.contains(&low.as_str()))
            .map(|i| i.layer)
            .ok_or_else(|| {
                format!(
                    "no layer is called “{s}”; there are {}",
                    TABLE
                        .iter()
                        .map(|i| format!("{}/{}", i.zh, i.id))
                        .collect::<Vec<_>>()
                        .join(" ")
                )
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum_and_no_name_serves_twice() {
        let mut seen = std::collections::HashSet::new();
        for (n, info) in Layer::all().enumerate() {
            assert_eq!(info.layer as usize, n);
            for name in [info.id, info.zh].iter().chain(info.aliases) {
                assert!(seen.insert(*name), "{name} names two layers");
            }
        }
    }
}
