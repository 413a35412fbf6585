//! Pages of the printed or written source, and the slips of a manuscript: a `pb` in the mark that
//! says where one begins or ends.

use crate::markup::Markup;
use crate::model::{Document, Meta, ReadingKind};
use crate::reading::leaves_in;
use crate::text::numeral;

/// True for the transcription of a manuscript, which states by signs of its own what is supplied,
/// lost, or to be read otherwise: a number in `【】` is that of a slip there, of a note elsewhere.
pub(super) fn has_slips(document: &Document) -> bool {
    document.readings.iter().any(|r| {
        r.evidence.is_empty() && !matches!(r.kind, ReadingKind::Source | ReadingKind::Witness)
    })
}

/// The address of the image of the page that a tag begins.
pub(super) fn image(tag: &str, meta: &Meta) -> Option<String> {
    leaves_in(tag).next()?.image(meta).map(|image| image.address)
}

/// Writes a `pb` for each page that a mark names.
pub(super) fn write(xml: &mut Markup<'_>, mark: &str, meta: &Meta, has_slips: bool) {
    if mark.contains('<') {
        for leaf in leaves_in(mark) {
            let image = leaf.image(meta).map(|image| image.address);
            xml.void("pb").maybe("ed", leaf.edition).maybe("facs", image).attr("n", leaf.number);
        }
    }
    if let Some(number) = slip(mark).filter(|_| has_slips) {
        xml.void("pb").attr("n", number);
    }
}

/// The number of a slip: `【12】`, `【十二正】`.
fn slip(mark: &str) -> Option<&str> {
    let name = mark.trim().strip_prefix('【')?.strip_suffix('】')?;
    let number = name.trim_end_matches(['正', '背', '上', '下']);
    let is_number = number.chars().all(char::is_numeric) || numeral::parse(number).is_some();
    (is_number && !number.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::Escaping;
    use crate::model::LeafImages;

    fn of(mark: &str, has_slips: bool) -> String {
        let mut out = vec![];
        let mut xml = Markup::xml(&mut out, Escaping::Tei);
        xml.open("fw");
        let images = vec![LeafImages::Pattern("i/{page}{side}.jpg".into())];
        write(&mut xml, mark, &Meta { images, ..Meta::default() }, has_slips);
        xml.close();
        xml.finish().expect("memory");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn pages_and_slips() {
        let page = of("¶\n<pb:KR1d0026_SBCK_006-1b>", false);
        assert!(page.contains(r#"<pb ed="KR1d0026_SBCK" facs="i/1b.jpg" n="006-1b"/>"#), "{page}");
        assert!(of("【12】", true).contains(r#"<pb n="12"/>"#));
        for (mark, has_slips) in [("【12】", false), ("【注】", true), ("○", true), ("<pb:x", true)]
        {
            assert!(!of(mark, has_slips).contains("<pb n"), "{mark}");
        }
    }
}
