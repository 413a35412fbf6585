//! `zhushu build --watch`.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use snapbox::cmd::cargo_bin;

use crate::support::program::Folder;

/// Longer than any build in a test takes, also on a busy machine.
const LIMIT: Duration = Duration::from_secs(120);

/// The program, which is ended with the test.
struct Watching(Child);

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn watch(folder: &Folder) -> Watching {
    let program = Command::new(cargo_bin!("zhushu"))
        .env("ZHUSHU_LIBRARY", "")
        .env_remove("ZHUSHU_LANG")
        .env("LC_ALL", "C")
        .current_dir(folder.path())
        .args(["build", "--watch"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    Watching(program.expect("the program starts"))
}

/// Waits until the TEI of the text contains these words.
fn wait_for(folder: &Folder, words: &str) {
    let path = folder.path().join("out/tei/a.xml");
    let start = Instant::now();
    while !fs::read_to_string(&path).is_ok_and(|tei| tei.contains(words)) {
        assert!(start.elapsed() < LIMIT, "{words} is not in {}", path.display());
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_saved_text_is_built_again_and_a_bad_one_does_not_end_the_watch() {
    let p = Folder::new();
    p.write("corpus/a.txt", "司射復位。\n三耦卒飲。\n");
    let mut program = watch(&p);
    wait_for(&p, "三耦");
    p.write("corpus/a.txt", "司射復位。\n獲者許諾。\n");
    wait_for(&p, "許諾");
    p.write("corpus/a.txt", "");
    std::thread::sleep(Duration::from_millis(500));
    p.write("corpus/a.txt", "司射復位。\n釋獲者坐。\n");
    wait_for(&p, "釋獲者坐");
    assert!(program.0.try_wait().expect("its state").is_none(), "it still runs");
}
