//! Whatever is read, nothing panics, and every document is sound and has all bytes of its source.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use super::dice::Dice;
use super::edited::edited;
use super::targets::{TARGETS, Target};

/// Cases of a short run.
const FEW: usize = 60;

/// Runs a target on edits of its seeds.
fn fuzz(target: &str) {
    let found = TARGETS.iter().find(|t| t.name == target);
    let Target { seeds, test, .. } = found.expect("there is such a target");
    let seeds = &seeds();
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    let (seconds, seed) = (number("ZHUSHU_FUZZ"), number("ZHUSHU_SEED").unwrap_or(21));
    let end = seconds.map(|s| Instant::now() + Duration::from_secs(s));
    let mut dice = Dice(seed);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/fuzz");
    std::fs::create_dir_all(&folder).expect("a folder");
    let (mut cases, mut wrong) = (0, Vec::new());
    while end.map_or(cases < FEW, |end| Instant::now() < end) {
        let case = edited(&seeds[dice.below(seeds.len())], seeds, &mut dice);
        // What ends the process, such as an overflow of the stack, leaves it there.
        let last = folder.join(format!("{target}-last"));
        std::fs::write(&last, &case).expect("the case is kept");
        let result = catch_unwind(AssertUnwindSafe(|| test(&case)));
        if let Some(why) = match result {
            Ok(result) => result.err(),
            Err(panic) => Some(
                panic
                    .downcast_ref::<String>()
                    .map_or_else(|| "a panic".to_string(), |why| format!("a panic: {why}")),
            ),
        } {
            let file = folder.join(format!("{target}-{seed}-{cases}"));
            std::fs::write(&file, &case).expect("the case is kept");
            wrong.push(format!("{}: {why}", file.display()));
        }
        cases += 1;
    }
    _ = std::fs::remove_file(folder.join(format!("{target}-last")));
    println!("{target}: {cases} cases");
    assert!(wrong.is_empty(), "{} of {cases} cases:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn any_text_is_read_or_refused() {
    fuzz("read");
}

#[test]
fn every_reader_takes_or_refuses_any_text() {
    fuzz("readers");
}

#[test]
fn any_packed_file_is_read_or_refused() {
    fuzz("packed");
}

#[test]
fn edited_tei_is_read_or_refused() {
    fuzz("tei");
}

#[test]
fn any_text_passes_the_whole_pipeline_and_comes_back_from_its_tei() {
    fuzz("pipeline");
}

#[test]
fn any_query_is_answered_or_refused() {
    fuzz("query");
}

#[test]
fn a_damaged_index_answers_or_refuses() {
    fuzz("index");
}

#[test]
fn an_index_that_contradicts_itself_answers_or_refuses() {
    fuzz("resealed");
}

/// What longer runs found, each by the name of its target.
const FOUND: &[(&str, &[u8])] =
    &[("resealed", include_bytes!("found/resealed-place-between-units"))];

#[test]
fn what_was_found_is_answered_or_refused() {
    for (name, bytes) in FOUND {
        let target = TARGETS.iter().find(|t| t.name == *name).expect("there is such a target");
        (target.test)(bytes).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}

#[test]
fn any_manifest_is_read_or_refused() {
    fuzz("manifest");
}

#[test]
fn any_corrections_are_read_or_refused() {
    fuzz("corrections");
}

#[test]
fn whatever_a_program_says_it_is_answered() {
    fuzz("mcp");
}

/// Found by the fuzzer that follows coverage: a word that names a layer, inside a mark.
#[test]
fn a_border_is_never_inside_a_mark() {
    let text = b"\xe3\x8c\x89\x00\x00\xe5\xb0\xa3\xe7\xe7\x96\x8f\xe3\x80\x91\xe5\xa4\xab ==\n\xe5\
          \xb0\x8f\xe8\x87\xa3\xe6\x88\x92\xe8\x88\x87\xe8\x80\x85\x82{{#+>>>\x95\xe9\xa3\xb2\
          \xe4\xb9\x8b\xe6\xb3\x95\x88*|\xe5\xb0\x8f\xd4\xd4\xd4\xd4\xe7\x96\x8f\xc1\xe3}}\xa9\
          \xe6\x93\xbf\xe5\x8c\x97\xe9\xbb\xba\xba\xe5\x8d\x92\xe7\x9b\xa5\xe5\xa3\xb9\xe6\x8f\
          \x96\xe5\xa3\xb9\xe8\xae\x93\xe5\x8d\x87\xe8\xb3\x93\xe5\x8d\x87\xe8\xa5\x9f\xe6\x9c";
    let target = TARGETS.iter().find(|t| t.name == "pipeline").expect("there is such a target");
    assert_eq!((target.test)(text), Ok(()));
}

#[test]
fn every_target_is_run() {
    let this = include_str!("fuzz.rs");
    for target in TARGETS {
        assert!(this.contains(&format!("fuzz(\"{}\")", target.name)), "{}", target.name);
    }
}
