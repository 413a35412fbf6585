//! Lines that web pages and file collections leave in a text: who posted it, where it was copied,
//! links to other pages. They are furniture at any place. `scraps.tsv` lists their forms.

use std::sync::LazyLock;

use regex::RegexSet;

/// Longest such line, in bytes.
const MAX_BYTES: usize = 400;

static FORMS: LazyLock<RegexSet> = LazyLock::new(|| {
    let rows = include_str!("scraps.tsv").lines().filter(|l| !l.starts_with('#'));
    let forms = rows.filter_map(|l| l.split('\t').next());
    RegexSet::new(forms).expect("a test uses the table")
});

/// True if a line, without blanks around it, is such a scrap.
pub(super) fn is_one(line: &str) -> bool {
    line.len() <= MAX_BYTES && FORMS.is_match(line)
}

#[cfg(test)]
mod tests {
    #[test]
    fn scraps_are_recognised_and_text_is_not() {
        for scrap in [
            "[楼主]  [3楼]  作者:某人 发表时间: 2008/04/10 11:15",
            "http://www.example.org/a.txt",
            "返回目录",
            "（本章完）",
            "－－－－－－－－",
        ] {
            assert!(super::is_one(scrap), "{scrap}");
        }
        for text in ["作者之谓圣", "子曰", "上一人，下一人", "目录", "返，回也"]
        {
            assert!(!super::is_one(text), "{text}");
        }
    }
}
