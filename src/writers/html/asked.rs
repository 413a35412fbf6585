//! Marks for a review in the page itself: a button before each doubtful place, whose words are
//! tinted, and words that a decision changed. What is asked there is in a block of data at the end
//! of the page, for the script of the review. Pages of an edition have none of this.

use serde_json::{Value, json};

use super::Page;
use super::inline::Container;
use super::marked_spans::MarkedSpan;
use crate::markup::Markup;
use crate::source::Span;

/// What a page shows of a review of its document.
#[derive(Debug, Default)]
pub(crate) struct PageReview {
    /// The doubtful places, in the order of the text.
    pub(crate) places: Vec<AskedPlace>,
    /// Words that the last decision changed.
    pub(crate) changed: Vec<Span>,
    /// What the script needs besides the places.
    pub(crate) common: Value,
    /// The style sheet and the script.
    pub(crate) files: [&'static str; 2],
}

/// A doubtful place.
#[derive(Debug)]
pub(crate) struct AskedPlace {
    /// The words it is about, in the document.
    pub(crate) span: Span,
    /// Its name in the page and for the server.
    pub(crate) id: String,
    /// What is doubtful there, as a template.
    pub(crate) label: String,
    /// What the script needs.
    pub(crate) data: Value,
}

impl Page<'_> {
    /// The places that are asked about from here on and have no button yet: the words are tinted
    /// for one of them, and several can begin with the same words.
    pub(super) fn asked_at(&self, run: MarkedSpan) -> Vec<usize> {
        let (Some(review), Some(shortest)) = (self.review, run.asked) else { return vec![] };
        let from = review.places.partition_point(|p| p.span.start() < run.span.start());
        let here = review.places[from..].iter().take_while(|p| p.span.start() == run.span.start());
        let mut all: Vec<usize> = (from..from + here.count()).collect();
        if !all.contains(&(shortest as usize)) {
            all.push(shortest as usize);
        }
        all.retain(|index| !self.asked[*index]);
        all
    }

    /// A place that is asked about, where its words begin. A summary can have no button in it:
    /// there it follows with the next words.
    pub(super) fn ask(&mut self, h: &mut Markup<'_>, index: usize, place: Container) {
        if std::mem::replace(&mut self.asked[index], true) {
            return;
        }
        match place {
            Container::Summary => self.held.push(index),
            Container::Paragraph | Container::Link => self.ask_button(h, index),
        }
    }

    /// The buttons of places in the summary before.
    pub(super) fn ask_held(&mut self, h: &mut Markup<'_>, place: Container) {
        if place == Container::Paragraph {
            for index in std::mem::take(&mut self.held) {
                self.ask_button(h, index);
            }
        }
    }

    fn ask_button(&self, h: &mut Markup<'_>, index: usize) {
        let Some(asked) = self.review.map(|r| &r.places[index]) else { return };
        h.open("button").attr("type", "button").attr("class", "ask");
        h.attr("id", format_args!("ask-{}", asked.id)).attr("data-ask", &asked.id);
        h.named(&asked.label).close();
    }

    /// The data of the places on this sheet, and the files of the review.
    pub(super) fn review(&self, h: &mut Markup<'_>) {
        let Some(review) = self.review else { return };
        let here = review.places.iter().filter(|p| self.holds(p.span));
        let places: Vec<Value> = here.map(|p| json!({ "id": p.id, "about": p.data })).collect();
        let changed = review.changed.iter().filter(|s| self.holds(**s)).count();
        let data = json!({ "common": review.common, "places": places, "changed": changed });
        let [style, script] = review.files;
        h.void("link").attr("rel", "stylesheet").attr("href", style).line();
        h.open("div").attr("id", "review-data").attr("hidden", "hidden");
        h.attr("data-review", data).close().line();
        // It runs after the script of the page.
        h.open("script").attr("src", script).attr("defer", "defer").close().line();
    }
}
