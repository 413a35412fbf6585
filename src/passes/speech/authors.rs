//! Who wrote the layers of a document, where no manifest says so: by the line that names the book
//! and its authors, and by the list of works.

use std::sync::LazyLock;

use regex::Regex;

use crate::corpus::Works;
use crate::corpus::works::{Commentary, EditionTitle};
use crate::model::{Certainty, Commentator, Document, Layer, LayerKind};
use crate::text::class::is_content;
use crate::text::fold::fold;

/// How certain it is who wrote a layer: if a line names them; if the title says which edition it
/// is; if it is the usual commentary.
const NAMED: f64 = 0.97;
const BY_TITLE: f64 = 0.98;
const USUAL: f64 = 0.9;

/// The edition with classic, notes and sub-commentary.
const WITH_SUBCOMMENTARY: &str = "注疏";

/// A dynasty, a name and what the person did: 魏 何晏集解. The text is folded.
static BYLINE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern: String = concat!(
        "(?:漢|魏|吳|晉|宋|齊|梁|陳|隋|唐|元|明|清)[^\\p{Han}]*(?P<name>\\p{Han}{2,3}?)[\\s　]*等?[\\s　]*",
        "(?P<verb>音義|集解|集注|章句|解詁|學|注|箋|正義|義疏|疏|撰|著)"
    )
    .chars()
    .map(|c| if c.is_ascii() { c } else { fold(c) })
    .collect();
    Regex::new(&pattern).expect("a valid pattern")
});

/// What edition a document is, as far as its title, the name of its file or the line before its
/// text shows it.
pub fn edition(document: &Document, works: &Works) -> Option<EditionTitle> {
    let meta = &document.meta;
    let stem = crate::corpus::id_of(document.source.path());
    let titles = [meta.byline.as_deref(), Some(&*stem), Some(&*meta.title)];
    let titles: Vec<&str> = titles.into_iter().flatten().collect();
    let Some(work) = meta.work.clone() else {
        return titles.iter().find_map(|t| titled(t, meta.chapter.clone(), works));
    };
    let rests: Vec<String> = titles.iter().filter_map(|t| works.edition_words(t, &work)).collect();
    let is_known = |rest: &&String| {
        let (work, rest) = (work.clone(), (*rest).clone());
        let edition = EditionTitle { work, chapter: meta.chapter.clone(), rest };
        !edition.rest.is_empty() && works.commentary(&edition, Layer::Zhu).is_some()
    };
    let rest = rests.iter().find(is_known).or_else(|| rests.iter().find(|r| !r.is_empty()));
    let rest = rest.or(rests.first()).cloned();
    let has_shu = document.of_layer(Layer::Shu).next().is_some();
    let rest = rest.unwrap_or_default();
    let rest = if rest.is_empty() && has_shu { folded(WITH_SUBCOMMENTARY) } else { rest };
    Some(EditionTitle { work, chapter: meta.chapter.clone(), rest })
}

/// The edition that a title names (禮記正義), of a work whose editions are known.
fn titled(title: &str, chapter: Option<String>, works: &Works) -> Option<EditionTitle> {
    let editions = works.all().iter().filter_map(|w| {
        let rest = works.edition_words(title, &w.title).filter(|rest| !rest.is_empty())?;
        let edition = EditionTitle { work: w.title.clone(), chapter: chapter.clone(), rest };
        works.commentary(&edition, Layer::Zhu).is_some().then_some(edition)
    });
    editions.max_by_key(|e| e.work.chars().count())
}

/// Names who wrote each layer of notes and sub-commentary of which that is not stated.
pub fn name(document: &mut Document, works: &Works, edition: Option<&EditionTitle>) {
    let mut layers: Vec<Layer> = document.segments.iter().map(|s| s.layer).collect();
    layers.sort();
    layers.dedup();
    let is_written = |l: &Layer| matches!(l.kind(), LayerKind::Note | LayerKind::Commentary);
    for layer in layers.into_iter().filter(is_written) {
        if document.meta.by(layer).is_some() {
            continue;
        }
        let known = edition.and_then(|e| of_edition(document, works, e, layer));
        let known = known.or_else(|| Some((layer.info().author?.to_string(), BY_TITLE)));
        if let Some((name, certainty)) = known {
            let period = works.scholar(&name).map(|s| s.period.clone());
            let inferred = Some(Certainty::new(certainty));
            let who = Commentator { key: name.clone(), name, period, inferred };
            document.meta.layers.push((layer, who));
        }
    }
}

/// The notes whose cues the other layers of a document share.
pub fn first_notes<'w>(
    document: &Document,
    works: &'w Works,
    edition: &EditionTitle,
) -> Option<&'w Commentary> {
    let stated = |c: &&Commentary| document.meta.by(c.layer).is_none_or(|who| who.name == c.by);
    // Who wrote them may be stated where the title does not say which edition it is.
    let by_author = || works.commentary_by(&document.meta.by(Layer::Zhu)?.name, &edition.work);
    works.commentary(edition, Layer::Zhu).filter(stated).or_else(by_author)
}

/// Who wrote a layer of an edition, and how certain that is.
fn of_edition(
    document: &Document,
    works: &Works,
    edition: &EditionTitle,
    layer: Layer,
) -> Option<(String, f64)> {
    let usual = works.commentary(edition, layer).map(|c| c.by.clone());
    let line = folded(document.meta.byline.as_deref().unwrap_or_default());
    // A line that names the usual authors may give their parts in another order.
    let in_line = |name: &str| line.contains(&folded(name));
    if let Some(name) = usual.as_deref().filter(|name| in_line(name)) {
        return Some((name.to_string(), BY_TITLE));
    }
    let wrote = |verb: &str| match verb {
        "音義" => layer == Layer::Yin,
        "箋" => layer.id() == "jian",
        "正義" | "義疏" | "疏" => layer == Layer::Shu,
        "撰" | "著" => layer == Layer::Zhu && usual.is_none() && !edition.rest.is_empty(),
        _ => layer == Layer::Zhu,
    };
    let byline = document.meta.byline.as_deref().unwrap_or_default();
    let named = pairs(byline)
        .into_iter()
        .find(|(name, verb)| wrote(verb) && !works.annotates(&listed(works, name), &edition.work));
    if let Some((name, _)) = named {
        return Some((listed(works, &name), NAMED));
    }
    let certainty = if edition.rest.is_empty() { USUAL } else { BY_TITLE };
    usual.map(|name| (name, certainty))
}

/// The persons that a line names, as it writes them, and what each did.
fn pairs(line: &str) -> Vec<(String, &'static str)> {
    const VERBS: [&str; 13] = [
        "音義", "集解", "集注", "章句", "解詁", "學", "注", "箋", "正義", "義疏", "疏", "撰", "著",
    ];
    let folded: String = line.chars().map(fold).collect();
    let found = BYLINE.captures_iter(&folded).filter_map(|c| {
        let name = c.name("name")?;
        let verb = VERBS.iter().find(|v| v.chars().map(fold).eq(c["verb"].chars()))?;
        let from = folded[..name.start()].chars().count();
        let n = name.as_str().chars().count();
        Some((line.chars().skip(from).take(n).collect(), *verb))
    });
    found.collect()
}

/// A name as the list of persons has it.
fn listed(works: &Works, name: &str) -> String {
    let chars: Vec<char> = name.chars().map(fold).collect();
    let (n, called) = works.scholars().called(&chars);
    match called[..] {
        [one] if n == chars.len() => one.name.clone(),
        _ => name.to_string(),
    }
}

fn folded(words: &str) -> String {
    words.chars().filter(|c| is_content(*c)).map(fold).collect()
}
