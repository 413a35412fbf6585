//! References without a target, sorted by what a person can do about them.

use std::collections::BTreeMap;
use std::io;

use super::Take;
use super::frame::{Title, UNPLACED};
use super::lists::linked;
use super::long_list::{ListedEntry, LongList};
use crate::corpus::Library;
use crate::markup::Markup;
use crate::model::{Document, EvidenceKind, Link, LinkKind, Status};
use crate::writers::html::LinkedLibrary;
use crate::writers::html::addresses::Addresses;
use crate::writers::html::phrases::reference;

/// Works that are named where none of them is here, the commonest ones.
const WORKS: usize = 60;

/// What can be done about a reference. First what may be a fault of the text or of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Remedy {
    /// A lemma header does not fit its passage: another copy may show the right words.
    CompareHeader,
    /// The words are not where they should be: another copy, or a decision.
    CompareWords,
    /// Several places have the words: a decision.
    Choose,
    /// The list of works lacks the title.
    NameWork,
    /// The work is not in the corpus.
    AddWork,
    /// The text itself says that the words are elsewhere or not there.
    Nothing,
}

impl Remedy {
    /// All, with the messages for their name and for what to do.
    const ALL: [(Remedy, &'static str, &'static str); 6] = [
        (Remedy::CompareHeader, "{lost-headers}", "{lost-headers-about}"),
        (Remedy::CompareWords, "{lost-words}", "{lost-words-about}"),
        (Remedy::Choose, "{lost-several}", "{lost-several-about}"),
        (Remedy::NameWork, "{lost-titles}", "{lost-titles-about}"),
        (Remedy::AddWork, "{lost-works}", "{lost-works-about}"),
        (Remedy::Nothing, "{lost-said}", "{lost-said-about}"),
    ];

    fn of(link: &Link) -> Remedy {
        let has = |kind: EvidenceKind| link.evidence.iter().any(|e| e.kind == kind);
        if has(EvidenceKind::SaidNotToStandThere) || has(EvidenceKind::Recension) {
            Remedy::Nothing
        } else if has(EvidenceKind::SeveralPlaces) {
            Remedy::Choose
        } else if has(EvidenceKind::TitleNotInAuthorityFile) {
            Remedy::NameWork
        } else if has(EvidenceKind::NotInCorpus) {
            Remedy::AddWork
        } else if link.kind == LinkKind::Lemma {
            Remedy::CompareHeader
        } else {
            Remedy::CompareWords
        }
    }
}

/// References of a text that have no target, and are more than a title.
fn lost(document: &Document) -> impl Iterator<Item = &Link> {
    document.links.iter().filter(|l| l.target.is_none() && l.status != Status::TitleOnly)
}

/// True for a text with references that are listed.
pub(super) fn has_any(document: &Document) -> bool {
    lost(document).next().is_some()
}

/// Writes `index.unplaced.html` and its further pages.
pub(super) fn unplaced(library: &Library, title: Title<'_>, take: Take<'_>) -> io::Result<()> {
    let documents = library.documents.iter().map(|d| &**d);
    let mut all: Vec<(Remedy, &Document, &Link)> =
        documents.flat_map(|d| lost(d).map(move |l| (Remedy::of(l), d, l))).collect();
    all.sort_by_key(|(remedy, ..)| *remedy);
    let entry = |(remedy, document, item)| ListedEntry { group: remedy as usize, document, item };
    let list = LongList {
        page: UNPLACED,
        title: "{not-placed}",
        text: "h4",
        list: ("ul", "lost"),
        entries: all.into_iter().map(entry).collect(),
    };
    let linked_library = LinkedLibrary::over_sheets(library);
    let addresses = Addresses::new(&linked_library);
    list.write(
        (library, title),
        take,
        |h| overview(h, &list),
        |h, group| {
            let (_, name, about) = Remedy::ALL[group];
            h.open("h3").attr("id", format!("group-{group}")).say(name).close();
            h.said("p", about).line();
        },
        |h, e| {
            h.open("li");
            linked(h, e.document, e.item.span, &addresses);
            h.said("small", &format!(" {}", reference(e.item))).close().line();
        },
    )
}

/// What there is to do, with how many references it concerns.
fn overview(h: &mut Markup<'_>, list: &LongList<'_, &Link>) {
    if list.entries.is_empty() {
        h.said("p", "{nothing}").line();
        return;
    }
    h.open("ul").attr("class", "groups").line();
    for (group, (_, name, _)) in Remedy::ALL.into_iter().enumerate() {
        let Some(address) = list.address_of(group) else { continue };
        h.open("li").open("a").attr("href", address).say(name).close();
        h.element("small", format_args!(" {}", list.count(group)));
        if group == Remedy::AddWork as usize {
            h.open("p").attr("class", "works").words(&works(list)).close();
        }
        h.close().line();
    }
    h.close().line();
}

/// The works that are cited most and are not here, with how often.
fn works(list: &LongList<'_, &Link>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let absent = list.entries.iter().filter(|e| e.group == Remedy::AddWork as usize);
    for work in absent.filter_map(|e| e.item.work.as_deref()) {
        *counts.entry(work.split('・').next().unwrap_or(work)).or_default() += 1;
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let shown = counts.iter().take(WORKS).map(|(work, n)| format!("{work} {n}"));
    shown.collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::{Certainty, Evidence, Layer, Segment};
    use crate::source::{Source, Span};

    /// A text with references to nothing, of all remedies in turn.
    fn library(references: usize) -> Library {
        let source = Source::from_text("a.txt", "射".repeat(references));
        let mut document = Document::new(Arc::new(source), "test");
        document.segments = vec![Segment::marked(Layer::Shu, document.source.span())].into();
        let kinds = [
            (LinkKind::Lemma, EvidenceKind::NotInPassage, None),
            (LinkKind::Quotation, EvidenceKind::NotInPassage, None),
            (LinkKind::Quotation, EvidenceKind::SeveralPlaces, None),
            (LinkKind::Citation, EvidenceKind::TitleNotInAuthorityFile, Some("無名書")),
            (LinkKind::Citation, EvidenceKind::NotInCorpus, Some("周禮・地官")),
            (LinkKind::Quotation, EvidenceKind::SaidNotToStandThere, None),
        ];
        document.links = (0..references)
            .map(|n| {
                let (kind, why, work) = &kinds[n % kinds.len()];
                Link {
                    kind: *kind,
                    work: work.map(Into::into),
                    evidence: vec![Evidence::of(why.clone())].into(),
                    status: Status::Unresolved,
                    certainty: Certainty::new(0.5),
                    span: Span::new(3 * n, 3 * n + 3),
                    quoted: None,
                    layer: Layer::Shu,
                    target: None,
                    alternatives: vec![].into(),
                }
            })
            .collect();
        Library { documents: vec![Arc::new(document)], ..Library::default() }
    }

    fn pages(library: &Library) -> Vec<(String, String)> {
        let mut pages = vec![];
        let mut take = |name: &str, page: &[u8]| {
            pages.push((name.to_string(), String::from_utf8_lossy(page).into_owned()));
            Ok(())
        };
        unplaced(library, Title::default(), &mut take).expect("a list takes it");
        pages
    }

    #[test]
    fn a_long_list_is_on_several_pages_and_has_every_reference_once() {
        let library = library(1201);
        let pages = pages(&library);
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names[..2], ["index.unplaced.html", "index.unplaced.2.html"]);
        assert_eq!(pages.len(), 5);
        let entries: Vec<usize> =
            pages.iter().map(|(_, p)| p.matches("<li><a href=\"a.").count()).collect();
        assert_eq!(entries, [250, 250, 250, 250, 201]);
        for remedy in Remedy::ALL {
            let heads = pages
                .iter()
                .filter(|(_, p)| p.contains(&format!("id=\"group-{}\"", remedy.0 as usize)));
            assert!(heads.count() > 0, "{:?}", remedy.0);
        }
        assert!(pages[0].1.contains("周禮 200"), "works are counted");
        assert!(pages[0].1.contains("href=\"index.unplaced.3.html#group-3\""));
    }

    #[test]
    fn a_short_list_is_one_page_and_an_empty_one_says_so() {
        assert_eq!(pages(&library(3)).len(), 1);
        let empty = pages(&library(0));
        let nothing = library(0).language.fill("{nothing}");
        assert!(empty.len() == 1 && empty[0].1.contains(&format!(">{nothing}<")));
    }
}
