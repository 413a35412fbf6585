//! Which readings of PAGE are text. A line may have several, of which the one with the lowest index
//! is meant; one without any may have words with readings, and a region without lines its own.

use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashSet;

use crate::text::pattern;

static TAG: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"<(?P<end>/?)(?:\w+:)?(?P<name>TextRegion|TextLine|Word|Glyph|TextEquiv)\b(?P<rest>[^<>]*)>",
    )
});
static INDEX: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\bindex\s*=\s*["'](\d+)"#));

/// A part of a page that is open.
struct OpenPart<'t> {
    name: &'t str,
    /// Its own reading with the lowest index, and where its tag begins.
    own: Option<(u32, usize)>,
    /// Those of its parts.
    of_parts: Vec<usize>,
}

/// Where the tags of the readings begin that are text.
pub(super) fn readings(text: &str) -> FxHashSet<usize> {
    let mut open: Vec<OpenPart<'_>> = vec![];
    let mut shown = vec![];
    for tag in TAG.captures_iter(text) {
        let (name, rest) = (tag.name("name").map_or("", |n| n.as_str()), &tag["rest"]);
        if name == "TextEquiv" {
            if let Some(part) = open.last_mut().filter(|_| tag["end"].is_empty()) {
                let index = INDEX.captures(rest).and_then(|i| i[1].parse().ok()).unwrap_or(0);
                let this = (index, tag.get_match().start());
                part.own = Some(part.own.map_or(this, |own| own.min(this)));
            }
        } else if tag["end"].is_empty() {
            if !rest.ends_with('/') {
                open.push(OpenPart { name, own: None, of_parts: vec![] });
            }
        } else if let Some(part) = open.pop_if(|part| part.name == name) {
            let own = part.own.map(|(_, at)| at);
            // A region has all readings of its lines again.
            let by_parts = part.name == "TextRegion" && !part.of_parts.is_empty();
            let meant = match own {
                Some(own) if !by_parts => vec![own],
                _ => part.of_parts,
            };
            open.last_mut().map_or(&mut shown, |around| &mut around.of_parts).extend(meant);
        }
    }
    shown.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use crate::model::Layer;
    use crate::readers::read;
    use crate::source::Source;

    #[test]
    fn the_reading_with_the_lowest_index_is_the_text() {
        let reading = |index: &str, words: &str| {
            format!("<TextEquiv{index}><Unicode>{words}</Unicode></TextEquiv>")
        };
        let line = |inner: String| format!("<TextLine>{inner}</TextLine>\n");
        let word = |words: &str| format!("<Word>{}</Word>", reading("", words));
        let (first, second) = (" index=\"0\"", " index=\"1\"");
        let lines = [
            line(reading(first, "子曰學而時習之") + &reading(second, "子日學而")),
            line(reading(second, "不亦說乎")),
            line(word("有朋") + &word("自遠方來")),
            line(word("不") + &word("示") + &reading("", "不亦樂乎")),
        ];
        let regions = format!(
            "<TextRegion>{}{}</TextRegion><TextRegion>{}</TextRegion>",
            lines.concat(),
            reading("", "子曰學而時習之不亦說乎"),
            reading("", "人不知而不慍")
        );
        let page = format!("<PcGts><Metadata/><Page>{regions}</Page></PcGts>");
        let d = read(Source::from_text("p.xml", page), None).unwrap();
        let words: Vec<_> = d.of_layer(Layer::Jing).map(|s| d.words(s.span)).collect();
        assert_eq!(words.concat(), "子曰學而時習之不亦說乎有朋自遠方來不亦樂乎人不知而不慍");
    }
}
