//! References as W3C Web Annotations, as a page of a collection that names the edition.

use std::io;

use serde_json::json;

use super::Edition;
use super::formats::Format;
use crate::corpus::refs::{Catalogue, Wanted};

pub(super) const FORMAT: Format = Format {
    name: "webanno",
    extension: "jsonld",
    about: "references as W3C Web Annotations",
    write,
    ..Format::PLAIN
};

fn write(edition: &Edition, _: usize, out: &mut dyn io::Write) -> io::Result<()> {
    let catalogue = Catalogue::of(&edition.library);
    let sources: Vec<String> = edition
        .documents()
        .map(|d| {
            std::iter::once(d.meta.title.clone())
                .chain(d.meta.facts().into_iter().map(|f| f.words.into_owned()))
                .collect::<Vec<_>>()
        })
        .map(|words| words.join("; "))
        .collect();
    let about = &edition.about;
    let editors: Vec<_> =
        about.editors.iter().map(|name| json!({"type": "Person", "name": name})).collect();
    // The context of the model defines label and creator, but requires an address for rights. So
    // the licence is given in Dublin Core.
    let whole = json!({
        "id": edition.uuid(), "type": "AnnotationCollection", "label": about.title, "creator": editors,
        "dc:rights": about.licence, "dc:date": about.date.to_string(), "dc:source": sources,
    });
    crate::writers::annotations::write_of(
        &catalogue.references(&edition.ids, &Wanted::default()),
        Some(&whole),
        out,
    )
}
