//! The files of the index: damage and interruption.

use super::books::*;
use super::*;

fn small(id: &str, words: &str) -> Document {
    let mut draft = Draft { text: String::new(), segments: vec![] };
    draft.push(Layer::Jing, words);
    draft.document(id)
}

fn library_of(texts: &[(&str, &str)]) -> Library {
    Library {
        documents: texts.iter().map(|(id, words)| Arc::new(small(id, words))).collect(),
        ..Library::default()
    }
}

#[test]
fn a_build_that_was_killed_leaves_the_old_index_usable() {
    let folder = tempfile::tempdir().unwrap();
    search::build(&library_of(&[("a", "賢獲")]), folder.path()).unwrap();
    // What a killed build leaves behind: files under temporary names, and complete files that no
    // index lists.
    fs::write(folder.path().join(".zhushu-0123.seg"), "half").unwrap();
    fs::write(folder.path().join("0123456789abcdef01234567.seg"), "whole").unwrap();
    assert_eq!(total(folder.path(), "賢獲"), 1);
    search::build(&library_of(&[("a", "今文")]), folder.path()).unwrap();
    assert_eq!(total(folder.path(), "今文"), 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "and the next build sweeps it up");
}

#[test]
fn a_build_counts_its_files_and_their_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let library = library_of(&[("a", "賢獲"), ("b", "今文坐")]);
    let built = search::build(&library, folder.path()).unwrap();
    let bytes: u64 = fs::read_dir(folder.path())
        .unwrap()
        .map(Result::unwrap)
        .filter(|entry| entry.file_name() != "index.json")
        .map(|entry| entry.metadata().unwrap().len())
        .sum();
    assert_eq!((built.written, built.kept, built.bytes), (1, 0, bytes));
    assert_eq!(built.input, "賢獲今文坐".len() as u64);
    let again = search::build(&library, folder.path()).unwrap();
    assert_eq!((again.written, again.kept), (0, 1));
    assert_eq!((again.bytes, again.input), (built.bytes, built.input));
}

#[test]
fn a_build_that_cannot_write_leaves_the_old_index_usable() {
    let folder = tempfile::tempdir().unwrap();
    search::build(&library_of(&[("a", "賢獲")]), folder.path()).unwrap();
    // A file cannot be put in place: a folder has its name.
    let other = tempfile::tempdir().unwrap();
    search::build(&library_of(&[("a", "今文")]), other.path()).unwrap();
    let files = fs::read_dir(other.path()).unwrap().map(|file| file.unwrap().file_name());
    for name in files.filter(|name| name != "index.json") {
        fs::create_dir_all(folder.path().join(name).join("taken")).unwrap();
    }
    let e = search::build(&library_of(&[("a", "今文")]), folder.path()).unwrap_err();
    assert_eq!(e.kind, ErrorKind::Io);
    assert_eq!(total(folder.path(), "賢獲"), 1);
}

/// Opens the index and runs a query; returns the error.
fn complaint(folder: &Path) -> Option<String> {
    let asked = Index::open(folder).and_then(|i| {
        let found = i.search(&"賢獲".parse().unwrap(), Options::default())?;
        found.answers(&Show { limit: 500, ..Show::default() }).map(|a| assert_eq!(a.len(), 200))
    });
    asked.err().map(|e| e.to_string())
}

#[test]
fn a_cut_foreign_or_old_index_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let open = || complaint(folder.path());
    assert!(open().is_some_and(|e| e.contains("there is no such file")));
    let words = "賢獲坐".repeat(200);
    let library = library_of(&[("a", words.as_str())]);
    let show = |name: &str| folder.path().join(name);
    let rebuild = || search::build(&library, folder.path()).map(|b| b.written).unwrap();
    rebuild();
    let file = fs::read_dir(folder.path())
        .unwrap()
        .map(|f| f.unwrap().path())
        .find(|p| p.extension().is_some_and(|e| e == "seg"))
        .unwrap();
    let (whole, manifest) =
        (fs::read(&file).unwrap(), fs::read_to_string(show("index.json")).unwrap());
    for n in [0, 1, 100, whole.len() / 2, whole.len() - 1] {
        fs::write(&file, &whole[..n]).unwrap();
        assert!(open().is_some(), "cut at {n}");
        assert!(Index::verify(folder.path()).is_err());
        assert_eq!(rebuild(), 1, "a damaged file is rebuilt");
        assert_eq!(open(), None);
    }
    for at in (0..whole.len()).step_by(37) {
        let mut flipped = whole.clone();
        flipped[at] ^= 0x10;
        fs::write(&file, &flipped).unwrap();
        assert!(Index::verify(folder.path()).is_err(), "byte {at}");
        // A query reads only some of it: what it reads is right, or refused.
        let _ = open();
    }
    fs::write(&file, &whole).unwrap();
    fs::write(show("index.json"), manifest.replace("\"version\": 6", "\"version\": 9")).unwrap();
    assert!(open().is_some_and(|e| e.contains("format 9")));
    fs::write(show("index.json"), "{\"format\": \"another\"}").unwrap();
    assert!(open().is_some_and(|e| e.contains("not a search index")));
    fs::write(show("index.json"), &manifest[..manifest.len() / 2]).unwrap();
    assert!(open().is_some_and(|e| e.contains("damaged")));
    fs::write(show("index.json"), manifest.replace(".seg", "/../x.seg")).unwrap();
    assert!(open().is_some_and(|e| e.contains("not a valid file name")));
    fs::write(show("index.json"), &manifest).unwrap();
    fs::remove_file(&file).unwrap();
    assert!(open().is_some_and(|e| e.contains("the file is missing")));
}
