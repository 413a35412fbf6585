//! TeX: commands, their arguments, environments, comments. `data/commands.tsv` says what the
//! argument of a command is; one with the name of a layer has a note of it.

use std::sync::LazyLock;

use regex::Regex;

use super::edits::{Edits, MAX_DEPTH, NOTE, Pairs, role};
use super::{Aside, NamedRole, Taken, VesselHints};
use crate::model::{Layer, LayerKind, layer_named};
use crate::source::Span;
use crate::text::pattern;

const COMMANDS: &str = include_str!("data/commands.tsv");

static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\\(?P<name>[\p{Han}A-Za-z]+)\*?(?P<options>(?:\[[^\]\n]*\])*)|(?P<comment>(?m:(?:^|[^\\])%.*$))|\\\\|[~{}]",
    )
});

/// Finds the markup.
pub(super) fn find(text: &str, _: VesselHints<'_>) -> Taken {
    let Some(body) = text.find("\\begin{document}") else { return Taken::default() };
    let start = body + "\\begin{document}".len();
    let end = text[start..].find("\\end{document}").map_or(text.len(), |i| start + i);
    let pairs = Pairs::of(text, "{", "}");
    let mut tex = Tex { text, pairs, edits: Edits::default(), roles: vec![], depth: 0 };
    tex.edits.furniture(0, start);
    tex.edits.furniture(end, text.len());
    tex.between(start, end);
    let title = text[..body].find("\\title{").and_then(|at| {
        let open = at + "\\title".len();
        let close = tex.pairs.close(open)?;
        Some(text[open + 1..close].trim().to_string())
    });
    let title = title.filter(|t| !t.is_empty());
    Taken { edits: tex.edits.finish(), title, roles: tex.roles, ..Taken::default() }
}

struct Tex<'t> {
    text: &'t str,
    pairs: Pairs,
    edits: Edits,
    /// Arguments of commands with the name of a layer.
    roles: Vec<(Span, NamedRole)>,
    /// How many arguments are around what is read.
    depth: usize,
}

impl Tex<'_> {
    fn between(&mut self, mut at: usize, end: usize) {
        if self.depth > MAX_DEPTH {
            return;
        }
        self.depth += 1;
        while let Some(found) = COMMAND.captures(&self.text[at..end]) {
            let whole = found.get(0).expect("the whole");
            let (from, to) = (at + whole.start(), at + whole.end());
            at = match found.name("name") {
                Some(name) => self.command(name.as_str(), from, to, end),
                None => {
                    // A comment may begin after a character of the text.
                    let percent = whole.as_str().find('%').unwrap_or(0);
                    self.edits.mark(from + percent, to);
                    to
                }
            };
        }
        self.depth -= 1;
    }

    /// A command; returns where to go on.
    fn command(&mut self, name: &str, from: usize, to: usize, end: usize) -> usize {
        let argument = self.text[to..end].starts_with('{');
        let close = if argument { self.pairs.close(to).filter(|close| *close < end) } else { None };
        let Some(close) = close else {
            self.edits.mark(from, to);
            return to;
        };
        let layer = layer_named(name).filter(|layer| layer.is_text());
        let role = role(COMMANDS, name).or_else(|| match layer?.kind() {
            LayerKind::Note | LayerKind::Commentary => Some("note"),
            LayerKind::Translation => Some("aside"),
            _ => None,
        });
        match role {
            Some("note") => {
                if let Some(layer) = layer.filter(|layer| *layer != Layer::Zhu) {
                    self.roles.push((Span::new(to + 1, close), NamedRole::Of(layer)));
                }
                self.edits.shown(from, to + 1, NOTE.0);
                self.between(to + 1, close);
                self.edits.shown(close, close + 1, NOTE.1);
            }
            Some("drop" | "title") => {
                // \begin{段落}[indent=1]
                let rest = &self.text[close + 1..end];
                let options = rest.starts_with('[').then(|| rest.find(']')).flatten();
                let stop = close + 1 + options.map_or(0, |i| i + 1);
                self.edits.mark(from, stop);
                return stop;
            }
            // A translation, or what an apparatus says.
            Some("aside") => {
                self.edits.mark(from, to + 1);
                let aside = Aside::Text(layer.unwrap_or(Layer::An));
                self.edits.taken(to + 1, close, aside);
                self.edits.mark(close, close + 1);
            }
            Some("head") => {
                self.edits.shown(from, to + 1, "## ");
                self.edits.mark(close, close + 1);
            }
            _ => {
                self.edits.mark(from, to + 1);
                self.between(to + 1, close);
                self.edits.mark(close, close + 1);
            }
        }
        close + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vessels::LogicalText;

    #[test]
    fn notes_and_text_are_read() {
        let text = "\\documentclass[四库]{ltc}\n\\title{論語}\n\\begin{document}\n\\begin{段落}[indent=1]\n子曰學而\\夹注{馬曰\\emph{子}者}有朋% 底本\n\\end{段落}\n\\end{document}\n";
        let found = find(text, VesselHints::default());
        let read = LogicalText::of(text).without(&found.edits);
        assert_eq!(read.text(), "\n\n子曰學而{{*|馬曰子者}}有朋\n\n");
        assert_eq!(found.title.as_deref(), Some("論語"));
    }

    #[test]
    fn names_of_layers_and_apparatus() {
        let text = "\\begin{document}隱机而坐\\footnoteA{同天人}\\edtext{子綦}{\\Bfootnote{成本作}}\\shu{正義曰}\\end{document}";
        let found = find(text, VesselHints::default());
        let read = LogicalText::of(text).without(&found.edits);
        assert_eq!(read.text(), "隱机而坐{{*|同天人}}子綦{{*|正義曰}}");
        let shu = NamedRole::Of(Layer::Shu);
        assert_eq!(
            found.roles.iter().map(|(s, r)| (&text[s.range()], *r)).collect::<Vec<_>>(),
            [("正義曰", shu)]
        );
    }
}
