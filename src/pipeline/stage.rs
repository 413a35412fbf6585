//! One stage: its passes run on every document. With a [`Memo`], what they did to a document is
//! kept, under the keys of the document and of the others that they read.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::concerned::{LookupsOf, LookupsOfBuild, StillRight};
use super::sharing::Sharing;
use crate::cache::{CacheKey, digest};
use crate::corpus::lookups::KeptLookups;
use crate::diag::Diagnostic;
use crate::guard::guarded;
use crate::memo::{Memo, States};
use crate::model::Document;
use crate::passes::{Context, PASSES, Pass, Reads, Stage};
use crate::settings::Progress;

/// The code of what is reported of a pass that failed.
pub const FAILED: &str = "pass-failed";

/// The kind of a document as it is before the first pass that looks up words, for its key.
const BEFORE_LOOKUPS: &str = "before-lookups";

/// A stage of a run.
pub struct StageRun<'a> {
    /// Which.
    pub stage: Stage,
    /// Its passes.
    pub passes: Vec<&'static Pass>,
    memo: Option<&'a Memo>,
    progress: Option<&'a Progress>,
    /// How many passes come before the first that looks up words in other documents: all if none
    /// does.
    before_lookups: usize,
    sharing: Sharing,
}

/// A document after a stage.
struct StageOutput {
    document: Arc<Document>,
    /// Its key, if that is known.
    state: Option<CacheKey>,
    /// What was looked up for it.
    lookups: Option<LookupsOf>,
}

fn address(document: &Arc<Document>) -> usize {
    Arc::as_ptr(document) as usize
}

impl<'a> StageRun<'a> {
    /// The passes of a stage, except some.
    pub fn new(stage: Stage, without: &[&str], memo: Option<&'a Memo>) -> Self {
        let passes = PASSES.iter().filter(|p| p.stage == stage && !without.contains(&p.name));
        let passes: Vec<&Pass> = passes.collect();
        let looks_up = |p: &&Pass| matches!(p.reads, Reads::Lookups);
        let before_lookups = passes.iter().take_while(|p| !looks_up(p)).count();
        let sharing = Sharing::default();
        StageRun { stage, passes, memo, progress: None, before_lookups, sharing }
    }

    /// True if a pass of it looks up words in other documents.
    fn looks_up(&self) -> bool {
        self.before_lookups < self.passes.len()
    }

    /// The same, with one who is told how far it is.
    pub fn watched_by(self, progress: Option<&'a Progress>) -> Self {
        StageRun { progress, ..self }
    }

    /// The documents of the library of `context` after the stage, and the keys of those that are
    /// known. `states` has the keys before it.
    pub fn run(&self, context: &Context<'_>, states: &States) -> (Vec<Arc<Document>>, States) {
        self.passes.iter().filter_map(|p| p.prepare).for_each(|prepare| prepare(context));
        let memo = self.memo.filter(|_| self.looks_up());
        let right = memo.and_then(|memo| {
            let last: LookupsOfBuild = memo.last_lookups()?;
            last.still_right(context.index(), &states.all(context.library)?, memo)
        });
        if let Some(right) = &right {
            let own = 0..context.library.documents.len();
            context.index().will_look_up(own.filter(|n| right.get(*n).is_none()));
        }
        let right = right.unwrap_or_default();
        let (done, of) = (AtomicUsize::new(0), context.library.documents.len());
        let one = |(n, d): (usize, &Arc<Document>)| {
            let made = self.one(n, d, (context, states, &right));
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            self.progress.iter().for_each(|p| p.of(self.stage, done, of));
            made
        };
        let documents = context.library.documents.par_iter().enumerate();
        let made: Vec<StageOutput> = documents.map(one).collect();
        if let (Some(memo), Some(all)) = (memo, states.all(context.library)) {
            let lookups = made.iter().map(|made| made.lookups.clone()).collect();
            memo.keep_lookups(&LookupsOfBuild::of(context.index(), all, lookups));
        }
        let known = made.iter().filter_map(|m| Some((Arc::clone(&m.document), m.state.clone()?)));
        let states = known.collect();
        (made.into_iter().map(|made| made.document).collect(), states)
    }

    /// Document number `n` after the stage.
    fn one(
        &self,
        n: usize,
        document: &Arc<Document>,
        (context, states, right): (&Context<'_>, &States, &StillRight),
    ) -> StageOutput {
        // A settled document that no pass changes is shared, not copied.
        if document.settled && self.passes.iter().all(|p| p.settles) {
            let state = states.get(document).cloned();
            return StageOutput { document: Arc::clone(document), state, lookups: None };
        }
        let key = self.key((self.stage.name(), &self.passes), document, context, states, &[]);
        let known = self.memo.zip(key);
        let right = right.get(n);
        if let Some((memo, key)) = &known
            && let lookups = right.filter(|of| of.key == *key)
            && (lookups.is_some() || !self.looks_up())
            && let Some((document, state)) = self.kept((memo, key), document)
            && lookups.is_none_or(|l| Some(&l.made) == state.as_ref())
        {
            return StageOutput { document, state, lookups: lookups.cloned() };
        }
        // What comes before the lookups may be as it was, though what it reads changed.
        let looking_up = known.as_ref().filter(|_| self.looks_up());
        let first = if looking_up.is_some() { self.before_lookups } else { self.passes.len() };
        let (first, then) = self.passes.split_at(first);
        let mut changed = run_passes(first, document, context);
        let mut before = None;
        if let Some((memo, key)) = looking_up {
            let so_far = digest(&changed);
            before = self.key((BEFORE_LOOKUPS, then), document, context, states, &[&so_far]);
            let lookups = right.filter(|of| Some(&of.before) == before.as_ref());
            if let Some(made) = lookups.and_then(|of| self.renamed((memo, key), of, document)) {
                return made;
            }
            changed = run_passes(then, &changed, context);
        }
        self.sharing.share(&mut changed);
        debug_assert_eq!(changed.diagnostics.iter().find(|d| d.code == FAILED), None);
        let Some((memo, key)) = known else {
            return StageOutput { document: Arc::new(changed), state: None, lookups: None };
        };
        if self.is_last() {
            let document = memo.put_finished(&key, changed, document);
            return StageOutput { document, state: None, lookups: None };
        }
        let made = memo.put_document(&key, &mut changed, (document, states.get(document)));
        let lookups = context.take_lookups(n).map(KeptLookups::of).and_then(|found| {
            let found = memo.keep("sought", &found)?;
            Some(LookupsOf { key, made: made.clone(), before: before?, found })
        });
        StageOutput { document: Arc::new(changed), state: Some(made), lookups }
    }

    /// What the stage made of a document under another key, from the same document before the
    /// lookups.
    fn renamed(
        &self,
        (memo, key): (&Memo, &CacheKey),
        lookups: &LookupsOf,
        document: &Arc<Document>,
    ) -> Option<StageOutput> {
        if !memo.rename(&lookups.key, key) {
            return None;
        }
        let (document, state) = self.kept((memo, key), document)?;
        let lookups = LookupsOf { key: key.clone(), ..lookups.clone() };
        let is_right = state.as_ref() == Some(&lookups.made);
        is_right.then_some(StageOutput { document, state, lookups: Some(lookups) })
    }

    /// What the stage makes of a document, as it is kept, and its key if another stage needs it.
    fn kept(
        &self,
        (memo, key): (&Memo, &CacheKey),
        document: &Arc<Document>,
    ) -> Option<(Arc<Document>, Option<CacheKey>)> {
        let share = |made: &mut Document| self.sharing.share(made);
        if self.is_last() {
            return Some((memo.finished(key, document, share)?, None));
        }
        let (made, state) = memo.document(key, document, share)?;
        Some((made, Some(state)))
    }

    /// True if no stage comes after it: what it makes is kept for commands.
    fn is_last(&self) -> bool {
        Stage::ALL.last() == Some(&self.stage)
    }

    /// The key of what some passes make of a document and of `more`: of the document and of those
    /// that the passes read. `None` if a pass reads more than can be named.
    fn key(
        &self,
        (kind, passes): (&str, &[&Pass]),
        document: &Arc<Document>,
        context: &Context<'_>,
        states: &States,
        more: &[&CacheKey],
    ) -> Option<CacheKey> {
        let memo = self.memo?;
        let own = states.get(document)?;
        let (mut read, mut answered) = (FxHashSet::default(), vec![]);
        for pass in passes.iter().filter(|p| !(document.settled && p.settles)) {
            match pass.reads {
                Reads::Itself => {}
                // What is looked up is known only afterwards.
                Reads::Lookups => {}
                Reads::Documents(of) => read.extend(of(document, context).into_iter().map(address)),
                Reads::Answers(of) => {
                    let (documents, answers) = of(document, context)?;
                    read.extend(documents.into_iter().map(address));
                    answered.push(answers);
                }
            }
        }
        // In the order of the library, which decides between equals.
        let read = context.library.all().filter(|d| read.contains(&address(d)));
        let read = read.map(|d| states.get(d)).collect::<Option<Vec<_>>>()?;
        let parts = std::iter::once(own).chain(read).chain(&answered).chain(more.iter().copied());
        Some(memo.key(kind, parts.map(CacheKey::as_bytes)))
    }
}

/// Runs the passes of a stage on a document. A pass that fails is left out, and the document says
/// so: one text must not end the work on the others.
fn run_passes(passes: &[&Pass], document: &Document, context: &Context<'_>) -> Document {
    let mut failed: Vec<(&str, String)> = vec![];
    loop {
        let mut changed = document.clone();
        let settled = changed.settled;
        let has_failed = |p: &Pass| failed.iter().any(|f| f.0 == p.name);
        let is_done = |p: &Pass| settled && p.settles || has_failed(p);
        let wrong = passes.iter().filter(|p| !is_done(p)).find_map(|pass| {
            run_pass(pass, &mut changed, context).err().map(|why| (pass.name, why))
        });
        let Some(wrong) = wrong else {
            changed.diagnostics.extend(failed.iter().map(|(name, why)| failure(name, why)));
            shrink(&mut changed);
            return changed;
        };
        failed.push(wrong);
    }
}

/// Gives up room in lists that grew: all documents stay in memory.
fn shrink(document: &mut Document) {
    document.marks.shrink_to_fit();
    document.divisions.shrink_to_fit();
    document.sentences.shrink_to_fit();
    document.headers.shrink_to_fit();
    document.speeches.shrink_to_fit();
    document.readings.shrink_to_fit();
    document.supplied.shrink_to_fit();
    document.apparatus.shrink_to_fit();
    document.diagnostics.shrink_to_fit();
    document.segments.shrink_to_fit();
    document.links.shrink_to_fit();
}

/// Runs one pass; why it failed, if it did. The document is then useless.
fn run_pass(pass: &Pass, document: &mut Document, context: &Context<'_>) -> Result<(), String> {
    guarded(|| (pass.run)(document, context))?;
    document.check().map_err(|broken| broken.0)
}

fn failure(pass: &str, why: &str) -> Diagnostic {
    let message = format!("the pass {pass} failed on this text and was left out: {why}");
    Diagnostic::warning(FAILED, None, message)
        .hint("this is a fault of zhushu; please report it, with the text if you can")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Library;
    use crate::model::Layer;

    fn pass(name: &'static str, run: fn(&mut Document, &Context<'_>)) -> Pass {
        Pass {
            name,
            stage: Stage::Marks,
            needs: &[],
            settles: false,
            about: "",
            reads: Reads::Itself,
            prepare: None,
            run,
        }
    }

    #[test]
    fn a_pass_that_fails_is_left_out_and_the_others_run() {
        let passes = [
            pass("first", |d, _| d.meta.title = "first".into()),
            pass("panics", |d, _| {
                d.segments.clear();
                panic!("no such thing");
            }),
            pass("breaks", |d, _| d.segments.clear()),
            pass("last", |d, _| d.meta.title.push_str(" last")),
        ];
        let document = Document::of_pieces(&[(Layer::Jing, "學而時習之。")]);
        let (library, passes) = (Library::default(), passes.iter().collect::<Vec<_>>());
        let after = run_passes(&passes, &document, &Context::new(&library));
        assert_eq!(after.meta.title, "first last");
        assert_eq!(after.segments, document.segments);
        let said: Vec<&str> = after.diagnostics.iter().map(|d| &*d.message).collect();
        assert!(said[0].contains("pass panics") && said[0].contains("no such thing"), "{said:?}");
        assert!(said[1].contains("pass breaks") && said[1].contains("segments end"), "{said:?}");
    }
}
