//! The collation as TEI with the double end-point method: the text of the base with an anchor at
//! each end of a place, and after it an `app` for each place, from one anchor to another. Here
//! places may overlap, so that the readings that notes report are among them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;

use super::head::{NAMESPACE, header, milestone};
use super::{CollatedChapter, gravest, sigla};
use crate::collation::{Collation, DifferenceClass, ReadingGroup};
use crate::markup::{Escaping, Markup};
use crate::model::Difference;

const RECOVERY: &str = "The text of the base is that of each ab. The reading of another witness replaces the text between the anchors \
that from and to of an app name; a witness that no rdg of the app names, and that is not in a lacuna there, has the text of the base. Blanks \
and ends of lines are left out, and so is the punctuation of a witness with hardly any.";

/// Readings at a place of the base.
struct Entry<'a> {
    base: Range<usize>,
    class: &'static str,
    readings: Vec<EntryReading<'a>>,
}

struct EntryReading<'a> {
    sigla: Vec<&'a str>,
    class: Option<&'static str>,
    words: String,
}

/// Writes the file.
///
/// # Errors
/// When writing to `out` fails.
pub fn write(chapters: &[CollatedChapter<'_>], out: &mut dyn io::Write) -> io::Result<()> {
    let mut xml = Markup::xml(out, Escaping::Tei);
    let direct: Vec<&str> = sigla(chapters).iter().map(|w| w.siglum.as_str()).collect();
    let reported: BTreeSet<&str> =
        chapters.iter().flat_map(|c| &c.reported).map(|r| r.siglum.as_str()).collect();
    let reported: Vec<&str> = reported.into_iter().collect();
    xml.open("TEI").attr("xmlns", NAMESPACE).line();
    header(&mut xml, chapters, &reported, ("double-end-point", RECOVERY));
    xml.open("text").line().open("body").line();
    let ids: Vec<&str> = direct.into_iter().chain(reported).collect();
    for (n, chapter) in chapters.iter().enumerate() {
        xml.open("div").attr("type", "chapter").line();
        xml.element("head", &chapter.title).line();
        let entries = entries(chapter);
        text(&mut xml, n + 1, &chapter.collation, &entries);
        apparatus(&mut xml, n + 1, &entries, &ids);
        xml.close().line();
    }
    xml.close().line().close().line().close().line();
    xml.finish()
}

/// The entries of a chapter, in the order of the base.
fn entries<'a>(chapter: &'a CollatedChapter<'_>) -> Vec<Entry<'a>> {
    let collation = &chapter.collation;
    let siglum = |n: &usize| collation.witnesses[*n].siglum.as_str();
    let of_group = |g: ReadingGroup| EntryReading {
        sigla: g.witnesses.iter().map(siglum).collect(),
        class: g.class.map(DifferenceClass::id),
        words: g.words,
    };
    let differing = collation.places.iter().filter(|p| p.classes.iter().any(Option::is_some));
    let direct = differing.map(|place| {
        let classes: Vec<DifferenceClass> = place.classes.iter().flatten().copied().collect();
        let groups = collation.readings(place);
        Entry {
            base: place.readings[collation.base].clone(),
            class: gravest(&classes).map_or("", DifferenceClass::id),
            readings: groups.into_iter().map(of_group).collect(),
        }
    });
    let base = &collation.witnesses[collation.base];
    let reported = chapter.reported.iter().map(|r| {
        let lemma = EntryReading {
            sigla: vec![&base.siglum],
            class: None,
            words: base.shown(r.base.clone()),
        };
        let words = match r.difference {
            Difference::Adds => format!("{}{}", lemma.words, r.words),
            _ => r.words.clone(),
        };
        let class = Some(r.difference.id());
        let reading = EntryReading { sigla: vec![&r.siglum], class, words };
        Entry { base: r.base.clone(), class: "reported", readings: vec![lemma, reading] }
    });
    let mut all: Vec<Entry<'_>> = direct.chain(reported).collect();
    all.sort_by_key(|e| (e.base.start, e.base.end));
    all
}

/// The text of the base, with an anchor at every end of an entry.
fn text(xml: &mut Markup<'_>, chapter: usize, collation: &Collation<'_>, entries: &[Entry<'_>]) {
    let base = &collation.witnesses[collation.base];
    let mut marks: BTreeMap<usize, Option<Vec<String>>> = BTreeMap::new();
    for end in entries.iter().flat_map(|e| [e.base.start, e.base.end]) {
        marks.entry(end).or_default();
    }
    for (at, n) in base.sentences() {
        marks.entry(at).or_default().get_or_insert_default().push(n);
    }
    let anchors: BTreeSet<usize> =
        entries.iter().flat_map(|e| [e.base.start, e.base.end]).collect();
    xml.open("ab");
    let mut done = 0;
    for (at, sentences) in marks {
        xml.text(base.shown(done..at));
        sentences.into_iter().flatten().for_each(|n| milestone(xml, &n));
        if anchors.contains(&at) {
            xml.void("anchor").attr("xml:id", anchor(chapter, at));
        }
        done = at;
    }
    xml.text(base.shown(done..base.words().len()));
    xml.close().line();
}

/// The name of the anchor at a byte of the base.
fn anchor(chapter: usize, at: usize) -> String {
    format!("c{chapter}.{at}")
}

fn apparatus(xml: &mut Markup<'_>, chapter: usize, entries: &[Entry<'_>], ids: &[&str]) {
    xml.open("listApp").line();
    for entry in entries {
        xml.open("app").attr("type", entry.class);
        xml.attr("from", format_args!("#{}", anchor(chapter, entry.base.start)));
        xml.attr("to", format_args!("#{}", anchor(chapter, entry.base.end)));
        for (n, reading) in entry.readings.iter().enumerate() {
            let name = if n == 0 { "lem" } else { "rdg" };
            let wit = reading.sigla.iter().map(|s| {
                let at = ids.iter().position(|id| id == s).map_or(0, |n| n + 1);
                format!("#wit-{at}")
            });
            let wit = wit.collect::<Vec<_>>().join(" ");
            match reading.words.is_empty() {
                true => xml.void(name),
                false => xml.open(name),
            };
            xml.attr("wit", wit).maybe("type", reading.class);
            if !reading.words.is_empty() {
                xml.text(&reading.words).close();
            }
        }
        xml.close().line();
    }
    xml.close().line();
}
