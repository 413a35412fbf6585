//! Lines that web pages and file collections leave in a text: who posted it, where it was copied,
//! links to other pages. They are furniture at any place. `data/scraps.tsv` lists their forms.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};

use super::{Aside, Edit, Taken, VesselHints};
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::text::{self, pattern};

/// Longest such line, in bytes.
const MAX_BYTES: usize = 400;

static FORMS: LazyLock<RegexSet> = LazyLock::new(|| {
    let rows = include_str!("data/scraps.tsv").lines().filter(|l| !l.starts_with('#'));
    let forms = rows.filter_map(|l| l.split('\t').next());
    RegexSet::new(forms).expect("a test uses the table")
});

/// The place in the print at which a line of CBETA's text begins: `T45n1858_p0150c11║`.
static PLACE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)^[A-Z]{1,2}\d{1,3}n\w{4,6}_p[a-z]?\d{3,4}[a-z]\d{2}║"));

/// Finds the lines.
pub(super) fn find(text: &str, _: VesselHints<'_>) -> Taken {
    let lines = text::lines(text);
    let scraps: Vec<_> = lines.iter().filter(|l| is_scrap(&text[l.words.range()])).collect();
    let numbers = PLACE
        .find_iter(text)
        .map(|place| Edit::without(Span::new(place.start(), place.end()), Aside::Mark));
    let numbers: Vec<Edit> = numbers.collect();
    let Some(first) = scraps.first() else {
        return Taken { edits: numbers, ..Taken::default() };
    };
    let message =
        format!("{} lines are those of a web page or a collection of files", scraps.len());
    let remarks = vec![Diagnostic::info("web-lines", first.words, message)];
    let scraps = scraps.iter().map(|l| Edit::without(l.words, Aside::Furniture));
    let mut edits: Vec<Edit> = scraps.collect();
    let is_apart = |edit: &Edit| {
        let before = edits.partition_point(|e| e.span.start() <= edit.span.start());
        before.checked_sub(1).is_none_or(|n| edits[n].span.overlap(edit.span) == 0)
    };
    let numbers: Vec<Edit> = numbers.into_iter().filter(|edit| is_apart(edit)).collect();
    edits.extend(numbers);
    edits.sort_by_key(|edit| edit.span.start());
    Taken { edits, remarks, ..Taken::default() }
}

/// True if a line, without blanks around it, is such a scrap.
fn is_scrap(line: &str) -> bool {
    !line.is_empty() && line.len() <= MAX_BYTES && FORMS.is_match(line)
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
            "首页 > 国学 > 论语",
            "上一篇：没有了 下一篇：为政第二",
            "版权所有 © 2003-2010 某网 All Rights Reserved",
            "【打印本页】【关闭窗口】",
        ] {
            assert!(super::is_scrap(scrap), "{scrap}");
        }
        for text in ["作者之谓圣", "子曰", "上一人，下一人", "目录", "返，回也", "分享其利"]
        {
            assert!(!super::is_scrap(text), "{text}");
        }
    }
}
