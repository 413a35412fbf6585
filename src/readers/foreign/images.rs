//! Images of leaves that a TEI file names: `facs` of `pb`, and the surfaces of a `facsimile` that
//! it points at.

use quick_xml::escape::unescape;
use quick_xml::events::BytesStart;

use super::elements::local;
use crate::diag::Diagnostic;
use crate::model::{Document, LeafImage, LeafImages, is_address};
use crate::source::Span;

/// Collects images while a file is read.
#[derive(Debug, Default)]
pub(super) struct TeiImages {
    /// The id of the surface that has no image yet.
    surface: Option<String>,
    all: Vec<LeafImage>,
    /// Addresses that are not taken, each with its tag.
    refused: Vec<(String, Span)>,
}

impl TeiImages {
    /// An element begins; `tag` is its tag.
    pub(super) fn start(&mut self, e: &BytesStart<'_>, tag: Span) {
        match local(e) {
            "pb" => {
                let facs = attribute(e, "facs").unwrap_or_default();
                let outside = facs.split_whitespace().filter(|facs| !facs.starts_with('#'));
                let odd = outside.filter(|facs| !is_address(facs));
                self.refused.extend(odd.map(|facs| (facs.to_string(), tag)));
            }
            "surface" => self.surface = attribute(e, "xml:id"),
            "graphic" => {
                let ids = [attribute(e, "xml:id"), self.surface.take()];
                let Some(address) = attribute(e, "url") else { return };
                if ids.iter().all(Option::is_none) {
                    return;
                }
                if !is_address(&address) {
                    return self.refused.push((address, tag));
                }
                let pixels = |name| {
                    let value = attribute(e, name)?;
                    value.trim_end_matches("px").parse::<u32>().ok().filter(|n| *n > 0)
                };
                let size = pixels("width").zip(pixels("height"));
                self.all.extend(ids.into_iter().flatten().map(|id| LeafImage {
                    leaf: format!("#{id}"),
                    address: address.clone(),
                    size,
                }));
            }
            _ => {}
        }
    }

    /// Says it of the text.
    pub(super) fn put(self, document: &mut Document) {
        if !self.all.is_empty() {
            document.meta.images.push(LeafImages::listed(self.all));
        }
        if let Some((address, tag)) = self.refused.first() {
            let n = self.refused.len();
            let message =
                format!("addresses of images that are not taken: {n}, such as “{address}”");
            document.diagnostics.push(
                Diagnostic::warning("image-address", *tag, message)
                    .hint("an address begins with https:// or http://, or is relative"),
            );
        }
    }
}

fn attribute(e: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = e.try_get_attribute(name).ok().flatten()?;
    Some(unescape(&found.value).ok()?.into_owned())
}

#[cfg(test)]
mod tests {
    use crate::readers;
    use crate::source::Source;

    #[test]
    fn surfaces_are_images_and_odd_addresses_are_named() {
        let tei = "<TEI><teiHeader/><facsimile><surface xml:id=\"s1\"><graphic url=\"a.jpg\" width=\"90px\" \
            height=\"120px\"/><graphic url=\"b.jpg\"/></surface></facsimile><text><body><p>\n\
            <pb n=\"1a\" facs=\"#s1\"/>燕禮<pb n=\"1b\" facs=\"javascript:alert(1)\"/>小臣</p></body>\
            </text></TEI>";
        let d = readers::read(Source::from_text("a.xml", tei), Some("xml")).unwrap();
        let image = d.meta.images[0].with_id("#s1").unwrap();
        assert_eq!((&*image.address, image.size), ("a.jpg", Some((90, 120))));
        let odd = d.diagnostics.iter().find(|d| d.code == "image-address").unwrap();
        assert!(odd.message.contains("javascript:alert(1)"), "{odd:?}");
        assert_eq!(d.source.place(odd.span.unwrap().start()).line, 2);
    }
}
