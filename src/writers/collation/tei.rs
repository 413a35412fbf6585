//! The collation as TEI: parallel segmentation, with an `app` wherever a witness differs. The text
//! of each witness is that of the `ab`, with its own `lem` or `rdg` of each `app`, and without what
//! is between its `lacunaStart` and `lacunaEnd`. Blanks, ends of lines, the width of punctuation
//! and all punctuation of a witness that has hardly any are left out. The profile is described in
//! `schema/collation.rng`.

use std::io;

use super::head::{NAMESPACE, header, milestone};
use super::{CollatedChapter, gravest, sigla};
use crate::collation::{CollatedPlace, CollatedWitness, Collation};
use crate::markup::{Escaping, Markup};

const RECOVERY: &str = "The text of a witness is the text of each ab, with the lem or rdg of each app whose wit names \
the witness, except between its lacunaStart and lacunaEnd. Blanks and ends of lines are left out. Punctuation has the form of the first witness \
of a reading, and that of a witness with hardly any is not recorded.";

/// Writes the file.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(chapters: &[CollatedChapter<'_>], out: &mut dyn io::Write) -> io::Result<()> {
    let mut xml = Markup::xml(out, Escaping::Tei);
    let sigla = sigla(chapters);
    xml.open("TEI").attr("xmlns", NAMESPACE).line();
    header(&mut xml, chapters, &[], ("parallel-segmentation", RECOVERY));
    xml.open("text").line().open("body").line();
    for chapter in chapters {
        xml.open("div").attr("type", "chapter").line();
        xml.element("head", &chapter.title).line();
        Apparatus { collation: &chapter.collation, sigla: &sigla }.write(&mut xml);
        xml.close().line();
    }
    xml.close().line().close().line().close().line();
    xml.finish()
}

struct Apparatus<'a> {
    collation: &'a Collation<'a>,
    sigla: &'a [&'a CollatedWitness<'a>],
}

impl Apparatus<'_> {
    /// The text of a chapter, with the number of each sentence of the base where it begins.
    fn write(&self, xml: &mut Markup<'_>) {
        let base = &self.collation.witnesses[self.collation.base];
        let mut sentences = base.sentences().into_iter().peekable();
        xml.open("ab");
        for (number, place) in self.collation.places.iter().enumerate() {
            self.lacunae(xml, number);
            let bytes = place.readings[self.collation.base].clone();
            let mut from = bytes.start;
            let differs = !self.collation.classes(place).is_empty();
            while let Some((at, n)) = sentences.next_if(|(at, _)| *at < bytes.end) {
                if !differs && at > from {
                    xml.text(base.shown(from..at));
                    from = at;
                }
                milestone(xml, &n);
            }
            match differs {
                true => self.app(xml, place),
                false => _ = xml.text(base.shown(from..bytes.end)),
            }
        }
        self.lacunae(xml, self.collation.places.len());
        xml.close().line();
    }

    /// The lacunae that begin or end before a place.
    fn lacunae(&self, xml: &mut Markup<'_>, place: usize) {
        let (begin, end) = self.collation.turns(place);
        for (name, witnesses) in [("lacunaEnd", end), ("lacunaStart", begin)] {
            if !witnesses.is_empty() {
                xml.open("app")
                    .attr("type", "lacuna")
                    .open("rdg")
                    .attr("wit", self.wit(&witnesses));
                xml.void(name).close().close();
            }
        }
    }

    fn app(&self, xml: &mut Markup<'_>, place: &CollatedPlace) {
        let groups = self.collation.present_readings(place);
        xml.open("app").maybe("type", gravest(&self.collation.classes(place)).map(|c| c.id()));
        for (n, group) in groups.iter().enumerate() {
            let name = if n == 0 { "lem" } else { "rdg" };
            match group.words.is_empty() {
                true => xml.void(name),
                false => xml.open(name),
            };
            xml.attr("wit", self.wit(&group.witnesses));
            xml.maybe("type", group.class.map(|c| c.id()));
            if !group.words.is_empty() {
                xml.text(&group.words).close();
            }
        }
        xml.close();
    }

    fn wit(&self, witnesses: &[usize]) -> String {
        let id = |n: &usize| {
            let siglum = &self.collation.witnesses[*n].siglum;
            let at = self.sigla.iter().position(|w| w.siglum == *siglum);
            format!("#wit-{}", at.map_or(0, |n| n + 1))
        };
        witnesses.iter().map(id).collect::<Vec<_>>().join(" ")
    }
}
