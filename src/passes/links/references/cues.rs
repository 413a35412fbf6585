//! Patterns for the words that introduce references in a sub-commentary, before or after a
//! quotation.

use std::sync::LazyLock;

use regex::Regex;

use crate::text::both_scripts::pattern_in_both_scripts as pattern;

/// Verbs of quotation after a title.
pub const QUOTING_VERBS: &[char] = &['曰', '云', '雲'];
/// Between a title and the quotation that belongs to it.
pub static TO_QUOTE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[^。,，;；!?！？○\n]{0,10}?[雲云曰言稱自]?[:：,，]?$"));
/// The next quotation is from the commentary, not the chapter.
pub static NOTE_SAYS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"[^雲云曰]{2,}[注註][雲云曰][:：]?$"));
/// After a title, and part of it.
static TAIL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:[鄭郑]?[注註]|[記记箋笺疏傳传序說]|[職职])(?:[雲云曰]|[:：,，]|者|$)?")
});
/// A title that is only mentioned.
pub static MENTION: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:者|文|之文|也|是也|同|異)"));
/// Between titles cited together.
pub static AND: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[、與与及和,，\s]{0,2}$"));
/// Another place in the chapter, before a quotation. 彼下注云 is one in what was cited.
pub static ELSEWHERE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:^|[^彼])(?P<cue>(?:(?P<dir>[上下前後后])(?P<what>文|經|经|注|註|記|记|篇|章|云|雲|言|已言|又云|又雲)(?:又|亦|皆|已|注|經|記)?)[^。“”,，]{0,6}?(?:雲|云|曰|言)?[:：,，]?)$",
    )
});
/// Continues the previous citation.
pub static IBID: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<cue>(?:又|其|彼[上前後后]?|鄭|郑|下|即)*(?:職|职|[注註]|箋|笺|疏|傳|传|經|经|記|记|文)?[又彼]?(?:雲|云|曰|引)|[其此案](?:職|职)[有稱称]|彼(?:經|经|傳|传|文)?[亦又唯但直皆]?(?:言|稱|称|書|书|作)|彼[^。，,“”《》○]{1,2}氏[注註][云雲]|[鄭郑]?[注註])[:：,，]?$",
    )
});
/// The work that is explained, before a quotation of another place of it.
pub static OWN_WORK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:^|[^》左氏梁羊])(?P<cue>[傳传經经](?:例|又)?[曰云雲稱称書书])[:：,，]?$")
});
/// After a title that is the source of the words before it.
pub static SOURCE_OF: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:[之篇經经記记職职]?文|篇[首中末終]之?文|是也|[^。,，;；:：“”《》○]{0,6}[辭辞]也)")
});
/// After a title whose text is described, and not quoted: 《衛風・碩人》之篇，閔莊姜….
pub static DESCRIBED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^之[篇詩章卦][^云曰言有文]"));
/// After a title that the text talks about, and does not quote: 《春秋》之義.
pub static ABOUT_WORK: LazyLock<Regex> = LazyLock::new(|| pattern(r"^之[義道例內世法意旨]"));
/// Before a title with which a comment opens.
pub static OPENS_WITH_TITLE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[\s○]*(?:釋曰|正義曰|解云)[:：]?[此即亦皆出見在於于]*$"));
/// After a quotation that is an instance of what was said.
pub static INSTANCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:是也|之[屬属類类等])"));
/// A scope; it has its own link.
pub static SCOPE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"[自從从]此(?:以下|已下|下)?(?:盡|尽|至)?$"));
/// Introduces a quotation of the passage.
pub static CUE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?P<cue>[^。,，;；:：“”」]{0,4}?(?:雲|云|言|曰|謂|稱|解經|解|引|知|經))[:：,，]?$")
});
/// 以下至 between two quotations.
pub static RANGE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:以|已)?下?(?:盡|至)$"));
/// Opens the sub-commentary and introduces no quotation.
pub static OPENING: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:釋|释|義|义|解|辭)曰[:：]?$"));
/// A quotation without quotation marks after 雲 or 言.
pub static UNQUOTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<pre>[而故今此則鄭經注皆亦即唯直但兼復複不無既乃又所]{0,3})(?P<cue>[雲云言]|曰[:：]?|謂)(?P<x>[^。,，;；:：、“”‘’「」《》\s○]{1,16})(?P<end>[。,，;；:：、”]|$)",
    )
});
/// Another place in the chapter, without quotation marks.
pub static POINTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<cue>(?P<dir>[上下前後后])(?:文|經|经|记|記|注|節|节|章|篇)(?:又|已|亦|皆)?(?:雲|云|言|曰)?|(?P<dir2>[上前])(?:[^。,，;；:：上下不得無]{0,3}(?:言|雲|云)|[^。,，;；:：]{1,3}時))(?P<x>[^。;；“”《》○\n]{0,40})",
    )
});

/// The cue itself, at the end of the text before a quotation.
pub static CUE_TAIL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:[故今此則鄭經注解彼又]{0,3})(?:雲|云|言|曰|謂|稱|解經|解|引|知|經)[:：,，]?$")
});

/// What belongs to a title of the text after it: 注, 職.
pub fn tail(after: &str) -> &str {
    let end = TAIL.find(after).map_or(0, |m| {
        after[..m.end()].trim_end_matches(['雲', '云', '曰', ':', '：', ',', '，', '者']).len()
    });
    &after[..end]
}
