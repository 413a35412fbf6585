//! What the marks of a page mean, each shown as it looks in the text.

use crate::markup::Markup;

/// How a mark looks.
enum Look {
    /// A character in an element of this class.
    Class(&'static str),
    /// An element with this class and an attribute, whose words the style sheet adds.
    Counted(&'static str, &'static str),
    /// These words.
    Words(&'static str),
}

/// Each mark, and what it means.
const MARKS: &[(Look, &str)] = &[
    (Look::Class("ref"), "{legend-reference}"),
    (Look::Class("ref low"), "{legend-uncertain}"),
    (Look::Class("ref un"), "{legend-unplaced}"),
    (Look::Counted("q", "data-n"), "{start-uncertain}"),
    (Look::Counted("q ok", "data-n"), "{start-decided}"),
    (Look::Class("tint"), "{legend-tint}"),
    (Look::Counted("cited", "data-n"), "{legend-cited}"),
    (Look::Counted("cited", "data-v"), "{legend-variants}"),
    (Look::Class("fix"), "{legend-repair}"),
    (Look::Words("〔文〕"), "{legend-reading}"),
    (Look::Class("bead low"), "{legend-bead}"),
];

/// The legend, in one line that unfolds; open on the page that is about the site.
pub(crate) fn legend(h: &mut Markup<'_>, open: bool) {
    h.open("details").attr("id", "legend").maybe("open", open.then_some("open"));
    h.in_own_language().said("summary", "{legend}");
    h.open("ul").line();
    for (look, meaning) in MARKS {
        h.open("li").open("span").attr("aria-hidden", "true");
        match look {
            Look::Class(class) => h.attr("class", class).attr("lang", "lzh-Hant").text("文"),
            Look::Counted(class, attribute) => h.attr("class", class).attr(attribute, 1),
            Look::Words(words) => h.text(words),
        };
        h.close().text(" ").said("span", meaning).close().line();
    }
    h.close().close().line();
}
