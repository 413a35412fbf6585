//! The texts under review: what the passes made of them, what is asked, what was decided.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use super::asked::{Answered, id_of, place, seen};
use super::{ADDRESS, Reviewer, SeenQuestion, list};
use crate::Settings;
use crate::build::{EditionFormat, Reopened};
use crate::cli::texts;
use crate::corpus::Library;
use crate::corrections::anchor::AnchorText;
use crate::diag::Error;
use crate::guard::guarded;
use crate::model::{Document, Layer};
use crate::review::answers::{Answers, Decided};
use crate::review::changes::changed;
use crate::review::order::{self, Order};
use crate::review::questions::{parts, questions_in};
use crate::review::{Question, QuestionKind};
use crate::site::review::{FILES, PageReview, collation_file, layer_name, pages};
use crate::source::Span;

/// The names of the page with which a review begins.
const FIRST_PAGE: [&str; 2] = ["", "index.html"];

/// What was done with a question, so that it can be undone.
enum ReviewStep {
    Decided(usize, Box<Decided>),
    Skipped(usize, String),
}

/// The pages of a document, by the names of their files.
type Pages = HashMap<String, Vec<u8>>;

/// The texts under review.
pub struct Desk {
    /// The folder of the site of the build.
    pub(super) site: PathBuf,
    pub(super) corpus: Reopened,
    pub(super) reviewer: Reviewer,
    /// The texts as their readers left them, and what the passes made of all of them.
    pub(super) read: Vec<Document>,
    pub(super) library: Library,
    /// The questions about a text, by its number.
    questions: HashMap<usize, Arc<Vec<Question>>>,
    skipped: HashSet<(usize, String)>,
    done: Vec<ReviewStep>,
    /// What the last decision changed, and in which text.
    changed: Option<(usize, Vec<Span>)>,
    /// Pages that are as the texts are now, by the ids of their documents.
    pages: HashMap<String, Pages>,
}

impl Desk {
    /// Reads the corpus of a build.
    ///
    /// # Errors
    /// When there is no build, or its corpus cannot be read.
    pub fn open(out: &Path, reviewer: Reviewer, settings: &Settings) -> Result<Self, Error> {
        let corpus = Reopened::of(out, settings)?;
        let read = corpus.documents();
        let library = texts::link_and_align(read.clone(), &corpus.settings);
        Ok(Desk {
            site: out.join(EditionFormat::Site.folder()),
            corpus,
            reviewer,
            read,
            library,
            questions: HashMap::new(),
            skipped: HashSet::new(),
            done: vec![],
            changed: None,
            pages: HashMap::new(),
        })
    }

    /// A page by the name of its file; `None` if it is not a page of a text.
    pub fn page(&mut self, name: &str, token: &str) -> Option<Result<Vec<u8>, Error>> {
        if FIRST_PAGE.contains(&name) {
            return Some(list::first_page(self));
        }
        // Ids of documents have no full stop; the number of a later sheet follows one.
        let id = name.strip_suffix(".html")?.split('.').next()?.to_string();
        let number = self.library.documents.iter().position(|d| d.id == id)?;
        match self.pages_of(number, token) {
            Ok(pages) => pages.get(name).cloned().map(Ok),
            Err(e) => Some(Err(e)),
        }
    }

    /// Writes what a person answered, and computes what follows.
    ///
    /// # Errors
    /// When the question is not asked any more, the answer does not fit, or it cannot be written.
    pub fn decide(
        &mut self,
        id: &str,
        question: &SeenQuestion,
        answered: &Answered,
        note: Option<String>,
    ) -> Result<Value, Error> {
        let number = self.text_of(id)?;
        self.expect_unchanged(number)?;
        let asked = self.asked(number)?;
        let source = Arc::clone(&self.read[number].source);
        let mut answers = Answers::open(&source, self.reviewer.own.as_deref(), &self.reviewer.by)?;
        let is_same = |q: &&Question| {
            let is_seen = |of: &String| *of == seen(q, answers.anchors());
            id_of(q) == question.id && question.seen.as_ref().is_none_or(is_seen)
        };
        let Some(q) = asked.iter().find(is_same) else {
            // The next page is of the files as they are now.
            self.renew(number)?;
            let error = Error::request("this is not asked any more, or not so");
            return Err(error.hint("load the page again"));
        };
        let choice = answered
            .to(q, answers.anchors())
            .ok_or_else(|| Error::request("this is no answer to the question"))?;
        let note = note.filter(|note| !note.trim().is_empty());
        let decided = answers.decide(q.span, &choice, note)?;
        let decision = decided.decision();
        self.done.push(ReviewStep::Decided(number, Box::new(decided)));
        let changed = self.renew(number)?;
        Ok(
            json!({ "decided": decision, "changed": changed, "page": self.moved(id, number, q.span) }),
        )
    }

    /// Asks a question last.
    ///
    /// # Errors
    /// When there is no such text.
    pub fn skip(&mut self, id: &str, question: &str) -> Result<Value, Error> {
        let number = self.text_of(id)?;
        self.skipped.insert((number, question.to_string()));
        self.done.push(ReviewStep::Skipped(number, question.to_string()));
        self.pages.clear();
        Ok(json!({}))
    }

    /// Takes the last answer back.
    ///
    /// # Errors
    /// When nothing was answered, or the file cannot be written.
    pub fn undo(&mut self, id: &str) -> Result<Value, Error> {
        let step = self.done.pop().ok_or_else(|| Error::request("nothing can be undone"))?;
        match step {
            ReviewStep::Skipped(number, question) => {
                self.skipped.remove(&(number, question));
                self.pages.clear();
                Ok(json!({ "changed": 0 }))
            }
            ReviewStep::Decided(number, decided) => {
                let is_undone = match self.take_back(number, &decided) {
                    Ok(is_undone) => is_undone,
                    Err(e) => {
                        self.done.push(ReviewStep::Decided(number, decided));
                        return Err(e);
                    }
                };
                let changed = self.renew(number)?;
                if !is_undone {
                    let message = "the decision is not in the file as it was written";
                    let hint = "someone changed it there; correct the file by hand";
                    return Err(Error::request(message).hint(hint));
                }
                Ok(json!({ "changed": changed, "page": self.moved(id, number, Span::new(0, 0)) }))
            }
        }
    }

    /// Takes a decision out of the file, once the text can be read; false if it is not in it as it
    /// was written.
    fn take_back(&mut self, number: usize, decided: &Decided) -> Result<bool, Error> {
        self.corpus.read_again(number)?;
        let source = Arc::clone(&self.read[number].source);
        let (own, by) = (self.reviewer.own.as_deref(), &self.reviewer.by);
        let mut answers = Answers::open(&source, own, by)?;
        let was = answers.all().to_vec();
        answers.undo(decided)?;
        Ok(answers.all() != was)
    }

    /// The address of the most instructive question about the text of a page that was not skipped.
    ///
    /// # Errors
    /// When there is no such text.
    pub fn best(&mut self, id: &str, token: &str) -> Result<Value, Error> {
        let number = self.text_of(id)?;
        let asked = order::put(self.asked(number)?.to_vec(), Order::Instructive);
        let mut ids = asked.iter().map(id_of);
        let best = ids.find(|q| !self.skipped.contains(&(number, q.clone())));
        let Some(best) = best else { return Ok(json!({ "page": null })) };
        let mark = format!("id=\"ask-{best}\"");
        let path = self.read[number].source.path();
        let documents = &self.library.documents;
        let of_text: Vec<usize> =
            (0..documents.len()).filter(|n| documents[*n].source.path() == path).collect();
        for n in of_text {
            let pages = self.pages_of(n, token)?;
            let has = |page: &[u8]| memmem(page, mark.as_bytes());
            if let Some((name, _)) = pages.iter().find(|(_, page)| has(page)) {
                return Ok(json!({ "page": format!("{name}#ask-{best}"), "question": best }));
            }
        }
        Ok(json!({ "page": null }))
    }

    /// The page that has these words of a text now, if the page of the document `id` is gone
    /// because chapters begin elsewhere.
    fn moved(&self, id: &str, number: usize, words: Span) -> Option<String> {
        if self.library.get(id).is_some() {
            return None;
        }
        let read = &self.read[number];
        let mut all = self.library.documents.iter();
        let has = |d: &&Arc<Document>| {
            d.source.path() == read.source.path() && self.place_of(d, number).end() > words.start()
        };
        Some(format!("{}.html", all.find(has)?.id))
    }

    /// Where a document is in the text that was read.
    fn place_of(&self, document: &Document, number: usize) -> Span {
        let base = self.read[number].source.byte_of(document.source.file_char_of(0));
        Span::new(base, base + document.source.text().len())
    }

    /// The number of the text that a document is from.
    fn text_of(&self, id: &str) -> Result<usize, Error> {
        let document = self.library.get(id);
        let path = document.map(|d| d.source.path());
        let number = path.and_then(|path| self.read.iter().position(|d| d.source.path() == path));
        number.ok_or_else(|| Error::request(format!("there is no text “{id}”")))
    }

    /// What is asked about a text.
    pub(super) fn asked(&mut self, number: usize) -> Result<Arc<Vec<Question>>, Error> {
        if let Some(known) = self.questions.get(&number) {
            return Ok(Arc::clone(known));
        }
        let (settings, below) = (&self.corpus.settings, self.reviewer.below);
        let find = || questions_in(number, &self.read, &self.library, settings, below);
        let found = Arc::new(guarded(find).map_err(failed)?);
        self.questions.insert(number, Arc::clone(&found));
        Ok(found)
    }

    /// Refuses a decision about a text that is another now: its words may not be there.
    fn expect_unchanged(&mut self, number: usize) -> Result<(), Error> {
        self.corpus.read_again(number)?;
        if self.corpus.text(number) == self.read[number].source.text() {
            return Ok(());
        }
        self.renew(number)?;
        let error = Error::request("the text was changed since this page was made");
        Err(error.hint("load the page again"))
    }

    /// Reads a text again and runs the passes. Returns how many places changed.
    fn renew(&mut self, number: usize) -> Result<usize, Error> {
        self.corpus.read_again(number)?;
        let read = self.corpus.documents();
        let settings = &self.corpus.settings;
        let new = guarded(|| texts::link_and_align(read.clone(), settings)).map_err(failed)?;
        let same_text = read[number].source.text() == self.read[number].source.text();
        let places = match same_text {
            true => changed(&self.library, &new, &read[number]),
            // Someone edited the text meanwhile: all of it may be new.
            false => vec![],
        };
        (self.read, self.library) = (read, new);
        self.questions.clear();
        self.pages.clear();
        let n = places.len();
        self.changed = Some((number, places));
        Ok(n)
    }

    /// The pages of a document of the library.
    fn pages_of(&mut self, n: usize, token: &str) -> Result<&Pages, Error> {
        let document = Arc::clone(&self.library.documents[n]);
        if !self.pages.contains_key(&document.id) {
            let made = self.write(&document, token)?;
            self.pages.insert(document.id.clone(), made);
        }
        Ok(&self.pages[&document.id])
    }

    fn write(&mut self, document: &Document, token: &str) -> Result<Pages, Error> {
        let number = self.text_of(&document.id)?;
        let asked = self.asked(number)?;
        let review = self.review_of(document, number, &asked, token);
        let mut made = Pages::new();
        let mut take = |name: &str, page: &[u8]| {
            made.insert(name.to_string(), page.to_vec());
            Ok(())
        };
        let collated = self.site.join(collation_file(&document.id)).is_file();
        guarded(|| pages(document, collated, &self.library, &review, &mut take))
            .map_err(failed)?
            .map_err(|e| Error::request(format!("a page could not be written: {e}")))?;
        Ok(made)
    }

    /// What the pages of a document show of the review.
    fn review_of(
        &self,
        document: &Document,
        number: usize,
        asked: &[Question],
        token: &str,
    ) -> PageReview {
        let read = &self.read[number];
        let own = self.place_of(document, number);
        let base = own.start();
        let text = AnchorText::new(read.source.text());
        let places = asked.iter().filter(|q| own.contains(q.span));
        let places = places.map(|q| place(q, &text, base)).collect();
        let changed = self.changed.iter().filter(|(n, _)| *n == number).flat_map(|(_, s)| s);
        let inside = changed.filter(|s| own.contains(**s));
        let decided = self.done.iter().filter(|s| matches!(s, ReviewStep::Decided(..))).count();
        let skipped = self.skipped.iter().filter(|s| s.0 == number).map(|s| &s.1);
        let count = |kind| asked.iter().filter(|q| q.kind == kind).count();
        let left: HashMap<&str, usize> =
            QuestionKind::ALL.iter().map(|(name, kind)| (*name, count(*kind))).collect();
        let common = json!({
            "endpoint": ADDRESS,
            "token": token,
            "text": document.id,
            "by": self.reviewer.by,
            "left": asked.len(),
            "kinds": left,
            "decided": decided,
            "undo": !self.done.is_empty(),
            "skipped": skipped.collect::<Vec<_>>(),
            "layers": layers(read, &self.library),
        });
        PageReview {
            places,
            changed: inside.map(|s| Span::new(s.start() - base, s.end() - base)).collect(),
            common,
            files: FILES.map(|(name, _)| name),
        }
    }
}

/// The layers of a text: ids, and names as templates.
fn layers(read: &Document, library: &Library) -> Vec<(String, String)> {
    let segments = parts(library, read).flat_map(|d| &d.segments);
    let mut all: Vec<Layer> = segments.map(|s| s.layer).filter(|l| l.is_text()).collect();
    all.sort();
    all.dedup();
    all.retain(|l| *l != Layer::Undivided);
    all.iter().map(|l| (l.id().to_string(), layer_name(*l))).collect()
}

fn memmem(all: &[u8], part: &[u8]) -> bool {
    all.windows(part.len()).any(|w| w == part)
}

fn failed(why: String) -> Error {
    Error::request(format!("the program failed on this: {why}"))
        .hint("this is a fault of zhushu; please report it, with the text if you can")
}
