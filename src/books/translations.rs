//! Which text translates which: as a manifest says it of whole books, or as it looks.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use super::rendered::{self, RenderedText, rendered};
use super::{Profile, Survey, identify};
use crate::corpus::{Works, book_of};
use crate::model::{BookChapter, Document, LayerKind, Role};
use crate::text::class::content_characters;
use crate::text::fold::fold;
use crate::text::letters::Letters;

/// So many words or signs a translation has at least for ten characters of its text, which may have
/// notes among them, and at most.
const SIGNS_PER_TEN: RangeInclusive<usize> = 2..=60;

/// A text that was taken for a translation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// Its id.
    pub translation: String,
    /// Ids of the texts that it was taken to translate; none if nothing fits.
    pub classics: Vec<String>,
    /// The number of the chapter of these that it translates, if they have others too.
    pub chapter: Option<u32>,
    /// What they have in common, or what is missing.
    pub why: String,
    /// Both have chapters, which correspond.
    pub is_book: bool,
}

impl Pair {
    fn of(translation: &TextFacts, classics: Vec<String>, why: String) -> Self {
        let translation = translation.id.clone();
        Pair { translation, classics, chapter: None, why, is_book: false }
    }
}

/// True for a text that is a translation, without the classic.
pub(crate) fn is_translation(document: &Document) -> bool {
    let has = |kind| document.segments.iter().any(|s| s.layer.kind() == kind);
    has(LayerKind::Translation) && !has(LayerKind::Base) && !has(LayerKind::Undivided)
}

/// What is known about a text before it is paired.
#[derive(Clone, Debug)]
struct TextFacts {
    /// Its id.
    pub id: String,
    /// Its work, if it was recognised.
    pub work: Option<String>,
    /// Number of its chapter; `None` for a whole book, or if it was not recognised.
    pub chapter: Option<u32>,
    /// It has several chapters.
    pub is_book: bool,
    /// It is a translation.
    pub is_translation: bool,
    /// Its file.
    pub file: PathBuf,
}

impl TextFacts {
    /// What is known about a document that was [outlined](super::outlined).
    fn of(document: &Document, works: &Works, profile: &Profile) -> Self {
        if is_translation(document) {
            return Self::of_translation(document, works, profile);
        }
        let is_book = !document.outline.is_empty() || !document.chapters.is_empty();
        TextFacts {
            id: document.id.clone(),
            work: document.meta.work.clone(),
            chapter: document.meta.number.filter(|_| !is_book),
            is_book,
            is_translation: false,
            file: document.source.path().to_path_buf(),
        }
    }

    /// A translation is not outlined: its work is found here.
    fn of_translation(document: &Document, works: &Works, profile: &Profile) -> Self {
        let Survey { identified, outline } = super::survey(document, works, profile);
        let best = identified.best().filter(|c| c.listed).map(|c| c.work.clone());
        let titled = identify::titled(document, works, &identified);
        let of_title = titled.as_ref().map(|(named, _)| named.work.clone());
        let work = document.meta.work.clone().or(best).or(of_title);
        let titled = || titled.filter(|(named, _)| work.as_ref() == Some(&named.work));
        // A page often has no title, but the name of its chapter in that of its file.
        let by_name = || identify::chapter_of_file(&document.id, works);
        let by_name = || by_name().filter(|(of, _)| work.as_ref() == Some(of));
        let number = document.meta.number;
        let chapter = number.or_else(|| Some(titled()?.1)).or_else(|| Some(by_name()?.1));
        let is_book = has_chapters(&outline.chapters, document);
        let (id, chapter) = (document.id.clone(), chapter.filter(|_| !is_book));
        let file = document.source.path().to_path_buf();
        TextFacts { id, work, chapter, is_book, is_translation: true, file }
    }

    /// True if this translation may be of that text, which has the same work.
    fn fits(&self, classic: &TextFacts) -> bool {
        match (self.chapter, classic.chapter) {
            (Some(a), Some(b)) => a == b,
            (Some(_), None) => classic.is_book,
            (None, None) => !self.is_book && !classic.is_book,
            (None, Some(_)) => false,
        }
    }
}

/// The words of `data/sides.tsv`.
static SIDES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let rows = include_str!("data/sides.tsv").lines().filter(|l| !l.starts_with('#'));
    rows.filter_map(|row| row.split_once('\t')).map(|(a, b)| (folded(a), folded(b))).collect()
});

fn folded(words: &str) -> String {
    words.to_lowercase().chars().map(fold).collect()
}

/// What the two files of a text and its translation have in common: the row of [`SIDES`], the
/// folder, and the name without the word of the row.
type CommonName<'a> = (usize, Option<&'a Path>, String);

/// All such names of a file, as a text or as a translation.
fn common_names(text: &TextFacts) -> Vec<CommonName<'_>> {
    let name = folded(&text.file.file_stem().unwrap_or_default().to_string_lossy());
    let of_row = |(a, b): &(String, String)| match (a.as_str(), text.is_translation) {
        ("", false) => Some(name.clone()),
        ("", true) => before_ending(&name, b),
        (a, is_translation) => without(&name, if is_translation { b } else { a }),
    };
    let names = SIDES.iter().enumerate().map(|(n, row)| Some((n, of_row(row)?)));
    names.flatten().map(|(n, name)| (n, text.file.parent(), name)).collect()
}

/// The name of a file without a word and the signs around it, if it has the word.
fn without(name: &str, word: &str) -> Option<String> {
    let (before, after) = name.split_once(word)?;
    let ends =
        |part: &str| part.trim_matches(['-', '_', '.', ' ', '(', ')', '（', '）']).to_string();
    Some(format!("{}/{}", ends(before), ends(after)))
}

/// The name of a file without a word that signs divide from its end.
fn before_ending(name: &str, word: &str) -> Option<String> {
    let before = name.trim_end_matches([')', '）', ' ']).strip_suffix(word)?;
    let name = before.trim_end_matches(['-', '_', '.', ' ', '(', '（']);
    (name.len() < before.len() && !name.is_empty()).then(|| name.to_string())
}

/// Which texts each translation seems to translate: those of the same work, and of the same chapter
/// where it is one.
fn pairs(texts: &[TextFacts], works: &Works) -> Vec<Pair> {
    let mut classics: BTreeMap<&str, Vec<&TextFacts>> = BTreeMap::new();
    for text in texts.iter().filter(|t| !t.is_translation) {
        if let Some(work) = &text.work {
            classics.entry(work).or_default().push(text);
        }
    }
    let mut by_name: HashMap<CommonName<'_>, Vec<String>> = HashMap::new();
    for text in texts.iter().filter(|t| !t.is_translation) {
        for name in common_names(text) {
            by_name.entry(name).or_default().push(text.id.clone());
        }
    }
    let pair = |text: &TextFacts| {
        let mut names = common_names(text).into_iter();
        if let Some(classics) = names.find_map(|name| by_name.get(&name).cloned()) {
            return Pair::of(text, classics, "the names of their files say so".to_string());
        }
        let Some(work) = text.work.as_deref() else {
            return Pair::of(text, vec![], "its work was not recognised".to_string());
        };
        let of_work = classics.get(work).map_or(&[][..], Vec::as_slice);
        let books: Vec<String> =
            of_work.iter().filter(|c| c.is_book).map(|c| c.id.clone()).collect();
        if text.is_book && !books.is_empty() {
            let pair = Pair::of(text, books, format!("both are several chapters of {work}"));
            return Pair { is_book: true, ..pair };
        }
        if text.is_book {
            let why = format!("it is of several chapters of {work}, and is not cut into them");
            return Pair::of(text, vec![], why);
        }
        let fits = classics.get(work).into_iter().flatten().filter(|c| text.fits(c));
        let classics: Vec<String> = fits.map(|c| c.id.clone()).collect();
        let title = match text.chapter {
            Some(n) => format!("{work}・{}", chapter_title(work, n, works)),
            None => work.to_string(),
        };
        let why = match classics.is_empty() {
            true => format!("it is of {title}, and no text is"),
            false => format!("both are {title}"),
        };
        Pair::of(text, classics, why)
    };
    texts.iter().filter(|t| t.is_translation).map(pair).collect()
}

fn chapter_title(work: &str, number: u32, works: &Works) -> String {
    let titles = works.work(work).map(|work| work.titles_of_chapters()).unwrap_or_default();
    let title = (number as usize).checked_sub(1).and_then(|n| titles.get(n).copied());
    title.map_or_else(|| number.to_string(), str::to_string)
}

/// Which of some texts are translations, and of which others: by names and titles, or, if these say
/// nothing of the work, by their words.
pub(crate) fn found(documents: &[&Document], works: &Works, profile: &Profile) -> Vec<Pair> {
    let facts: Vec<TextFacts> =
        documents.iter().map(|d| TextFacts::of(d, works, profile)).collect();
    let mut pairs = pairs(&facts, works);
    let by_id: HashMap<&str, &TextFacts> = facts.iter().map(|f| (f.id.as_str(), f)).collect();
    for pair in &mut pairs {
        let text = by_id[pair.translation.as_str()];
        let is_book = |id: &String| by_id.get(id.as_str()).is_some_and(|classic| classic.is_book);
        if pair.classics.iter().any(is_book) {
            pair.is_book |= text.is_book;
            pair.chapter = pair.chapter.or(text.chapter);
        }
    }
    let about = || documents.iter().copied().zip(&facts);
    let unknown = about().filter(|(_, f)| f.is_translation && f.work.is_none());
    let unknown: HashMap<&str, &Document> = unknown.map(|(d, _)| (d.id.as_str(), d)).collect();
    if unknown.is_empty() {
        return pairs;
    }
    let classics: Vec<&Document> =
        about().filter(|(_, f)| !f.is_translation).map(|(d, _)| d).collect();
    let candidates = rendered::candidates(&classics);
    for pair in pairs.iter_mut().filter(|p| p.classics.is_empty()) {
        let Some(translation) = unknown.get(pair.translation.as_str()) else { continue };
        let title = |n: usize| candidates[n].title.as_str();
        match rendered(translation, &classics, &candidates) {
            RenderedText::These(all) => {
                pair.classics =
                    all.iter().map(|n| classics[candidates[*n].document].id.clone()).collect();
                pair.classics.dedup();
                pair.chapter = all.iter().find_map(|n| candidates[*n].number);
                pair.why = format!("its words are those of {}", title(all[0]));
            }
            RenderedText::OneOf(a, b) => {
                pair.why = format!("its words may be those of {} or {}", title(a), title(b));
            }
            RenderedText::Unknown
                if is_foreign(translation) && has_its_length(translation, &classics) =>
            {
                // Words show nothing where none stays as it is.
                if let Some(number) = rendered::only_text(&candidates) {
                    pair.classics = classics.iter().map(|c| c.id.clone()).collect();
                    pair.chapter = number;
                    pair.why = "there is no other text".into();
                }
            }
            RenderedText::Unknown => {}
        }
    }
    pairs
}

/// True for a translation into another language than Chinese.
fn is_foreign(translation: &Document) -> bool {
    !translation.meta.is_chinese()
}

/// True if a text may be a translation of the whole of some texts by its length: a note about an
/// edition is shorter.
fn has_its_length(translation: &Document, classics: &[&Document]) -> bool {
    let signs = Letters::of(translation.source.text()).signs() * 10;
    let is_text = |kind| matches!(kind, LayerKind::Base | LayerKind::Undivided);
    let chars = |d: &Document| -> usize {
        let own = d.segments.iter().filter(|s| is_text(s.layer.kind()));
        own.map(|s| content_characters(d.slice(s.span))).sum()
    };
    let lengths = || classics.iter().map(|d| chars(d));
    let (least, most) = (lengths().min().unwrap_or(0), lengths().max().unwrap_or(0));
    (SIGNS_PER_TEN.start() * least..=SIGNS_PER_TEN.end() * most).contains(&signs)
}

/// Makes translations of what looks like such in a corpus about which nobody said anything.
pub(crate) fn pair_up(documents: &mut [Document], works: &Works, profile: &Profile) -> Vec<Pair> {
    let open = |d: &&Document| d.meta.translates.is_empty() && !d.settled;
    let pairs = found(&documents.iter().filter(open).collect::<Vec<_>>(), works, profile);
    let mut by_id: HashMap<&str, &Pair> =
        pairs.iter().map(|p| (p.translation.as_str(), p)).collect();
    for document in documents.iter_mut() {
        if let Some(pair) = by_id.remove(document.id.as_str())
            && !pair.classics.is_empty()
        {
            if pair.is_book {
                *document = chapters_of(document, works, profile);
            }
            document.meta.role = Role::Translation;
            document.meta.translates.clone_from(&pair.classics);
            document.meta.number = document.meta.number.or(pair.chapter);
        }
    }
    pairs
}

/// A translation with its chapters, if it is a book of which somebody said what it translates.
pub(super) fn book(translation: &Document, works: &Works, profile: &Profile) -> Option<Document> {
    let made = chapters_of(translation, works, profile);
    let is_book = has_chapters(&made.outline, translation);
    let mut meta = made.meta.clone();
    (meta.role, meta.translates) = (Role::Translation, translation.meta.translates.clone());
    is_book.then_some(Document { meta, ..made })
}

/// True if a translation has several chapters: of the list of works, or with numbers in another
/// language, in which they have other titles.
fn has_chapters(chapters: &[BookChapter], translation: &Document) -> bool {
    let is_numbered = |c: &BookChapter| c.number.is_some() && is_foreign(translation);
    chapters.iter().filter(|c| c.is_listed() || is_numbered(c)).count() > 1
}

/// A translation of a book with its chapters.
fn chapters_of(translation: &Document, works: &Works, profile: &Profile) -> Document {
    let mut book = translation.clone();
    // Its titles are looked for as those of a classic are.
    book.meta.role = Role::Witness;
    super::outlined(book, works, profile)
}

/// Lets translations of a whole book translate its chapters: the one of the same number, or all.
pub(super) fn of_chapters(mut documents: Vec<Arc<Document>>) -> Vec<Arc<Document>> {
    let chapters = ChapterIds::of(&documents);
    for document in documents.iter_mut().filter(|d| !d.meta.translates.is_empty()) {
        let document = Arc::make_mut(document);
        let number = document.meta.number;
        let named = std::mem::take(&mut document.meta.translates);
        document.meta.translates = named.iter().flat_map(|id| chapters.meant(id, number)).collect();
    }
    documents
}

/// Ids of the documents of a library, by what a translation may call them.
struct ChapterIds {
    /// Of each book, the ids of its chapters.
    books: HashMap<String, Vec<String>>,
    /// Of each book, the ids of its chapters of a number.
    numbered: HashMap<(String, u32), Vec<String>>,
    /// All ids.
    all: HashSet<String>,
}

impl ChapterIds {
    fn of(documents: &[Arc<Document>]) -> Self {
        let mut ids = ChapterIds {
            books: HashMap::new(),
            numbered: HashMap::new(),
            all: documents.iter().map(|d| d.id.clone()).collect(),
        };
        for document in documents {
            let Some(book) = book_of(&document.id) else { continue };
            if let Some(n) = document.meta.number {
                ids.numbered.entry((book.into(), n)).or_default().push(document.id.clone());
            }
            ids.books.entry(book.into()).or_default().push(document.id.clone());
        }
        ids
    }

    /// The ids of the documents that `id` means for a text of chapter `number`; itself if there is
    /// no such document, which is reported when texts are aligned.
    fn meant(&self, id: &str, number: Option<u32>) -> Vec<String> {
        if self.all.contains(id) {
            return vec![id.to_string()];
        }
        if let Some(same) = number.and_then(|n| self.numbered.get(&(id.to_string(), n))) {
            return same.clone();
        }
        self.books.get(id).cloned().unwrap_or_else(|| vec![id.to_string()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(id: &str, work: &str, chapter: Option<u32>, is_translation: bool) -> TextFacts {
        let (id, work) = (id.to_string(), Some(work.to_string()));
        let (is_book, file) = (chapter.is_none(), PathBuf::from(format!("{}.txt", id)));
        TextFacts { id, work, chapter, is_book, is_translation, file }
    }

    #[test]
    fn names_of_files_make_pairs() {
        let named = |file: &str, is_translation| TextFacts {
            id: file.into(),
            work: None,
            chapter: None,
            is_book: false,
            is_translation,
            file: file.into(),
        };
        let texts = [
            named("a/source.txt", false),
            named("a/target.txt", true),
            named("b/source.txt", false),
            named("c/史記原文.txt", false),
            named("c/史记_译文.txt", true),
            named("c/漢書譯文.txt", true),
        ];
        let pairs = pairs(&texts, &Works::builtin());
        let classics: Vec<String> = pairs.iter().map(|p| p.classics.join(" ")).collect();
        assert_eq!(classics, ["a/source.txt", "c/史記原文.txt", ""]);
    }

    #[test]
    fn a_translation_of_several_chapters_is_cut_into_them() {
        let works = Works::builtin();
        let of = |id: &str, work: &str, is_translation: bool| TextFacts {
            is_book: true,
            ..text(id, work, None, is_translation)
        };
        let texts =
            [of("lunyu", "論語", false), of("mengzi", "孟子", false), of("ja", "論語", true)];
        let pairs = pairs(&texts, &works);
        assert_eq!((&*pairs[0].classics.join(" "), pairs[0].is_book), ("lunyu", true));
    }

    #[test]
    fn a_translation_is_of_the_chapter_that_it_names() {
        let works = Works::builtin();
        let texts = [
            text("whole", "論語", None, false),
            text("one", "論語", Some(1), false),
            text("two", "論語", Some(2), false),
            text("other", "孟子", Some(1), false),
            text("yi", "論語", Some(1), true),
            text("all", "論語", None, true),
            text("alone", "孝經", Some(1), true),
        ];
        let pairs = pairs(&texts, &works);
        let shown: Vec<(String, String)> =
            pairs.iter().map(|p| (p.classics.join(" "), p.why.clone())).collect();
        assert_eq!(
            shown,
            [
                ("whole one".to_string(), "both are 論語・學而".to_string()),
                ("whole".to_string(), "both are several chapters of 論語".to_string()),
                (String::new(), "it is of 孝經・開宗明義章, and no text is".to_string()),
            ]
        );
    }
}
