//! What the keys of JSON and the columns of tables contain, from `data/keys.tsv`.

use std::sync::LazyLock;

use super::{Layer, LayerKind};

static KEYS: LazyLock<Vec<(&str, Option<Layer>)>> = LazyLock::new(|| {
    let lines = include_str!("data/keys.tsv").lines().filter(|l| !l.starts_with('#'));
    lines
        .map(|l| {
            let (key, role) = l.split_once('\t').expect("a test reads the table");
            let layer = (role != "about").then(|| role.parse().expect("a test reads the table"));
            (key, layer)
        })
        .collect()
});

/// What is under a key, or in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyRole {
    /// Text of this layer.
    Of(Layer),
    /// What is said about the text: its author, its number.
    About,
}

/// What is under a key, if that is known: the name of a layer, also with a commentator before it
/// (朱注), or a row of the table.
pub(crate) fn key_role(key: &str) -> Option<KeyRole> {
    let key = key.trim().trim_start_matches('\u{FEFF}').to_lowercase();
    let row = KEYS.iter().find(|(k, _)| *k == key);
    if let Some((_, layer)) = row {
        return Some(layer.map_or(KeyRole::About, KeyRole::Of));
    }
    layer_named(&key).filter(|l| l.is_text() && *l != Layer::Undivided).map(KeyRole::Of)
}

/// The names of layers that the name of a person may stand before, and these persons: other words
/// before them make titles of books (左傳, 水經注).
const OF_PERSONS: [char; 7] = ['注', '註', '疏', '箋', '笺', '傳', '传'];
const PERSONS: &str = "鄭 郑 鄭玄 郑玄 毛 孔 孔安國 孔安国 孔穎達 孔颖达 杜 杜預 杜预 何 何休 何晏 王 王弼 朱 朱熹 朱子 郭 \
                       郭象 郭璞 趙 赵 趙岐 赵岐 賈 贾 賈公彥 贾公彦 邢 邢昺 徐 徐彥 徐彦 楊 杨 范 范甯 范宁 高 高誘 高诱 \
                       韋 韦 韋昭 韦昭 顏 颜 顏師古 颜师古 李善 裴 裴松之 曹操 張湛 张湛 成玄英 舊 旧 古 原 補 补";

/// The layer with a name, which may begin with that of a person: 注, 朱注, 孔穎達疏.
pub(crate) fn layer_named(name: &str) -> Option<Layer> {
    if let Ok(layer) = name.parse() {
        return Some(layer);
    }
    let last = name.chars().next_back().filter(|c| OF_PERSONS.contains(c))?;
    let person = &name[..name.len() - last.len_utf8()];
    // Of the two that wrote a 傳 it is a commentary.
    let layer = match last {
        '傳' | '传' => Layer::Zhu,
        last => last.to_string().parse().ok()?,
    };
    PERSONS.split_whitespace().any(|known| known == person).then_some(layer)
}

/// Least number of columns of a table that are known for its first row to be their names.
const MIN_KNOWN: usize = 2;

/// What the columns of a table hold, by the cells of its first row; `None` if they are no names, or
/// name no text. `role` says what a name means.
pub(crate) fn columns<'c>(
    names: impl Iterator<Item = &'c str>,
    role: impl Fn(&str) -> Option<KeyRole>,
) -> Option<Vec<Option<KeyRole>>> {
    let roles: Vec<_> = names.map(role).collect();
    let layers = roles.iter().filter_map(|role| match role {
        Some(KeyRole::Of(layer)) => Some(*layer),
        _ => None,
    });
    let is_text =
        |l: Layer| matches!(l.kind(), LayerKind::Base | LayerKind::Note | LayerKind::Translation);
    let known = layers.clone().count();
    (known >= MIN_KNOWN && layers.into_iter().any(is_text)).then_some(roles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_columns() {
        let of = |key: &str| match key_role(key) {
            Some(KeyRole::Of(layer)) => layer.id(),
            Some(KeyRole::About) => "about",
            None => "",
        };
        let all = ["原文", "朱注", "注釋", "今譯", "Translation", "author", "孔穎達疏", "備考"];
        assert_eq!(
            all.map(of),
            ["jing", "zhu", "zhu", "translation", "translation", "about", "shu", ""]
        );
        assert_eq!(
            ["此又何人注", "水經注", "左傳", "題解", "孔傳"].map(of),
            ["", "", "", "", "zhu"]
        );
        assert!(columns(["原文", "今譯"].into_iter(), key_role).is_some());
        assert!(columns(["子曰", "原文"].into_iter(), key_role).is_none());
    }
}
