//! How well texts are cut by weights that were learned without them: `lab train --held-out`.

use std::fmt::Write as _;
use std::sync::Arc;

use zhushu::Settings;
use zhushu::corpus::Library;
use zhushu::diag::Error;
use zhushu::model::Layer;
use zhushu::passes::Context;
use zhushu::passes::split::gather::gather;
use zhushu::passes::split::model::Guide;
use zhushu::score::{Gold, GoldError, LayerCut, Lines, Score, score};

use super::lesson::{Lesson, hide_sub_commentary};
use super::lessons::{LessonRow, witness_of};
use super::{weights, without_references};
use crate::texts;

/// What is left out while weights are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum HeldOut {
    /// All lessons of the text's book
    Book,
    /// Only the text itself
    Text,
}

/// What is given with a text while it is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Condition {
    /// Nothing.
    Blind,
    /// A plain copy of the classic.
    Beside,
    /// Not even its 疏, nor what the program knows of the classics: as a book that it does not
    /// know.
    Unknown,
}

impl Condition {
    fn name(self) -> &'static str {
        match self {
            Condition::Blind => "blind",
            Condition::Beside => "beside the classic",
            Condition::Unknown => "as an unknown book",
        }
    }
}

/// A text cut twice: with the weights at hand, and with weights learned without it.
struct CutTwice {
    condition: Condition,
    lesson: usize,
    scores: [Score; 2],
}

/// The lessons and the settings they are cut with.
pub struct HeldOutTest<'a> {
    pub rows: &'a [LessonRow],
    pub lessons: &'a [Lesson],
    pub settings: &'a Settings,
    /// Only as books that the program does not know.
    pub only_unknown: bool,
}

impl HeldOutTest<'_> {
    /// The table of scores.
    ///
    /// # Errors
    /// If a text cannot be read.
    pub fn table(&self, held_out: HeldOut) -> Result<String, Error> {
        let fold = |r: &LessonRow| match held_out {
            HeldOut::Book => r.book.clone(),
            HeldOut::Text => r.text.display().to_string(),
        };
        let of: Vec<String> = self.rows.iter().map(fold).collect();
        let mut folds = of.clone();
        folds.dedup();
        let mut cuts = Vec::new();
        for fold in folds {
            let (inside, outside): (Vec<usize>, Vec<usize>) =
                (0..of.len()).partition(|n| of[*n] == fold);
            let outside: Vec<&Lesson> = outside.into_iter().map(|n| &self.lessons[n]).collect();
            let known = [&[Condition::Blind, Condition::Beside][..]].into_iter();
            for conditions in
                known.filter(|_| !self.only_unknown).chain([&[Condition::Unknown][..]])
            {
                cuts.extend(self.fold(&inside, &outside, conditions)?);
            }
        }
        cuts.sort_by_key(|c| (c.condition, c.lesson));
        Ok(self.written(&cuts))
    }

    /// Cuts the texts of one fold with weights learned from the lessons outside it.
    fn fold(
        &self,
        inside: &[usize],
        outside: &[&Lesson],
        conditions: &[Condition],
    ) -> Result<Vec<CutTwice>, Error> {
        let unknown = conditions.contains(&Condition::Unknown);
        let mut settings = without_references(self.settings);
        if unknown {
            settings.models.layers_mut().forget_canon();
        }
        let mut guides: Vec<Guide> =
            inside.iter().map(|n| guide(&self.lessons[*n], unknown, &settings)).collect();
        // A text that is guessed alone has other weights beside another one.
        guides.extend(guides.clone().iter().map(|g| Guide { alone: false, ..*g }));
        guides.sort_by_key(|g| (g.headers, g.kin, g.canon, g.alone));
        guides.dedup();
        let weights = weights::weights_of(outside, &guides, settings.models.layers());
        let mut learned = settings.clone();
        learned.models.layers_mut().give_weights(weights);
        let mut cuts = Vec::new();
        for condition in conditions {
            for lesson in inside.iter().copied() {
                let row = &self.rows[lesson];
                let scores =
                    [measure(row, *condition, &settings)?, measure(row, *condition, &learned)?];
                cuts.push(CutTwice { condition: *condition, lesson, scores });
            }
        }
        Ok(cuts)
    }

    fn written(&self, cuts: &[CutTwice]) -> String {
        let mut out = String::from(
            "# F1 of borders within lines, with the weights at hand and held out: learned without \
             the text\n# condition\tbook\ttext\tborders\tat hand\theld out\tright\tfound\n",
        );
        for c in cuts {
            let row = &self.rows[c.lesson];
            let [now, held_out] = c.scores.each_ref().map(|s| s.borders);
            let _ = writeln!(
                out,
                "{}\t{}\t{}\t{}\t{:.3}\t{:.3}\t{}\t{}",
                c.condition.name(),
                row.book,
                row.text.file_stem().unwrap_or_default().to_string_lossy(),
                held_out.gold,
                now.f1(),
                held_out.f1(),
                held_out.right,
                held_out.found
            );
        }
        for condition in [Condition::Blind, Condition::Beside, Condition::Unknown] {
            let mut sum = Score::default();
            cuts.iter().filter(|c| c.condition == condition).for_each(|c| sum += &c.scores[1]);
            write_certainty(&mut out, condition, &sum);
        }
        out
    }
}

/// How the held-out certainties of a condition are to be trusted.
fn write_certainty(out: &mut String, condition: Condition, sum: &Score) {
    let _ = writeln!(
        out,
        "# {}, all: F1 {:.3}; starts of segments by certainty: from, given, right, n",
        condition.name(),
        sum.borders.f1()
    );
    for b in sum.calibration.bins.iter().filter(|b| b.n > 0) {
        let _ = writeln!(out, "{:.2}\t{:.3}\t{:.3}\t{}", b.from, b.given(), b.right_share(), b.n);
    }
    let _ = writeln!(out, "expected calibration error\t{:.4}", sum.calibration.ece());
}

/// By which weights a lesson is cut.
fn guide(lesson: &Lesson, unknown: bool, settings: &Settings) -> Guide {
    let library = Library::default();
    let context = Context::with(&library, &settings.works, settings.models.layers());
    let mut document = lesson.document.clone();
    if unknown {
        hide_sub_commentary(&mut document);
    }
    gather(&mut document, &context).guide
}

/// Cuts a text and judges it.
fn measure(row: &LessonRow, condition: Condition, settings: &Settings) -> Result<Score, Error> {
    let mut document = settings.entry(&texts::entry(&row.text, None))?;
    if condition == Condition::Unknown {
        hide_sub_commentary(&mut document);
    }
    let source = Arc::clone(&document.source);
    let mut documents = vec![document];
    if let Some(witness) = row.witness.as_ref().filter(|_| condition == Condition::Beside) {
        documents.push(witness_of(witness, settings)?);
    }
    let library = settings.run(documents);
    let chapters: Vec<_> =
        library.documents[..texts::of_first_file(&library)].iter().map(|d| &**d).collect();
    let wrong = |e: GoldError| Error::input(&row.cut, e.to_string());
    let mut gold = Gold::read(&texts::json(&row.cut)?, &source).map_err(wrong)?;
    if condition == Condition::Unknown {
        gold.leave_out(Layer::Shu); // it is hidden
    }
    Ok(score(&source, &gold, &LayerCut::of_chapters(&chapters), Lines::Within))
}
