//! Books whose structure is known.

use super::*;

/// Few characters, so that there are many hits; 获, 賔 and 雲 fold into others.
pub const ALPHABET: [char; 8] = ['獲', '获', '坐', '今', '云', '雲', '賔', '賓'];

/// A passage of the classic with the notes on it.
#[derive(Clone, Debug)]
pub struct Passage {
    pub words: String,
    pub notes: Vec<(Layer, String)>,
    pub translation: Option<String>,
}

/// Passages with the 疏 that explains them; without one there is one passage.
#[derive(Clone, Debug)]
pub struct Group {
    pub passages: Vec<Passage>,
    pub shu: Vec<String>,
}

/// A unit as the slow search sees it.
#[derive(Clone, Debug)]
pub struct Unit {
    pub doc: usize,
    pub layer: Layer,
    /// Folded, original, first byte, end.
    pub chars: Vec<(char, char, usize, usize)>,
    pub group: usize,
    /// Index of the passage that a note is on.
    pub anchor: Option<usize>,
    /// Index of the passage that a translation translates.
    pub target: Option<usize>,
}

#[derive(Default)]
pub struct Books {
    pub library: Library,
    pub units: Vec<Unit>,
}

pub fn words(max: usize) -> impl Strategy<Value = String> {
    let character = prop_oneof![8 => prop::sample::select(&ALPHABET[..]), 1 => Just('，'), 1 => Just('。'), 1 => Just('\n'), 1 => Just('○')];
    prop::collection::vec(character, 0..max)
        .prop_flat_map(|rest| (prop::sample::select(&ALPHABET[..]), Just(rest)))
        .prop_map(|(c, mut rest)| {
            rest.insert(0, c);
            rest.into_iter().collect::<String>().trim_end().to_string()
        })
}

pub fn group() -> impl Strategy<Value = Group> {
    let note = (prop_oneof![3 => Just(Layer::Zhu), 1 => Just(Layer::Yin)], words(6));
    let passage = (words(8), prop::collection::vec(note, 0..3), prop::option::of(words(8)));
    let passage =
        passage.prop_map(|(words, notes, translation)| Passage { words, notes, translation });
    (prop::collection::vec(passage, 1..4), prop::collection::vec(words(12), 0..3)).prop_map(
        |(mut passages, shu)| {
            if shu.is_empty() {
                passages.truncate(1);
            }
            Group { passages, shu }
        },
    )
}

pub fn books() -> impl Strategy<Value = Books> {
    prop::collection::vec(prop::collection::vec(group(), 1..4), 1..4).prop_map(|docs| {
        let mut books = Books::default();
        docs.iter().enumerate().for_each(|(n, groups)| books.add(n, groups));
        books
    })
}

pub struct Draft {
    pub text: String,
    pub segments: Vec<Segment>,
}

impl Draft {
    pub fn push(&mut self, layer: Layer, words: &str) -> Span {
        let start = self.text.len();
        self.text.push_str(words);
        let span = Span::new(start, self.text.len());
        self.segments.push(Segment::marked(layer, span));
        span
    }

    pub fn document(self, id: &str) -> Document {
        let mut document =
            Document::new(Arc::new(Source::from_text(format!("{id}.txt"), self.text)), "test");
        document.segments = self.segments.into();
        document.number();
        document.check().unwrap();
        document
    }
}

impl Books {
    pub fn unit(
        &mut self,
        doc: usize,
        draft: &Draft,
        layer: Layer,
        span: Span,
        group: usize,
        anchor: Option<usize>,
    ) -> usize {
        let chars = draft.text[span.range()].char_indices().filter(|(_, c)| ALPHABET.contains(c));
        let chars = chars
            .map(|(i, c)| (fold(c), c, span.start() + i, span.start() + i + c.len_utf8()))
            .collect();
        self.units.push(Unit { doc, layer, chars, group, anchor, target: None });
        self.units.len() - 1
    }

    /// A classic and its translation.
    pub fn add(&mut self, n: usize, groups: &[Group]) {
        let mut draft = Draft { text: String::new(), segments: vec![] };
        let mut translation = Draft { text: String::new(), segments: vec![] };
        let (doc, other) = (2 * n, 2 * n + 1);
        let (mut beads, mut sides) = (vec![], vec![]);
        for (g, group) in groups.iter().enumerate() {
            let heading = draft.push(Layer::Heading, "坐");
            self.unit(doc, &draft, Layer::Heading, heading, 100 + g, None);
            draft.push(Layer::Blank, "\n\n");
            for passage in &group.passages {
                let span = draft.push(Layer::Jing, &passage.words);
                let base = self.unit(doc, &draft, Layer::Jing, span, g, None);
                for (layer, words) in &passage.notes {
                    let span = draft.push(*layer, words);
                    self.unit(doc, &draft, *layer, span, g, Some(base));
                }
                draft.push(Layer::Blank, if passage.notes.is_empty() { "\n" } else { " " });
                if let Some(words) = &passage.translation {
                    let side = translation.push(Layer::Translation, words);
                    translation.push(Layer::Blank, "\n");
                    sides.push((side, base));
                    beads.push(Bead {
                        source: vec![span],
                        translation: vec![side],
                        certainty: Certainty::SURE,
                        evidence: vec![],
                    });
                }
            }
            for words in &group.shu {
                draft.push(Layer::Mark, "[疏]");
                let span = draft.push(Layer::Shu, words);
                self.unit(doc, &draft, Layer::Shu, span, g, None);
                draft.push(Layer::Blank, "\n\n");
            }
        }
        for (i, (side, base)) in sides.into_iter().enumerate() {
            let unit = self.unit(other, &translation, Layer::Translation, side, i, None);
            self.units[unit].target = Some(base);
        }
        let ids = [format!("classic{n}"), format!("translation{n}")];
        self.library.documents.push(Arc::new(draft.document(&ids[0])));
        if translation.text.is_empty() {
            translation.push(Layer::Blank, "\n");
        }
        self.library.documents.push(Arc::new(translation.document(&ids[1])));
        self.library.alignments.push(Alignment {
            source: ids[0].clone(),
            translation: ids[1].clone(),
            grain: Default::default(),
            beads,
        });
    }
}

impl std::fmt::Debug for Books {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for d in &self.library.documents {
            let layers: Vec<_> =
                d.segments.iter().map(|s| (s.layer.zh(), d.slice(s.span))).collect();
            writeln!(f, "{}: {layers:?}", d.id)?;
        }
        Ok(())
    }
}
