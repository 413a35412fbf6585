//! What stands around the chapters of a book: titles of prefaces and tables of contents, of
//! appendixes, and of parts that have chapters.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::text::class::is_content;
use crate::text::fold::fold;

/// Before the first chapter.
pub(super) static FRONT: LazyLock<HashSet<String>> =
    LazyLock::new(|| words(include_str!("data/front.txt")));
/// After the last.
pub(super) static BACK: LazyLock<HashSet<String>> =
    LazyLock::new(|| words(include_str!("data/back.txt")));
/// Above chapters: 內篇, 外篇.
pub(super) static PARTS: LazyLock<HashSet<String>> =
    LazyLock::new(|| words(include_str!("data/parts.txt")));

fn words(table: &str) -> HashSet<String> {
    table.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).map(folded).collect()
}

/// The characters of a title that tell it from others.
pub(super) fn folded(words: &str) -> String {
    words.chars().filter(|c| is_content(*c)).map(fold).collect()
}

/// True for what is written over a preface or a table of contents, as no book is called.
pub(super) fn is_front_title(title: &str) -> bool {
    FRONT.contains(&folded(title))
}

#[cfg(test)]
mod tests {
    use crate::model::Layer;
    use crate::pipeline;
    use crate::source::Source;

    #[test]
    fn parts_are_headings() {
        let line = "　　夫人之有生，其性各異，其志不同，故觀其所好，可以知其所惡，察其所安，可以知其所危。\
            是以君子慎之，小人忽之，此其大較也。\n";
        let text = format!("{}\n", line.repeat(2));
        let parts: [(&str, &[&str]); 3] = [
            ("內篇", &["逍遙遊第一", "齊物論第二", "養生主第三"]),
            ("外篇", &["駢拇第八", "馬蹄第九", "胠篋第十"]),
            ("雜篇", &["庚桑楚第二十三", "徐無鬼第二十四"]),
        ];
        let part = |(name, titles): &(&str, &[&str])| {
            let chapters = titles.iter().map(|title| format!("{title}\n\n{text}"));
            format!("{name}\n\n{}", chapters.collect::<String>())
        };
        let whole = format!("莊子\n\n{}", parts.iter().map(part).collect::<String>());
        let library = pipeline::convert(Source::from_text("莊子.txt", whole), None).unwrap();
        assert_eq!(library.documents.len(), 8);
        let segments = library.documents.iter().flat_map(|d| {
            let classic = d.segments.iter().filter(|s| s.layer == Layer::Jing);
            classic.map(|s| d.words(s.span)).collect::<Vec<_>>()
        });
        assert!(segments.into_iter().all(|words| !words.contains('篇')));
    }
}
