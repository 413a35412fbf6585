//! Phrases drawn from the bundled corpus.

use super::*;

/// A character of a text, folded, and its bytes.
type At = (char, usize, usize);

/// The texts of a layer of a document for a scan: one for the classic and for a translation,
/// otherwise one for each segment; notes continue across an editor's note or a page break.
fn scanned(document: &Document, layer: Layer) -> Vec<Vec<At>> {
    let mut texts: Vec<Vec<At>> = vec![];
    let runs_on = matches!(layer.kind(), LayerKind::Base | LayerKind::Translation);
    let mut open = false;
    for (i, s) in document.segments.iter().enumerate() {
        if s.layer != layer {
            open &= !s.layer.is_text() || s.layer == Layer::An;
            continue;
        }
        let key = Key::of_spans(document.source.text(), document.without_marks(s.span));
        let own = (0..key.len()).map(|n| (key.chars[n], key.at[n] as usize, key.end(n)));
        let between = document.segments[..i].iter().rev().take_while(|b| b.layer != layer);
        let interrupted = between.clone().any(|b| matches!(b.layer, Layer::An | Layer::Furniture));
        let line = between.clone().any(|b| {
            !b.layer.is_text()
                && b.layer != Layer::Furniture
                && document.slice(b.span).contains('\n')
        });
        let goes_on = layer != Layer::An
            && open
            && match layer.kind() {
                LayerKind::Note => interrupted,
                LayerKind::Commentary => interrupted || !line,
                _ => false,
            };
        match texts.last_mut() {
            Some(last) if runs_on || goes_on => last.extend(own),
            _ => texts.push(own.collect()),
        }
        open = true;
    }
    texts
}

/// A small random generator, the same each time.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// A document in printed lines: lines and pages end inside its text, with a mark at each.
fn printed(document: &Document) -> Document {
    let (mut text, mut segments, mut marks, mut column) = (String::new(), vec![], vec![], 0);
    for s in &document.segments {
        let start = text.len();
        let words = document.slice(s.span);
        for (i, c) in words.char_indices() {
            text.push(c);
            column += 1;
            if s.layer.is_text() && column >= 9 && i + c.len_utf8() < words.len() {
                let mark = text.len();
                text.push_str(if mark % 4 == 0 {
                    "¶\n<pb:KR1d0026_SBCK_006-1b>¶\n"
                } else {
                    "¶\n"
                });
                marks.push(Span::new(mark, text.len()));
                column = 0;
            }
        }
        segments.push(Segment { span: Span::new(start, text.len()), ..s.clone() });
    }
    let mut copy = Document::new(Arc::new(Source::from_text("printed.txt", text)), "test");
    (copy.segments, copy.marks) = (segments.into(), marks.into());
    copy.number();
    copy.check().unwrap();
    copy
}

/// The text from the first to the last character of a phrase.
#[derive(Default)]
struct Met {
    notes: usize,
    lines: usize,
    marks: usize,
    punctuation: usize,
    variants: usize,
}

impl Met {
    fn look(&mut self, document: &Document, text: &[At]) {
        let span = Span::new(text[0].1, text[text.len() - 1].2);
        let (first, last) =
            (document.segment_at(span.start()), document.segment_at(span.end() - 1));
        let between = first.zip(last).map_or(&[][..], |(a, b)| &document.segments[a..=b]);
        let own = between[0].layer;
        self.notes += usize::from(between.iter().any(|s| s.layer.is_text() && s.layer != own));
        self.lines += usize::from(document.slice(span).contains('\n'));
        self.marks += usize::from(!document.marks_in(span).is_empty());
        self.punctuation += usize::from(text.windows(2).any(|w| w[0].2 < w[1].1));
    }
}

#[test]
fn phrases_of_every_layer_are_all_found_and_nothing_else() {
    let mut library = corpus::library().clone();
    library.documents.push(Arc::new(printed(library.get("yili-05-jishi").unwrap())));
    let (_folder, index) = index_of(&library);
    let mut draw = Draw(11);
    let (mut drawn, mut met) = (0, Met::default());
    let layers: BTreeSet<Layer> = library
        .documents
        .iter()
        .flat_map(|d| d.segments.iter().map(|s| s.layer))
        .filter(|l| l.is_text())
        .collect();
    for layer in layers {
        let texts: Vec<(&Document, Vec<At>)> = library
            .documents
            .iter()
            .flat_map(|d| scanned(d, layer).into_iter().map(|t| (&**d, t)))
            .filter(|(_, t)| !t.is_empty())
            .collect();
        let chars: Vec<Vec<char>> =
            texts.iter().map(|(_, t)| t.iter().map(|c| c.0).collect()).collect();
        for _ in 0..300 {
            let (document, text) = &texts[draw.below(texts.len())];
            let from = draw.below(text.len());
            let text = &text[from..text.len().min(from + 1 + draw.below(12))];
            met.look(document, text);
            let phrase: Vec<char> = text.iter().map(|c| c.0).collect();
            let typed: Vec<char> = phrase.iter().map(|c| variant(*c, &mut draw)).collect();
            met.variants += usize::from(typed != phrase);
            // Punctuation and blanks in the query are ignored like those in the text.
            let typed: String = typed
                .iter()
                .flat_map(|c| [Some(*c), (draw.below(9) == 0).then_some('，')])
                .flatten()
                .collect();
            let query: Query = format!("{}:\"{typed}\"", layer.zh()).parse().unwrap();
            let found = index.search(&query, Options::default()).unwrap();
            let mut want: BTreeSet<(&str, usize, usize)> = BTreeSet::new();
            for ((document, text), chars) in texts.iter().zip(&chars) {
                let same =
                    chars.windows(phrase.len()).enumerate().filter(|(_, w)| **w == phrase[..]);
                want.extend(
                    same.map(|(i, _)| {
                        (document.id.as_str(), text[i].1, text[i + phrase.len() - 1].2)
                    }),
                );
            }
            assert_eq!(found.total(), want.len(), "{}", query.text());
            if want.len() <= 30 {
                let got = places_of(&found);
                assert!(got.iter().all(|p| p.1 == layer));
                let got: BTreeSet<_> =
                    got.iter().map(|(d, _, a, b)| (d.as_str(), *a, *b)).collect();
                assert_eq!(got, want, "{}", query.text());
            }
            drawn += 1;
        }
    }
    assert!(drawn >= 3000, "{drawn}");
    let Met { notes, lines, marks, punctuation, variants } = met;
    assert!(
        [notes, lines, marks, punctuation, variants].iter().all(|n| *n > 50),
        "{notes} {lines} {marks} {punctuation} {variants}"
    );
}

/// Words in the form of pages: elements, and the number of characters other than blanks before them
/// in each.
fn page_words(document: &Document, span: Span) -> String {
    let place = |holds: usize, end: usize| {
        let s = &document.segments[document.segment_at(holds).unwrap()];
        let elements = match s.layer.kind() {
            LayerKind::Base | LayerKind::Translation => {
                document.sentences_of(s).into_iter().map(|e| e.0).collect()
            }
            _ => vec![s.span],
        };
        let n = elements.iter().position(|e| e.end() > holds).unwrap();
        let number = if elements.len() > 1
            || elements.len() == 1
                && matches!(s.layer.kind(), LayerKind::Base | LayerKind::Translation)
        {
            format!(".{}", n + 1)
        } else {
            String::new()
        };
        let before = document.words(Span::new(elements[n].start(), end));
        format!("{}{number}:{}", s.id, before.chars().filter(|c| !c.is_whitespace()).count())
    };
    format!("{}-{}", place(span.start(), span.start()), place(span.end() - 1, span.end()))
}

#[test]
fn figures_are_about_what_the_query_looks_through() {
    let library = corpus::library();
    let (_folder, index) = index_of(library);
    for (query, layers, chapter) in [
        ("獲者", None, None),
        ("注:獲者", Some(vec![Layer::Zhu]), None),
        ("注:獲者 OR (疏:獲 chapter:鄉射禮)", None, None),
        ("(注:獲者 OR 疏:獲) chapter:鄉射禮", Some(vec![Layer::Zhu, Layer::Shu]), Some("鄉射禮")),
        ("注:獲 @ 經:射", Some(vec![Layer::Zhu]), None),
        ("chapter:燕禮", None, Some("燕禮")),
    ] {
        let found = index.search(&query.parse().unwrap(), Options::default()).unwrap();
        let reach = found.reach().unwrap();
        let within = |d: &Document, l: Layer| match query.contains("OR (") {
            true => {
                l == Layer::Zhu || l == Layer::Shu && d.meta.chapter.as_deref() == Some("鄉射禮")
            }
            false => {
                layers.as_ref().is_none_or(|a| a.contains(&l))
                    && chapter.is_none_or(|c| d.meta.chapter.as_deref() == Some(c))
            }
        };
        let mut all: Vec<char> = vec![];
        for d in &library.documents {
            for s in d.segments.iter().filter(|s| s.layer.is_text() && within(d, s.layer)) {
                all.extend(Key::of_spans(d.source.text(), d.without_marks(s.span)).chars);
            }
        }
        assert_eq!(reach.characters, all.len() as u64, "{query}");
        for collocate in found.collocates(3).unwrap().iter().step_by(7) {
            assert_eq!(
                collocate.in_reach,
                all.iter().filter(|c| **c == collocate.character).count() as u64,
                "{query}"
            );
        }
    }
    let named = |query: &str| {
        let reach =
            index.search(&query.parse().unwrap(), Options::default()).unwrap().reach().unwrap();
        (reach.layers.join(" "), reach.texts.join(" "))
    };
    assert_eq!(named("獲"), (String::new(), String::new()));
    assert_eq!(named("注:獲"), ("注".into(), String::new()));
    assert_eq!(named("注:獲 chapter:燕禮"), ("注".into(), "儀禮・燕禮".into()));
}

/// The 傳 inside the 經 is found as either.
#[test]
fn a_kind_within_a_layer_has_its_own_name_too() {
    let mut draft = Draft { text: String::new(), segments: vec![] };
    draft.push(Layer::Jing, "斬衰裳。");
    draft.push(Layer::Jing, "傳曰斬者何。");
    draft.segments[1].sub = Some(Layer::Zhuan);
    let library = Library { documents: vec![Arc::new(draft.document("a"))], ..Library::default() };
    let (folder, _index) = index_of(&library);
    let totals = ["斬", "經:斬", "傳:斬", "傳:裳"].map(|q| total(folder.path(), q));
    assert_eq!(totals, [2, 2, 1, 0]);
}

#[test]
fn in_a_text_the_characters_of_the_query_come_before_their_variants() {
    let text = |id, words| {
        let mut draft = Draft { text: String::new(), segments: vec![] };
        draft.push(Layer::Jing, words);
        Arc::new(draft.document(id))
    };
    let documents = vec![text("a", "主人拜賔。賔荅拜。賓入。宾出。"), text("b", "賔拜。賓出。")];
    let (_folder, index) = index_of(&Library { documents, ..Library::default() });
    let hits = |query: &str, folding| -> String {
        let options = Options { folding, ..Options::default() };
        let found = index.search(&query.parse().unwrap(), options).unwrap();
        let answers = found.answers(&Show { limit: usize::MAX, ..Show::default() }).unwrap();
        answers.into_iter().map(|a| a.hit).collect()
    };
    assert_eq!(hits("賓", Folding::Full), "賓宾賔賔賓賔");
    assert_eq!(hits("賔", Folding::Full), "賔賔賓宾賔賓");
    assert_eq!(hits("賓", Folding::Script), "賓宾賓");
}

#[test]
fn pages_of_hits_together_are_all_hits() {
    let (_folder, index) = index_of(corpus::library());
    let query: Query = "射".parse().unwrap();
    let found = index.search(&query, Options::default()).unwrap();
    for sort in [Sort::Reading, Sort::Place, Sort::Left, Sort::Right] {
        let places = |skip, limit| -> Vec<(String, usize)> {
            let answers = found.answers(&Show { sort, skip, limit, ..Show::default() }).unwrap();
            answers.iter().map(|a| (a.document.clone(), a.bytes[0].start())).collect()
        };
        let all = places(0, usize::MAX);
        assert!(all.len() > 200, "hits of several texts");
        let pages = (0..all.len()).step_by(37).flat_map(|skip| places(skip, 37));
        assert_eq!(pages.collect::<Vec<_>>(), all, "{sort:?}");
        assert!(places(all.len(), 5).is_empty());
    }
}

#[test]
fn hits_are_cited_as_the_rest_of_the_program_cites_their_words() {
    let library = corpus::library();
    let (_folder, index) = index_of(library);
    let mut draw = Draw(7);
    let (mut cited, mut ranges, mut inner, mut rendered) = (0, 0, 0, 0);
    for document in &library.documents {
        let loci = Loci::of(document);
        let layers: BTreeSet<Layer> =
            document.segments.iter().map(|s| s.layer).filter(|l| l.is_text()).collect();
        let texts: Vec<(Layer, Vec<At>)> = layers
            .iter()
            .flat_map(|l| scanned(document, *l).into_iter().map(|t| (*l, t)))
            .collect();
        let texts: Vec<_> = texts.into_iter().filter(|(_, t)| !t.is_empty()).collect();
        for n in 0..200 {
            // The classic is one of many texts, and has most of the characters.
            let (layer, text) = &texts[if n % 2 == 0 { 0 } else { draw.below(texts.len()) }];
            let from = draw.below(text.len());
            let phrase: String =
                text[from..].iter().take(1 + draw.below(30)).map(|c| c.0).collect();
            let query: Query = format!("{}:\"{phrase}\"", layer.zh()).parse().unwrap();
            let show = Show { limit: 40, ..Show::default() };
            for answer in index.search(&query, Options::default()).unwrap().answers(&show).unwrap()
            {
                let passage = answer.locus.passage.as_ref();
                let span = Span::new(answer.bytes[0].start(), answer.bytes.last().unwrap().end());
                let own = library.get(&answer.document).unwrap();
                let place = own.source.place(span.start());
                assert_eq!((answer.line, answer.column), (place.line, place.column));
                let chars = answer
                    .bytes
                    .iter()
                    .map(|b| (own.source.char_of(b.start()), own.source.char_of(b.end())));
                assert_eq!(answer.spans, chars.collect::<Vec<_>>());
                assert_eq!(answer.words.as_deref(), Some(&*page_words(own, span)));
                if answer.layer == Layer::Translation {
                    let beads = library
                        .alignments
                        .iter()
                        .filter(|a| a.translation == answer.document)
                        .flat_map(|a| &a.beads);
                    let beads = beads.filter(|b| !b.source.is_empty());
                    let beads: Vec<&Bead> = beads
                        .filter(|b| b.translation.iter().any(|t| t.overlap(span) > 0))
                        .collect();
                    let source = Loci::of(library.get("yili-05-zhushu").unwrap());
                    match beads[..] {
                        [] => assert_eq!(passage, None, "{span:?}"),
                        [bead] if bead.translation.iter().any(|t| t.contains(span)) => {
                            let whole = Span::new(
                                bead.source[0].start(),
                                bead.source.last().unwrap().end(),
                            );
                            assert_eq!(passage, source.name(whole).as_ref());
                        }
                        _ => assert!(passage.is_some()),
                    }
                    rendered += 1;
                } else if answer.document == document.id {
                    assert_eq!(passage, loci.name(span).as_ref(), "{} at {span:?}", document.id);
                    cited += 1;
                    ranges += usize::from(passage.is_some_and(|p| p.to.is_some()));
                    inner += usize::from(
                        passage.is_some_and(|p| p.from.is_some_and(|f| f.inner > Some(1))),
                    );
                }
            }
        }
    }
    assert!(
        cited > 1000 && ranges > 50 && inner > 50 && rendered > 10,
        "{cited} {ranges} {inner} {rendered}"
    );
}

/// Another character that folds into the same, if there is one at hand.
fn variant(c: char, draw: &mut Draw) -> char {
    const ROWS: [&str; 12] = [
        "賓賔宾",
        "眾衆众",
        "云雲",
        "獲获",
        "筭算",
        "於于",
        "觶觯",
        "說説说",
        "為爲为",
        "髙高",
        "羣群",
        "畧略",
    ];
    let row = ROWS.iter().find(|r| r.chars().any(|v| fold(v) == c));
    let members: Vec<char> = row.map_or(vec![c], |r| r.chars().filter(|v| fold(*v) == c).collect());
    members[draw.below(members.len())]
}
