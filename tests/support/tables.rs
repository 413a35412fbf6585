//! Tables of figures that a test compares with its measurements.

/// Fails if the figures differ from the table, for better or worse. `SNAPSHOTS=overwrite` writes
/// the table.
pub fn hold(path: impl AsRef<std::path::Path>, now: &str) {
    if std::env::var("SNAPSHOTS").is_ok_and(|v| v == "overwrite") {
        std::fs::write(path, now).expect("the table is written");
        return;
    }
    let table = std::fs::read_to_string(path).expect("the table");
    assert_eq!(
        now, table,
        "figures changed: if for the better, SNAPSHOTS=overwrite records them; update docs/scoreboard.md too"
    );
}
