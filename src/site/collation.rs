//! The page of a collation: the text of the base, with the differences of the other witnesses lit
//! and their readings beside them. Switches show and hide classes of differences; they need no
//! script.

use std::io;

use super::frame::made_by;
use crate::collation::{
    CollatedPlace, CollatedWitness, Collation, DifferenceClass, IndirectReading,
};
use crate::language::{Language, escape};
use crate::markup::Markup;
use crate::writers::collation::CollatedChapter;
use crate::writers::html::{About, Frame, filter_bar, shell};

/// Most characters of a reading that are shown; the beginning and end of a longer one.
const MAX_SHOWN_CHARS: usize = 60;

/// Writes the page.
///
/// # Errors
/// When writing to `out` fails.
#[cfg(feature = "cli")]
pub(crate) fn write(
    chapters: &[CollatedChapter<'_>],
    own: Language,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut h = Markup::html(out);
    let title = match chapters {
        [one] => format!("{{collation-of}}{}", escape(&one.title)),
        _ => "{collation}".into(),
    };
    let facts = [("DC.title", own.fill(&title)), ("DC.format", "text/html".into())];
    let about = About {
        title: &title,
        text: None,
        language: None,
        own,
        facts: &facts,
        beside: false,
        images: "",
    };
    shell(&mut h, Frame::Alone, &about, |h| {
        h.open("a").attr("class", "skip").attr("href", "#text");
        h.say("{skip}").close().line();
        h.open("header").attr("class", "top").line();
        h.said("h1", &title).line();
        h.close().line();
        bar(h, Frame::Alone);
        h.open("main").attr("id", "text").attr("class", "text").line();
        for chapter in chapters {
            h.open("section").attr("class", "zhang").line();
            h.open("h2").words(&chapter.title).close().line();
            body(h, chapter);
            h.close().line();
        }
        h.close().line();
        h.open("footer").in_own_language().line().said("p", made_by()).line();
        h.said("p", "{collation-foot}").line().close().line();
    });
    h.finish()
}

/// The switches of the classes of differences.
pub(super) fn bar(h: &mut Markup<'_>, frame: Frame) {
    let switches = DifferenceClass::ALL.map(|c| {
        (
            c.id(),
            class_name(c),
            !matches!(c, DifferenceClass::Graphic | DifferenceClass::Punctuation),
        )
    });
    filter_bar(h, frame, "{differences}", &switches);
}

/// The witnesses of a chapter, and the text of the base with the differences.
pub(super) fn body(h: &mut Markup<'_>, chapter: &CollatedChapter<'_>) {
    witnesses(h, &chapter.collation);
    text(h, chapter);
}

/// The witnesses, the base first, with the number of their differences by class.
fn witnesses(h: &mut Markup<'_>, collation: &Collation<'_>) {
    h.open("ul").attr("class", "wit").line();
    let others = (0..collation.witnesses.len()).filter(|n| *n != collation.base);
    for n in std::iter::once(collation.base).chain(others) {
        let witness = &collation.witnesses[n];
        h.open("li").open("b").words(&witness.siglum).close().text(" ");
        h.words(&witness.document.meta.title).open("small").text(" ");
        h.words(&witness.document.source.name())
            .said("span", &format!(" · {{characters-count n={}}}", witness.chars().len()));
        let found = collation.differences(n);
        for class in DifferenceClass::ALL {
            let count = found.iter().filter(|d| d.class == class).count();
            if count > 0 {
                h.said("span", &format!(" · {} {count}", class_name(class)));
            }
        }
        h.close().close().line();
    }
    h.close().line();
}

/// The text of the base with its differences, a paragraph for each section.
fn text(h: &mut Markup<'_>, chapter: &CollatedChapter<'_>) {
    let collation = &chapter.collation;
    let mut reported: Vec<&IndirectReading> = chapter.reported.iter().collect();
    reported.sort_by_key(|r| r.base.end);
    let mut reported = reported.into_iter().peekable();
    let base = &collation.witnesses[collation.base];
    let mut sentences = base.sentences().into_iter().peekable();
    let mut section: Option<String> = None;
    h.open("p").attr("class", "jing");
    for (number, place) in collation.places.iter().enumerate() {
        lacunae(h, collation, number);
        let bytes = place.readings[collation.base].clone();
        let differs = !collation.classes(place).is_empty();
        let mut from = bytes.start;
        loop {
            let sentence = sentences.peek().map(|s| s.0).filter(|at| *at < bytes.end);
            let report_at = reported.peek().map(|r| r.base.end).filter(|end| *end <= bytes.end);
            let report_at = report_at.filter(|end| !differs && sentence.is_none_or(|s| *end <= s));
            let Some(at) = report_at.or(sentence) else { break };
            if !differs && at > from {
                h.words(&base.shown(from..at));
                from = at;
            }
            match (report_at, sentences.next_if(|_| report_at.is_none())) {
                (Some(_), _) => reported.next().into_iter().for_each(|r| report(h, r, base)),
                (None, Some((_, n))) => section = begin_sentence(h, &n, section),
                (None, None) => break,
            }
        }
        if differs {
            difference(h, collation, place);
        } else {
            h.words(&base.shown(from..bytes.end));
        }
        while let Some(reading) = reported.next_if(|r| r.base.end <= bytes.end) {
            report(h, reading, base);
        }
    }
    lacunae(h, collation, collation.places.len());
    h.close().line();
}

/// The mark of a sentence; a new paragraph if its section is another than that before. Returns its
/// section.
fn begin_sentence(h: &mut Markup<'_>, n: &str, section: Option<String>) -> Option<String> {
    let own = n.split('.').next().map(str::to_string);
    if section.is_some() && section != own {
        h.close().line().open("p").attr("class", "jing");
    }
    h.open("a").attr("class", "n").attr("id", format_args!("c{n}"));
    h.attr("href", format_args!("#c{n}")).attr("data-n", n).attr("title", n).close();
    own
}

/// A reading that a note reports, after the words that it is of.
fn report(h: &mut Markup<'_>, reading: &IndirectReading, base: &CollatedWitness<'_>) {
    h.open("span").attr("class", "d").open("small").attr("class", "r d-reported");
    h.attr(
        "title",
        format_args!("{} {}", base.shown(reading.base.clone()), reading.difference.id()),
    );
    h.words(&reading.siglum).text(" ");
    match reading.words.is_empty() {
        true => _ = h.said("span", "{omits}"),
        false => shortened(h, &reading.words),
    }
    h.close().close();
}

/// The lacunae that begin or end before a place.
fn lacunae(h: &mut Markup<'_>, collation: &Collation<'_>, place: usize) {
    let (begin, end) = collation.turns(place);
    for (label, witnesses) in [("{lacuna-ends}", end), ("{lacuna-begins}", begin)] {
        for n in witnesses {
            h.open("span").attr("class", "d").open("small").attr("class", "r d-lacuna");
            h.words(&collation.witnesses[n].siglum).text(" ").said("span", label).close().close();
        }
    }
}

/// The words of the base, and the readings of the witnesses that differ.
fn difference(h: &mut Markup<'_>, collation: &Collation<'_>, place: &CollatedPlace) {
    let groups = collation.present_readings(place);
    let present = collation.classes(place);
    let classes = DifferenceClass::ALL.into_iter().filter(|c| present.contains(c));
    let names: Vec<&str> = classes.map(DifferenceClass::id).collect();
    h.open("span").attr("class", format_args!("d d-{}", names.join(" d-")));
    h.open("span").attr("class", "l");
    groups.first().into_iter().for_each(|g| shortened(h, &g.words));
    h.close();
    for group in groups.iter().filter(|g| g.class.is_some()) {
        let sigla: Vec<&str> =
            group.witnesses.iter().map(|n| collation.witnesses[*n].siglum.as_str()).collect();
        let class = group.class.unwrap_or(DifferenceClass::Substantive);
        h.open("small").attr("class", format_args!("r d-{}", class.id()));
        h.attr_said("title", &class_name(class));
        h.words(&sigla.join(" ")).text(" ");
        match group.words.is_empty() {
            true => {
                let moved = class == DifferenceClass::Transposition;
                h.said("span", if moved { "{elsewhere}" } else { "{omits}" });
            }
            false => shortened(h, &group.words),
        }
        h.close();
    }
    h.close();
}

/// The name of a class of differences, as a template.
fn class_name(class: DifferenceClass) -> String {
    format!("{{differ-{}}}", class.id())
}

/// A reading; a long one without its middle.
fn shortened(h: &mut Markup<'_>, words: &str) {
    let count = words.chars().count();
    if count <= MAX_SHOWN_CHARS {
        h.words(words);
        return;
    }
    let side = MAX_SHOWN_CHARS / 2;
    let head: String = words.chars().take(side).collect();
    let tail: String = words.chars().skip(count - side).collect();
    h.words(&head);
    h.said("span", &format!("{{middle-left-out n={}}}", count - 2 * side));
    h.words(&tail);
}
