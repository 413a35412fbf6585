//! The program as a user meets it: what it says, its exit codes, and that nothing is left half written.
//!
//! Expected words stand in the tests (`str![…]`); `SNAPSHOTS=overwrite cargo test` writes them anew.

use std::fs;
use std::path::Path;
use std::process::{Command as Process, Stdio};

use snapbox::IntoData;
use snapbox::cmd::{Command, OutputAssert, cargo_bin};
use snapbox::str;

/// A folder of a test's own, in which the program runs.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }
    fn path(&self) -> &Path {
        self.0.path()
    }
    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }
    fn zhushu(&self, line: &str) -> Command {
        Command::new(cargo_bin!("zhushu")).current_dir(self.path()).args(line.split_whitespace())
    }
    fn run(&self, line: &str) -> OutputAssert {
        self.zhushu(line).assert()
    }
    /// Fails with `code` and exactly these words, and leaves the folder as it was.
    #[track_caller]
    fn refuses(&self, line: &str, code: i32, words: impl IntoData) {
        let before = self.files();
        self.run(line).code(code).stdout_eq("").stderr_eq(words);
        assert_eq!(self.files(), before, "`{line}` left something behind");
    }
    /// Every file and folder here, with its content.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
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

const ZHUSHU: &str = "眾賓繼射,釋獲皆如初。於是言唯上耦者,嫌賓、主人射亦作之。\n\n[疏]“眾賓”至“如初”。注“於是”至“作之”。釋曰:雲“於是言唯上耦者”,明也。\n";

#[test]
fn bad_texts() {
    let p = Place::new();
    p.write("empty.txt", "").write("blank.txt", " \n\u{3000}\n").write("english.txt", "Nothing Chinese here.\n");
    p.write("binary.txt", b"\x00\x01\x02\xff\xfe\x00PNG").write("broken.txt", "經注\n釋曰\u{27C30}:".as_bytes());
    let mut broken = "經注\n釋曰\u{27C30}:".as_bytes().to_vec();
    broken.extend(b"\xe7\xb6");
    p.write("broken.txt", broken);
    p.write("old.json", "keep me").write("gb.txt", b"\xbe\xad\xd7\xa2\xff");
    p.refuses("convert empty.txt -o x.json", 3, str![]);
    p.refuses("convert blank.txt -o old.json", 3, str![]);
    p.refuses("convert english.txt", 3, str![]);
    p.refuses("convert binary.txt -o old.json", 3, str![]);
    p.refuses("convert broken.txt -o x.json", 3, str![]);
    p.refuses("convert gb.txt --encoding gb18030", 3, str![]);
    p.refuses("convert broken.txt --encoding klingon", 2, str![]);
}

#[test]
fn bad_command_lines() {
    let p = Place::new();
    p.write("a.txt", ZHUSHU).write("corpus/a.txt", ZHUSHU);
    p.refuses("convert a.txt --to docx", 2, str![]);
    p.refuses("convert a.txt --from docx", 2, str![]);
    p.refuses("convert a.txt -o a.docx", 2, str![]);
    p.refuses("convert missing.txt", 5, str![]);
    p.refuses("convert corpus", 5, str![]);
    p.refuses("convert a.txt -o corpus --to json", 5, str![]);
    p.refuses("convert a.txt -o no/such/folder.json", 5, str![]);
    p.refuses("convert a.txt --with missing", 5, str![]);
    p.refuses("build missing", 5, str![]);
    p.refuses("build -o corpus", 2, str![]);
    p.refuses("demo corpus", 2, str![]);
    p.run("convert").code(2);
    p.run("biuld").code(2);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let p = Place::new();
    symlink("loop", p.path().join("loop")).unwrap();
    p.refuses("build loop", 5, str![]);
    p.write("locked/a.txt", ZHUSHU);
    let locked = p.path().join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0)).unwrap();
    if fs::read_dir(&locked).is_ok() {
        println!("skipped: this user may read any folder");
    } else {
        p.run("build locked").code(5).stderr_eq(str![]);
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A manifest around which one thing is wrong, and what is said of it.
#[track_caller]
fn wrong_manifest(manifest: &str, words: impl IntoData) {
    let p = Place::new();
    p.write("corpus/a.txt", ZHUSHU).write("corpus/b.txt", ZHUSHU).write("corpus/b.md", ZHUSHU).write("corpus/zhushu.toml", manifest);
    p.refuses("build", 4, words);
}

#[test]
fn wrong_manifests() {
    wrong_manifest("[[text]]\nfile = \"a.txt\"\n\n[[text]]\nfile = \"c.txt\"\n", str![]);
    wrong_manifest("[[text]]\nfile = \"鄉射禮注疏.txt\" # 儀禮\n", str![]);
    wrong_manifest("[[text]]\nfile = \"a.txt\"\nsiglm = \"A\"\n", str![]);
    wrong_manifest("[[text]]\nfile = \"a.txt\"\ncolour = \"red\"\n", str![]);
    wrong_manifest("[[txt]]\nfile = \"a.txt\"\n", str![]);
    wrong_manifest("[[text]]\nfile = 5\n", str![]);
    wrong_manifest("[[text]]\nfile = \"a.txt\"\nchapter = { title = \"鄉射禮\", number = \"五\" }\n", str![]);
    wrong_manifest("[[text]]\nfile = \"a.txt\"\nlayers = [{ layer = \"經\" }, { layer = \"脚注\" }]\n", str![]);
    wrong_manifest("[[text]]\nfile = \"a.txt\"\nlayers = [{ layer = \"shuu\" }]\n", str![]);
    wrong_manifest(
        "[[person]]\nkey = \"zhengxuan\"\nname = \"鄭玄\"\n\n[[text]]\nfile = \"a.txt\"\nlayers = [{ layer = \"注\", by = \"zhenxuan\" }]\n",
        str![],
    );
    wrong_manifest("[[text]]\nfile = \"a.txt\"\nwork = \"yili\"\n", str![]);
    wrong_manifest("[[text]]\nfile = \"a.txt\"\n[[text]]\nfile = \"b.txt\"\nrole = \"translation\"\ntranslates = [\"aa\"]\n", str![]);
    wrong_manifest("[[text]]\nfile = \"a.txt\"\ntranslates = [\"a\"]\n", str![]);
    wrong_manifest("[[text]]\nfile = \"b.txt\"\n[[text]]\nfile = \"b.md\"\n", str![]);
    wrong_manifest("[[text]]\nfile = \"../a.txt\"\n", str![]);
    wrong_manifest("[[text]]\nfile = \"a.txt\"\nreader = \"zhushuu\"\n", str![]);
    wrong_manifest("[[text]]\nfile = \"a.txt\"\nencoding = \"gb-18030-x\"\n", str![]);
    wrong_manifest("[[text]]\nfile = \"a.txt\"\nlanguage = \"古文\"\n", str![]);
    wrong_manifest("[[text]]\ntitle = \"鄉射禮\"\n", str![]);
    wrong_manifest("[[text]]\nfile = \"a.txt\ntitle = \"x\"\n", str![]);
    wrong_manifest("[corpus]\ntitle = \"\"\n", str![]);
    wrong_manifest("", str![]);
}

#[test]
fn a_text_of_a_manifest_that_cannot_be_read_stops_the_build_before_anything_is_written() {
    let p = Place::new();
    p.write("corpus/a.txt", ZHUSHU).write("corpus/b.txt", b"\xff\xff");
    p.write("corpus/zhushu.toml", "[[text]]\nfile = \"a.txt\"\n[[text]]\nfile = \"b.txt\"\n");
    p.refuses("build", 3, str![]);
}

#[test]
fn a_folder_without_manifest_says_what_it_left_out() {
    let p = Place::new();
    p.write("texts/a.txt", ZHUSHU).write("texts/b.bin", b"\xff\xff\x00").write("texts/more/c.txt", ZHUSHU);
    p.run("check texts").success().stdout_eq(str![]);
    p.write("none/b.bin", b"\xff\xff\x00");
    p.refuses("build none", 3, str![]);
}

#[test]
fn demo_and_build_and_what_a_second_build_does() {
    let p = Place::new();
    p.run("demo .").success();
    let first = p.run("build").success();
    let words = String::from_utf8_lossy(&first.get_output().stdout).into_owned();
    assert!(words.contains("characters by layer") && words.contains("first build"), "{words}");
    let built = p.files();
    assert!(built.iter().any(|(n, _)| n == "/out/json/yili-05-zhushu.json"));
    p.run("build").success().stdout_eq(str![]);
    assert_eq!(p.files(), built, "a second build writes nothing");
    let text = fs::read_to_string(p.path().join("corpus/yili-06-zhushu.txt")).unwrap();
    p.write("corpus/yili-06-zhushu.txt", text + "\n");
    let words = p.run("build").success().get_output().stdout.clone();
    assert!(String::from_utf8_lossy(&words).contains("(changed: yili-06-zhushu.txt)"));
    // A text is taken out: its files go, but one that was edited stays.
    let manifest = fs::read_to_string(p.path().join("corpus/zhushu.toml")).unwrap();
    p.write("corpus/zhushu.toml", &manifest[..manifest.rfind("[[text]]").unwrap()]);
    p.run("build").success();
    assert!(p.files().iter().all(|(n, _)| !n.starts_with("/out") || !n.contains("yili-07")));
    p.write("out/json/yili-05-jishi.json", "edited").write("out/json/mine.txt", "mine");
    p.write("corpus/zhushu.toml", manifest.replace("[[text]]\nfile = \"yili-05-jishi.txt\"", "[[text]]\nfile = \"nothing.txt\""));
    p.run("build").code(4);
    p.run("build --force -o elsewhere corpus/zhushu.toml").code(4);
    assert!(!p.path().join("elsewhere").exists());
    assert_eq!(fs::read(p.path().join("out/json/mine.txt")).unwrap(), b"mine");
}

#[test]
fn an_output_that_somebody_edited_is_not_removed_with_its_text() {
    let p = Place::new();
    p.write("corpus/a.txt", ZHUSHU).write("corpus/b.txt", ZHUSHU);
    p.run("build").success();
    fs::remove_file(p.path().join("corpus/b.txt")).unwrap();
    p.write("out/json/b.json", "edited");
    let words = p.run("build").success().get_output().stdout.clone();
    assert!(String::from_utf8_lossy(&words).contains("left alone, for it was changed since: out/json/b.json"));
    assert_eq!(fs::read(p.path().join("out/json/b.json")).unwrap(), b"edited");
}

#[test]
fn standard_input_and_output() {
    let p = Place::new();
    p.write("a.txt", ZHUSHU);
    let file = p.run("convert a.txt").success().get_output().stdout.clone();
    let file = String::from_utf8(file).unwrap();
    assert!(file.starts_with("{\n\"format\": \"zhushu/1\""), "{file}");
    let piped = p.zhushu("convert - -o -").stdin(ZHUSHU).assert().success().get_output().stdout.clone();
    let piped = String::from_utf8(piped).unwrap();
    assert_eq!(piped.replace("\"path\":\"-\"", "\"path\":\"a.txt\"").replace("\"text\"", "\"a\""), file);
}

#[test]
fn the_same_text_in_another_encoding_gives_the_same_spans() {
    let p = Place::new();
    let text = "[疏]“卒射”至“而俟”。注“司射”至“數也”。釋曰:是宜終之也。\n";
    let (gb, _, lost) = encoding_rs::GB18030.encode(text);
    assert!(!lost);
    p.write("a.txt", text).write("b.txt", gb);
    let spans = |line: &str| {
        let out = p.run(line).success().get_output().stdout.clone();
        serde_json::from_slice::<serde_json::Value>(&out).unwrap()["spans"].clone()
    };
    assert_eq!(spans("convert a.txt"), spans("convert b.txt --encoding gb18030"));
}

#[test]
fn a_text_that_stands_in_the_corpus_beside_it_counts_once_and_brings_its_manifest() {
    let p = Place::new();
    p.run("demo .").success();
    let out = p.run("convert corpus/yili-05-zhushu.txt --with corpus corpus/yili-05-jinyi.txt").success().get_output().stdout.clone();
    let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(json["document"]["id"], "yili-05-zhushu");
    assert_eq!(json["document"]["work"], "儀禮");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let p = Place::new();
    p.run("demo .").success();
    let mut child = Process::new(cargo_bin!("zhushu"))
        .current_dir(p.path())
        .args(["convert", "corpus/yili-05-jinyi.txt"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn colour_only_where_asked_for() {
    let p = Place::new();
    let said = |line: &str| p.run(line).code(5).get_output().stderr.clone();
    assert!(!said("convert missing.txt").contains(&0x1b));
    assert!(!said("convert missing.txt --color never").contains(&0x1b));
    assert!(said("convert missing.txt --color always").contains(&0x1b));
}

#[test]
fn help_tells_of_exit_codes_and_commands() {
    let p = Place::new();
    let help = p.run("--help").success().get_output().stdout.clone();
    let help = String::from_utf8(help).unwrap();
    for word in ["build", "convert", "align", "check", "formats", "demo", "Exit codes:", "Examples:"] {
        assert!(help.contains(word), "{word}");
    }
    for line in help.lines() {
        assert!(line.chars().count() <= 110, "{line}");
    }
}
