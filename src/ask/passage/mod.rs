//! A passage by its locus, its URN or its leaf: the classic with all its commentaries, and the
//! translations of it.

mod json;
mod leaf;
mod missing;

use crate::corpus::refs::Catalogue;
use crate::corpus::{Library, Loci, loci};
use crate::diag::Error;
use crate::model::{Bead, Certainty, Document, Layer, LayerKind, Locus, LocusPath};
use crate::settings::Settings;
use crate::source::Span;

pub(crate) use json::{placed, text as shown_as_json, write as write_json};
pub(crate) use leaf::{
    in_text as leaves_in_text, missing as missing_leaf, the_one as the_one_leaf,
};
pub(crate) use missing::{error as missing_error, no_text};

/// A stretch of a passage.
pub(crate) struct ShownStretch {
    pub(crate) span: Span,
    pub(crate) locus: Locus,
    pub(crate) layer: Layer,
    /// Number of its segment in its document.
    pub(crate) segment: usize,
    pub(crate) certainty: Certainty,
    pub(crate) inferred: bool,
    /// True if it is in the passage; otherwise it is about the passage and follows later.
    pub(crate) within: bool,
}

/// The passage in one text.
pub(crate) struct Shown<'a> {
    pub(crate) document: &'a Document,
    pub(crate) stretches: Vec<ShownStretch>,
    /// Beads of the passage, with the translation they are in.
    pub(crate) translated: Vec<(&'a Document, &'a Bead)>,
}

/// A stretch of a passage of a library: of the classic, or of what is said about it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PassagePart<'a> {
    /// The text that has it.
    pub document: &'a Document,
    /// Number of its segment in that text.
    pub segment: usize,
    /// Where it is.
    pub span: Span,
}

/// The passage with a locus (`論語 12.1`), a URN or the name of a leaf, in all texts that have it,
/// with its commentaries and translations, in the order of the library.
///
/// ```
/// use zhushu::{Settings, ask, pipeline, source::Source};
/// let text = "二筭為純。純猶全也。耦陰陽。\n\n[疏]“二筭為純”。注“純猶”至“陰陽”。釋曰:陰陽對合。\n";
/// let library = pipeline::convert(Source::from_text("demo.txt", text), None)?;
/// let parts = ask::passage_of("demo.0.0.1", &library, &Settings::default())?;
/// assert_eq!(parts[0].document.words(parts[0].span), "二筭為純。");
/// assert_eq!(parts.len(), 4);
/// # Ok::<(), zhushu::diag::Error>(())
/// ```
///
/// # Errors
/// When the words name no passage, or none of the texts has it.
pub fn passage_of<'a>(
    words: &str,
    library: &'a Library,
    settings: &Settings,
) -> Result<Vec<PassagePart<'a>>, Error> {
    let asked = asked(words, settings)?;
    let (_, shown) = find(words, &asked, library, &[])?;
    let mut parts = vec![];
    for Shown { document, stretches, translated } in shown {
        parts.extend(stretches.iter().map(|s| PassagePart {
            document,
            segment: s.segment,
            span: s.span,
        }));
        for (document, bead) in translated {
            let part = |span: &Span| {
                let segment = document.segment_at(span.start())?;
                Some(PassagePart { document, segment, span: *span })
            };
            parts.extend(bead.translation.iter().filter_map(part));
        }
    }
    Ok(parts)
}

/// What words ask for: a locus, or why they are none, if they may name a leaf.
pub(crate) type AskedLocus = Result<Locus, Error>;

/// Reads what a person asks for.
///
/// # Errors
/// When it is neither a locus nor may be the name of a leaf.
pub(crate) fn asked(words: &str, settings: &Settings) -> Result<AskedLocus, Error> {
    match parse(words, settings) {
        Err(e) if !leaf::is_name(words) => Err(e),
        asked => Ok(asked),
    }
}

/// Reads a locus.
///
/// # Errors
/// When it is not a locus.
pub(crate) fn parse(words: &str, settings: &Settings) -> Result<Locus, Error> {
    loci::parse(words, &settings.works).map_err(|e| {
        Error::request(format!("“{words}” is not a locus: {e}")).hint(
            "a locus is work.chapter.section.sentence, such as yili.05.23.2 or 儀禮.鄉射.23.2; \
                see `zhushu show --help`",
        )
    })
}

/// The passage in each text that has it.
///
/// # Errors
/// When none has it; or when several have the leaf.
pub(crate) fn find<'a>(
    words: &str,
    asked: &AskedLocus,
    library: &'a Library,
    layers: &[Layer],
) -> Result<(Locus, Vec<Shown<'a>>), Error> {
    let catalogue = Catalogue::of(library);
    let all = |locus: Locus| {
        let documents = library.documents.iter();
        let shown = documents.map(|d| show(d, library, &catalogue, &locus, layers));
        let shown: Vec<_> = shown.filter(|s| !s.stretches.is_empty()).collect();
        (!shown.is_empty()).then_some((locus, shown))
    };
    let locus = asked.as_ref().ok();
    let sentence = || all(sentence_of_chapter(locus?, library, &catalogue)?);
    let found = match locus.and_then(|locus| all(locus.clone())).or_else(sentence) {
        Some(found) => Some(found),
        None => leaf_of(words, library, &catalogue)?.and_then(all),
    };
    found.ok_or_else(|| match asked {
        Ok(locus) => missing::error(locus, library, &catalogue, layers),
        Err(e) => leaf::missing(words).unwrap_or_else(|| e.clone()),
    })
}

/// The sentences on the leaf with this name.
fn leaf_of(
    words: &str,
    library: &Library,
    catalogue: &Catalogue<'_>,
) -> Result<Option<Locus>, Error> {
    let mut found = vec![];
    for document in &library.documents {
        if let Some(loci) = catalogue.get(&document.id) {
            found.extend(leaf::in_text(words, document, loci));
        }
    }
    leaf::the_one(words, found)
}

/// True if any text of the chapter has sections.
fn has_sections(locus: &Locus, library: &Library, catalogue: &Catalogue<'_>) -> bool {
    let all = library.documents.iter().filter_map(|d| catalogue.get(&d.id));
    let of_chapter = all.filter(|l| l.text == locus.text);
    of_chapter.flat_map(Loci::units).any(|u| u.passage.section > 0)
}

/// In a chapter without sections a number is that of a sentence: 禮記 曲禮.3 is 禮記 曲禮.0.3.
pub(crate) fn sentence_of_chapter(
    locus: &Locus,
    library: &Library,
    catalogue: &Catalogue<'_>,
) -> Option<Locus> {
    if has_sections(locus, library, catalogue) {
        return None;
    }
    let sentence = |p: LocusPath| match p {
        LocusPath { section, sentence: None, .. } if section > 0 => {
            Some(LocusPath::sentence(0, section, 0))
        }
        _ => None,
    };
    let from = sentence(locus.from?)?;
    let to = match locus.to {
        Some(to) => Some(sentence(to)?),
        None => None,
    };
    Some(Locus { from: Some(from), to, ..locus.clone() })
}

fn show<'a>(
    document: &'a Document,
    library: &'a Library,
    catalogue: &Catalogue<'a>,
    locus: &Locus,
    layers: &[Layer],
) -> Shown<'a> {
    let found = catalogue.get(&document.id).map(|l| (l, l.find(locus)));
    let Some((loci, found)) = found else {
        return Shown { document, stretches: vec![], translated: vec![] };
    };
    let wanted = |l: Layer| layers.is_empty() || layers.contains(&l);
    let further = loci.later_comments(&found).into_iter().map(|u| (u.span, u, false));
    let all = found.iter().map(|(span, u)| (*span, *u, true)).chain(further);
    let stretches = all.filter(|(_, u, _)| wanted(u.layer)).filter_map(|(span, unit, within)| {
        let segment = &document.segments[unit.segment];
        let inferred = !segment.evidence.is_empty();
        Some(ShownStretch {
            span,
            locus: loci.name(span)?,
            layer: unit.layer,
            segment: unit.segment,
            certainty: segment.certainty,
            inferred,
            within,
        })
    });
    let classic: Vec<Span> =
        found.iter().filter(|(_, u)| u.layer.kind() == LayerKind::Base).map(|(s, _)| *s).collect();
    let mut translated = vec![];
    if wanted(Layer::Translation) {
        for alignment in library.alignments.iter().filter(|a| a.source == document.id) {
            let Some(other) = library.get(&alignment.translation) else { continue };
            let meets = |b: &&Bead| {
                b.source.iter().any(|s| classic.iter().any(|c| c.overlap(*s) > 0))
                    && !b.translation.is_empty()
            };
            translated.extend(alignment.beads.iter().filter(meets).map(|b| (&**other, b)));
        }
    }
    Shown { document, stretches: stretches.collect(), translated }
}
