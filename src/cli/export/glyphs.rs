//! Which characters of an edition no font of this machine has, as fontconfig's `fc-list` says: a
//! PDF shows boxes in their place. Typst itself does not say so.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::process::{Command, Stdio};

use crate::cli::render;
use crate::writers::editions::Edition;

/// What every font for Chinese has.
const COMMON: [RangeInclusive<char>; 5] =
    ['\0'..='ÿ', '‐'..='…', '\u{3000}'..='〟', '一'..='\u{9fa5}', '！'..='～'];
/// Most characters that are looked for.
const MAX_LOOKED_FOR: usize = 400;
/// Most characters that are listed.
const MAX_LISTED: usize = 12;

/// Says which characters have no font, if there are any and `fc-list` can be asked.
pub fn warn<'a>(editions: impl Iterator<Item = &'a Edition>) {
    let of_edition = |edition: &'a Edition| edition.documents().flat_map(|d| rare(d.source.text()));
    let rare: BTreeSet<char> = editions.flat_map(of_edition).collect();
    let rare: BTreeSet<char> = rare.into_iter().take(MAX_LOOKED_FOR).collect();
    if rare.is_empty() || has_font(&rare).unwrap_or(true) {
        return;
    }
    let missing: Vec<char> =
        rare.into_iter().filter(|c| has_font(&BTreeSet::from([*c])) == Some(false)).collect();
    if missing.is_empty() {
        return;
    }
    let listed: Vec<String> =
        missing.iter().take(MAX_LISTED).map(|c| format!("{c} U+{:04X}", u32::from(*c))).collect();
    let more = if missing.len() > MAX_LISTED { " …" } else { "" };
    let _ = render::note(&format!(
        "no font of this machine has {} characters, which are boxes in the PDF: {}{more}; \
         Hanazono Mincho, BabelStone Han or Jigmo have rare ones, none has private ones",
        missing.len(),
        listed.join(", ")
    ));
}

/// The characters of a text that a font may lack.
fn rare(text: &str) -> BTreeSet<char> {
    let is_rare = |c: &char| !c.is_whitespace() && !COMMON.iter().any(|r| r.contains(c));
    text.chars().filter(is_rare).collect()
}

/// True if one font has all of them; `None` if that cannot be found out.
fn has_font(chars: &BTreeSet<char>) -> Option<bool> {
    let codes: Vec<String> = chars.iter().map(|c| format!("{:x}", u32::from(*c))).collect();
    let asked = Command::new("fc-list")
        .arg(format!(":charset={}", codes.join(" ")))
        .arg("family")
        .stderr(Stdio::null())
        .output();
    let asked = asked.ok().filter(|asked| asked.status.success())?;
    Some(!asked.stdout.trim_ascii().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_font_may_lack_is_looked_for() {
        assert_eq!(rare("（𠀁，禮）𠀁\u{e000}㐀abc\n"), BTreeSet::from(['㐀', '\u{e000}', '𠀁']));
    }
}
