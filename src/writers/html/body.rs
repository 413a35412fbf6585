//! The text: sections, passages, blocks, and what is beside them.

use super::Page;
use super::beside::Beside;
use super::inline::Container;
use super::phrases::{doubt_group, is_low, layer_name};
use crate::language::escape;
use crate::markup::Markup;
use crate::model::phrases::why;
use crate::model::{Document, Layer, LayerKind, Role, decided_by};
use crate::reading::{Block, Passage, SubCommentary};

impl Page<'_> {
    pub(super) fn body(&mut self, h: &mut Markup<'_>) {
        let beside = if self.companions.any { " two" } else { "" };
        let said = |l: &Layer| matches!(l.kind(), LayerKind::Note | LayerKind::Commentary);
        let bare = if self.layers.iter().any(said) { "" } else { " bare" };
        h.open("main").attr("id", "text").attr("class", format_args!("text{beside}{bare}"));
        self.whereabouts(h);
        h.line();
        let (passages, range) = (self.passages, self.here.sheets.passages(self.here.sheet));
        let mut division = None;
        // A passage leaves room for the translation if it or a neighbour has one: the column is not
        // empty for long, and the width of the text does not change at every gap.
        let beside = |n: usize| {
            let near = n.saturating_sub(1).max(range.start)..(n + 2).min(range.end);
            let same = |i: &usize| passages.division(*i) == passages.division(n);
            near.filter(same).any(|i| !self.companions.of_passage(i).is_empty())
        };
        let three: Vec<bool> = range.clone().map(beside).collect();
        for (n, three) in range.zip(three) {
            let passage = passages.get(n);
            if passage.division != division {
                if division.is_some() {
                    h.close().line();
                }
                division = passage.division;
                self.section(h, division);
            }
            self.passage(h, n, &passage, three);
        }
        if division.is_some() {
            h.close().line();
        }
        h.close().line();
    }

    /// Opens a section with its title, supplied from the label or scope that gave it.
    fn section(&self, h: &mut Markup<'_>, division: Option<usize>) {
        let Some(i) = division else { return };
        let d = &self.chapter.document.divisions[i];
        h.open("section").attr("class", "zhang").attr("id", format_args!("d{}", i + 1)).line();
        h.open("h2").attr("class", if is_low(d.certainty) { "low" } else { "sup" });
        let why = why(d.certainty, &d.evidence);
        h.attr_said("title", &format!("{{title-supplied}} · {why}"));
        h.maybe("id", self.section_locus(i));
        match &d.title {
            Some(t) => h.element("small", d.n).text(" ").words(t),
            None => h.said("span", &format!("{{section-n n={}}}", d.n)),
        };
        h.close().line();
    }

    fn passage(&mut self, h: &mut Markup<'_>, n: usize, passage: &Passage, three: bool) {
        // Passages with only classic and notes can be set without a break between them.
        let runs = passage.text.iter().all(|b| {
            b.layer == Layer::Label || matches!(b.layer.kind(), LayerKind::Base | LayerKind::Note)
        });
        let translates = passage.text.iter().any(|b| b.layer.kind() == LayerKind::Translation);
        let classes = [(true, "jie"), (runs, "run"), (translates, "yi"), (three, "san")];
        let classes: Vec<&str> =
            classes.into_iter().filter(|(is, _)| *is).map(|(_, class)| class).collect();
        h.open("div").attr("class", classes.join(" ")).line();
        if !passage.text.is_empty() {
            h.open("div").attr("class", "wen").line();
            for block in &passage.text {
                self.block(h, block);
            }
            h.close().line();
        }
        self.beside(h, n);
        if !passage.commentaries.is_empty() {
            h.open("div").attr("class", "shuo").line();
            for commentary in &passage.commentaries {
                self.commentary(h, commentary);
            }
            h.close().line();
        }
        self.lists(h);
        h.close().line();
    }

    fn block(&mut self, h: &mut Markup<'_>, block: &Block) {
        let undivided = block.layer.kind() == LayerKind::Undivided;
        h.open(if block.layer == Layer::Heading { "h2" } else { "p" });
        h.attr("class", format_args!("b {}", block.layer.id()));
        if undivided {
            h.attr_said("data-who", "{undivided}");
        } else if let Some(who) = self.who(block.layer) {
            h.attr_said("data-who", &who);
        }
        self.pieces(h, block);
        h.close().line();
    }

    fn pieces(&mut self, h: &mut Markup<'_>, block: &Block) {
        for piece in &block.portions {
            let layer = self.chapter.document.segments[piece.segment()].layer;
            if layer == block.layer {
                self.piece(h, piece, Container::Paragraph);
                continue;
            }
            h.open("span").attr("class", format_args!("in {}", layer.id()));
            self.piece(h, piece, Container::Paragraph);
            h.close();
        }
    }

    /// Label of a layer: the speaker.
    fn who(&self, layer: Layer) -> Option<String> {
        if !matches!(layer.kind(), LayerKind::Note | LayerKind::Commentary) {
            return None;
        }
        Some(match self.chapter.document.meta.by(layer) {
            Some(c) if c.name.contains(layer.zh()) => escape(&c.name),
            Some(c) => format!("{} {}", escape(&c.name), layer_name(layer)),
            None => layer_name(layer),
        })
    }

    fn commentary(&mut self, h: &mut Markup<'_>, commentary: &SubCommentary) {
        let layer = commentary.blocks.first().map_or(Layer::Shu, |b| b.layer);
        h.open("details").attr("class", format_args!("b {}", layer.id())).attr("open", "open");
        h.open("summary");
        if let Some(who) = self.who(layer) {
            h.attr_said("data-who", &who);
        }
        match &commentary.header {
            Some(header) => {
                h.open("span").attr("class", "shu_header");
                self.piece(h, header, Container::Summary);
                h.close();
            }
            None => {
                h.open("span").attr("class", "none").attr_said("title", "{no-header}");
                h.text("…").close();
            }
        }
        h.close().line();
        for block in &commentary.blocks {
            h.open("p");
            self.pieces(h, block);
            h.close().line();
        }
        h.close().line();
    }

    /// The other side of the passage's beads.
    fn beside(&mut self, h: &mut Markup<'_>, n: usize) {
        let companions = self.companions;
        let all = companions.of_passage(n);
        let Some(first) = all.first() else { return };
        // Not a landmark: there is one for every passage.
        h.open("div").attr("class", "beside").attr("lang", &first.other.meta.language).line();
        let mut other: Option<&Document> = None;
        for beside in all {
            if other.is_none_or(|o| o.id != beside.other.id) {
                if other.is_some() {
                    h.close().line();
                }
                other = Some(beside.other);
                h.open("p");
                self.source_of(h, beside);
            }
            self.bead(h, beside);
        }
        h.close().line().close().line();
    }

    /// The name of the text beside, as a link to its page.
    fn source_of(&mut self, h: &mut Markup<'_>, beside: &Beside<'_>) {
        let Some(span) = beside.there.first() else { return };
        let Some(address) = self.addresses.there(&beside.other.id, *span) else { return };
        let label = match beside.other.meta.role {
            Role::Translation => "{beside-translation}",
            Role::Witness => "{beside-classic}",
        };
        h.open("a").attr("class", "from").attr("href", address.href);
        h.attr("title", &beside.other.meta.title).say(label).close().text(" ");
    }

    /// The text of a bead in the other document.
    pub(super) fn bead(&self, h: &mut Markup<'_>, beside: &Beside<'_>) {
        let (low, without) = (is_low(beside.bead.certainty), beside.here.is_empty());
        let decided = decided_by(&beside.bead.evidence).is_some();
        h.open("span").attr(
            "class",
            match (without, low) {
                _ if decided => "bead ok",
                (true, _) => "bead bare",
                (_, true) => "bead low",
                _ => "bead",
            },
        );
        h.attr("data-b", format_args!("{}-{}", beside.key.0, beside.key.1));
        h.maybe("data-k", doubt_group(beside.bead.certainty));
        match (without, low) {
            _ if decided => {
                let why = why(beside.bead.certainty, &beside.bead.evidence);
                h.attr_said("title", &format!("{{match-decided}} {why}"))
            }
            (true, _) => h.attr_said("title", "{no-counterpart-here}"),
            (_, true) => {
                let why = why(beside.bead.certainty, &beside.bead.evidence);
                h.attr_said("title", &format!("{{uncertain-match}} {why}"))
            }
            _ => h,
        };
        // Spans of another document may be out of range in a library put together by hand.
        let text = beside.other.source.text();
        let there = beside.there.iter().copied().filter(|span| text.get(span.range()).is_some());
        h.words(&beside.other.line_of(&there.collect::<Vec<_>>()));
        h.close();
    }
}
