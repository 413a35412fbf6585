//! Parallels: passages with the same words in another chapter or commentary, without a reference.
//!
//! Runs of four characters that two chapters share are extended to blocks, blocks that follow each
//! other are chained to passages, across what one side leaves out or says otherwise ([`chains`]),
//! and a passage is kept if its words are too rare for chance or formula ([`rarity`]). It is one
//! link from its first words to its last, notes between them included. The cost grows with the
//! length of the corpus, not with the number of pairs of texts. It is done once for the whole
//! library; each document then takes its own passages. What a resolved reference quotes is not
//! listed again.
//!
//! The alternative was to collate the chapters in pairs with `text::collate`: quadratic in their
//! number.

mod chains;
mod changes;
mod edit;
mod found;
mod kept;
mod packed;
mod passage;
mod passages;
mod rarity;
mod reuse;
mod seeds;
mod seen;
mod stored;
mod weighing;

use std::sync::Arc;

pub use found::FoundParallel;
use passage::ParallelPassage;
use passages::passages;
use seen::{SeenPassage, chosen, quoted_in};

use crate::cache::{CacheKey, digest};
use crate::corpus::Index;
use crate::corpus::index::Indexed;
use crate::memo::Memo;
use crate::model::{Document, Link};
use crate::passes::context::Context;
use crate::source::Span;

/// All parallels of a library, the rarest first.
#[derive(Debug, Default)]
pub struct Parallels {
    passages: Vec<ParallelPassage>,
    /// Indices of the passages of each entry.
    of: Vec<Vec<usize>>,
    /// For each entry the text that its resolved references quote, in order.
    quoted: Vec<Vec<Span>>,
}

/// Finds the parallels of the whole library, which uses all threads.
pub fn prepare(context: &Context<'_>) {
    all(context);
}

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    let index = context.index();
    let Some(own) = index.get(&document.id) else { return };
    document.links.add(all(context).links(own, index));
}

/// What the parallels of a document are made from: the passages it has in common with others, and
/// what matters of these others.
pub fn answers<'a>(
    document: &Document,
    context: &Context<'a>,
) -> Option<(Vec<&'a Arc<Document>>, CacheKey)> {
    let (index, all) = (context.index(), all(context));
    let own = index.get(&document.id)?;
    // What is not linked does not matter.
    let linked: Vec<_> = all.linked(own, index).iter().map(|seen| seen.read(index)).collect();
    Some((vec![], digest(&linked)))
}

fn all(context: &Context<'_>) -> Arc<Parallels> {
    context.of_all(|| Parallels::of(context.index(), context.memo))
}

impl Parallels {
    /// Finds them.
    pub fn of(index: &Index, memo: Option<&Memo>) -> Self {
        let mut passages = passages(index, None, memo);
        let order = |x: &ParallelPassage, y: &ParallelPassage| x.order().cmp(&y.order());
        passages.sort_unstable_by(|x, y| y.margin.total_cmp(&x.margin).then_with(|| order(x, y)));
        let mut of = vec![Vec::new(); index.entries.len()];
        for (n, passage) in passages.iter().enumerate() {
            for side in &passage.sides {
                of[side.entry].push(n);
            }
        }
        Parallels { passages, of, quoted: quoted_in(index) }
    }

    /// The passages of one document that become links.
    fn linked(&self, own: &Indexed, index: &Index) -> Vec<SeenPassage<'_>> {
        let seen = self.of[own.number].iter().map(|n| SeenPassage::of(&self.passages[*n], own));
        let seen = seen.filter(|s| !s.is_quoted(own, index, &self.quoted));
        chosen(seen.map(|s| (s.here.place(), s)))
    }

    /// The links of one document to its parallels.
    fn links(&self, own: &Indexed, index: &Index) -> Vec<Link> {
        let linked = self.linked(own, index);
        let mut links: Vec<Link> = linked.iter().map(|s| s.link(own, index)).collect();
        links.sort_by_key(|l| (l.span.start(), l.span.end()));
        links
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::corpus::{Library, Works};
    use crate::model::{Certainty, Evidence, EvidenceKind, Layer, LinkKind, Status, Target};

    /// An index of texts of which only the words are known.
    pub(super) fn index_of(texts: &[Vec<char>]) -> Index {
        let document = |text: &Vec<char>| {
            let text: String = text.iter().collect();
            Arc::new(Document::of_pieces(&[(Layer::Jing, &*text)]))
        };
        let documents = texts.iter().map(document).collect();
        Index::of(&Library { documents, ..Library::default() }, &Works::builtin())
    }

    #[test]
    fn links_of_other_passes_stay_as_they_are() {
        let words = |from: u32| (from..from + 90).filter_map(char::from_u32).collect::<String>();
        let shared = "司馬正洗散遂實爵興";
        let document = |id: &str, from: u32| {
            let text = format!("{}{shared}{}", words(from), words(from + 100));
            let mut document = Document::of_pieces(&[(Layer::Jing, &text)]);
            document.id = id.to_string();
            document
        };
        let mut own = document("a", 0x4e00);
        let span = own.segments[0].span;
        own.links.push(Link {
            kind: LinkKind::Lemma,
            span,
            quoted: None,
            layer: Layer::Jing,
            work: None,
            target: Some(Target { doc: None, span }),
            alternatives: vec![].into(),
            status: Status::Exact,
            certainty: Certainty::SURE,
            evidence: vec![Evidence::of(EvidenceKind::LemmaHeader)].into(),
        });
        let earlier = own.links.clone();
        let documents = vec![Arc::new(own.clone()), Arc::new(document("b", 0x5600))];
        let library = Library { documents, ..Library::default() };
        run(&mut own, &Context::new(&library));
        let parallels: Vec<&str> = own
            .links
            .iter()
            .filter(|l| l.kind == LinkKind::Parallel)
            .map(|l| own.slice(l.span))
            .collect();
        assert_eq!(parallels, [shared]);
        assert_eq!(own.links[..1], earlier[..], "earlier links are unchanged");
        assert_eq!(own.links.len(), 2);
    }

    /// Different characters, from one on.
    fn words(from: u32, n: u32) -> String {
        (from..from + n).filter_map(char::from_u32).collect()
    }

    fn chapter(id: &str, title: &str, pieces: &[(Layer, &str)]) -> Document {
        let mut document = Document::of_pieces(pieces);
        document.id = id.into();
        document.meta.work = Some("儀禮".into());
        document.meta.chapter = Some(title.into());
        document
    }

    /// The parallels of the first of some documents: their words, and those they lead to.
    fn parallels_of(documents: Vec<Document>) -> Vec<(String, String)> {
        let documents = documents.into_iter().map(Arc::new).collect();
        let mut library = Library { documents, ..Library::default() };
        let mut first = (*library.documents[0]).clone();
        run(&mut first, &Context::new(&library));
        library.documents[0] = Arc::new(first.clone());
        let ends = |l: &Link| {
            let target = l.target.as_ref()?;
            let there = library.get(target.doc.as_deref()?)?;
            Some((first.slice(l.span).to_string(), there.slice(target.span).to_string()))
        };
        first.links.iter().filter_map(ends).collect()
    }

    #[test]
    fn a_text_repeated_with_omissions_is_one_parallel_over_its_notes() {
        let (x, y) = (words(0x4e00, 60), words(0x5200, 60));
        let (first, second) = ("鼓瑟吹笙承筐是將", "呦呦鹿鳴食野之苹");
        let more = words(0x5600, 12);
        let here = [(Layer::Jing, first), (Layer::Zhu, "注也"), (Layer::Jing, second)];
        let mut pieces = vec![(Layer::Jing, x.as_str())];
        pieces.extend(here);
        pieces.push((Layer::Jing, &y));
        let there = format!("{}{first}{more}{second}{}", words(0x6000, 60), words(0x6400, 60));
        let documents =
            vec![chapter("a", "鄉射禮", &pieces), chapter("b", "大射儀", &[(Layer::Jing, &there)])];
        let whole = (format!("{first}注也{second}"), format!("{first}{more}{second}"));
        assert_eq!(parallels_of(documents), [whole]);
    }

    #[test]
    fn two_editions_of_a_chapter_have_no_parallels() {
        let text = words(0x4e00, 60);
        let edition = |id: &str| chapter(id, "鄉射禮", &[(Layer::Jing, &text)]);
        assert_eq!(parallels_of(vec![edition("a"), edition("b")]), []);
    }
}
