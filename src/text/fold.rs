//! Folds characters into keys, so that 賔 matches 賓 and 雲 matches 云. Folding is only for comparing:
//! no text is ever written folded.
//!
//! The classes come from `data/fold.tsv`, which `.ci/fold-table.py` makes from Unihan, OpenCC and
//! two hand-made tables; `docs/data.md` explains the rules. The compiler turns them into a
//! two-level table (a page for each 128 code points), so that a lookup is two loads and a program
//! that folds a few characters does no other work. Whole words are not considered. A class may
//! contain two words (后 and 後), because the available copies went through tables that did not
//! distinguish them either.

static CLASSES: &str = include_str!("data/fold.tsv");

/// One past the last code point with a page: all of the planes that hold ideographs.
const END: usize = 0x3_4000;
/// Code points on a page.
const PAGE: usize = 128;
/// Pages that are not the identity, and one that is.
const PAGES: usize = used_pages(CLASSES.as_bytes());

#[allow(long_running_const_eval)]
static FULL: Pages = Pages::of(CLASSES.as_bytes(), false);
#[allow(long_running_const_eval)]
static SCRIPT: Pages = Pages::of(CLASSES.as_bytes(), true);

/// The key character of `c`: the same for both scripts and for the variants of a glyph, for
/// compatibility ideographs, radicals and full-width letters; ASCII letters become lower case. A
/// character in no class is its own key.
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

/// The key character of `c` if only traditional and simplified count as one: 云 matches 雲, 賔 does
/// not match 賓.
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

/// Checksum of the table. Stored keys are valid only as long as it stays the same.
pub fn version() -> u32 {
    VERSION
}

#[allow(long_running_const_eval)]
const VERSION: u32 = checksum(CLASSES.as_bytes());

/// FNV-1a.
const fn checksum(bytes: &[u8]) -> u32 {
    let (mut sum, mut i) = (0x811C_9DC5_u32, 0);
    while i < bytes.len() {
        sum = (sum ^ bytes[i] as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    sum
}

/// A function from characters to characters, as pages; most pages are the identity and share one.
struct Pages {
    index: [u16; END / PAGE],
    /// Keys; 0 for a character that is its own key.
    pages: [[u32; PAGE]; PAGES],
}

impl Pages {
    /// The table of the classes: by line, or by the groups in a line.
    const fn of(text: &[u8], groups: bool) -> Self {
        let mut all = Pages { index: [0; END / PAGE], pages: [[0; PAGE]; PAGES] };
        let mut used = 1;
        let mut c = 'A' as u32;
        while c <= 'Z' as u32 {
            used = all.set(c, c + 0x20, used);
            used = all.set(c + 0xFEE0, c + 0x20, used);
            used = all.set(c + 0xFF00, c + 0x20, used);
            c += 1;
        }
        let mut digit = '0' as u32;
        while digit <= '9' as u32 {
            used = all.set(digit + 0xFEE0, digit, used);
            digit += 1;
        }
        let (mut at, mut key) = (0, 0);
        while at < text.len() {
            let (c, next) = decoded(text, at);
            at = next;
            match c {
                HASH if key == 0 => at = line_end(text, at),
                // Sources follow.
                TAB => at = line_end(text, at),
                NEWLINE => key = 0,
                BLANK if groups => key = 0,
                BLANK => {}
                c if key == 0 => key = c,
                c => used = all.set(c, key, used),
            }
        }
        all
    }

    /// Stores the key of a character. Returns the number of pages in use, which may be one more
    /// than before.
    const fn set(&mut self, c: u32, key: u32, used: usize) -> usize {
        let slot = c as usize / PAGE;
        if slot >= self.index.len() || c == key {
            return used;
        }
        let new = self.index[slot] == 0;
        if new {
            self.index[slot] = used as u16;
        }
        self.pages[self.index[slot] as usize][c as usize % PAGE] = key;
        if new { used + 1 } else { used }
    }

    #[inline]
    fn get(&self, c: char) -> char {
        match self.index.get(c as usize / PAGE) {
            Some(&page) => match self.pages[page as usize][c as usize % PAGE] {
                0 => c,
                key => char::from_u32(key).unwrap_or(c),
            },
            None => c,
        }
    }
}

const HASH: u32 = '#' as u32;
const NEWLINE: u32 = '\n' as u32;
const BLANK: u32 = ' ' as u32;
const TAB: u32 = '\t' as u32;

/// The code point at byte `at` of UTF-8, and where the next one begins.
const fn decoded(text: &[u8], at: usize) -> (u32, usize) {
    let first = text[at] as u32;
    let (mut c, more) = match first {
        0..0x80 => (first, 0),
        0x80..0xE0 => (first & 0x1F, 1),
        0xE0..0xF0 => (first & 0x0F, 2),
        _ => (first & 0x07, 3),
    };
    let mut i = 1;
    while i <= more {
        c = c << 6 | text[at + i] as u32 & 0x3F;
        i += 1;
    }
    (c, at + more + 1)
}

/// The end of the line that contains byte `at`.
const fn line_end(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at] != b'\n' {
        at += 1;
    }
    at
}

/// How many pages the characters of a text and the letters need, and one.
const fn used_pages(text: &[u8]) -> usize {
    let mut seen = [false; END / PAGE];
    seen['A' as usize / PAGE] = true;
    seen['Ａ' as usize / PAGE] = true;
    let (mut at, mut count) = (0, 3);
    while at < text.len() {
        let (c, next) = decoded(text, at);
        at = next;
        let slot = c as usize / PAGE;
        if slot < seen.len() && !seen[slot] {
            seen[slot] = true;
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each row is one class.
    const TOGETHER: &str = "云雲 后後 复複復 面麵靣 干幹乾 斗鬥鬭 扑撲 里裡裏 于於 余餘 制製 只隻祇祗 并併並竝 賔賓宾 髙高 畧略 羣群 \
        衆眾众 荅答 宫宮 吿告 强強彊 絶絕绝 徴徵征 隂陰阴 徳德 鐡鐵铁 鼔鼓皷 飮飲饮 鄕鄉郷乡 筭算祘 箇个個 閒間閑 脩修 觧解 冝宜 \
        已巳己 遊游 註注 疏踈䟽 爲為为 说説說 僞偽伪 㑹會会 回囘迴 凡凢 從从従 恒恆 總緫揔总 擧舉举 獻献 觶觯 酬醻 飯飰 禮礼 \
        瓶甁 恩㤙 斷㫁断 彝彛彞 鬱鬰 窗牎窓 祭𥙊 遷𨗇迁 留㽞畱 盞琖 畝畞 即卽 既旣 青靑 精精 慎愼 溫温 產産 \
        顏顔 步歩 戶戸户 敘敍叙 兌兊 脫脱 黃黄 每毎 梅梅 朗朗 響響 節節 餅餠 吳吴 柵栅 場塲 嘯歗 輒輙 艷艶 聰聦聪 寶寳宝 往徃 冤寃 \
        恥耻 柳桺 嶽岳 雞鷄鸡 雁鴈 蓋葢盖 者者 卿卿 海海 方⽅ 食⻝ 玄𤣥 旨㫖 象𧰼 壹一 沈沉 卻郤却 插揷 敎教 眞真 淸清 録錄录 歳歲岁 仆僕 咸鹹 谷穀 姜薑 舍捨 系係繫";
    const APART: &str = "不否 上尚 大太 惟唯 惟維 射躲 亡無 女汝 知智 見現 說悅 受授 弟悌 內納 立位 然燃 孰熟 其箕 酒酉 末未 今令 土士 \
        日曰 干于 母毋 人入 天夭 爵觚 辨辯 酢酬 主王 夫大 西酉 左右 東西 獻酬 注疏 一二 尊樽 禮醴 揖楫 俎祖 屨履 奠尊 篚匪 衰縗 采彩 齊齋 協叶 賢臤 觶觚 籩邊 鄉饗 享亨 王玉 子予 己乙 司同 官宮 賓實";

    /// Different words that have one key only because simplification merged them. Copies went
    /// through tables that cannot separate them again, so keys and `fold_script` join them. Only
    /// the exact character distinguishes them.
    const MERGED: &str = "后後 余餘 征徵 几幾 谷穀 斗鬥 里裏 干乾 制製 舍捨 面麵 系係 折摺 松鬆 丑醜 御禦 台臺 云雲 鍾鐘 曆歷 髮發 \
        須鬚 范範 葉叶 术術 朴樸 冲衝 克剋 千韆 沈瀋 辟闢 借藉 姜薑 咸鹹 困睏 志誌 注註 胡鬍 累纍 尸屍 适適";

    #[test]
    fn characters_merged_by_simplification_fold_alike() {
        for row in MERGED.split_whitespace() {
            let mut c = row.chars();
            let (a, b) = (c.next().unwrap(), c.next().unwrap());
            assert_eq!((fold(a), fold_script(a)), (fold(b), fold_script(b)), "{row}");
        }
    }

    #[test]
    fn every_class_names_its_sources() {
        for line in CLASSES.lines().filter(|l| !l.starts_with('#')) {
            let sources = line.split_once('\t').map_or("", |l| l.1);
            assert!(
                !sources.is_empty() && sources.chars().all(|c| "aocjekmrstz".contains(c)),
                "{line}"
            );
        }
    }

    #[test]
    fn variants_of_one_word_fold_alike() {
        for row in TOGETHER.split_whitespace() {
            let keys: std::collections::BTreeSet<char> = row.chars().map(fold).collect();
            assert_eq!(keys.len(), 1, "{row} gives {keys:?}");
        }
    }

    #[test]
    fn different_words_fold_differently() {
        for row in APART.split_whitespace() {
            let mut c = row.chars();
            let (a, b) = (c.next().unwrap(), c.next().unwrap());
            assert_ne!(fold(a), fold(b), "{row}");
        }
    }

    #[test]
    fn hand_made_tables_are_kept() {
        let rows = |t: &'static str| {
            t.lines().filter(|l| !l.starts_with('#')).map(|l| l.split('\t').next().unwrap())
        };
        for row in rows(include_str!("data/fold-additions.tsv")) {
            assert_eq!(
                row.chars().map(fold).collect::<std::collections::HashSet<_>>().len(),
                1,
                "{row}"
            );
        }
        for row in rows(include_str!("data/fold-exclusions.tsv")) {
            let n = row.chars().count();
            assert_eq!(
                row.chars().map(fold).collect::<std::collections::HashSet<_>>().len(),
                n,
                "{row}"
            );
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

    /// The rows of the table.
    fn classes() -> impl Iterator<Item = &'static str> {
        CLASSES
            .lines()
            .filter(|l| !l.starts_with('#') && !l.is_empty())
            .map(|l| l.split_once('\t').expect("it says its sources").0)
    }

    #[test]
    fn the_compiled_table_is_the_table_in_the_file() {
        for line in classes() {
            let key = line.chars().next().unwrap();
            for group in line.split(' ') {
                let own = group.chars().next().unwrap();
                for c in group.chars() {
                    assert_eq!((fold(c), fold_script(c)), (key, own), "{c}");
                }
            }
        }
        let letters = ('A'..='Z').zip('Ａ'..='Ｚ').zip(('a'..='z').zip('ａ'..='ｚ'));
        for ((a, b), (c, d)) in letters {
            assert_eq!([a, b, c, d].map(fold), [c; 4]);
        }
        assert_eq!("０１９Ａ一".chars().map(fold).collect::<String>(), "019a一");
    }

    #[test]
    fn no_class_joins_characters_by_a_chain_of_loans() {
        let largest = classes().max_by_key(|l| l.chars().count()).unwrap();
        assert!(
            largest.split_whitespace().map(|g| g.chars().count()).sum::<usize>() <= 14,
            "{largest}"
        );
    }
}
