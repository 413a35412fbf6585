//! Persons, places, organisations, offices and dates that the source marks: `persName` and the
//! like in TEI, spans of MARKUS, tags of DocuXML (`data/names.tsv`). None is inferred. The tags are
//! marks of the source, so what they mark is read from them, as leaves of the print are.

use std::sync::LazyLock;

use quick_xml::escape::unescape;
use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::model::Document;
use crate::source::Span;
use crate::text::pattern;

/// What a source marks words as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NameKind {
    Person,
    Place,
    Organisation,
    Office,
    Date,
}

impl NameKind {
    pub(crate) const ALL: [NameKind; 5] = [
        NameKind::Person,
        NameKind::Place,
        NameKind::Organisation,
        NameKind::Office,
        NameKind::Date,
    ];

    /// Its name for programs.
    pub(crate) fn id(self) -> &'static str {
        match self {
            NameKind::Person => "person",
            NameKind::Place => "place",
            NameKind::Organisation => "organisation",
            NameKind::Office => "office",
            NameKind::Date => "date",
        }
    }
}

/// Words that the source marks as a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MarkedName {
    pub(crate) kind: NameKind,
    pub(crate) span: Span,
    /// The words of the text in it.
    pub(crate) words: String,
    /// Whom or what it means, as the source says: `cbdb:12345`. Several where it was not decided.
    pub(crate) ids: Vec<String>,
}

/// A start or end tag.
static TAG: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"<(?P<end>/)?(?:\w+:)?(?P<name>[A-Za-z_][\w.-]*)(?P<attributes>(?:[^<>"']|"[^"]*"|'[^']*')*)>"#,
    )
});
static ATTRIBUTE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')"#));

/// A row of the table for tags.
struct TagRow {
    element: &'static str,
    attribute: &'static str,
    value: &'static str,
    kind: NameKind,
}

/// The table.
#[derive(Default)]
struct NameTable {
    tags: Vec<TagRow>,
    /// Attributes with ids, and authorities.
    ids: Vec<(&'static str, &'static str)>,
    addresses: Vec<(&'static str, &'static str)>,
}

static TABLE: LazyLock<NameTable> = LazyLock::new(|| {
    let mut table = NameTable::default();
    for line in include_str!("data/names.tsv").lines() {
        match line.split('\t').collect::<Vec<_>>()[..] {
            ["tag", element, attribute, value, kind] => {
                let kind = NameKind::ALL.into_iter().find(|k| k.id() == kind);
                table.tags.extend(kind.map(|kind| TagRow { element, attribute, value, kind }));
            }
            ["id", attribute, authority] => table.ids.push((attribute, authority)),
            ["address", beginning, authority] => table.addresses.push((beginning, authority)),
            _ => {}
        }
    }
    table
});

/// An element that is open.
struct OpenTag {
    element: &'static str,
    /// What it marks, if it marks anything, and whom.
    kind: Option<(NameKind, Vec<String>)>,
    from: usize,
}

/// The names that a document marks, in order; of those that begin together the outer first.
pub(crate) fn marked_names(document: &Document) -> Vec<MarkedName> {
    if !document.source.text().contains("</") {
        return vec![];
    }
    let outside = document.segments.iter().filter(|s| !s.layer.is_text()).map(|s| s.span);
    let mut spans: Vec<Span> = outside.chain(document.marks.iter().copied()).collect();
    spans.sort_unstable();
    let (mut open, mut all): (Vec<OpenTag>, Vec<MarkedName>) = (vec![], vec![]);
    for span in spans {
        for tag in TAG.captures_iter(document.source.slice(span)) {
            let (Some(whole), Some(name)) = (tag.get(0), tag.name("name")) else { continue };
            let Some(row) = TABLE.tags.iter().find(|row| row.element == name.as_str()) else {
                continue;
            };
            if tag.name("end").is_some() {
                let last = open.iter().rposition(|o| o.element == row.element);
                if let Some(OpenTag { kind: Some((kind, ids)), from, .. }) =
                    last.map(|last| open.remove(last))
                {
                    let to = span.start() + whole.start();
                    all.extend(named(document, (kind, ids), from..to));
                }
                continue;
            }
            let attributes = &tag["attributes"];
            if !attributes.trim_end().ends_with('/') {
                let from = span.start() + whole.end();
                open.push(OpenTag {
                    element: row.element,
                    kind: marked(row.element, attributes),
                    from,
                });
            }
        }
    }
    all.sort_by_key(|name| (name.span.start(), std::cmp::Reverse(name.span.end())));
    all
}

/// What a tag marks, and whom.
fn marked(element: &str, attributes: &str) -> Option<(NameKind, Vec<String>)> {
    let all: Vec<(&str, &str)> = ATTRIBUTE
        .captures_iter(attributes)
        .filter_map(|a| Some((a.get(1)?.as_str(), a.get(2).or(a.get(3))?.as_str())))
        .collect();
    let value = |name: &str| all.iter().find(|(n, _)| *n == name).map(|(_, value)| *value);
    let holds = |row: &&TagRow| {
        let value = value(row.attribute);
        row.element == element
            && match row.value.strip_prefix('~') {
                Some(word) => value.is_some_and(|v| v.split_whitespace().any(|w| w == word)),
                None => row.attribute == "-" || value == Some(row.value),
            }
    };
    let kind = TABLE.tags.iter().find(holds)?.kind;
    let mut ids: Vec<String> = vec![];
    for (attribute, authority) in &TABLE.ids {
        let written = value(attribute).unwrap_or_default();
        let written = unescape(written).map_or_else(|_| written.to_string(), |id| id.into_owned());
        for id in written.split([' ', '|', ';', ',']) {
            let id = id_of(id, authority);
            if !id.is_empty() && !ids.contains(&id) {
                ids.push(id);
            }
        }
    }
    Some((kind, ids))
}

/// An id with its authority.
fn id_of(written: &str, authority: &str) -> String {
    let known = TABLE
        .addresses
        .iter()
        .find_map(|(beginning, authority)| Some((*authority, written.strip_prefix(beginning)?)));
    let (authority, id) = known.unwrap_or((authority, written));
    match authority {
        "-" => id.trim_start_matches('#').to_string(),
        _ if id.is_empty() => String::new(),
        // Numbers are written with zeros before them or without.
        _ => {
            let number = id.trim_start_matches('0');
            format!("{authority}:{}", if number.is_empty() { "0" } else { number })
        }
    }
}

/// A name, without what is around its words; `None` if it has no words of the text.
fn named(
    document: &Document,
    (kind, ids): (NameKind, Vec<String>),
    range: std::ops::Range<usize>,
) -> Option<MarkedName> {
    let range = range.start..range.end.max(range.start);
    let first = document.segments.partition_point(|s| s.span.end() <= range.start);
    let inside = document.segments[first..].iter().take_while(|s| s.span.start() < range.end);
    let parts = inside.filter(|s| s.layer.is_text()).flat_map(|s| {
        let part = s.span.start().max(range.start)..s.span.end().min(range.end);
        document.without_marks(Span::new(part.start, part.end))
    });
    let has_words = |part: &Span| !document.slice(*part).trim().is_empty();
    let parts: Vec<Span> = parts.filter(has_words).collect();
    let (first, last) = (parts.first()?, parts.last()?);
    let lead = document.slice(*first);
    let start = first.start() + lead.len() - lead.trim_start().len();
    let end = last.start() + document.slice(*last).trim_end().len();
    let words: String = parts.iter().map(|part| document.slice(*part).trim()).collect();
    Some(MarkedName { kind, span: Span::new(start, end.max(start)), words, ids })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers;
    use crate::source::Source;

    type Row = (&'static str, String, Vec<String>);

    fn names(name: &str, text: &str) -> Vec<Row> {
        let document = readers::read(Source::from_text(name, text), None).unwrap();
        let row = |n: MarkedName| {
            assert_eq!(document.words(n.span).replace(char::is_whitespace, ""), n.words);
            (n.kind.id(), n.words, n.ids)
        };
        marked_names(&document).into_iter().map(row).collect()
    }

    fn row(kind: &'static str, words: &str, ids: &[&str]) -> Row {
        (kind, words.to_string(), ids.iter().map(|id| id.to_string()).collect())
    }

    #[test]
    fn names_of_tei_are_read_and_none_of_its_header() {
        let tei = "<TEI><teiHeader><fileDesc><titleStmt><title>x</title><author><persName>某</persName>\
            </author></titleStmt></fileDesc></teiHeader><text><body><p>昔<persName \
            ref=\"https://cbdb.fas.harvard.edu/cbdbapi/person.php?id=0012\">鄭<lb/>玄</persName>在\
            <placeName key=\"P7\"><hi>高密</hi></placeName>，<name type=\"person\">馬融</name>與<name>其</name>\
            書<persName/>。</p></body></text></TEI>";
        let want = [
            row("person", "鄭玄", &["cbdb:12"]),
            row("place", "高密", &["P7"]),
            row("person", "馬融", &[]),
        ];
        assert_eq!(names("a.xml", tei), want);
    }

    #[test]
    fn names_of_markus_are_read() {
        let page = "<!DOCTYPE html><html><body><div class=\"doc\"><p><span class=\"passage\">昔者\
            <span class=\"markup manual fullName\" type=\"fullName\" cbdbid=\"0003767|0001\">王安石\
            </span>知<span class='markup placeName' placename_id='hvd_1'>江寧</span>，其後為相，天下事皆決焉。\
            </span></p></div></body></html>";
        let want =
            [row("person", "王安石", &["cbdb:3767", "cbdb:1"]), row("place", "江寧", &["hvd_1"])];
        assert_eq!(names("a.html", page), want);
    }
}
