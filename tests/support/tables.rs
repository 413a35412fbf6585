//! Tables of figures that a test compares with its measurements.

/// Fails if the figures differ from the table, for better or worse. `SNAPSHOTS=overwrite` writes
/// the table. `--test house scoreboard` then makes the tables of `docs/scoreboard.md` from it.
pub fn hold(path: impl AsRef<std::path::Path>, now: &str) {
    if std::env::var("SNAPSHOTS").is_ok_and(|v| v == "overwrite") {
        std::fs::write(path, now).expect("the table is written");
        return;
    }
    let table = std::fs::read_to_string(path).expect("the table");
    assert_eq!(
        now, table,
        "figures changed: if for the better, SNAPSHOTS=overwrite records them; after `cargo test`, \
         `SNAPSHOTS=overwrite cargo test --test house scoreboard` shows them in docs/scoreboard.md"
    );
}
