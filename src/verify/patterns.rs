//! Forms of words beside quotations that say where they are from.

use std::sync::LazyLock;

use regex::Regex;

pub(super) struct Patterns {
    /// Words that go on with the work that was cited before.
    pub(super) again: Regex,
    /// What introduces a quotation after a bare name.
    pub(super) says: Regex,
    /// What opens a note on where a quotation is from, and what closes it.
    pub(super) note: Regex,
    pub(super) note_end: Regex,
    /// Numbers right after a title: 《論語》12.1.
    pub(super) numbers: Regex,
    /// A name with numbers before a quotation: (論語 12.1).
    pub(super) locus: Regex,
    /// What leads from a quotation to the title after it: ，語出.
    pub(super) from: Regex,
    /// A layer named after a title or alone before a quotation: 鄭玄注云.
    pub(super) layer: Regex,
    /// A layer that is not told from the others here: 今譯.
    pub(super) other_layer: Regex,
    /// Who speaks after a title: 《鄉射禮》馬融曰.
    pub(super) speaker: Regex,
    /// Numbers of a part that the list of works does not have: 卷九十九.
    pub(super) part: Regex,
    /// Words in brackets that are about a place.
    pub(super) about: Regex,
}

pub(super) static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let of = |pattern| Regex::new(pattern).expect("a test reads the patterns");
    let number = r"(\d+[上中下]?[.:]\d+(?:\.\d+)?)";
    Patterns {
        again: of(r"又(?:曰|云|說|说|言)[：:，,\s]*$"),
        says: of(r"[有亦又故嘗]?(?:曰|云|言|說|说|載|载|記|记|謂|谓|道)[過过的]?[：:，,\s]*$"),
        note: of(r"^[[^\S\n]，,。.;；]*(?:[（(\[［〔]|——|—|──)\s*"),
        note_end: of(r"[）)\]］〕\n。；;]"),
        numbers: of(&format!(r"^\s*{number}")),
        locus: of(&format!(
            r"(\p{{Han}}{{1,6}}(?:[·・．‧]\p{{Han}}{{1,6}})?)\s?{number}[)）\]\s：:，,]*$"
        )),
        from: of(
            r"^[，,。；;]?\s*(?:語出|语出|見於|见于|見|见|出自|出於|出于|引自|載於|载于|典出)?\s*$",
        ),
        layer: of(
            r"^(?:之|的|下|中)?(?P<who>\p{Han}{0,4}?)(?:(?P<notes>注|註|箋|笺|音義|音义|釋文|释文|集解|章句|毛傳|毛传|孔傳|孔传)|(?P<later>疏|正義|正义))(?:文)?(?:中|裡|裏|里)?(?:有)?(?:曰|云|言|說|说|謂|谓)?[：:，,\s]*$",
        ),
        other_layer: of(
            r"^(?:之|的|下|中)?\p{Han}{0,4}?(?P<name>[今語语]?[譯译]文?|白[話话]|[案按][語语]?|校勘[記记]?|句[讀读]|[傳传])(?:中|裡|裏|里)?(?:有)?(?:曰|云|言|說|说|謂|谓)?[：:，,\s]*$",
        ),
        speaker: of(r"^(?P<who>\p{Han}{1,4}?)(?:曰|云)?[：:，,\s]*$"),
        part: of(r"(?:卷|第)\s*[一二三四五六七八九十百零〇\d]+(?:卷|篇|章|節|节|葉|叶|頁|页)?"),
        about: of(r"\d|[卷篇章葉叶頁页注註疏箋]"),
    }
});
