//! Searches that stop when nobody waits for them any longer.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

/// Everything that a server asks of an index for a query.
fn all_of(index: &Index, query: &str) -> Result<usize, zhushu::diag::Error> {
    let query: Query = query.parse().unwrap();
    let found = index.search(&query, Options::default())?;
    found.answers(&Show { sort: Sort::Left, ..Show::default() })?;
    found.count(search::Facet::Work)?;
    index.unknown_names(&query)?;
    index.suggest(&query, Options::default())?;
    Ok(found.total())
}

/// How often `is_over` was asked, and the result, if it says yes from the `n`th time on.
fn stopped(folder: &Path, query: &str, n: usize) -> (usize, Result<usize, zhushu::diag::Error>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let index = Index::open(folder).unwrap();
    let index = index.until(move || counter.fetch_add(1, Ordering::SeqCst) >= n);
    let result = all_of(&index, query);
    (asked.load(Ordering::SeqCst), result)
}

#[test]
fn a_search_stops_wherever_it_is() {
    let (folder, index) = index_of(corpus::library());
    for query in [
        "*",
        "之 NEAR/200 之",
        "(* @ * @ *) NOT NOT 之",
        "re:.賓.",
        "經:之 主 by:鄭玄",
        "賓主人再拜獲旌",
    ] {
        let total = all_of(&index, query).unwrap();
        let (all, result) = stopped(folder.path(), query, usize::MAX);
        assert_eq!(result.unwrap(), total, "{query}");
        assert!(all > 10, "{query}: asked {all} times");
        for n in (0..all).step_by(all / 20 + 1) {
            let (asked, result) = stopped(folder.path(), query, n);
            assert_eq!(result.unwrap_err().kind, ErrorKind::Stopped, "{query}: {n} of {all}");
            assert_eq!(asked, n + 1, "{query}: it went on");
        }
    }
    // NEAR reads little and compares much.
    let (asked, hits) = stopped(folder.path(), "之 NEAR/200 之 NEAR/200 之", usize::MAX);
    assert!(asked > total(folder.path(), "之 NEAR/200 之"), "{asked} for {hits:?}");
}
