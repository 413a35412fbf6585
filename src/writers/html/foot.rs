//! The foot of a page: what could not be placed, what is doubtful, what was left out, where the
//! text comes from.

use std::borrow::Cow;

use super::addresses::open_link;
use super::phrases::layer_name;
use super::phrases::{is_low, reference};
use super::{Page, clip, legend};
use crate::corpus::{AuthorityId, Library};
use crate::language::escape;
use crate::markup::Markup;
use crate::model::phrases::{phrase, why};
use crate::model::{Document, Layer, Link, LinkKind, Segment, Status};
use crate::source::Span;

/// Most stretches of furniture that are listed one by one.
const MAX_FURNITURE_SHOWN: usize = 40;

/// Most alternative targets of a link that are listed.
const MAX_ALTERNATIVES_SHOWN: usize = 8;

impl Page<'_> {
    pub(super) fn foot(&mut self, h: &mut Markup<'_>) {
        h.open("footer").in_own_language().line();
        self.unplaced(h);
        self.doubtful(h);
        self.remarks(h);
        // What belongs to no place in the text is at the end of its last sheet.
        if self.is_last() {
            self.without_source(h);
            self.furniture(h);
            self.colophon(h);
        }
        self.turn(h);
        if !h.is_switchable() {
            legend::legend(h, false);
            keys(h, false);
        }
        h.close().line();
    }

    /// Opens a folded list.
    fn fold(&self, h: &mut Markup<'_>, id: &'static str, title: &str, count: usize) {
        h.open("details").attr("id", id);
        h.open("summary")
            .said("span", title)
            .element("small", format_args!(" {count}"))
            .close()
            .line();
    }

    /// Links without target: unresolved ones, which are dotted in the text, and titles alone.
    fn unplaced(&mut self, h: &mut Markup<'_>) {
        let links = &self.chapter.document.links;
        let nowhere: Vec<usize> =
            self.links_here().filter(|&i| self.leads_nowhere(&links[i])).collect();
        let (shelved, nowhere): (Vec<usize>, Vec<usize>) =
            nowhere.into_iter().partition(|&i| self.in_library(&links[i]).is_some());
        let (named, lost): (Vec<usize>, Vec<usize>) =
            nowhere.into_iter().partition(|&i| links[i].status == Status::TitleOnly);
        self.leading_nowhere(h, "library", "{in-library}", &shelved);
        self.leading_nowhere(h, "unplaced", "{not-placed}", &lost);
        self.leading_nowhere(h, "named", "{named-only}", &named);
    }

    fn leading_nowhere(
        &mut self,
        h: &mut Markup<'_>,
        id: &'static str,
        title: &str,
        lost: &[usize],
    ) {
        let links = &self.chapter.document.links;
        if lost.is_empty() {
            return;
        }
        self.fold(h, id, title, lost.len());
        for kind in LinkKind::ALL {
            let of_kind: Vec<usize> =
                lost.iter().copied().filter(|&i| links[i].kind == kind).collect();
            if of_kind.is_empty() {
                continue;
            }
            h.open("h3").said("span", &phrase(kind.id()));
            h.element("small", format_args!(" {}", of_kind.len())).close().open("ul").line();
            for i in of_kind {
                h.open("li").attr("id", format_args!("n{}", i + 1));
                self.link_words(h, i);
                self.why(h, i);
                if let Some((document, words)) = self.in_library(&links[i]) {
                    h.text(format_args!(" · {} ", document.meta.title));
                    h.open("q").words(clip(&words, 80)).close();
                }
                h.close().line();
            }
            h.close().line();
        }
        h.close().line();
    }

    /// The target of a link in the user's own library, which has no pages, and its words.
    fn in_library(&self, link: &Link) -> Option<(&Document, Cow<'_, str>)> {
        let target = link.target.as_ref()?;
        let id = target.doc.as_deref().filter(|id| Library::is_beside(id))?;
        let document = self.library.get(id)?;
        document.source.text().get(target.span.range())?;
        Some((document, document.words(target.span)))
    }

    fn leads_nowhere(&mut self, link: &Link) -> bool {
        link.target.as_ref().is_none_or(|t| self.addresses.target(self.here, t).is_none())
    }

    /// The text of a link, as a link to its place in the text.
    fn link_words(&self, h: &mut Markup<'_>, index: usize) {
        let link = &self.chapter.document.links[index];
        if self.anchored[index] {
            h.open("a").attr("href", format_args!("#r{}", index + 1));
        } else {
            open_link(h, self.here.address(link.span));
        }
        h.words(clip(&self.chapter.document.words(link.span), 40)).close();
    }

    /// What a link is. The script of a site repeats it from the text.
    fn why(&self, h: &mut Markup<'_>, index: usize) {
        if !(h.is_switchable() && self.anchored[index]) {
            let link = &self.chapter.document.links[index];
            h.said("small", &format!(" {}", reference(link)));
        }
    }

    /// Long stretches of the other text without counterpart here.
    fn without_source(&self, h: &mut Markup<'_>) {
        let left = &self.companions.left_over;
        let Some(first) = left.first() else { return };
        self.fold(
            h,
            "leftover",
            &format!("{}{{colon}}{{no-counterpart-page}}", escape(&first.other.meta.title)),
            left.len(),
        );
        h.open("p").attr("class", "leftover").attr("lang", &first.other.meta.language);
        for beside in left {
            self.bead(h, beside);
        }
        h.close().close().line();
    }

    fn doubtful(&mut self, h: &mut Markup<'_>) {
        let chapter = self.chapter;
        let document = &*chapter.document;
        let is_doubtful = |s: &&Segment| s.layer.is_text() && is_low(s.certainty);
        let cuts: Vec<&Segment> = self.segments_here().iter().filter(is_doubtful).collect();
        let is_doubtful = |i: &usize| {
            let link = &document.links[*i];
            link.target.is_some() && is_low(link.certainty)
        };
        let links: Vec<usize> = self.links_here().filter(is_doubtful).collect();
        if cuts.is_empty() && links.is_empty() {
            return;
        }
        self.fold(h, "doubtful", "{uncertain}", cuts.len() + links.len());
        h.open("ul").line();
        for s in cuts {
            h.open("li");
            self.span_link(h, s.span, 16);
            let why = why(s.certainty, &s.evidence);
            h.said("small", &format!(" {} {why}", layer_name(s.layer)));
            h.close().line();
        }
        for i in links {
            h.open("li");
            self.link_words(h, i);
            self.why(h, i);
            self.alternatives(h, &document.links[i]);
            h.close().line();
        }
        h.close().close().line();
    }

    /// The places that were not chosen.
    fn alternatives(&mut self, h: &mut Markup<'_>, link: &Link) {
        for alternative in link.alternatives.iter().take(MAX_ALTERNATIVES_SHOWN) {
            let Some(address) = self.addresses.target(self.here, alternative) else { continue };
            h.text(" ").open("a").attr("href", &address.href).maybe("data-w", address.words);
            h.text(address.href.rsplit('#').next().unwrap_or_default()).close();
        }
        let more = link.alternatives.len().saturating_sub(MAX_ALTERNATIVES_SHOWN);
        if more > 0 {
            h.element("small", format_args!(" … {more}"));
        }
    }

    fn span_link(&self, h: &mut Markup<'_>, span: Span, n: usize) {
        open_link(h, self.here.address(span));
        h.words(clip(&self.chapter.document.words(span), n)).close();
    }

    fn remarks(&self, h: &mut Markup<'_>) {
        let document = &*self.chapter.document;
        let here = &self.diagnostics[self.here.sheet];
        let remarks: Vec<_> = here.iter().map(|n| &document.diagnostics[*n]).collect();
        if remarks.is_empty() {
            return;
        }
        self.fold(h, "remarks", "{remarks}", remarks.len());
        h.open("ul").line();
        for d in remarks {
            h.open("li").attr("class", d.severity.as_str());
            if let Some(span) = d.span {
                self.span_link(h, span, 24);
                h.text(" ");
            }
            h.remark(&d.message, d.hint.as_deref());
            h.close().line();
        }
        h.close().close().line();
    }

    /// Parts of the file that are not shown: furniture, and the marks that separate layers.
    fn furniture(&self, h: &mut Markup<'_>) {
        let document = &*self.chapter.document;
        let scraps: Vec<&str> =
            document.of_layer(Layer::Furniture).map(|s| document.slice(s.span)).collect();
        let marks = document.of_layer(Layer::Mark).count() + document.marks.len();
        if scraps.is_empty() && marks == 0 {
            return;
        }
        let lines: usize =
            scraps.iter().map(|s| s.lines().filter(|l| !l.trim().is_empty()).count()).sum();
        self.fold(h, "left-out", "{left-out}", lines + marks);
        h.said("p", &format!("{{left-out-counts lines={lines} marks={marks}}}"));
        if !scraps.is_empty() {
            h.open("ul").line();
            for scrap in scraps.iter().take(MAX_FURNITURE_SHOWN) {
                h.open("li");
                h.words(clip(scrap.trim(), 60));
                let more = scrap.trim().chars().count().saturating_sub(60);
                if more > 0 {
                    h.said("small", &format!(" … {{more-characters n={more}}}"));
                }
                h.close().line();
            }
            h.close();
            if scraps.len() > MAX_FURNITURE_SHOWN {
                h.element("p", format_args!("… {}", scraps.len() - MAX_FURNITURE_SHOWN));
            }
        }
        h.close().line();
    }

    fn colophon(&self, h: &mut Markup<'_>) {
        let document = &*self.chapter.document;
        let meta = &document.meta;
        h.open("section").attr("class", "colophon").said("h2", "{source}").open("dl").line();
        let mut row = |name: &str, words: Option<&str>| colophon_row(h, name, words);
        row("{source-work}", meta.locus().as_deref());
        elsewhere(h, meta.work.as_deref());
        let mut row = |name: &str, words: Option<&str>| colophon_row(h, name, words);
        row("{source-siglum}", meta.siglum.as_deref());
        for fact in meta.facts() {
            row(&format!("{{fact-{}}}", fact.id), Some(&fact.words));
        }
        let source = &document.source;
        let mut said = |name: &str, words: &str| {
            h.said("dt", name).said("dd", words).line();
        };
        said(
            "{source-file}",
            &format!(
                "{}{{open-paren}}{{characters-count n={}}}{{comma}}SHA-256 {}…{{close-paren}}",
                escape(&source.name()),
                source.chars(),
                &source.sha256()[..12]
            ),
        );
        if self.companions.any && self.companions.bare > 0 {
            let bare = self.companions.bare;
            said("{source-beside}", &format!("{{bare-sentences n={bare}}}"));
        }
        let layers: Vec<String> = self.layers.iter().map(|l| self.layer_line(*l)).collect();
        said("{source-layers}", &layers.join(" · "));
        h.close().close().line();
    }

    /// A layer with who wrote it and how many characters it has.
    fn layer_line(&self, layer: Layer) -> String {
        let document = &*self.chapter.document;
        let count = document.characters_of(layer);
        let who = document.meta.by(layer).map(|c| match &c.period {
            Some(p) => format!(" {} {}", escape(&c.name), escape(p)),
            None => format!(" {}", escape(&c.name)),
        });
        let who = who.unwrap_or_default();
        format!("{}{who} {{characters-count n={count}}}", layer_name(layer))
    }
}

/// A line of the colophon, if there are words for it.
fn colophon_row(h: &mut Markup<'_>, name: &str, words: Option<&str>) {
    if let Some(words) = words.filter(|w| !w.is_empty()) {
        h.said("dt", name).open("dd").words(words).close().line();
    }
}

/// The work in the catalogues of others.
fn elsewhere(h: &mut Markup<'_>, work: Option<&str>) {
    for id in work.into_iter().flat_map(AuthorityId::of_work) {
        h.element("dt", id.name).open("dd").open("a").attr("href", &id.address);
        h.attr("rel", "external").text(id.id).close().close().line();
    }
}

/// The list of keys, with those of a site if it is a page of one. Without the page's script keys do
/// nothing, and the list is not shown.
pub(super) fn keys(h: &mut Markup<'_>, site: bool) {
    h.open("details").attr("id", "keys").attr("hidden", "hidden");
    h.said("summary", "{keys}").open("dl").line();
    for (key, does) in KEYS.iter().filter(|(key, _)| site || !["c", "/", "s"].contains(key)) {
        h.open("dt").element("kbd", key).close().said("dd", does).line();
    }
    h.close().close().line();
}

const KEYS: &[(&str, &str)] = &[
    ("j k", "{key-sentences}"),
    ("← →", "{key-along}"),
    ("1 – 6", "{key-layouts}"),
    ("[ ]", "{key-pages}"),
    ("y", "{key-cite}"),
    ("c", "{key-contents}"),
    ("/", "{key-jump}"),
    ("s", "{key-search}"),
    ("f", "{key-script}"),
    ("?", "{key-list}"),
    ("Esc", "{key-close}"),
];
