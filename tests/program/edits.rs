//! A build after a change is what a build from nothing is, byte for byte.
//!
//! Random changes of a small corpus: characters replaced, put in and taken out, punctuation,
//! lines moved within a text and to another, quotations added, texts removed, added, renamed, titles
//! changed. `ZHUSHU_EDITS` says how many are tried (a few by default), `ZHUSHU_SEED` which.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::support::corpus;
use crate::support::perturb::Dice;
use crate::support::program::Folder;

/// Characters of each text of the corpus.
const TEXT_CHARS: usize = 900;
/// Changes that are tried by default.
const EDITS: usize = 4;

type Edit = fn(&mut Edited);

const CHANGES: &[(&str, Edit)] = &[
    ("replace", Edited::replace),
    ("replace", Edited::replace),
    ("put in", Edited::put_in),
    ("take out", Edited::take_out),
    ("punctuate", Edited::punctuate),
    ("quote", Edited::quote),
    ("swap lines", Edited::swap_lines),
    ("move a line", Edited::move_line),
    ("remove or add", Edited::remove_or_add),
    ("rename", Edited::rename),
    ("title", Edited::title),
];

/// A corpus that is changed.
struct Edited {
    folder: PathBuf,
    dice: Dice,
    removed: Vec<(PathBuf, String)>,
}

impl Edited {
    fn below(&mut self, n: usize) -> usize {
        self.dice.below(n)
    }

    fn texts(&self) -> Vec<PathBuf> {
        let mut texts: Vec<_> =
            fs::read_dir(&self.folder).unwrap().map(|e| e.unwrap().path()).collect();
        texts.sort();
        texts
    }

    fn any(&mut self) -> PathBuf {
        let texts = self.texts();
        texts[self.below(texts.len())].clone()
    }

    /// Changes one of the texts.
    fn change(&mut self, edit: impl FnOnce(&mut Self, Vec<char>) -> Vec<char>) {
        let path = self.any();
        let text: Vec<char> = fs::read_to_string(&path).unwrap().chars().collect();
        let text: String = edit(self, text).into_iter().collect();
        fs::write(path, text).unwrap();
    }

    /// Changes the lines of one of the texts.
    fn lines(&mut self, edit: impl FnOnce(&mut Self, &mut Vec<String>)) {
        self.change(|own, text| {
            let text: String = text.into_iter().collect();
            let mut lines: Vec<String> = text.split('\n').map(String::from).collect();
            edit(own, &mut lines);
            lines.join("\n").chars().collect()
        });
    }

    fn ideograph(&mut self, text: &[char]) -> usize {
        let places: Vec<usize> =
            (0..text.len()).filter(|i| ('一'..='鿿').contains(&text[*i])).collect();
        places[self.below(places.len())]
    }

    fn replace(&mut self) {
        self.change(|own, mut text| {
            let (at, from) = (own.ideograph(&text), own.ideograph(&text));
            text[at] = text[from];
            text
        });
    }

    fn put_in(&mut self) {
        self.change(|own, mut text| {
            let (at, from) = (own.ideograph(&text), own.ideograph(&text));
            text.insert(at, text[from]);
            text
        });
    }

    fn take_out(&mut self) {
        self.change(|own, mut text| {
            let at = own.ideograph(&text);
            let n = 1 + own.below(3);
            text.drain(at..(at + n).min(text.len()));
            text
        });
    }

    fn punctuate(&mut self) {
        self.change(|own, mut text| {
            let marks: Vec<usize> =
                (0..text.len()).filter(|i| ",。，：；○".contains(text[*i])).collect();
            if !marks.is_empty() {
                let at = marks[own.below(marks.len())];
                text[at] = ['。', '，', '；', '○'][own.below(4)];
            }
            text
        });
    }

    fn quote(&mut self) {
        let other: Vec<char> = fs::read_to_string(self.any()).unwrap().chars().collect();
        self.change(|own, mut text| {
            let from = own.ideograph(&other);
            let words = &other[from..(from + 5 + own.below(20)).min(other.len())];
            let at = own.ideograph(&text);
            let quotation = "云“".chars().chain(words.iter().copied()).chain(['”']);
            text.splice(at..at, quotation.collect::<Vec<_>>());
            text
        });
    }

    fn swap_lines(&mut self) {
        self.lines(|own, lines| {
            let at = 1 + own.below(lines.len().saturating_sub(2));
            if at + 1 < lines.len() {
                lines.swap(at, at + 1);
            }
        });
    }

    fn move_line(&mut self) {
        let mut moved = String::new();
        self.lines(|own, lines| {
            let at = own.below(lines.len());
            moved = lines.remove(at);
        });
        self.lines(|_, lines| lines.push(moved));
    }

    fn remove_or_add(&mut self) {
        let path = self.any();
        match self.removed.pop() {
            Some((path, text)) => fs::write(path, text).unwrap(),
            None => {
                self.removed.push((path.clone(), fs::read_to_string(&path).unwrap()));
                fs::remove_file(path).unwrap();
            }
        }
    }

    fn rename(&mut self) {
        let path = self.any();
        let name = path.file_name().unwrap().to_str().unwrap();
        let letter = ["a", "m", "z"][self.below(3)];
        fs::rename(&path, path.with_file_name(format!("{letter}{name}"))).unwrap();
    }

    fn title(&mut self) {
        self.lines(|own, lines| {
            let titles = ["儀禮注疏卷第十二　鄉射禮第五", "燕禮第六", "論語・學而第一", ""];
            lines[0] = titles[own.below(titles.len())].into();
        });
    }
}

/// The beginnings of the bundled texts, and a copy of one, without a manifest.
fn small_corpus(p: &Folder) {
    for name in
        ["yili-05-zhushu.txt", "yili-06-zhushu.txt", "yili-05-jinyi.txt", "yili-05-jishi.txt"]
    {
        let text = fs::read_to_string(corpus::file(name)).unwrap();
        let start: String = text.chars().take(TEXT_CHARS).collect();
        p.write(&format!("corpus/{name}"), &start);
        let later: String = text.chars().skip(TEXT_CHARS / 2).take(TEXT_CHARS).collect();
        p.write(&format!("corpus/later-{name}"), later);
    }
}

/// What a build made, without what it remembers.
fn made(p: &Folder, out: &str) -> BTreeMap<String, Vec<u8>> {
    let inside = format!("/{out}/");
    let files = p.files().into_iter().filter_map(|(path, bytes)| {
        let path = path.strip_prefix(&inside)?;
        (!path.starts_with(".zhushu")).then(|| (path.to_string(), bytes))
    });
    files.collect()
}

#[test]
fn a_build_after_changes_is_a_build_from_nothing() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<usize>().ok());
    let (edits, seed) = (number("ZHUSHU_EDITS").unwrap_or(EDITS), number("ZHUSHU_SEED"));
    let p = Folder::new();
    small_corpus(&p);
    let folder = p.path().join("corpus");
    let dice = Dice::new(seed.unwrap_or(7) as u64);
    let mut edited = Edited { folder, dice, removed: vec![] };
    p.run("build corpus -o out");
    for n in 0..edits {
        let (name, edit) = CHANGES[edited.below(CHANGES.len())];
        edit(&mut edited);
        let code = p.run("build corpus -o out").get_output().status.code();
        // The report names the folder, so the other build must have the same.
        let (kept, grown) = (p.path().join("kept"), made(&p, "out"));
        fs::rename(p.path().join("out"), &kept).unwrap();
        let other = p.run("build corpus -o out").get_output().status.code();
        let whole = made(&p, "out");
        assert_eq!(code, other, "{name}, number {n}");
        assert!(grown.keys().eq(whole.keys()), "{name}, number {n}");
        let differ: Vec<&String> =
            grown.iter().filter(|(path, bytes)| whole[*path] != **bytes).map(|f| f.0).collect();
        assert_eq!(differ, Vec::<&String>::new(), "{name}, number {n}");
        fs::remove_dir_all(p.path().join("out")).unwrap();
        fs::rename(&kept, p.path().join("out")).unwrap();
    }
}

/// Damages, or removes, what a build left for the next.
fn damage(folder: &Path, n: &mut usize) {
    for entry in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        if entry.is_dir() {
            damage(&entry, n);
            continue;
        }
        *n += 1;
        let mut bytes = fs::read(&entry).unwrap();
        let middle = bytes.len() / 2;
        match *n % 3 {
            0 => fs::remove_file(&entry).unwrap(),
            1 => fs::write(&entry, &bytes[..middle]).unwrap(),
            _ => {
                bytes[middle] ^= 1;
                fs::write(&entry, bytes).unwrap();
            }
        }
    }
}

#[test]
fn damaged_results_of_the_last_build_are_computed_again() {
    let p = Folder::new();
    small_corpus(&p);
    p.run("build corpus -o out").success();
    let before = made(&p, "out");
    let mut damaged = 0;
    damage(&p.path().join("out/.zhushu/memo"), &mut damaged);
    assert!(damaged > 8, "{damaged}");
    fs::remove_dir_all(p.path().join("out/site")).unwrap();
    p.run("build corpus -o out").success();
    assert!(made(&p, "out") == before);
}

/// When each file of a folder was written.
fn written(folder: &Path, files: &mut BTreeMap<PathBuf, SystemTime>) {
    for entry in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        if entry.is_dir() {
            written(&entry, files);
        } else {
            files.insert(entry.clone(), fs::metadata(&entry).unwrap().modified().unwrap());
        }
    }
}

/// What is computed is written, what is used again is not.
#[test]
fn what_a_change_does_not_concern_is_not_computed_again() {
    let p = Folder::new();
    small_corpus(&p);
    p.run("build corpus -o out").success();
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    written(&p.path().join("out/.zhushu/memo"), &mut before);
    let path = p.path().join("corpus/later-yili-06-zhushu.txt");
    let mut text: Vec<char> = fs::read_to_string(&path).unwrap().chars().collect();
    let at = text.iter().rposition(|c| ('一'..='鿿').contains(c)).unwrap();
    text[at] = '龘';
    fs::write(&path, text.into_iter().collect::<String>()).unwrap();
    p.run("build corpus -o out").success();
    written(&p.path().join("out/.zhushu/memo"), &mut after);
    let kept = after.iter().filter(|(file, time)| before.get(*file) == Some(time)).count();
    // Of eight texts the file, its marks, layers and references; and what belongs to the build.
    assert!(kept >= 25 && kept < before.len(), "{kept} of {}", before.len());
}

/// Copies the files of a folder into another, over those that it has.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(|e| e.unwrap().path()) {
        let copied = to.join(entry.file_name().unwrap());
        if entry.is_dir() { copy(&entry, &copied) } else { _ = fs::copy(&entry, copied).unwrap() }
    }
}

/// A build that was killed before its end leaves results of the texts as they were then.
#[test]
fn results_of_a_build_that_was_killed_are_not_those_of_the_last() {
    let p = Folder::new();
    small_corpus(&p);
    p.run("build corpus -o out").success();
    let dice = Dice::new(5);
    let mut edited = Edited { folder: p.path().join("corpus"), dice, removed: vec![] };
    let (out, kept) = (p.path().join("out"), p.path().join("kept"));
    for edit in [Edited::quote, Edited::swap_lines, Edited::take_out] {
        let (before, texts) = (made(&p, "out"), p.path().join("texts"));
        copy(&out, &kept);
        copy(&edited.folder, &texts);
        edit(&mut edited);
        p.run("build corpus -o out").success();
        // What it had written before it was killed; then the change is taken back.
        copy(&out.join(".zhushu/memo"), &kept.join(".zhushu/memo"));
        fs::remove_dir_all(&out).unwrap();
        fs::rename(&kept, &out).unwrap();
        copy(&texts, &edited.folder);
        fs::remove_dir_all(out.join("site")).unwrap();
        p.run("build corpus -o out").success();
        assert!(made(&p, "out") == before);
    }
}
