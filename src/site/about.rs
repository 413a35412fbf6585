//! How the edition was made: figures, certainty, sources and rights, how to cite it.

use super::frame::{BIBTEX, CSL, Title, page};
use crate::corpus::Library;
use crate::language::escape;
use crate::markup::Markup;
use crate::model::thresholds::{GROUPS, group_of};
use crate::model::{Document, Layer};
use crate::writers::html::legend;
use crate::writers::html::phrases::layer_name;

/// The content of `index.about.html`.
pub(super) fn about(h: &mut Markup<'_>, library: &Library, title: Title<'_>) {
    h.said("h2", "{about-how}").line();
    h.said("p", "{about-text}").line();
    legend(h, true);
    characters(h, library);
    certainty(h, library);
    sources(h, library);
    cite(h, library, title);
}

/// A table whose first column is a heading.
fn table(
    h: &mut Markup<'_>,
    caption: &str,
    columns: &[String],
    rows: impl Iterator<Item = (String, Vec<String>)>,
) {
    h.open("div").attr("class", "wide");
    h.attr("tabindex", "0").attr("role", "region").attr_said("aria-label", caption);
    h.open("table").said("caption", caption).open("thead").open("tr").element("td", "");
    for column in columns {
        h.open("th").attr("scope", "col").say(column).close();
    }
    h.close().close().open("tbody").line();
    for (name, cells) in rows {
        h.open("tr").open("th").attr("scope", "row").words(&name).close();
        for cell in cells {
            h.element("td", cell);
        }
        h.close().line();
    }
    h.close().close().close().line();
}

fn count(n: usize) -> String {
    if n == 0 { "–".into() } else { n.to_string() }
}

fn characters(h: &mut Markup<'_>, library: &Library) {
    let of_texts: Vec<_> = library.documents.iter().map(|d| d.characters_by_layer()).collect();
    let used = |l: Layer| of_texts.iter().any(|of| of.contains_key(&l));
    let layers: Vec<Layer> = Layer::all().map(|i| i.layer).filter(|l| used(*l)).collect();
    let columns: Vec<String> = layers.iter().map(|l| layer_name(*l)).collect();
    let rows = library.documents.iter().zip(&of_texts).map(|(d, of)| {
        let counts = layers.iter().map(|l| count(of.get(l).copied().unwrap_or(0)));
        (d.meta.title.clone(), counts.collect())
    });
    table(h, "{characters-by-layer}", &columns, rows);
}

/// Counts of cuts, references and beads by certainty.
fn certainty(h: &mut Markup<'_>, library: &Library) {
    let columns: Vec<String> = GROUPS.iter().map(|(_, name)| name.to_string()).collect();
    let bins = |certs: &mut dyn Iterator<Item = f64>| -> Vec<String> {
        let mut counts = vec![0; GROUPS.len()];
        for certainty in certs {
            counts[group_of(certainty)] += 1;
        }
        counts.into_iter().map(count).collect()
    };
    let texts = |of: &dyn Fn(&Document) -> Vec<f64>| -> Vec<(String, Vec<String>)> {
        let all = library.documents.iter().map(|d| (d.meta.title.clone(), of(d)));
        all.filter(|(_, c)| !c.is_empty())
            .map(|(title, c)| (title, bins(&mut c.into_iter())))
            .collect()
    };
    let cuts = texts(&|d| {
        d.segments
            .iter()
            .filter(|s| s.layer.is_text() && !s.evidence.is_empty())
            .map(|s| s.certainty.get())
            .collect()
    });
    table(h, "{starts-by-certainty}", &columns, cuts.into_iter());
    let links = texts(&|d| {
        d.links.iter().filter(|l| l.target.is_some()).map(|l| l.certainty.get()).collect()
    });
    table(h, "{references-by-certainty}", &columns, links.into_iter());
    let beads = library.alignments.iter().map(|a| {
        let both = a.beads.iter().filter(|b| !b.source.is_empty() && !b.translation.is_empty());
        let name = |id: &str| library.get(id).map_or(id.to_string(), |d| d.meta.title.clone());
        (
            format!("{} × {}", name(&a.source), name(&a.translation)),
            bins(&mut both.map(|b| b.certainty.get())),
        )
    });
    if !library.alignments.is_empty() {
        table(h, "{aligned-by-certainty}", &columns, beads);
    }
}

fn sources(h: &mut Markup<'_>, library: &Library) {
    h.said("h2", "{sources-rights}").line();
    for document in &library.documents {
        let meta = &document.meta;
        h.open("h3");
        page(h, document);
        h.close().open("dl").line();
        let mut row = |name: &str, words: Option<&str>| {
            if let Some(words) = words.filter(|w| !w.is_empty()) {
                h.said("dt", name).open("dd").words(words).close().line();
            }
        };
        row("{source-work}", meta.locus().as_deref());
        for fact in meta.facts() {
            row(&format!("{{fact-{}}}", fact.id), Some(&fact.words));
        }
        let who: Vec<String> = meta
            .layers
            .iter()
            .map(|(l, c)| {
                format!(
                    "{} {}{}",
                    layer_name(*l),
                    escape(&c.name),
                    c.period.as_deref().map(|p| format!(" {}", escape(p))).unwrap_or_default()
                )
            })
            .collect();
        row("{source-file}", Some(&document.source.name()));
        row("SHA-256", Some(document.source.sha256()));
        if !who.is_empty() {
            h.said("dt", "{source-layers}").said("dd", &who.join(" · ")).line();
        }
        h.close().line();
    }
}

fn cite(h: &mut Markup<'_>, library: &Library, title: Title<'_>) {
    h.said("h2", "{how-to-cite}").line();
    let editors = if title.editors.is_empty() {
        String::new()
    } else {
        format!("{}. ", title.editors.join(", "))
    };
    h.open("p").attr("class", "cite").words(&editors).said("cite", &title.name());
    h.text(". ").text(concat!("zhushu ", env!("CARGO_PKG_VERSION"), ".")).close().line();
    h.open("p").said("span", "{for-managers}");
    h.open("a").attr("href", BIBTEX).text("BibTeX").close().text(", ");
    h.open("a").attr("href", CSL).text("CSL-JSON").close().text(".");
    h.close().line();
    let example = library.documents.iter().find_map(|d| {
        let unit = d.sentences.first()?;
        let locus = crate::corpus::Loci::of(d).name(unit.span)?;
        Some((
            format!("{}#{locus}", crate::writers::html::addresses::file_of(&d.id)),
            locus.urn(None),
        ))
    });
    if let Some((address, urn)) = example {
        h.open("p").said("span", "{passage-address}");
        h.open("code").words(&address).close().text(" ").said("span", "{passage-urn}");
        h.open("code").words(&urn).close().close().line();
    }
}
