//! A temporary folder for a test, in which the program runs.

use std::fs;
use std::path::Path;

use snapbox::IntoData;
use snapbox::cmd::{Command, OutputAssert, cargo_bin};

use super::corpus;

/// A paragraph with its 疏.
pub const ZHUSHU: &str = "眾賓繼射,釋獲皆如初。於是言唯上耦者,嫌賓、主人射亦作之。\n\n[疏]“眾賓”至“如初”。注“於是”至“作之”。釋曰:雲“於是言唯上耦者”,明也。\n";

/// The texts of [`Folder::write_corpus`], a classic and its translation, and how many lines of them.
const CORPUS: &[(&str, usize)] = &[("yili-05-zhushu.txt", 50), ("yili-05-jinyi.txt", 60)];

/// A temporary folder for a test, in which the program runs.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }
    pub fn path(&self) -> &Path {
        self.0.path()
    }
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }
    /// Writes a corpus of the first lines of two bundled texts, with their entries of the manifest.
    /// Building the whole corpus takes many times as long.
    pub fn write_corpus(&self) -> &Self {
        let manifest = fs::read_to_string(corpus::file("zhushu.toml")).unwrap();
        let mut kept = String::new();
        for (n, entry) in manifest.split("[[text]]").enumerate() {
            let is_entry_of = |name: &str| entry.contains(&format!("file = \"{name}\""));
            let text = CORPUS.iter().find(|(name, _)| is_entry_of(name));
            if let Some((name, lines)) = text {
                let whole = fs::read_to_string(corpus::file(name)).unwrap();
                let start: String = whole.split_inclusive('\n').take(*lines).collect();
                self.write(&format!("corpus/{name}"), start);
            }
            if n == 0 || text.is_some() {
                kept.push_str(if n == 0 { "" } else { "[[text]]" });
                kept.push_str(entry);
            }
        }
        self.write("corpus/zhushu.toml", kept)
    }
    pub fn zhushu(&self, line: &str) -> Command {
        // No test may read the library of the person who runs it.
        let program = Command::new(cargo_bin!("zhushu"))
            .env("ZHUSHU_LIBRARY", "")
            .env_remove("ZHUSHU_LANG")
            .env("LC_ALL", "C");
        program.current_dir(self.path()).args(line.split_whitespace())
    }
    pub fn run(&self, line: &str) -> OutputAssert {
        self.zhushu(line).assert()
    }
    /// Expects exit code `code` and exactly this message, and an unchanged folder.
    #[track_caller]
    pub fn refuses(&self, line: &str, code: i32, words: impl IntoData) {
        let before = self.files();
        self.run(line).code(code).stdout_eq("").stderr_eq(words);
        assert_eq!(self.files(), before, "`{line}` left something behind");
    }
    /// Every file and folder here, with its content.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut files = vec![];
        walk(self.path(), "", &mut files);
        files
    }
}

fn walk(folder: &Path, shown: &str, files: &mut Vec<(String, Vec<u8>)>) {
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    for name in names {
        let (path, shown) = (folder.join(&name), format!("{shown}/{}", name.to_string_lossy()));
        if path.is_dir() && !path.is_symlink() {
            files.push((shown.clone(), vec![]));
            walk(&path, &shown, files);
        } else {
            files.push((shown, fs::read(&path).unwrap_or_default()));
        }
    }
}
