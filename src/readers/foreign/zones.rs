//! What zones and lines of an image are called: PAGE says it of each (`custom`, `type`), ALTO by
//! references to a list of labels.

use std::sync::LazyLock;

use quick_xml::events::BytesStart;
use regex::Regex;
use rustc_hash::FxHashMap;

use super::elements::{self, ElementRole, XmlDialect};
use crate::model::{Layer, LayerKind};
use crate::text::pattern;

static LABEL_TAG: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"<(?:\w+:)?(?:Other|Layout|Structure|Role)Tag\b[^<>]*>"));
static ID: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\bID\s*=\s*["']([^"']+)"#));
static LABEL: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\bLABEL\s*=\s*["']([^"']+)"#));
static TYPE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\btype\s*:\s*([^;}\s]+)"));

static ROLES: LazyLock<FxHashMap<String, ElementRole>> = LazyLock::new(|| {
    let rows = include_str!("zones.tsv").lines().filter(|l| !l.starts_with('#'));
    rows.map(|row| {
        let (name, role) = row.split_once('\t').expect("a test reads the table");
        (name.to_lowercase(), elements::role_named(role).expect("a test reads the table"))
    })
    .collect()
});

/// The labels of a file of ALTO, by their ids.
#[derive(Debug, Default)]
pub(super) struct ZoneLabels<'t>(FxHashMap<&'t str, &'t str>);

impl<'t> ZoneLabels<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let value = |of: &Regex, tag: &'t str| Some(of.captures(tag)?.get(1)?.as_str());
        let labels = LABEL_TAG.find_iter(text).map(|tag| tag.as_str());
        ZoneLabels(labels.filter_map(|tag| Some((value(&ID, tag)?, value(&LABEL, tag)?))).collect())
    }

    /// What the name of a zone or a line says of its text.
    pub(super) fn role(&self, dialect: XmlDialect, e: &BytesStart<'_>) -> Option<ElementRole> {
        let is_zone = matches!(elements::local(e), "TextRegion" | "TextBlock" | "TextLine");
        let value = |name: &str| Some(e.try_get_attribute(name).ok()??.value.into_owned());
        match dialect {
            XmlDialect::Alto if is_zone => {
                let ids = value("TAGREFS")?;
                let labels = ids.split_whitespace().filter_map(|id| self.0.get(id));
                labels.filter_map(|label| of_name(label)).next()
            }
            XmlDialect::Page if is_zone => {
                let custom = value("custom");
                let custom = custom.as_deref().and_then(|c| Some(TYPE.captures(c)?[1].to_string()));
                custom.as_deref().and_then(of_name).or_else(|| of_name(&value("type")?))
            }
            _ => None,
        }
    }
}

/// The role of what is called so: `MarginTextZone`, `MainZone:注`, `注`.
fn of_name(name: &str) -> Option<ElementRole> {
    let parts = || std::iter::once(name).chain(name.split(':').rev());
    let layer = parts().find_map(|part| part.trim().parse::<Layer>().ok());
    let is_said =
        |layer: &Layer| !matches!(layer.kind(), LayerKind::Outside | LayerKind::Undivided);
    let known = || parts().find_map(|part| ROLES.get(&part.trim().to_lowercase()).cloned());
    known().or_else(|| layer.filter(is_said).map(ElementRole::Layer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::read;
    use crate::source::Source;

    #[test]
    fn zones_of_alto_have_the_layers_that_their_labels_name() {
        let block = |tag: &str, words: &str| {
            format!(
                "<TextBlock TAGREFS=\"{tag}\"><TextLine WIDTH=\"60\" HEIGHT=\"1200\"><String \
                 CONTENT=\"{words}\"/></TextLine></TextBlock>\n"
            )
        };
        let tag = |id: &str, label: &str| format!("<OtherTag ID=\"{id}\" LABEL=\"{label}\"/>");
        let tags = [tag("T1", "MainZone"), tag("T2", "注"), tag("T3", "NumberingZone")].concat();
        let blocks = [
            block("T1", "子曰學而時習之不亦說乎"),
            block("T2", "馬曰子者男子之通稱"),
            block("T3", "二十三"),
        ]
        .concat();
        let alto = format!(
            "<alto><Description/><Tags>{tags}</Tags><Layout><Page>{blocks}</Page></Layout></alto>"
        );
        let d = read(Source::from_text("a.xml", alto), None).unwrap();
        let text = d.segments.iter().filter(|s| s.layer.is_text());
        let text: Vec<_> = text.map(|s| (s.layer, d.slice(s.span))).collect();
        let expected =
            [(Layer::Jing, "子曰學而時習之不亦說乎"), (Layer::Zhu, "馬曰子者男子之通稱")];
        assert_eq!(text, expected);
    }

    #[test]
    fn names_of_zones() {
        assert_eq!(of_name("numberingzone"), Some(ElementRole::Hidden));
        assert_eq!(of_name("MarginTextZone:note"), Some(ElementRole::Layer(Layer::Zhu)));
        assert_eq!(of_name("MainZone:注"), Some(ElementRole::Layer(Layer::Zhu)));
        assert_eq!((of_name("MainZone"), of_name("paragraph")), (None, None));
    }
}
