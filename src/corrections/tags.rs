//! Tags of web pages, and of what Word files and e-books are read as: they are not among the words
//! by which a place is quoted, since another program writes others.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::Quote;
use crate::source::{Span, TAG, is_page};
use crate::text::pattern;

/// A tag of which the beginning or the end is not among the words.
static PART: LazyLock<Regex> = LazyLock::new(|| pattern(r"\A[^<>]*>|<[A-Za-z/!?][^<>]*\z"));

/// What is between the tags of a page; `None` of a text that is no page.
pub(super) fn between(text: &str) -> Option<Vec<Span>> {
    if !is_page(text) {
        return None;
    }
    let mut at = 0;
    let mut pieces: Vec<Span> = vec![];
    for tag in TAG.find_iter(text) {
        pieces.push(Span::new(at, tag.start()));
        at = tag.end();
    }
    pieces.push(Span::new(at, text.len()));
    Some(pieces)
}

/// Words without tags.
pub(super) fn without(words: &str) -> Cow<'_, str> {
    TAG.replace_all(words, "")
}

/// The same of a quotation, as older programs wrote them; if it `may_begin_in_one`, or end so, also
/// without that part.
pub(super) fn without_in(quote: &Quote, may_begin_in_one: bool) -> Quote {
    let of = |words: &String| match may_begin_in_one {
        true => PART.replace_all(&without(words), "").into_owned(),
        false => without(words).into_owned(),
    };
    Quote {
        before: of(&quote.before),
        at: of(&quote.at),
        until: quote.until.as_ref().map(of),
        after: of(&quote.after),
    }
}

#[cfg(test)]
mod tests {
    use super::super::anchor::{AnchorText, Anchored};
    use super::*;

    #[test]
    fn the_tags_of_a_page_are_not_quoted() {
        let page = "<html><body><p class=\"Body\">子曰：學而時習之<small>馬曰：時者學者以時誦習之</small></p>\
                    <p class=\"Body\">有朋自遠方來不亦樂乎</p></body></html>";
        let anchors = AnchorText::new(page);
        let at = page.find("馬曰").unwrap();
        let quote = anchors.quote(Span::new(at, at + "馬曰".len())).unwrap();
        assert_eq!(quote.before, "子曰：學而時習之");
        // As an older program quoted it; and the page as another program wrote it.
        let older = Quote { before: "y\">子曰：學而時習之<small>".into(), ..quote.clone() };
        let other = page.replace("<small>", "<span class=\"n\">").replace("</small>", "</span>");
        let others = AnchorText::new(&other);
        for (anchors, text, quote) in
            [(&anchors, page, &quote), (&anchors, page, &older), (&others, &other, &quote)]
        {
            let Anchored::At(span) = anchors.place(quote) else { panic!("{quote:?}") };
            assert_eq!(&text[span.range()], "馬曰");
        }
    }

    #[test]
    fn what_is_no_tag_remains() {
        assert_eq!(without("學<骨玄>習<b>之</b>>"), "學<骨玄>習之>");
        let older = Quote { at: "le\">學<骨玄>習<em cl".into(), ..Quote::default() };
        assert_eq!(without_in(&older, true).at, "學<骨玄>習");
    }
}
