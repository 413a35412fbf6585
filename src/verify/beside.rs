//! What stands beside a quotation and may say where it is from, but is understood by no form of
//! citation: 「…」者，《燕禮》文; 馬融以為：「…」. It is named, so that nothing passes as checked.

use std::sync::LazyLock;

use regex::Regex;

use super::authors::{self, OPENERS};
use super::marks::{MarkKind, Marked, is_han};
use crate::corpus::Works;
use crate::text::class::ends_sentence;

/// Characters between a title and its quotation at most: 《論語》裡記載孔子的話說：「…」.
pub(super) const MAX_BETWEEN: usize = 24;

/// A layer at the end of a clause: 此經文也, 賈疏語也.
static LAYER: LazyLock<Regex> = LazyLock::new(|| {
    let pattern =
        r"(?:經|经|注|註|疏|箋|笺|傳|传|正義|正义|釋文|释文|音義|音义)之?(?:文|語|语|言|辭|辞)也?$";
    Regex::new(pattern).expect("a test reads the pattern")
});

/// A title, a scholar or a layer after quotation number `n`, up to the end of the sentence. Titles
/// that are understood are `used`.
pub(super) fn after(
    text: &str,
    (marked, n): (&[Marked], usize),
    used: &[bool],
    works: &Works,
) -> Option<String> {
    let start = marked[n].outer.end();
    let next = marked[n + 1..].iter().find(|m| m.kind == MarkKind::Quotation);
    let until = next.map_or(text.len(), |m| m.outer.start().max(start));
    let rest = text[start..until].char_indices().take(MAX_BETWEEN);
    // A sign of the end may belong to the quotation: 「…」。（馬融）
    let is_end = |(i, c): &(usize, char)| *c == '\n' || *i > 0 && ends_sentence(*c);
    let end = rest.take_while(|at| !is_end(at)).last().map_or(0, |(i, c)| i + c.len_utf8());
    let end = start + end;
    let is_here = |i: &usize| marked[*i].kind == MarkKind::Title && marked[*i].outer.start() < end;
    let title = (n + 1..marked.len()).take_while(|i| marked[*i].outer.start() < end).find(is_here);
    if let Some(title) = title {
        return (!used[title]).then(|| text[marked[title].outer.range()].to_string());
    }
    clauses(&text[start..end]).find_map(|clause| {
        let name = scholar(clause, works);
        name.or_else(|| LAYER.is_match(clause).then(|| clause.to_string()))
    })
}

/// A scholar before a quotation, from the beginning of the sentence.
pub(super) fn before(text: &str, at: usize, works: &Works) -> Option<String> {
    let sentence = text[..at].rsplit(|c| ends_sentence(c) || c == '\n').next()?;
    let near = sentence.char_indices().rev().nth(MAX_BETWEEN - 1).map_or(0, |(i, _)| i);
    clauses(&sentence[near..]).find_map(|clause| scholar(clause, works))
}

fn clauses(words: &str) -> impl Iterator<Item = &str> {
    words.split(|c| !is_han(c)).map(|clause| clause.trim_start_matches(|c| OPENERS.contains(c)))
}

/// The name with which a clause begins: 馬融 in 馬融以為.
fn scholar(clause: &str, works: &Works) -> Option<String> {
    let ends = clause.char_indices().map(|(i, _)| i).skip(2).chain([clause.len()]).take(3);
    let names = ends.filter_map(|end| clause.get(..end));
    names.into_iter().find(|name| authors::is_scholar(name, works)).map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::marks;

    #[test]
    fn what_may_name_a_place_is_named() {
        let works = Works::builtin();
        let beside = |text: &str| {
            let marked = marks::marked(text);
            let n = marked.iter().position(|m| m.kind == MarkKind::Quotation).unwrap();
            let used = vec![false; marked.len()];
            after(text, (&marked, n), &used, &works)
                .or_else(|| before(text, marked[n].outer.start(), &works))
        };
        for (text, said) in [
            ("「獲者許諾」者，《燕禮》文。", "《燕禮》"),
            ("「獲者許諾」是《燕禮》的話。", "《燕禮》"),
            ("「獲者許諾」，馬融語。", "馬融"),
            ("「獲者許諾」（馬融）", "馬融"),
            ("「獲者許諾。」——馬融", "馬融"),
            ("「獲者許諾」，賈疏語也。", "賈疏"),
            ("「獲者許諾」，此經文也。", "此經文也"),
            ("鄭玄以爲：「獲者許諾」。", "鄭玄"),
            ("據馬融的解釋，「獲者許諾」。", "馬融"),
        ] {
            assert_eq!(beside(text).as_deref(), Some(said), "{text}");
        }
        for text in ["孔子說過「獲者許諾」，大家都知道。", "他說：「獲者許諾」。經文如此。"]
        {
            assert_eq!(beside(text), None, "{text}");
        }
    }
}
