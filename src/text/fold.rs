//! Folding characters into keys, so that 賔 meets 賓 and 雲 meets 云. Folding is for comparing only: no text is ever
//! written folded.
//!
//! The classes come from `data/fold.tsv`, which `.ci/fold-table.py` makes from Unihan, OpenCC and two hand-made tables;
//! `docs/data.md` tells the rules. At first use they are spread into a two-level table (a page for each 256 code
//! points), so that a lookup is two loads. Whole words are not looked at: a class may hold two words (后 and 後), because
//! the copies that circulate went through tables that could not tell them apart either.

use std::sync::LazyLock;

static CLASSES: &str = include_str!("data/fold.tsv");

/// One past the last code point with a page: all of the planes that hold ideographs.
const END: usize = 0x3_4000;
/// Code points a page.
const PAGE: usize = 256;

static FULL: LazyLock<Pages> = LazyLock::new(|| Pages::of(classes().flat_map(|line| members(line, line))));
static SCRIPT: LazyLock<Pages> =
    LazyLock::new(|| Pages::of(classes().flat_map(str::split_whitespace).flat_map(|group| members(group, group))));

/// The key character of `c`: one for both scripts and for the variants of a glyph, for compatibility ideographs,
/// radicals and full-width letters; ASCII letters become small. What is in no class is its own key.
///
/// ```
/// use zhushu::text::fold::fold;
/// assert_eq!(fold('賔'), fold('宾'));
/// assert_eq!(fold('雲'), fold('云'));
/// assert_ne!(fold('大'), fold('太'));
/// assert_eq!(fold('Ａ'), 'a');
/// ```
#[inline]
pub fn fold(c: char) -> char {
    FULL.get(c)
}

/// The key character of `c` where only traditional and simplified count as one: 云 meets 雲, 賔 does not meet 賓.
///
/// ```
/// use zhushu::text::fold::fold_script;
/// assert_eq!(fold_script('云'), fold_script('雲'));
/// assert_ne!(fold_script('賔'), fold_script('賓'));
/// ```
#[inline]
pub fn fold_script(c: char) -> char {
    SCRIPT.get(c)
}

/// Checksum of the table. What was stored as keys is of use only as long as this stays the same.
pub fn version() -> u32 {
    crc32fast::hash(CLASSES.as_bytes())
}

/// The rows of the table.
fn classes() -> impl Iterator<Item = &'static str> {
    CLASSES.lines().filter(|l| !l.starts_with('#') && !l.is_empty())
}

/// The characters of `text`, each with the first character of `class`.
fn members<'a>(text: &'a str, class: &'a str) -> impl Iterator<Item = (char, char)> + 'a {
    let key = class.chars().next();
    text.chars().filter(|c| *c != ' ').filter_map(move |c| Some((c, key?)))
}

/// A function from characters to characters, as pages; most pages are the identity and share one.
struct Pages {
    index: Vec<u16>,
    pages: Vec<[Option<char>; PAGE]>,
}

impl Pages {
    fn of(pairs: impl Iterator<Item = (char, char)>) -> Self {
        let mut pages = Pages { index: vec![0; END / PAGE], pages: vec![[None; PAGE]] };
        for c in ('A'..='Z').chain('Ａ'..='Ｚ').chain('ａ'..='ｚ').chain('０'..='９') {
            let narrow = if c > '\u{FF00}' { char::from_u32(c as u32 - 0xFEE0).unwrap_or(c) } else { c };
            pages.set(c, narrow.to_ascii_lowercase());
        }
        for (c, key) in pairs.filter(|(c, key)| c != key) {
            pages.set(c, key);
        }
        pages
    }

    fn set(&mut self, c: char, to: char) {
        let Some(slot) = self.index.get_mut(c as usize / PAGE) else { return };
        if *slot == 0 {
            *slot = self.pages.len() as u16;
            self.pages.push([None; PAGE]);
        }
        self.pages[*slot as usize][c as usize % PAGE] = Some(to);
    }

    #[inline]
    fn get(&self, c: char) -> char {
        match self.index.get(c as usize / PAGE) {
            Some(&page) => self.pages[page as usize][c as usize % PAGE].unwrap_or(c),
            None => c,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each row is one class.
    const TOGETHER: &str = "云雲 后後 复複復 面麵靣 干幹乾 斗鬥鬭 扑撲 里裡裏 于於 余餘 制製 只隻祇祗 并併並竝 賔賓宾 髙高 畧略 羣群 \
        衆眾众 荅答 宫宮 吿告 强強彊 絶絕绝 徴徵征 隂陰阴 徳德 鐡鐵铁 鼔鼓皷 飮飲饮 鄕鄉郷乡 筭算祘 箇个個 閒間閑 脩修 觧解 冝宜 \
        已巳己 遊游 註注 疏踈䟽 爲為为 说説說 僞偽伪 㑹會会 回囘迴 凡凢 從从従 恒恆 總緫揔总 擧舉举 獻献 觶觯 酬醻 飯飰 禮礼 \
        者者 卿卿 海海 方⽅ 食⻝ 玄𤣥 旨㫖 象𧰼 壹一 沈沉 卻郤却 插揷 敎教 眞真 淸清 録錄录 歳歲岁 仆僕 咸鹹 谷穀 姜薑 舍捨 系係繫";
    const APART: &str = "不否 上尚 大太 惟唯 惟維 射躲 亡無 女汝 知智 見現 說悅 受授 弟悌 內納 立位 然燃 孰熟 其箕 酒酉 末未 今令 土士 \
        日曰 干于 母毋 人入 天夭 爵觚 辨辯 酢酬 主王 夫大 西酉 左右 東西 獻酬 注疏 一二 尊樽 鄉饗 享亨 王玉 子予 己乙 司同 官宮 賓實";

    #[test]
    fn what_is_one_word_meets() {
        for row in TOGETHER.split_whitespace() {
            let keys: std::collections::BTreeSet<char> = row.chars().map(fold).collect();
            assert_eq!(keys.len(), 1, "{row} gives {keys:?}");
        }
    }

    #[test]
    fn what_are_two_words_stay_apart() {
        for row in APART.split_whitespace() {
            let mut c = row.chars();
            let (a, b) = (c.next().unwrap(), c.next().unwrap());
            assert_ne!(fold(a), fold(b), "{row}");
        }
    }

    #[test]
    fn hand_made_tables_are_kept() {
        let rows = |t: &'static str| t.lines().filter(|l| !l.starts_with('#')).map(|l| l.split('\t').next().unwrap());
        for row in rows(include_str!("data/fold-additions.tsv")) {
            assert_eq!(row.chars().map(fold).collect::<std::collections::HashSet<_>>().len(), 1, "{row}");
        }
        for row in rows(include_str!("data/fold-exclusions.tsv")) {
            let n = row.chars().count();
            assert_eq!(row.chars().map(fold).collect::<std::collections::HashSet<_>>().len(), n, "{row}");
        }
    }

    #[test]
    fn script_classes_are_finer_and_every_key_is_its_own_key() {
        for c in (0..0x32000).filter_map(char::from_u32) {
            assert_eq!(fold(fold(c)), fold(c), "{c}");
            assert_eq!(fold_script(fold_script(c)), fold_script(c), "{c}");
            assert_eq!(fold(fold_script(c)), fold(c), "{c}");
        }
        assert_eq!(fold('\u{10FFFD}'), '\u{10FFFD}');
        assert_eq!(fold('\u{E000}'), '\u{E000}');
    }

    #[test]
    fn no_class_is_a_chain_of_borrowings() {
        let largest = classes().max_by_key(|l| l.chars().count()).unwrap();
        assert!(largest.split_whitespace().map(|g| g.chars().count()).sum::<usize>() <= 14, "{largest}");
    }
}
