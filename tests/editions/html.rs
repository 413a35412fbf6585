//! The reading page, checked by an XML parser and for its content.
//!
//! The pages are HTML that is XML as well, so quick-xml can check them. Golden page:
//! `tests/golden/small.html`, rewritten by `SNAPSHOTS=overwrite cargo test --test editions`.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;
use zhushu::model::EvidenceKind;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zhushu::corpus::Library;
use zhushu::model::*;
use zhushu::source::{Source, Span};
use zhushu::{site, writers};

use crate::support::corpus::library;

/// What a parser finds on a page.
#[derive(Default)]
struct Seen {
    ids: Vec<String>,
    hrefs: Vec<String>,
    popovers: Vec<String>,
    attributes: BTreeSet<String>,
    /// Text of the elements that contain text of the page's source.
    source_text: String,
    /// All text outside style and script.
    text: String,
}

/// Reads a page; panics where it is not well-formed.
fn see(page: &str) -> Seen {
    let mut reader = Reader::from_str(page);
    let mut seen = Seen::default();
    let mut open: Vec<(String, bool)> = Vec::new();
    loop {
        match reader.read_event().expect("the page is well-formed") {
            Event::Eof => break,
            Event::Start(e) => {
                let holds = seen.tag(&e);
                let inside = open.last().is_some_and(|(_, inside)| *inside);
                open.push((name(&e), holds || inside));
            }
            Event::Empty(e) => {
                seen.tag(&e);
            }
            Event::End(_) => {
                open.pop();
            }
            Event::Text(t) => seen.take(&open, &t),
            Event::GeneralRef(r) => {
                let named = match &*r {
                    "amp" => '&',
                    "lt" => '<',
                    "gt" => '>',
                    "quot" => '"',
                    "#39" => '\'',
                    other => panic!("&{other}; is not one of our entities"),
                };
                seen.take(&open, &named.to_string());
            }
            Event::CData(_) | Event::Comment(_) | Event::PI(_) => {
                panic!("the page has only elements and text")
            }
            _ => {}
        }
    }
    assert!(open.is_empty());
    seen
}

fn name(e: &BytesStart<'_>) -> String {
    e.name().as_ref().to_string()
}

impl Seen {
    /// Records a tag; true if it contains text of the source.
    fn tag(&mut self, e: &BytesStart<'_>) -> bool {
        let mut holds = false;
        for a in e.attributes() {
            let a = a.expect("attributes are sound and each is given once");
            let key = a.key.as_ref().to_string();
            let value = quick_xml::escape::unescape(&a.value).unwrap().into_owned();
            match key.as_str() {
                "id" => self.ids.push(value),
                "href" => self.hrefs.push(value),
                "popovertarget" => self.popovers.push(value),
                "data-l" => holds = true,
                _ => {}
            }
            self.attributes.insert(key);
        }
        holds
    }

    fn take(&mut self, open: &[(String, bool)], words: &str) {
        if open.iter().any(|(n, _)| n == "style" || n == "script") {
            return;
        }
        self.text.push_str(words);
        if open.last().is_some_and(|(_, inside)| *inside) {
            self.source_text.push_str(words);
        }
    }
}

fn page(document: &Document, library: &Library) -> String {
    let mut out = Vec::new();
    (writers::by_name("html").unwrap().write)(document, library, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Well-formed, ids unique, every address on the page has a target, all text of the source is there
/// in order.
fn assert_sound(document: &Document, library: &Library) -> Seen {
    let seen = see(&page(document, library));
    let ids: HashSet<&str> = seen.ids.iter().map(String::as_str).collect();
    assert_eq!(ids.len(), seen.ids.len(), "{}: an id is given twice", document.id);
    for href in seen.hrefs.iter().filter_map(|h| h.strip_prefix('#')) {
        assert!(ids.contains(href), "{}: #{href} leads nowhere", document.id);
    }
    assert!(seen.popovers.iter().all(|p| ids.contains(p.as_str())));
    let shown: String = document
        .segments
        .iter()
        .filter(|s| s.layer.is_text())
        .map(|s| document.slice(s.span))
        .collect();
    assert_eq!(squeeze(&seen.source_text), squeeze(&shown), "{}: words lost or moved", document.id);
    seen
}

/// A document of these layers.
fn document(id: &str, pieces: &[(Layer, &str)]) -> Document {
    let text: String = pieces.iter().map(|(_, w)| *w).collect();
    let mut d = Document::new(Arc::new(Source::from_text(format!("{id}.txt"), text)), "test");
    let mut at = 0;
    for (layer, words) in pieces {
        d.segments.push(Segment::marked(*layer, Span::new(at, at + words.len())));
        at += words.len();
    }
    d.number();
    d.check().unwrap();
    d
}

/// The first occurrence of some words.
fn find(d: &Document, words: &str) -> Span {
    let at = d.source.text().find(words).unwrap();
    Span::new(at, at + words.len())
}

fn link(d: &Document, kind: LinkKind, words: &str, target: Option<Target>, certainty: f64) -> Link {
    let status = if target.is_some() { Status::Exact } else { Status::Unresolved };
    let evidence = vec![Evidence::new(EvidenceKind::Words, "two of three")];
    Link {
        kind,
        span: find(d, words),
        quoted: None,
        layer: Layer::Shu,
        work: None,
        target,
        alternatives: vec![].into(),
        status,
        certainty: Certainty::new(certainty),
        evidence: evidence.into(),
    }
}

/// A classic with everything a page can show, its translation, and their alignment.
fn small() -> Library {
    let mut classic = document(
        "small",
        &[
            (Layer::Heading, "鄉射禮"),
            (Layer::Blank, "\n"),
            (Layer::Jing, "卒射。降,"),
            (Layer::Zhu, "降,下也。"),
            (Layer::Jing, "反位。"),
            (Layer::Zhu, "俟數也。"),
            (Layer::An, "(案今本脱)"),
            (Layer::Zhu, "■射&KR0925;。"),
            (Layer::Blank, "\n\n"),
            (Layer::Mark, "[疏]"),
            (Layer::ShuHeader, "“卒射”。"),
            (Layer::Shu, "釋曰:雲“反位”者,《國語》文。"),
            (Layer::Blank, "\n\n"),
            (Layer::Jing, "坐委餘獲。"),
            (Layer::Label, "右取矢"),
            (Layer::Blank, "\n"),
            (Layer::Furniture, "關燈"),
        ],
    );
    classic.meta.title = "小書・鄉射禮".into();
    classic.meta.layers.push((
        Layer::Zhu,
        Commentator {
            key: "zhengxuan".into(),
            name: "鄭玄".into(),
            period: Some("東漢".into()),
            ..Commentator::default()
        },
    ));
    classic.segments[5].certainty = Certainty::new(0.6);
    classic.segments[5].evidence = [Evidence::of(EvidenceKind::LemmaHeader)].into();
    let start = classic.segments[2].span.start();
    let (last, end) = (classic.segments[13].span.start(), classic.source.text().len());
    for (n, title, from, to) in [(1, Some("取矢"), start, last), (2, None, last, end)] {
        let evidence = vec![Evidence::of(EvidenceKind::SectionLabel)];
        classic.divisions.push(Division {
            n,
            title: title.map(String::from),
            span: Span::new(from, to),
            certainty: Certainty::new(0.95),
            evidence,
        });
    }
    let here = |words| Some(Target { doc: None, span: find(&classic, words) });
    let mut links = vec![
        link(&classic, LinkKind::Lemma, "“卒射”", here("卒射"), 0.99),
        link(&classic, LinkKind::Citation, "《國語》", None, 0.3),
        link(&classic, LinkKind::Quotation, "雲“反位”", here("反位"), 0.7),
        link(&classic, LinkKind::Citation, "反位”者,《國", here("坐委餘獲"), 0.95),
    ];
    links[3].target = Some(Target { doc: Some("other".into()), span: Span::new(0, 6) });
    classic.links = links.into();
    let reading = Reading {
        span: find(&classic, "雲"),
        reading: "云".into(),
        kind: ReadingKind::Repair,
        certainty: Certainty::new(0.98),
        evidence: vec![Evidence::of(EvidenceKind::Words)].into(),
    };
    classic.readings.push(reading);
    let mut other = document("other", &[(Layer::Jing, "坐委。卒射。")]);
    let parallel = link(&other, LinkKind::Parallel, "卒射", None, 1.0);
    other.links.push(Link {
        target: Some(Target { doc: Some("small".into()), span: find(&classic, "卒射") }),
        ..parallel
    });
    let mut translation =
        document("fanyi", &[(Layer::Translation, "射畢。下堂,返歸其位。多出一句。又坐下。")]);
    translation.meta.role = Role::Translation;
    translation.meta.language = "zh-Hant".into();
    let bead = |a: &[&str], b: &[&str], certainty| Bead {
        source: a.iter().map(|w| find(&classic, w)).collect(),
        translation: b.iter().map(|w| find(&translation, w)).collect(),
        certainty: Certainty::new(certainty),
        evidence: vec![Evidence::of(EvidenceKind::Order)],
    };
    let beads = vec![
        bead(&["卒射。"], &["射畢。"], 0.98),
        bead(&["降,", "反位。"], &["下堂,返歸其位。"], 0.7),
        bead(&[], &["多出一句。"], 0.9),
        bead(&["坐委餘獲。"], &["又坐下。"], 0.99),
    ];
    let alignments = vec![Alignment {
        source: "small".into(),
        translation: "fanyi".into(),
        grain: Default::default(),
        beads,
    }];
    Library {
        documents: vec![Arc::new(classic), Arc::new(other), Arc::new(translation)],
        alignments,
        ..Library::default()
    }
}

#[test]
fn a_page_with_everything_is_sound() {
    let library = small();
    for d in &library.documents {
        assert_sound(d, &library);
    }
    let seen = assert_sound(&library.documents[0], &library);
    for id in ["x1.1", "x1.2", "x2.1", "z1", "h1", "s1", "d1", "d2", "r2", "n2", "x1.1-in"] {
        assert!(seen.ids.iter().any(|i| i == id), "no {id}");
    }
    assert!(seen.hrefs.iter().any(|h| h == "other.html?w=x1.1:0-x1.1:2#x1.1"));
    assert!(seen.text.contains("多出一句。") && seen.text.contains("關燈"));
    assert!(!seen.source_text.contains("關燈"));
}

#[test]
fn the_golden_page() {
    let library = small();
    let page = page(&library.documents[0], &library);
    // Style and scripts have their own files, and the policy has their hashes.
    let body = &page[page.find("<body").unwrap()..page.rfind("<script>").unwrap()];
    let (before, after) = body.split_once("<script>").unwrap();
    let body = [before, after.split_once("</script>").unwrap().1].concat();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/small.html");
    if std::env::var("SNAPSHOTS").is_ok_and(|v| v == "overwrite") {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &body).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    for (n, (a, b)) in body.lines().zip(golden.lines()).enumerate() {
        assert_eq!(a, b, "line {} of {} (SNAPSHOTS=overwrite rewrites it)", n + 1, path.display());
    }
    assert_eq!(body.len(), golden.len());
}

#[test]
fn hostile_words_come_out_as_words() {
    const EVIL: &str = "<script>alert(1)</script>\" onload='x' --><!-- ]]> &lt; \u{202E}\u{200B}\u{1}javascript:alert(1) 射。";
    let mut d = document(
        "evil",
        &[
            (Layer::Heading, EVIL),
            (Layer::Jing, EVIL),
            (Layer::Zhu, EVIL),
            (Layer::ShuHeader, EVIL),
            (Layer::Shu, EVIL),
            (Layer::Furniture, EVIL),
        ],
    );
    d.id = "../javascript:alert(1)//".into();
    let evil = || EVIL.to_string();
    d.meta = Meta {
        title: evil(),
        work: Some(evil()),
        edition: Some(evil()),
        rights: Some(evil()),
        language: evil(),
        ..d.meta.clone()
    };
    d.meta.layers.push((
        Layer::Zhu,
        Commentator { key: evil(), name: evil(), period: Some(evil()), inferred: None },
    ));
    d.diagnostics
        .push(zhushu::diag::Diagnostic::warning("evil", d.segments[1].span, EVIL).hint(EVIL));
    d.segments[2].certainty = Certainty::new(0.5);
    d.segments[2].evidence = [Evidence::new(EvidenceKind::from("evil"), EVIL)].into();
    let mut hostile = link(
        &d,
        LinkKind::Citation,
        "javascript",
        Some(Target { doc: Some("../javascript:alert(1)//x".into()), span: Span::new(0, 8) }),
        0.5,
    );
    hostile.work = Some(evil().into());
    d.links = vec![
        hostile.clone(),
        Link { target: Some(Target { doc: None, span: d.segments[3].span }), ..hostile },
    ]
    .into();
    let span = find(&d, "射");
    d.readings.push(Reading {
        span,
        reading: evil().into(),
        kind: ReadingKind::Repair,
        certainty: Certainty::new(0.5),
        evidence: vec![Evidence::of(EvidenceKind::from("x"))].into(),
    });
    d.divisions.push(Division {
        n: 1,
        title: Some(evil()),
        span: d.source.span(),
        certainty: Certainty::new(0.5),
        evidence: vec![Evidence::of(EvidenceKind::from("x"))],
    });
    let library = Library { documents: vec![Arc::new(d)], ..Library::default() };
    let page = page(&library.documents[0], &library);
    let seen = see(&page);
    let shown = squeeze(EVIL).replace('\u{1}', "\u{FFFD}");
    assert_eq!(squeeze(&seen.source_text), shown.repeat(5));
    assert_eq!(page.matches("<script").count(), 2, "the page's own and no other");
    assert!(!seen.attributes.iter().any(|a| a.starts_with("on") || a == "style" || a == "src"));
    let safe = |h: &String| {
        h.starts_with('#') || h.starts_with("..%2Fjavascript%3A") || h.starts_with("index.")
    };
    assert!(seen.hrefs.iter().all(safe), "{:?}", seen.hrefs);
    for (name, write) in site::GENERAL {
        let title = site::Title { title: Some(EVIL), editors: &[evil()], licence: Some(EVIL) };
        let mut pages = 0;
        let mut take = |_: &str, page: &[u8]| {
            let general = String::from_utf8(page.to_vec()).unwrap();
            assert!(see(&general).hrefs.iter().all(safe), "{name}");
            // Its state, the words of its language, and what it does.
            assert_eq!(general.matches("<script").count(), 3, "{name}");
            pages += 1;
            Ok(())
        };
        write(&library, title, &mut take).unwrap();
        assert!(pages > 0, "{name}");
    }
}

#[test]
fn overlapping_links_and_readings_anywhere_leave_a_sound_page() {
    let pieces = [
        (Layer::Jing, "一二。三四。"),
        (Layer::Blank, "\n"),
        (Layer::Zhu, "五六七八"),
        (Layer::Mark, "○"),
        (Layer::Shu, "九十。甲乙。"),
        (Layer::Blank, "\n"),
    ];
    let plain = document("overlap", &pieces);
    let borders: Vec<usize> = plain
        .source
        .text()
        .char_indices()
        .map(|(i, _)| i)
        .chain([plain.source.text().len()])
        .collect();
    // A small random generator: the same spans on every machine.
    let mut state = 7u32;
    let mut next = |n: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize % n
    };
    for _ in 0..200 {
        let mut d = plain.clone();
        let mut span = || {
            let (a, b) = (borders[next(borders.len())], borders[next(borders.len())]);
            Span::new(a.min(b), a.max(b))
        };
        for kind in [
            LinkKind::Lemma,
            LinkKind::Quotation,
            LinkKind::Citation,
            LinkKind::Internal,
            LinkKind::Parallel,
        ] {
            let target = span();
            let target = (target.len() > 6).then_some(Target { doc: None, span: target });
            let quoted = Some(span());
            d.links.push(Link {
                span: span(),
                quoted,
                target,
                ..link(&plain, kind, "一", None, 0.5)
            });
        }
        let reading = |span| Reading {
            span,
            reading: "讀".into(),
            kind: ReadingKind::Variant,
            certainty: Certainty::SURE,
            evidence: vec![].into(),
        };
        d.readings = vec![reading(span()), reading(span())].into();
        let cut = span();
        if !cut.is_empty() {
            d.divisions = vec![Division {
                n: 1,
                title: None,
                span: cut,
                certainty: Certainty::SURE,
                evidence: vec![],
            }]
            .into();
        }
        let library = Library { documents: vec![Arc::new(d)], ..Library::default() };
        assert_sound(&library.documents[0], &library);
    }
}

#[test]
fn the_bundled_corpus_gives_sound_pages() {
    let library = library();
    for d in &library.documents {
        let seen = assert_sound(d, library);
        let beads = library.alignments.iter().any(|a| a.source == d.id || a.translation == d.id);
        assert_eq!(seen.attributes.contains("data-b"), beads, "{}", d.id);
    }
    let mut out = Vec::new();
    site::index(library, site::Title::default(), &mut out).unwrap();
    let index = see(&String::from_utf8(out).unwrap());
    for d in &library.documents {
        assert!(index.hrefs.iter().any(|h| *h == format!("{}.html", d.id)));
    }
    // Every address of a page or the index that leads to another page leads to an element of it.
    let pages: Vec<(String, Seen)> = library
        .documents
        .iter()
        .map(|d| (format!("{}.html", d.id), see(&page(d, library))))
        .collect();
    let mut across = 0;
    for href in pages
        .iter()
        .flat_map(|(_, seen)| &seen.hrefs)
        .filter(|h| h.contains(".html?") && h.contains('#'))
    {
        let (file, id) = (href.split('?').next().unwrap(), href.rsplit('#').next().unwrap());
        let (_, there) = pages
            .iter()
            .find(|(name, _)| name == file)
            .unwrap_or_else(|| panic!("{href}: no such page"));
        assert!(there.ids.iter().any(|i| i == id), "{href}");
        across += 1;
    }
    assert!(across > 20, "{across}");
    // References to a passage are listed there: the text that refers, with its address.
    for d in &library.documents {
        let led = d.links.iter().filter(|l| {
            l.kind == LinkKind::Quotation && l.target.as_ref().is_some_and(|t| t.doc.is_none())
        });
        let (_, seen) = pages.iter().find(|(name, _)| *name == format!("{}.html", d.id)).unwrap();
        for link in led {
            let source = d.segments[d.segment_at(link.span.start()).unwrap()].id.as_str();
            assert!(
                seen.hrefs.iter().any(|h| h
                    .strip_prefix('#')
                    .is_some_and(|h| h.split('.').next() == Some(source))),
                "{link:?}"
            );
        }
        for locus in zhushu::corpus::Loci::of(d)
            .units()
            .filter_map(|u| zhushu::corpus::Loci::of(d).name(u.span))
            .take(40)
        {
            let anchor = Locus { to: None, ..locus }.to_string();
            assert!(seen.ids.contains(&anchor), "{anchor} is not an anchor of {}", d.id);
        }
    }
    // The site: sheets have all text once and in order; every address on any of its pages leads to
    // an existing element.
    let mut site: BTreeMap<String, Seen> = BTreeMap::new();
    let whole = site::Site::of(library, site::Title::default());
    for (number, d) in library.documents.iter().enumerate() {
        let mut words = String::new();
        let mut take = |name: &str, page: &[u8]| {
            if name.ends_with(".js") {
                return Ok(());
            }
            let seen = see(std::str::from_utf8(page).unwrap());
            words.push_str(&seen.source_text);
            assert!(site.insert(name.to_string(), seen).is_none(), "{name} is given twice");
            Ok(())
        };
        whole.write(&site::SitePart::Text { number, witnesses: vec![] }, &mut take).unwrap();
        let shown: String =
            d.segments.iter().filter(|s| s.layer.is_text()).map(|s| d.slice(s.span)).collect();
        assert_eq!(squeeze(&words), squeeze(&shown), "{}: words lost or moved", d.id);
    }
    assert!(site.contains_key("yili-07-judou.2.html"), "a long text has more than one sheet");
    for (_, write) in site::GENERAL {
        let mut take = |name: &str, page: &[u8]| {
            let seen = see(std::str::from_utf8(page).unwrap());
            assert!(site.insert(name.to_string(), seen).is_none(), "{name} is given twice");
            Ok(())
        };
        write(library, site::Title::default(), &mut take).unwrap();
    }
    let mut records = vec![];
    let mut take = |name: &str, _: &[u8]| {
        records.push(name.to_string());
        Ok(())
    };
    whole.write(&site::SitePart::Citation, &mut take).unwrap();
    site.extend(
        site::shared(library).into_iter().map(|(name, _)| (name.to_string(), Seen::default())),
    );
    for (name, seen) in &site {
        let outside = |href: &&String| href.starts_with("https://");
        for href in seen.hrefs.iter().filter(|href| !records.contains(href) && !outside(href)) {
            let (file, id) = href.split_once('#').unwrap_or((href, ""));
            let file = file.split('?').next().filter(|f| !f.is_empty()).unwrap_or(name);
            let there = site.get(file).unwrap_or_else(|| panic!("{name}: {href}: no such page"));
            assert!(
                id.is_empty() || there.ids.iter().any(|i| i == id),
                "{name}: {href} leads nowhere"
            );
        }
    }
}
