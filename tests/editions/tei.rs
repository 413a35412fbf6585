//! TEI: written and read back without loss, for any text and layers, also after processing by other
//! programs; valid against our schema and that of TEI P5; and one small golden file.
//!
//! `SNAPSHOTS=overwrite` rewrites the golden file. Tests that need `jing`, `xmllint` or the schema
//! of TEI say that they are skipped if these are missing; with `ZHUSHU_FORBID_SKIP=1` that is a
//! failure.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use zhushu::model::EvidenceKind;

use proptest::prelude::*;
use zhushu::corpus::{LayerChoice, Library, Punctuation};
use zhushu::model::*;
use zhushu::source::{Source, Span};
use zhushu::{diag::Diagnostic, pipeline, readers, writers};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub fn write(name: &str, document: &Document, library: &Library) -> Vec<u8> {
    let mut bytes = Vec::new();
    (writers::by_name(name).expect("writer").write)(document, library, &mut bytes)
        .expect("memory takes all");
    bytes
}

fn tei(document: &Document) -> String {
    let library = Library { documents: vec![Arc::new(document.clone())], ..Library::default() };
    String::from_utf8(write("tei", document, &library)).expect("TEI is UTF-8")
}

fn read(xml: &str) -> Document {
    readers::read(Source::from_text("t.xml", xml), None).unwrap_or_else(|e| panic!("{e}\n{xml}"))
}

/// Segments with certainties as in the file, to three decimals.
fn rounded(document: &Document) -> Vec<Segment> {
    document
        .segments
        .iter()
        .map(|s| Segment { certainty: Certainty::new(s.certainty.rounded()), ..s.clone() })
        .collect()
}

/// Everything that the file must restore.
fn assert_same(made: &Document, back: &Document) {
    assert_eq!(back.source.text(), made.source.text());
    assert_eq!(back.source.bytes(), made.source.bytes());
    assert_eq!(back.source.encoding(), made.source.encoding());
    assert_eq!(back.source.name(), made.source.name());
    assert_eq!(rounded(back), rounded(made));
    assert_eq!(back.meta, made.meta);
    assert_eq!(back.id, made.id);
    let warned: Vec<_> = back
        .diagnostics
        .iter()
        .filter(|d| ["source-differs", "tei-element"].contains(&&*d.code))
        .collect();
    assert!(warned.is_empty(), "{warned:?}");
    back.check().expect("promises kept");
}

/// Simulates the worst pretty printer: blanks on both sides of each tag, and at each blank within
/// text.
fn mangled(xml: &str) -> String {
    let (head, body) = xml.split_once("?>").expect("XML declaration");
    let mut out = format!("{head}?>");
    let mut rest = body;
    while let Some(at) = rest.find('<') {
        let end = at + rest[at..].find('>').expect("tags end");
        out.push_str(&rest[..at].replace(' ', "\n\t  "));
        out.push_str(&format!("\n  {} \n", &rest[at..=end]));
        rest = &rest[end + 1..];
    }
    out + rest
}

fn corpus() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("corpus")).expect("corpus");
    let mut files: Vec<_> = entries
        .map(|e| e.expect("entry").path())
        .filter(|p| p.extension().is_some_and(|e| e != "toml"))
        .collect();
    files.sort();
    assert!(files.len() >= 5, "the five sources are there");
    files
}

/// Reports that something was not tested; fails if that is forbidden.
fn skip(why: &str) {
    assert!(
        std::env::var_os("ZHUSHU_FORBID_SKIP").is_none(),
        "skipped, which is forbidden here: {why}"
    );
    eprintln!("SKIPPED: {why}");
}

fn has(program: &str, argument: &str) -> bool {
    Command::new(program).arg(argument).output().is_ok()
}

/// Schemas to validate against: ours, and that of TEI if it is beside the project.
fn schemas() -> Vec<PathBuf> {
    let mut schemas = vec![root().join("schema/zhushu.rng")];
    match root().join("../shared/schema/tei_all-4.12.0.rng") {
        tei if tei.exists() => schemas.push(tei),
        _ => skip("validation against tei_all: its schema is not here"),
    }
    schemas
}

fn jing(schema: &Path, file: &Path) -> Result<(), String> {
    let out = Command::new("jing").arg(schema).arg(file).output().expect("jing runs");
    if out.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&out.stdout).into_owned())
    }
}

#[test]
fn a_scholar_whose_words_are_reported_is_a_person() {
    let text = "二筭為純。純猶全也。耦陰陽。\n\n[疏]“二筭為純”。注“純猶”至“陰陽”。釋曰:熊氏雲:“陰陽對合之義。”\n";
    let library = pipeline::convert(Source::from_text("demo.txt", text), None).expect("a reader");
    let document = &library.documents[0];
    let xml = String::from_utf8(write("tei", document, &library)).expect("UTF-8");
    assert!(xml.contains("<persName key=\"熊氏(禮記義疏)\">熊氏</persName>"), "{xml}");
    assert_same(document, &read(&xml));
    for schema in schemas() {
        valid(&teixml::Schema::from_file(&schema).expect("a schema"), &xml);
    }
}

#[test]
fn every_source_of_the_corpus_comes_back_with_its_layers() {
    for path in corpus() {
        let bytes = std::fs::read(&path).expect("readable");
        let library =
            pipeline::convert(Source::decode(&path, bytes.clone(), None).expect("text"), None)
                .expect("a reader");
        let document = &library.documents[0];
        let xml = String::from_utf8(write("tei", document, &library)).expect("UTF-8");
        let repaired = LayerChoice { repaired: true, ..LayerChoice::default() }.of(&library);
        let both =
            String::from_utf8(write("tei", &repaired.documents[0], &repaired)).expect("UTF-8");
        assert_eq!(read(&both).source.text(), document.source.text(), "the source is in `sic`");
        assert_eq!(read(&both).readings, document.readings);
        for xml in [xml.clone(), mangled(&xml)] {
            let back = read(&xml);
            assert_same(document, &back);
            assert_eq!(back.readings, document.readings, "{}", path.display());
            assert_eq!(write("source", &back, &library), bytes, "{}", path.display());
            let again = pipeline::run(vec![back]);
            assert_eq!(
                rounded(&again.documents[0]),
                rounded(document),
                "passes leave settled layers alone"
            );
        }
    }
}

#[test]
fn what_another_witness_has_is_an_app_and_comes_back() {
    let text = "司射適堂西，命弟子設豐。弟子奉豐升。";
    let mut document = Document::new(Arc::new(Source::from_text("a.txt", text)), "test");
    document.segments = vec![Segment::marked(Layer::Jing, document.source.span())].into();
    let at = text.find("奉").expect("it is there");
    let readings = ["", "進豐"]
        .map(|reading| Reading {
            span: Span::new(at, at + "奉豐".len()),
            reading: reading.into(),
            kind: ReadingKind::Witness,
            certainty: Certainty::SURE,
            evidence: vec![Evidence::new(EvidenceKind::Witness, "b")].into(),
        })
        .to_vec();
    document.readings = readings.into();
    let xml = tei(&document);
    assert!(xml.contains("<app>") && xml.contains(">進豐</rdg></app>"), "{xml}");
    let back = read(&xml);
    assert_eq!(back.source.text(), text);
    let all = |d: &Document| -> Vec<_> {
        let mut all: Vec<_> =
            d.readings.iter().map(|r| (r.span, r.reading.clone(), r.kind)).collect();
        all.sort_by(|a, b| a.1.cmp(&b.1));
        all
    };
    assert_eq!(all(&back), all(&document));
    for schema in schemas() {
        valid(&teixml::Schema::from_file(&schema).expect("a schema"), &xml);
    }
}

#[test]
fn marks_of_a_transcription_are_choice_supplied_and_gap_and_come_back() {
    let text = "夫子曰：好美女（如）好茲（緇）衣，亞（惡）亞（惡）女（如）亞（惡）巷，則民咸服。【12】□□〈者〉[之]也，白〈百〉姓。\n";
    let library = pipeline::convert(Source::from_text("demo.txt", text), None).expect("a reader");
    let document = &library.documents[0];
    let xml = String::from_utf8(write("tei", document, &library)).expect("UTF-8");
    for piece in [
        "<choice><orig>女</orig><reg>如</reg></choice><fw type=\"mark\">（如）</fw>",
        "<choice><sic>白</sic><corr>百</corr></choice>",
        "<fw type=\"mark\">[</fw><supplied reason=\"lost\">之</supplied><fw type=\"mark\">]</fw>",
        "<fw type=\"mark\"><pb n=\"12\"/>【12】</fw>",
        "<gap reason=\"lost\" unit=\"character\" quantity=\"2\"><desc>□□</desc></gap>",
    ] {
        assert!(xml.contains(piece), "{piece}\n{xml}");
    }
    assert_same(document, &read(&xml));
    for schema in schemas() {
        valid(&teixml::Schema::from_file(&schema).expect("a schema"), &xml);
    }
    let repaired = LayerChoice { repaired: true, ..LayerChoice::default() }.of(&library);
    let edition = &repaired.documents[0];
    let words: String = edition.of_layer(Layer::Jing).map(|s| edition.words(s.span)).collect();
    assert!(words.starts_with("夫子曰：好美如好緇衣，惡惡如惡巷"), "{words}");
}

#[test]
fn supplied_punctuation_is_a_pc_and_debris_is_left_out() {
    let own = "主人就先生而謀賓介主人戒賓\u{1}賓拜辱主人荅拜乃請賓賓禮辭許主人坐扌兌手執爵興降洗南面坐奠爵于篚\n";
    let copy = "主人就先生而謀賓、介。主人戒賓，賓拜辱。主人荅拜，乃請賓，賓禮辭，許。主人坐挩手，執爵，興，降洗，南面坐奠爵于篚。\n";
    let named = |(name, text): (&str, &str)| {
        let mut document = Document::new(Arc::new(Source::from_text(name, text)), "test");
        document.meta.work = Some("儀禮".into());
        document.meta.chapter = Some("鄉飲酒禮".into());
        document.segments = vec![Segment::marked(Layer::Jing, document.source.span())].into();
        document
    };
    let library = pipeline::run([("a.txt", own), ("b.txt", copy)].map(named).to_vec());
    let choice = LayerChoice {
        repaired: true,
        punctuation: Punctuation::Supplied,
        ..LayerChoice::default()
    };
    let edition = choice.of(&library);
    assert!(edition.documents[0].source.text().starts_with("主人就先生而謀賓、介。主人戒賓，賓拜"));
    assert!(edition.documents[0].source.text().contains("挩手，執爵，興，降洗"));
    for (before, after) in library.documents.iter().zip(&edition.documents) {
        after.check().expect("a sound document");
        let xml = String::from_utf8(write("tei", after, &edition)).expect("UTF-8");
        assert_eq!(read(&xml).source.text(), before.source.text(), "the source is in `sic`");
        for schema in schemas() {
            valid(&teixml::Schema::from_file(&schema).expect("a schema"), &xml);
        }
        let supplied = xml.contains("<pc resp=\"#zhushu\">。</pc>");
        assert_eq!(supplied, before.id.starts_with('a'), "{xml}");
    }
}

#[test]
fn what_xmllint_makes_of_the_corpus_reads_the_same() {
    if !has("xmllint", "--version") {
        return skip("re-serialisation: there is no xmllint");
    }
    let folder = tempfile::tempdir().expect("a folder");
    for path in corpus() {
        let library = pipeline::convert(
            Source::decode(&path, std::fs::read(&path).expect("readable"), None).expect("text"),
            None,
        );
        let document = library.expect("a reader").documents[0].clone();
        let file = folder.path().join("t.xml");
        std::fs::write(&file, tei(&document)).expect("writable");
        for options in [&["--format"][..], &["--noblanks"], &["--c14n"], &["--encode", "UTF-16"]] {
            let out =
                Command::new("xmllint").args(options).arg(&file).output().expect("xmllint runs");
            assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
            let source = Source::decode("t.xml", out.stdout, None).expect("text");
            assert_same(&document, &readers::read(source, None).expect("TEI"));
        }
    }
}

#[test]
fn the_corpus_is_valid() {
    if !has("jing", "-v") {
        return skip("validation: there is no jing");
    }
    let folder = tempfile::tempdir().expect("a folder");
    for schema in schemas() {
        for path in corpus() {
            let library = pipeline::convert(
                Source::decode(&path, std::fs::read(&path).expect("readable"), None).expect("text"),
                None,
            );
            let library = library.expect("a reader");
            let file = folder.path().join("t.xml");
            std::fs::write(&file, write("tei", &library.documents[0], &library)).expect("writable");
            jing(&schema, &file)
                .unwrap_or_else(|e| panic!("{} against {}: {e}", path.display(), schema.display()));
        }
    }
}

/// Characters that have broken XML software before, mixed with plain ones.
fn word() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "\u{1}",
        "\u{0}",
        "\u{B}",
        "\u{1F}",
        "\u{7F}",
        "\u{85}",
        "\u{9F}",
        "\r\n",
        "\r",
        "\n",
        "\n\n",
        "\t",
        " ",
        "  ",
        "\u{3000}",
        "\u{A0}",
        "\u{FEFF}",
        "\u{FFFE}",
        "\u{FFFF}",
        "\u{FDD0}",
        "\u{1FFFF}",
        "\u{2028}",
        "\u{E000}",
        "\u{F8FF}",
        "\u{F0001}",
        "\u{10FFFD}",
        "&",
        "&amp;",
        "&KR0925;",
        "&CDP-8B7C;",
        "&KR0925",
        "&#x41;",
        "<",
        ">",
        "]]>",
        "<![CDATA[",
        "-->",
        "<lb/>",
        "</seg>",
        "\"",
        "'",
        "■",
        "●",
        "□",
        "𧰼",
        "\u{30000}",
        "葛\u{E0100}",
        "\u{E0100}",
        "。",
        "”",
        "“",
        "!",
        "雲",
        "a b",
        "a b c",
        "《大射》",
        "\u{202E}",
        "e\u{301}",
        "豈",
        "\u{FA0E}",
    ]);
    let plain = prop::collection::vec(
        prop::sample::select("眾賓繼射釋獲皆如初司所作唯上耦。,".chars().collect::<Vec<_>>()),
        1..6,
    );
    prop_oneof![odd.prop_map(str::to_string), plain.prop_map(|c| c.into_iter().collect::<String>())]
}

/// A segment to be made: layer, text, certainty.
fn piece() -> impl Strategy<Value = (Layer, String, u16)> {
    let layer = prop::sample::select(Layer::all().map(|i| i.layer).collect::<Vec<_>>());
    (layer, prop::collection::vec(word(), 1..5), 0u16..=1000)
        .prop_map(|(l, w, c)| (l, w.concat(), c))
}

fn from_pieces(pieces: &[(Layer, String, u16)]) -> Document {
    let text: String = pieces.iter().map(|(_, w, _)| w.as_str()).collect();
    let mut document = Document::new(Arc::new(Source::from_text("some text.txt", text)), "plain");
    let mut at = 0;
    for (layer, words, certainty) in pieces {
        let span = Span::new(at, at + words.len());
        at = span.end();
        document.segments.push(match certainty {
            900.. => Segment::marked(*layer, span),
            450.. => Segment::inferred(
                *layer,
                span,
                Certainty::new(f64::from(*certainty) / 1000.0),
                vec![Evidence::of(EvidenceKind::LemmaHeader)],
            ),
            _ => {
                let evidence = vec![
                    Evidence::of(EvidenceKind::Layout),
                    Evidence::new(
                        EvidenceKind::LanguageModel,
                        format!("{certainty} < & \"times\" likelier"),
                    ),
                ];
                Segment::inferred(
                    *layer,
                    span,
                    Certainty::new(f64::from(*certainty) / 1000.0),
                    evidence,
                )
            }
        });
    }
    document.number();
    document.meta.layers = vec![(
        Layer::Zhu,
        Commentator { key: "x1".into(), name: "鄭 玄".into(), period: None, inferred: None },
    )];
    document
}

/// Spans over a text from pairs of numbers.
fn spans(text: &str, pairs: &[(u16, u16)]) -> Vec<Span> {
    let bounds: Vec<usize> = text.char_indices().map(|(i, _)| i).chain([text.len()]).collect();
    let at = |n: u16| bounds[n as usize % bounds.len()];
    pairs.iter().map(|(a, b)| Span::new(at(*a).min(at(*b)), at(*a).max(at(*b)))).collect()
}

fn with_links(
    document: &mut Document,
    links: &[(u16, u16)],
    readings: &[(u16, u16)],
    divisions: &[(u16, u16)],
) {
    let text = document.source.text().to_string();
    let kinds = [
        LinkKind::Lemma,
        LinkKind::Quotation,
        LinkKind::Citation,
        LinkKind::Internal,
        LinkKind::Parallel,
    ];
    let all = spans(&text, links);
    for (i, span) in all.iter().enumerate() {
        let inner = spans(&text[span.range()], &[(i as u16 * 7, i as u16 * 3 + 1)])[0];
        let quoted = (i % 3 > 0)
            .then(|| Span::new(span.start() + inner.start(), span.start() + inner.end()));
        let target = (i % 4 > 0).then(|| Target {
            doc: (i % 4 == 2).then(|| "no such".into()),
            span: all[all.len() - 1 - i],
        });
        let (status, certainty, evidence) =
            (Status::Variant, Certainty::new(0.5), vec![Evidence::of(EvidenceKind::Words)]);
        let (kind, layer, work) =
            (kinds[i % 5], Layer::Shu, (i % 2 > 0).then(|| "儀禮・大射儀".to_string()));
        document.links.push(Link {
            kind,
            span: *span,
            quoted,
            layer,
            work: work.map(Into::into),
            target,
            alternatives: vec![].into(),
            status,
            certainty,
            evidence: evidence.into(),
        });
    }
    let mut last = 0;
    for span in spans(&text, readings).into_iter().filter(|s| s.len() < 12) {
        let (kind, certainty) = if span.start() % 2 == 0 {
            (ReadingKind::Repair, 0.9)
        } else {
            (ReadingKind::Variant, 1.0)
        };
        if span.start() >= last {
            last = span.end() + 1;
            let evidence = vec![Evidence::new(EvidenceKind::Context, "by its neighbours")];
            document.readings.push(Reading {
                span,
                reading: "云 \u{E000}<".into(),
                kind,
                certainty: Certainty::new(certainty),
                evidence: evidence.into(),
            });
        }
    }
    let mut starts: Vec<usize> = spans(&text, divisions).iter().map(|s| s.start()).collect();
    starts.sort_unstable();
    starts.dedup();
    for (n, start) in starts.iter().enumerate() {
        let end = starts.get(n + 1).copied().unwrap_or(text.len());
        let title = (n % 2 == 0).then(|| "戒百官".to_string());
        let (span, certainty) = (Span::new(*start, end), Certainty::new(0.8));
        document.divisions.push(Division {
            n: n as u32 + 1,
            title,
            span,
            certainty,
            evidence: vec![Evidence::of(EvidenceKind::from("label"))],
        });
    }
}

/// Our schema, in-process.
fn valid(schema: &teixml::Schema, xml: &str) {
    let complaints = schema.validate_str(xml).unwrap_or_else(|e| panic!("{e}\n{xml}"));
    assert!(complaints.is_empty(), "{}\n{xml}", complaints[0]);
}

/// The same texts in each run.
fn config(cases: u32) -> ProptestConfig {
    let rng_seed = proptest::test_runner::RngSeed::Fixed(20_261_120);
    ProptestConfig { cases, failure_persistence: None, rng_seed, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn any_text_in_any_layers_comes_back(pieces in prop::collection::vec(piece(), 1..12)) {
        let document = from_pieces(&pieces);
        prop_assume!(!document.source.text().chars().all(char::is_whitespace));
        let xml = tei(&document);
        for xml in [xml.clone(), mangled(&xml)] {
            let back = readers::by_name("tei").expect("reader");
            let back = (back.read)(Source::from_text("t.xml", xml.as_str())).expect("our TEI");
            assert_same(&document, &back);
        }
    }
}

#[test]
fn any_layers_links_readings_and_sections_are_valid_and_come_back() {
    let (found, tried) = (std::cell::Cell::new(0), std::cell::Cell::new(0));
    let schemas: Vec<_> =
        schemas().iter().map(|s| teixml::Schema::from_file(s).expect("a schema")).collect();
    let pairs = || prop::collection::vec((any::<u16>(), any::<u16>()), 0..8);
    let mut runner = proptest::test_runner::TestRunner::new(config(200));
    let strategy = (prop::collection::vec(piece(), 1..14), pairs(), pairs(), pairs());
    let result = runner.run(&strategy, |(pieces, links, readings, divisions)| {
        let mut document = from_pieces(&pieces);
        with_links(&mut document, &links, &readings, &divisions);
        document.diagnostics.push(
            Diagnostic::warning("odd", Span::new(0, 0), "odd <text> here").hint("look & see"),
        );
        let xml = tei(&document);
        tried.set(tried.get() + 1);
        // The schema of TEI is large: every fifth document is enough.
        for schema in schemas.iter().take(if tried.get() % 5 == 0 { 2 } else { 1 }) {
            valid(schema, &xml);
        }
        let back = (readers::by_name("tei").expect("reader").read)(Source::from_text(
            "t.xml",
            mangled(&xml),
        ))
        .expect("our TEI");
        assert_same(&document, &back);
        for reading in &back.readings {
            prop_assert!(document.readings.contains(reading), "{reading:?}");
        }
        let loose = xml.matches("<note type=\"reading\">").count();
        prop_assert_eq!(back.readings.len() + loose, document.readings.len());
        found.set(found.get() + back.readings.len());
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
    assert!(found.get() > 20, "readings were tried");
}

/// A small document with something of everything.
fn golden() -> (Document, Library) {
    let text = "卒射第一\n二筭為純。純猶全也。耦陰陽。(案脫也字)\r\n[疏]“二筭為純”。注“純猶”至“陰陽”。釋曰:雲“純猶全也”者,案《大射》雲“司射 命”。\n右數獲\n\u{1}&KR0925;\u{E000}●一純。\n";
    let mut document = Document::new(Arc::new(Source::from_text("demo.txt", text)), "zhushu");
    let find = |words: &str| {
        text.find(words).map(|i| Span::new(i, i + words.len())).expect("words of the text")
    };
    let sure = |layer, words: &str| Segment::marked(layer, find(words));
    let mut zhu = sure(Layer::Zhu, "純猶全也。耦陰陽。");
    (zhu.certainty, zhu.evidence) = (
        Certainty::new(0.98),
        SharedList::from([
            Evidence::of(EvidenceKind::LemmaHeader),
            Evidence::new(EvidenceKind::LanguageModel, "3 times likelier as 注"),
        ]),
    );
    document.segments = vec![
        sure(Layer::Heading, "卒射第一"),
        sure(Layer::Blank, "\n"),
        sure(Layer::Jing, "二筭為純。"),
        zhu,
        sure(Layer::An, "(案脫也字)"),
        sure(Layer::Blank, "\r\n"),
        sure(Layer::Mark, "[疏]"),
        sure(Layer::ShuHeader, "“二筭為純”。注“純猶”至“陰陽”。"),
        sure(Layer::Shu, "釋曰:雲“純猶全也”者,案《大射》雲“司射 命”。"),
        Segment::marked(Layer::Blank, Span::new(find("\n右").start(), find("\n右").start() + 1)),
        sure(Layer::Label, "右數獲"),
        Segment::marked(
            Layer::Blank,
            Span::new(find("\n\u{1}").start(), find("\n\u{1}").start() + 1),
        ),
        sure(Layer::Jing, "\u{1}&KR0925;\u{E000}●一純。"),
        Segment::marked(Layer::Blank, Span::new(text.len() - 1, text.len())),
    ]
    .into();
    document.number();
    let link = |kind, span, quoted: Option<Span>, to: Option<Span>, status| Link {
        kind,
        span,
        quoted,
        layer: Layer::Shu,
        work: (kind == LinkKind::Citation).then(|| "儀禮・大射儀".into()),
        target: to.map(|span| Target { doc: None, span }),
        alternatives: vec![].into(),
        status,
        certainty: Certainty::new(0.9),
        evidence: vec![Evidence::of(EvidenceKind::Words)].into(),
    };
    document.links = vec![
        link(LinkKind::Lemma, find("“二筭為純”"), None, Some(find("二筭為純。")), Status::Exact),
        link(
            LinkKind::Lemma,
            find("“純猶”至“陰陽”"),
            None,
            Some(find("純猶全也。耦陰陽。")),
            Status::Range,
        ),
        link(
            LinkKind::Quotation,
            find("雲“純猶全也”者"),
            Some(Span::new(find("“純猶全也”").start() + 3, find("“純猶全也”").end() - 3)),
            Some(find("純猶全也。")),
            Status::Exact,
        ),
        link(
            LinkKind::Citation,
            find("《大射》雲“司射 命”"),
            Some(find("司射 命")),
            None,
            Status::Unresolved,
        ),
        link(LinkKind::Quotation, find("命”。"), None, None, Status::Unresolved),
    ]
    .into();
    let repair = |at: usize| Reading {
        span: Span::new(at, at + 3),
        reading: "云".into(),
        kind: ReadingKind::Repair,
        certainty: Certainty::new(0.97),
        evidence: vec![Evidence::new(EvidenceKind::Context, "before a quotation")].into(),
    };
    document.readings = vec![repair(find("雲“純").start())].into();
    let (n, title, certainty) = (1, Some("數獲".to_string()), Certainty::new(0.9));
    document.divisions = vec![Division {
        n,
        title,
        span: Span::new(find("二筭為純。").start(), find("\u{1}").start()),
        certainty,
        evidence: vec![Evidence::of(EvidenceKind::from("label"))],
    }]
    .into();
    document.diagnostics = vec![
        Diagnostic::warning("lost-character", find("●"), "● represents a character")
            .hint("compare another witness"),
    ]
    .into();
    let who = |key: &str, name: &str, period: &str| Commentator {
        key: key.into(),
        name: name.into(),
        period: Some(period.into()),
        inferred: None,
    };
    document.meta = Meta {
        first_section: None,
        title: "儀禮注疏・鄉射禮".into(),
        work: Some("儀禮".into()),
        work_key: Some("yili".into()),
        chapter: Some("鄉射禮".into()),
        number: Some(5),
        group: Some("嘉禮・射".into()),
        byline: None,
        role: Role::Witness,
        siglum: Some("A".into()),
        edition: Some("made by hand".into()),
        editors: vec!["刻者".into(), "印者".into()],
        date: Some("嘉慶二十年 (1815)".into()),
        origin: Some("the tests".into()),
        rights: Some("public domain".into()),
        language: "lzh-Hant".into(),
        layers: vec![
            (Layer::Zhu, who("zhengxuan", "鄭玄", "東漢")),
            (Layer::Shu, who("jiagongyan", "賈公彥", "唐")),
        ],
        translates: vec![],
        images: vec![],
        collection: Collection {
            title: Some("十三經".into()),
            editors: vec!["校者".into()],
            licence: Some("CC0-1.0".into()),
            date: Some("2026-11-21".into()),
            ..Collection::default()
        },
    };
    let mut translation =
        Document::new(Arc::new(Source::from_text("jinyi.txt", "兩根算籌為一純。無。")), "plain");
    translation.segments =
        vec![Segment::marked(Layer::Translation, translation.source.span())].into();
    translation.number();
    let bead = |source: Vec<Span>, from: usize, to: usize| Bead {
        source,
        translation: vec![Span::new(from, to)],
        certainty: Certainty::new(0.9),
        evidence: vec![],
    };
    let beads = vec![bead(vec![find("二筭為純。")], 0, 24), bead(vec![], 24, 30)];
    let alignment = Alignment {
        source: document.id.clone(),
        translation: translation.id.clone(),
        grain: Default::default(),
        beads,
    };
    let library = Library {
        documents: vec![Arc::new(document.clone()), Arc::new(translation)],
        alignments: vec![alignment],
        ..Library::default()
    };
    (document, library)
}

#[test]
fn a_dictionary_of_glosses_is_valid() {
    let files =
        crate::support::editions::files(&crate::support::editions::small(), "tei-dictionary");
    let xml = String::from_utf8(files[0].1.clone()).expect("UTF-8");
    assert!(xml.contains("<orth>純</orth>") && xml.contains("<def>全</def>"), "{xml}");
    // Our schema is for editions.
    for schema in schemas().iter().skip(1) {
        valid(&teixml::Schema::from_file(schema).expect("a schema"), &xml);
    }
}

#[test]
fn the_golden_file_is_what_is_written_and_is_valid() {
    let (document, library) = golden();
    document.check().expect("promises kept");
    let xml = String::from_utf8(write("tei", &document, &library)).expect("UTF-8");
    for schema in schemas() {
        valid(&teixml::Schema::from_file(schema).expect("a schema"), &xml);
    }
    let back = read(&xml);
    assert_same(&document, &back);
    assert_eq!(
        (&back.readings[0].reading, back.readings[0].span),
        (&document.readings[0].reading, document.readings[0].span)
    );
    assert_eq!(back.readings[0].evidence, document.readings[0].evidence);
    assert_eq!(
        (back.divisions[0].span, &back.divisions[0].title),
        (document.divisions[0].span, &document.divisions[0].title)
    );
    let golden = root().join("tests/golden/tei.xml");
    if std::env::var("SNAPSHOTS").is_ok_and(|v| v == "overwrite") {
        std::fs::write(&golden, &xml).expect("writable");
    }
    assert_eq!(
        xml,
        std::fs::read_to_string(golden).expect("golden file"),
        "if this is as it should be: SNAPSHOTS=overwrite cargo test"
    );
}

#[test]
fn bytes_come_back_in_their_own_encoding() {
    let schemas: Vec<_> =
        schemas().iter().map(|s| teixml::Schema::from_file(s).expect("a schema")).collect();
    let utf16: Vec<u8> =
        "\u{FEFF}二筭為純\r\n𧰼".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let gb18030 = b"\xB6\xFE\xCB\xE3 \xCE\xAA\r\n\xB4\xBF".to_vec();
    let damaged = [
        (&b"\xB6\xFE\xFF\xCB\xE3\x80\xA2\xE3\0\x01\r\xC2\xB4\xBF\xB5"[..], "gb18030"),
        (b"\xFF\x88\x62\x88\x64\xA4\xA4\xF9\xE9 \xF9\xFE", "big5"),
        (b"\xE4\xBA\x8C\xE7\xAD\xC2\x85 \xFF \xEF\xBF\xBD\xFF", "utf-8"),
        ("釋獲\r\r皆如初\r".as_bytes(), "utf-8"),
        (b"\xB6\xFE\r\xFF\xCB\xE3\r\x80", "gb18030"),
        (b"\x8C\x4E\0\xD8\x8C\x4E\0\xDC\n\0\x8C", "utf-16le"),
        (b"\xFF\xFE\0\0\x8C\x4E\0\0\0\xD8\0\0\n\0\0\0\x8C", "utf-32le"),
        (b"~{6~Kc~} a~~\n~{N*\xFF~}~{4?~}\n~{6~\n~}", "hz"),
        (b"\x1B$BFs\x1B(B\r\n\x1B$@Fs\x1B(J\\\xFF\n", "iso-2022-jp"),
        (b"\x93\xF1\x8EZ\x88\xD7\xFF\x8F\x83 \xB1", "shift_jis"),
        (b"\xC6\xF3\xBB\xBB\x8F\xB0\xA1\xFF", "euc-jp"),
        ("ä\u{BA}\u{8C} é·二 ç\u{AD}\n€".as_bytes(), "utf-8-twice-latin1"),
        ("浜岀 浜�\n二".as_bytes(), "utf-8-twice-gbk"),
    ];
    let damaged = damaged.map(|(bytes, label)| (bytes.to_vec(), Some(label)));
    for (bytes, label) in [(utf16, None), (gb18030, Some("gb18030"))].into_iter().chain(damaged) {
        let source = Source::decode("old  name.txt", bytes.clone(), label).expect("decodes");
        let mut document = Document::new(Arc::new(source), "plain");
        document.meta.title = "words of ours keep no double blanks".into();
        document.segments = vec![Segment::marked(Layer::Undivided, document.source.span())].into();
        document.number();
        let xml = tei(&document);
        schemas.iter().for_each(|schema| valid(schema, &xml));
        let back = read(&xml);
        assert_same(&document, &back);
        assert_eq!(write("source", &back, &Library::default()), bytes);
    }
}

#[test]
fn edited_broken_and_foreign_tei_is_distinguished() {
    let (document, _) = golden();
    let xml = tei(&document);
    let fails = |xml: &str| {
        readers::read(Source::from_text("t.xml", xml), None).expect_err("cannot be read")
    };
    let edited =
        read(&xml.replace("純猶</bibl>", "").replace("耦陰陽。</note>", "耦陰陽也。</note>"));
    let warned = edited.diagnostics.iter().find(|d| d.code == "source-differs").expect("a warning");
    assert!(warned.message.contains("1 characters more"), "{}", warned.message);
    assert!(edited.source.text().contains("耦陰陽也。"));
    let line = xml.lines().position(|l| l.contains("耦陰陽。</note>")).expect("line") + 1;
    let broken = fails(&xml.replace("耦陰陽。</note>", "耦陰陽。</nota>"));
    assert_eq!(broken.place.map(|p| p.line), Some(line), "{broken}");
    assert!(broken.place.is_some_and(|p| p.column > 1));
    assert!(fails(&xml.replace("耦陰陽", "&nbsp;")).message.contains("nbsp"));
    assert!(
        fails(&xml[..xml.len() - 8]).message.contains("ends"),
        "{}",
        fails(&xml[..xml.len() - 8])
    );
    let other = xml.replace("ident=\"zhushu\"", "ident=\"other\"");
    let refused = readers::read(Source::from_text("t.xml", other.as_str()), Some("tei"));
    assert!(refused.expect_err("is not ours").message.contains("not written by zhushu"));
    let lenient = readers::read(Source::from_text("t.xml", other), None).expect("is read");
    assert_eq!((&*lenient.reader, lenient.settled), ("xml", false));
    assert!(fails(&xml.replace(">UTF-8<", ">Big5<")).message.contains("Big5"));
}

#[test]
fn the_schema_refuses_what_is_not_written() {
    let xml = std::fs::read_to_string(root().join("tests/golden/tei.xml")).expect("golden file");
    let path = root().join("schema/zhushu.rng");
    let schema = teixml::Schema::from_file(&path).expect("a schema");
    let folder = tempfile::tempdir().expect("a folder");
    let spoilt = [
        ("<lb/>", "<lb n=\"1\"/>"),
        ("type=\"zhu\"", "type=\"anmerkung\""),
        ("cert=\"0.98\"", "cert=\"1.5\""),
        ("<p><fw", "<p>words<fw"),
        ("xml:id=\"z1\"", "xml:id=\"x1\""),
        (
            "<trailer type=\"label\" xml:id=\"b1\">右數獲</trailer>",
            "<ab type=\"other\" xml:id=\"b1\">右數獲</ab>",
        ),
        ("<standOff>", "<standOff/><standOff>"),
        (" resp=\"#zhushu\"", ""),
    ];
    valid(&schema, &xml);
    for (from, to) in spoilt {
        let bad = xml.replacen(from, to, 1);
        assert_ne!(bad, xml, "{from} is in the golden file");
        assert!(!schema.validate_str(&bad).expect("well-formed").is_empty(), "{to} is let through");
        if has("jing", "-v") {
            let file = folder.path().join("bad.xml");
            std::fs::write(&file, bad).expect("writable");
            assert!(jing(&path, &file).is_err(), "jing lets {to} through");
        }
    }
}
