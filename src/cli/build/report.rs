//! The report of a build: figures in columns, and what could not be placed, with file, line and
//! column.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::books::translations::Pair;
use crate::build::{Content, title};
use crate::corpus::{Corpus, Library};
use crate::corrections::placed;
use crate::diag::Diagnostic;
use crate::model::thresholds::{GROUPS, NEEDS_REVIEW, group_of};
use crate::model::{Bead, Document, Layer, Link, LinkKind, Segment, Status, shown};
use crate::source::Span;

use crate::cli::check::SeverityCounts;
use crate::cli::columns::{self, ColumnLines, counted, row};
use crate::cli::language::{colon, detail_of, say};
use crate::cli::readings;

/// How many lines of each list the short report shows.
const FEW: usize = 8;
/// Rows of a table in the short report. Of more texts, those of one file share a row.
const MAX_ROWS: usize = 40;
/// The title of a list that is always shown whole.
const NOT_APPLIED: &str = "corrections that are not applied";
/// Columns of text quoted in a line.
const WORDS: usize = 36;

/// What a report is about.
pub struct Report<'a> {
    /// The corpus as it was found.
    pub corpus: &'a Corpus,
    /// What was made of it.
    pub library: &'a Library,
    /// Files that are not texts.
    pub left_out: &'a [(PathBuf, String)],
    /// What was taken for a translation of what, because no manifest says it.
    pub pairs: &'a [Pair],
    /// The characters of each text by layer, by its id; counting them means to read all texts.
    characters: OnceLock<HashMap<&'a str, BTreeMap<Layer, usize>>>,
}

/// The name of a row of a table, and its texts.
type TableRow<'a> = (String, Vec<&'a Document>);

/// A column for each figure; columns with only zeros are left out.
fn table<F: Fn(&Document) -> usize>(
    rows: &[TableRow<'_>],
    figures: impl Iterator<Item = (&'static str, F)>,
) -> Vec<Vec<String>> {
    let of_all = |(name, f): (&'static str, F)| {
        let of_row = |(_, texts): &TableRow<'_>| texts.iter().map(|d| f(d)).sum::<usize>();
        (name, rows.iter().map(of_row).collect::<Vec<_>>())
    };
    let columns: Vec<_> =
        figures.map(of_all).filter(|(_, figures)| figures.iter().any(|n| *n > 0)).collect();
    if columns.is_empty() {
        return vec![];
    }
    let figure = |n: usize| if n == 0 { "–".into() } else { n.to_string() };
    let head = row("", columns.iter().map(|(name, _)| say(name)));
    let of_row = |(i, (name, _)): (usize, &TableRow<'_>)| {
        row(name, columns.iter().map(|(_, f)| figure(f[i])))
    };
    std::iter::once(head).chain(rows.iter().enumerate().map(of_row)).collect()
}

/// A list of places under a heading, each a row of columns. Of a long text it is long, so its rows
/// are made when it is printed.
struct List<'r> {
    title: &'static str,
    rows: Rows<'r>,
}

type Rows<'r> = Box<dyn Iterator<Item = ListRow<'r>> + 'r>;

/// A row of a list; those that are only counted need no words.
enum ListRow<'r> {
    Made(Vec<String>),
    Link(&'r Document, &'r Link),
    Segment(&'r Document, &'r Segment),
}

impl<'a> Report<'a> {
    /// The report of a build.
    pub fn of(content: &Content<'a>) -> Self {
        let &Content { corpus, library, left_out, pairs } = content;
        Report { corpus, library, left_out, pairs, characters: OnceLock::new() }
    }

    /// For the terminal.
    pub fn short(&self, out: &Path) -> String {
        self.text(FEW, &format!("all in {}", out.join("report.txt").display()))
    }

    /// The decisions of persons that have no effect.
    pub fn decisions_not_applied(&self) -> String {
        let mut text = String::new();
        let all = self.lists().into_iter().filter(|list| list.title == NOT_APPLIED);
        all.for_each(|list| list.print(usize::MAX, "", &mut text));
        text
    }

    /// For the file.
    pub fn full(&self) -> String {
        self.text(usize::MAX, "")
    }

    fn text(&self, few: usize, rest: &str) -> String {
        let documents = &self.library.documents;
        let texts = counted(documents.len(), "text");
        let mut text = format!("{}{}{}\n", title(self.corpus), colon(), say(&texts));
        let short = few < usize::MAX;
        let rows = self.rows(short && documents.len() > MAX_ROWS);
        for (title, mut table) in [
            ("characters by layer, without punctuation", self.layers(&rows)),
            ("starts of segments by certainty", self.cuts(&rows)),
            ("references placed, of all found", self.references(&rows)),
            ("aligned", self.alignments()),
        ] {
            let more = if short { table.len().saturating_sub(MAX_ROWS + 1) } else { 0 };
            table.truncate(table.len() - more);
            if table.len() > 1 {
                let _ = write!(text, "\n{}\n{}", say(title), columns::figures(&table));
            }
            if more > 0 {
                text.push_str(&say(&format!("  … {more} more, {rest}\n")));
            }
        }
        text.push_str(&self.decided());
        for list in self.lists() {
            list.print(few, rest, &mut text);
        }
        text
    }

    /// The texts of each row of a table, with its name: one text, or those of one file.
    fn rows(&self, by_file: bool) -> Vec<TableRow<'_>> {
        let mut rows: Vec<TableRow<'_>> = vec![];
        for d in &self.library.documents {
            match rows.last_mut() {
                Some((_, of_file)) if by_file && of_file[0].source.path() == d.source.path() => {
                    of_file.push(d);
                }
                _ => rows.push((d.id.clone(), vec![d])),
            }
        }
        for (name, of_file) in rows.iter_mut().filter(|(_, of_file)| of_file.len() > 1) {
            let file = name.rsplit_once('-').map_or(name.as_str(), |(file, _)| file);
            *name = format!("{file} ({})", of_file.len());
        }
        rows
    }

    /// Content characters of each layer.
    fn layers(&self, rows: &[TableRow<'_>]) -> Vec<Vec<String>> {
        let text = Layer::all().filter(|l| l.layer.is_text());
        let counted = self.characters.get_or_init(|| {
            self.library.documents.iter().map(|d| (&*d.id, d.characters_by_layer())).collect()
        });
        let count =
            |d: &Document, layer| counted.get(&*d.id).and_then(|of| of.get(&layer)).copied();
        table(rows, text.map(|l| (l.zh, move |d: &Document| count(d, l.layer).unwrap_or(0))))
    }

    /// Starts of segments that contain text, by certainty.
    fn cuts(&self, rows: &[TableRow<'_>]) -> Vec<Vec<String>> {
        let names = std::iter::once("marked").chain(GROUPS.map(|(_, name)| name));
        let figures = names.enumerate().map(|(bin, name)| {
            (name, move |d: &Document| {
                d.segments.iter().filter(|s| s.layer.is_text() && bin_of(s) == bin).count()
            })
        });
        table(rows, figures)
    }

    /// Resolved and all, by kind of reference; texts without any are left out.
    fn references(&self, rows: &[TableRow<'_>]) -> Vec<Vec<String>> {
        const KINDS: &[(LinkKind, &str)] = &[
            (LinkKind::Lemma, "lemmata"),
            (LinkKind::Quotation, "quotations"),
            (LinkKind::Citation, "citations"),
            (LinkKind::Internal, "internal"),
            (LinkKind::Parallel, "parallels"),
        ];
        let mut table = vec![row("", KINDS.iter().map(|(_, name)| say(name)))];
        let linked = |texts: &[&Document]| texts.iter().any(|d| !d.links.is_empty());
        for (name, texts) in rows.iter().filter(|(_, texts)| linked(texts)) {
            let cell = |kind: LinkKind| {
                let links = || texts.iter().flat_map(|d| &d.links);
                let of_kind = || links().filter(|l| l.kind == kind);
                let placed = of_kind().filter(|l| l.target.is_some()).count();
                match of_kind().count() {
                    0 => "–".to_string(),
                    all => format!("{placed}/{all}"),
                }
            };
            table.push(row(name, KINDS.iter().map(|(kind, _)| cell(*kind))));
        }
        table
    }

    fn alignments(&self) -> Vec<Vec<String>> {
        let mut rows = vec![["", "beads", "classic alone", "translation alone"].map(say).to_vec()];
        for a in &self.library.alignments {
            let count = |s: bool, t: bool| {
                let sides = (!s, !t);
                let of = a.beads.iter().map(|b| (b.source.is_empty(), b.translation.is_empty()));
                of.filter(|empty| *empty == sides).count().to_string()
            };
            let figures = [count(true, true), count(true, false), count(false, true)];
            rows.push(row(&format!("{} × {}", a.source, a.translation), figures));
        }
        rows
    }

    /// A row for each file, those with undecodable bytes first.
    fn read(&self) -> Vec<Vec<String>> {
        let mut rows = readings::rows(self.library.documents.iter().map(|d| &**d));
        rows.sort_by_key(|row| row.last().is_none_or(String::is_empty));
        rows
    }

    /// A row for each text that has diagnostics, or each file of many texts.
    fn noticed(&self) -> Vec<Vec<String>> {
        let row = |(name, texts): &TableRow<'_>| {
            let mut counts = SeverityCounts::default();
            texts.iter().for_each(|d| counts.add(&d.diagnostics));
            vec![name.clone(), say(&counts.to_string())]
        };
        let rows = self.rows(self.library.documents.len() > MAX_ROWS);
        let noticed = |texts: &[&Document]| texts.iter().any(|d| !d.diagnostics.is_empty());
        rows.iter().filter(|(_, texts)| noticed(texts)).map(row).collect()
    }

    /// What could not be placed.
    fn lists(&self) -> Vec<List<'_>> {
        let undivided = |s: &Segment| s.layer == Layer::Undivided;
        let uncertain = |s: &Segment| bin_of(s) == GROUPS.len();
        let lost = |l: &Link| l.target.is_none() && l.status == Status::Unresolved;
        let absent = |l: &Link| l.target.is_none() && l.status != Status::Unresolved;
        let left_out = self.left_out.iter().map(|(p, why)| vec![p.display().to_string(), say(why)]);
        let list = |title, rows| List { title, rows };
        let all =
            |rows: Vec<Vec<String>>| -> Rows<'_> { Box::new(rows.into_iter().map(ListRow::Made)) };
        vec![
            list(NOT_APPLIED, all(self.not_applied())),
            list(
                "taken for translations, as no manifest names them",
                all(readings::translations(self.pairs)),
            ),
            list("could not be placed", self.links(lost)),
            list("cited, but not in the corpus or not found there", self.links(absent)),
            // A text alone has other diagnostics than beside the others, so its file is not named
            // here.
            list(
                "texts with diagnostics (zhushu check on the corpus shows them)",
                all(self.noticed()),
            ),
            list("layers not separated", self.segments(undivided)),
            list("uncertain cuts (< .70)", self.segments(uncertain)),
            list("aligned with nothing", all(self.unaligned())),
            list("how each text was read", all(self.read())),
            list("files left out", Box::new(left_out.map(ListRow::Made))),
        ]
    }

    /// Corrections that have no place, or contradict each other.
    fn not_applied(&self) -> Vec<Vec<String>> {
        let row = |d: &Document, remark: &Diagnostic| {
            let at = remark.span.map_or(d.source.path().display().to_string(), |s| place(d, s));
            vec![at, say(&remark.message)]
        };
        let of = |d: &Document| {
            let own = d.diagnostics.iter().filter(|r| placed::is_about(r));
            own.map(|r| row(d, r)).collect::<Vec<_>>()
        };
        self.library.documents.iter().flat_map(|d| of(d)).collect()
    }

    /// How many decisions of a person hold, and how many segments are left to be decided.
    fn decided(&self) -> String {
        let documents = || self.library.documents.iter();
        let decided: usize = documents().map(|d| d.confirmed.len()).sum();
        if decided == 0 {
            return String::new();
        }
        let doubtful = |s: &&Segment| s.layer.is_text() && s.certainty.get() < NEEDS_REVIEW;
        let left: usize = documents().map(|d| d.segments.iter().filter(doubtful).count()).sum();
        let decisions = counted(decided, "decision");
        say(&format!("\n{decisions} by a person; {left} starts of segments below .90 are left\n"))
    }

    fn links(&self, wanted: fn(&Link) -> bool) -> Rows<'_> {
        let of = move |d: &'a Document| {
            d.links.iter().filter(move |l| wanted(l)).map(move |l| ListRow::Link(d, l))
        };
        Box::new(self.library.documents.iter().flat_map(move |d| of(d)))
    }

    fn segments(&self, wanted: fn(&Segment) -> bool) -> Rows<'_> {
        let of = move |d: &'a Document| {
            d.segments.iter().filter(move |s| wanted(s)).map(move |s| ListRow::Segment(d, s))
        };
        Box::new(self.library.documents.iter().flat_map(move |d| of(d)))
    }

    /// Runs of beads with one side only, as one row each.
    fn unaligned(&self) -> Vec<Vec<String>> {
        let mut rows = vec![];
        for a in &self.library.alignments {
            let sides = (self.library.get(&a.source), self.library.get(&a.translation));
            let (Some(source), Some(translation)) = sides else { continue };
            let sides = |b: &Bead| (b.source.is_empty(), b.translation.is_empty());
            for run in a.beads.chunk_by(|x, y| sides(x) == sides(y)) {
                let (d, spans): (&Document, Vec<Span>) = match sides(&run[0]) {
                    (false, true) => (source, run.iter().flat_map(|b| b.source.clone()).collect()),
                    (true, false) => {
                        (translation, run.iter().flat_map(|b| b.translation.clone()).collect())
                    }
                    _ => continue,
                };
                rows.extend(span_of(&spans).map(|all| {
                    let to = d.source.place(all.end());
                    let stretch = format!("{}–{}:{}", place(d, all), to.line, to.column);
                    vec![stretch, say(&counted(run.len(), "bead")), words(&d.words(all))]
                }));
            }
        }
        rows
    }
}

impl List<'_> {
    fn print(self, few: usize, rest: &str, text: &mut String) {
        // None of a person's decisions is left out.
        let few = if self.title == NOT_APPLIED { usize::MAX } else { few };
        let mut rows = self.rows;
        let mut shown = ColumnLines::default();
        rows.by_ref().take(few).for_each(|row| shown.add(&row.cells()));
        let n = shown.count() + rows.count();
        if n == 0 {
            return;
        }
        let (title, lines) = (say(self.title), shown.aligned(false));
        let _ = write!(text, "\n{title}{}{n}\n{lines}", colon());
        if n > shown.count() {
            text.push_str(&say(&format!("  … {} more, {rest}\n", n - shown.count())));
        }
    }
}

impl ListRow<'_> {
    fn cells(self) -> Vec<String> {
        match self {
            ListRow::Made(cells) => cells,
            ListRow::Link(d, l) => {
                let why: Vec<_> = shown(&l.evidence).filter_map(detail_of).collect();
                let work = l.work.as_deref().map(|w| format!(" {w}")).unwrap_or_default();
                let what = format!("{}{work}", say(l.kind.id()));
                let quoted = words(&d.words(l.quoted.unwrap_or(l.span)));
                vec![place(d, l.span), what, quoted, why.join("; ")]
            }
            ListRow::Segment(d, s) => {
                let (layer, sure) = (s.layer.zh().into(), s.certainty.to_string());
                vec![place(d, s.span), layer, sure, words(&d.words(s.span))]
            }
        }
    }
}

/// The column of a segment: the first for what the source itself marks, then by certainty.
fn bin_of(s: &Segment) -> usize {
    if s.evidence.is_empty() { 0 } else { 1 + group_of(s.certainty.get()) }
}

/// `path:line:column`.
fn place(d: &Document, span: Span) -> String {
    let p = d.source.place(span.start());
    format!("{}:{}:{}", d.source.path().display(), p.line, p.column)
}

fn words(text: &str) -> String {
    columns::beginning(text, WORDS)
}

fn span_of(spans: &[Span]) -> Option<Span> {
    let (start, end) =
        (spans.iter().map(|s| s.start()).min()?, spans.iter().map(|s| s.end()).max()?);
    Some(Span::new(start, end))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::corpus::Manifest;
    use crate::model::{Alignment, Bead, Certainty, Evidence, EvidenceKind};
    use crate::source::Source;

    use super::*;

    /// Twelve characters of 注, each quoting something that is not in the text; none is certainly 注.
    fn library() -> Library {
        let mut d = Document::new(
            Arc::new(Source::from_text("corpus/a.txt", "甲乙丙丁戊己庚辛壬癸子丑")),
            "test",
        );
        let ends = (0..12).map(|n| Span::new(3 * n, 3 * n + 3));
        let why = || vec![Evidence::of(EvidenceKind::from("guess"))];
        d.segments = vec![
            Segment::marked(Layer::Jing, Span::new(0, 6)),
            Segment::inferred(Layer::Zhu, Span::new(6, 36), Certainty::new(0.4), why()),
        ]
        .into();
        let link = |span| Link {
            kind: LinkKind::Quotation,
            span,
            quoted: None,
            layer: Layer::Zhu,
            work: None,
            target: None,
            alternatives: vec![].into(),
            status: Status::Unresolved,
            certainty: Certainty::new(0.5),
            evidence: why().into(),
        };
        d.links = ends.clone().map(link).collect();
        let mut t = Document::new(Arc::new(Source::from_text("corpus/b.txt", "一二三")), "test");
        t.segments = vec![Segment::marked(Layer::Translation, t.source.span())].into();
        let alone = |span| Bead {
            source: vec![],
            translation: vec![span],
            certainty: Certainty::new(0.9),
            evidence: vec![],
        };
        let beads = vec![alone(Span::new(0, 3)), alone(Span::new(3, 9))];
        let alignments = vec![Alignment {
            source: "a".into(),
            translation: "b".into(),
            grain: Default::default(),
            beads,
        }];
        Library { documents: vec![Arc::new(d), Arc::new(t)], alignments, ..Library::default() }
    }

    #[test]
    fn the_short_report_is_limited_and_the_full_one_is_not() {
        let corpus = Corpus {
            root: "corpus".into(),
            manifest: None,
            about: Manifest::default(),
            left_out: vec![],
            unread: vec![],
        };
        let library = library();
        let left_out = [("corpus/x.bin".into(), "binary".into())];
        let (corpus, library, left_out) = (&corpus, &library, &left_out);
        let report = Report::of(&Content { corpus, library, left_out, pairs: &[] });
        let (short, full) = (report.short("out".as_ref()), report.full());
        assert!(
            short.contains("could not be placed: 12\n  corpus/a.txt:1:1  quotation  甲\n"),
            "{short}"
        );
        assert!(short.contains("  … 4 more, all in out/report.txt\n"), "{short}");
        assert!(
            full.contains("  corpus/a.txt:1:12  quotation  丑\n") && !full.contains("more"),
            "{full}"
        );
        assert!(
            full.contains("corpus/b.txt:1:1–1:4  2 beads  一二三\n"),
            "runs of beads are one line: {full}"
        );
        assert!(full.contains("corpus/a.txt:1:3  注  0.400"), "{full}");
        assert!(full.contains("corpus/x.bin  binary"), "{full}");
        let layers = "characters by layer, without punctuation\n     經  注  譯\n  a   2  10   –\n  b   –   –   3\n";
        assert!(full.contains(layers), "{full}");
    }
}
