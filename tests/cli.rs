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

const ZHUSHU: &str =
    "眾賓繼射,釋獲皆如初。於是言唯上耦者,嫌賓、主人射亦作之。\n\n[疏]“眾賓”至“如初”。注“於是”至“作之”。釋曰:雲“於是言唯上耦者”,明也。\n";

#[test]
fn bad_texts() {
    let p = Place::new();
    p.write("empty.txt", "").write("blank.txt", " \n\u{3000}\n").write("english.txt", "Nothing Chinese here.\n");
    p.write("binary.txt", b"\x00\x01\x02\xff\xfe\x00PNG").write("broken.txt", "經注\n釋曰\u{27C30}:".as_bytes());
    let mut broken = "經注\n釋曰\u{27C30}:".as_bytes().to_vec();
    broken.extend(b"\xe7\xb6");
    p.write("broken.txt", broken);
    p.write("old.json", "keep me").write("gb.txt", b"\xbe\xad\xd7\xa2\xff");
    p.refuses(
        "convert empty.txt -o x.json",
        3,
        str![[r#"
error: the file is empty
--> empty.txt

"#]],
    );
    p.refuses(
        "convert blank.txt -o old.json",
        3,
        str![[r#"
error: the file is empty
--> blank.txt

"#]],
    );
    p.refuses(
        "convert english.txt",
        3,
        str![[r#"
error: no reader recognises this text
--> english.txt
 = help: say which with --from; `zhushu formats` lists them

"#]],
    );
    p.refuses(
        "convert binary.txt -o old.json",
        3,
        str![[r#"
error: byte 3 (0xFF) is not UTF-8
--> binary.txt:1:4
 = help: this looks like a binary file, not a text

"#]],
    );
    p.refuses(
        "convert broken.txt -o x.json",
        3,
        str![[r#"
error: byte 18 (0xE7) is not UTF-8
--> broken.txt:2:5
 = help: if the file is in a Chinese legacy encoding, say --encoding gb18030 (or big5)

"#]],
    );
    p.refuses(
        "convert gb.txt --encoding gb18030",
        3,
        str![[r#"
error: the bytes are not gb18030
--> gb.txt
 = help: try --encoding with another name

"#]],
    );
    p.write("corpus/zhushu.toml", b"[corpus]\ntitle = \"\xb5\xc2\"\n");
    p.refuses(
        "build",
        4,
        str![[r#"
error: byte 18 (0xB5) is not UTF-8
--> corpus/zhushu.toml:2:10
 = help: a manifest is TOML in UTF-8

"#]],
    );
    p.refuses(
        "convert broken.txt --encoding klingon",
        2,
        str![[r#"
error: unknown encoding “klingon”
 |
 = help: names as in the WHATWG Encoding Standard: utf-8, gb18030, big5, utf-16le …

"#]],
    );
}

#[test]
fn bad_command_lines() {
    let p = Place::new();
    p.write("a.txt", ZHUSHU).write("corpus/a.txt", ZHUSHU);
    p.refuses(
        "convert a.txt --to docx",
        2,
        str![[r#"
error: no writer is called “docx”
 |
 = help: there are: tei, json, [..]

"#]],
    );
    p.refuses(
        "convert a.txt --from docx",
        2,
        str![[r#"
error: no reader is called “docx”
 |
 = help: there are: [..]zhushu[..]

"#]],
    );
    p.refuses(
        "convert a.txt -o a.docx",
        2,
        str![[r#"
error: the ending of “a.docx” names no format
 |
 = help: say it with --to; there are tei (.xml), json (.json), [..]

"#]],
    );
    p.refuses(
        "convert missing.txt",
        5,
        str![[r#"
error: cannot read: there is no such file or folder
--> missing.txt

"#]],
    );
    p.refuses(
        "convert corpus",
        5,
        str![[r#"
error: cannot read: it is a folder
--> corpus
 = help: `zhushu build` reads a folder of texts

"#]],
    );
    p.refuses(
        "convert a.txt -o corpus --to json",
        5,
        str![[r#"
error: cannot write: it is a folder
--> corpus

"#]],
    );
    p.refuses(
        "convert a.txt -o no/such/folder.json",
        5,
        str![[r#"
error: cannot write: there is no such file or folder
--> no/such/folder.json

"#]],
    );
    p.refuses(
        "convert a.txt --with missing",
        5,
        str![[r#"
error: cannot read: there is no such file or folder
--> missing

"#]],
    );
    p.refuses(
        "build missing",
        5,
        str![[r#"
error: cannot open the corpus: there is no such file or folder
--> missing
 = help: name a folder of texts, or write the bundled one with `zhushu demo FOLDER`

"#]],
    );
    p.refuses(
        "build -o corpus",
        2,
        str![[r#"
error: the output would lie among the texts
 |
 = help: name another folder with -o

"#]],
    );
    p.refuses(
        "demo corpus",
        2,
        str![[r#"
error: corpus is not empty
 |
 = help: name a folder that does not exist yet

"#]],
    );
    p.run("convert").code(2);
    p.run("biuld").code(2);
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let p = Place::new();
    symlink("loop", p.path().join("loop")).unwrap();
    p.refuses(
        "build loop",
        5,
        str![[r#"
error: cannot open the corpus: [..]symbolic links (os error [..])
--> loop

"#]],
    );
    p.write("locked/a.txt", ZHUSHU);
    let locked = p.path().join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
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
    wrong_manifest(
        "[[text]]\nfile = \"a.txt\"\n\n[[text]]\nfile = \"c.txt\"\n",
        str![[r#"
error: there is no file “c.txt”
 --> corpus/zhushu.toml:5:8
  |
5 | file = "c.txt"
  |        ^^^^^^^
  |
  = help: did you mean `a.txt`?

"#]],
    );
    wrong_manifest(
        "[[text]]\nfile = \"鄉射禮注疏.txt\" # 儀禮\n",
        str![[r#"
error: there is no file “鄉射禮注疏.txt”
 --> corpus/zhushu.toml:2:8
  |
2 | file = "鄉射禮注疏.txt" # 儀禮
  |        ^^^^^^^^^^^^^^^^
  |
  = help: it is looked for in corpus

"#]],
    );
    wrong_manifest(
        "[[text]]\nfile = \"a.txt\"\nsiglm = \"A\"\n",
        str![[r#"
error: [[text]] has no key `siglm`
 --> corpus/zhushu.toml:3:1
  |
3 | siglm = "A"
  | ^^^^^
  |
  = help: did you mean `siglum`?

"#]],
    );
    wrong_manifest(
        "[[text]]\nfile = \"a.txt\"\ncolour = \"red\"\n",
        str![[r#"
error: [[text]] has no key `colour`
 --> corpus/zhushu.toml:3:1
  |
3 | colour = "red"
  | ^^^^^^
  |
  = help: it may have: file, work, chapter, title, layers, siglum, edition, editors, date, origin, rights, language, role, translates, reader, encoding

"#]],
    );
    wrong_manifest(
        "[[txt]]\nfile = \"a.txt\"\n",
        str![[r#"
error: the manifest has no key `txt`
 --> corpus/zhushu.toml:1:3
  |
1 | [[txt]]
  |   ^^^
  |
  = help: did you mean `text`?

"#]],
    );
    wrong_manifest(
        "[[text]]\nfile = 5\n",
        str![[r#"
error: `file` of [[text]] must be a string in quotation marks, not the number 5
 --> corpus/zhushu.toml:2:8
  |
2 | file = 5
  |        ^

"#]],
    );
    wrong_manifest(
        "[[text]]\nfile = \"a.txt\"\nchapter = { title = \"鄉射禮\", number = \"五\" }\n",
        str![[r#"
error: `number` of chapter must be a whole number from 1 on, not a string
 --> corpus/zhushu.toml:3:37
  |
3 | chapter = { title = "鄉射禮", number = "五" }
  |                                        ^^^^

"#]],
    );
    wrong_manifest(
        "[[text]]\nfile = \"a.txt\"\nlayers = [{ layer = \"經\" }, { layer = \"脚注\" }]\n",
        str![[r#"
error: no layer is called “脚注”
 --> corpus/zhushu.toml:3:38
  |
3 | layers = [{ layer = "經" }, { layer = "脚注" }]
  |                                       ^^^^^^
  |
  = help: there are 經/jing 傳/zhuan 注/zhu 箋/jian 音義/yin 句讀/ju 集釋/jishi 案/an 疏首/shu_header 疏/shu 右/label 題/heading 譯/translation 他/other 未分/undivided 標/mark 雜/furniture 空/blank

"#]],
    );
    wrong_manifest(
        "[[text]]\nfile = \"a.txt\"\nlayers = [{ layer = \"shuu\" }]\n",
        str![[r#"
error: no layer is called “shuu”
 --> corpus/zhushu.toml:3:21
  |
3 | layers = [{ layer = "shuu" }]
  |                     ^^^^^^
  |
  = help: did you mean `shu`?

"#]],
    );
    wrong_manifest(
        "[[person]]\nkey = \"zhengxuan\"\nname = \"鄭玄\"\n\n[[text]]\nfile = \"a.txt\"\nlayers = [{ layer = \"注\", by = \"zhenxuan\" }]\n",
        str![[r#"
error: no [[person]] has the key “zhenxuan”
 --> corpus/zhushu.toml:7:31
  |
7 | layers = [{ layer = "注", by = "zhenxuan" }]
  |                                ^^^^^^^^^^
  |
  = help: did you mean `zhengxuan`?

"#]],
    );
    wrong_manifest(
        "[[text]]\nfile = \"a.txt\"\nwork = \"yili\"\n",
        str![[r#"
error: no [[work]] has the key “yili”
 --> corpus/zhushu.toml:3:8
  |
3 | work = "yili"
  |        ^^^^^^
  |
  = help: add a [[work]] with key = "yili"

"#]],
    );
    wrong_manifest(
        "[[text]]\nfile = \"a.txt\"\n[[text]]\nfile = \"b.txt\"\nrole = \"translation\"\ntranslates = [\"aa\"]\n",
        str![[r#"
error: `translates` names “aa”, which is no text of this manifest
 --> corpus/zhushu.toml:6:15
  |
6 | translates = ["aa"]
  |               ^^^^
  |
  = help: did you mean `a`?

"#]],
    );
    wrong_manifest(
        "[[text]]\nfile = \"a.txt\"\ntranslates = [\"a\"]\n",
        str![[r#"
error: only a translation can translate a text
 --> corpus/zhushu.toml:3:15
  |
3 | translates = ["a"]
  |               ^^^
  |
  = help: add role = "translation"

"#]],
    );
    wrong_manifest(
        "[[text]]\nfile = \"b.txt\"\n[[text]]\nfile = \"b.md\"\n",
        str![[r#"
error: “b.md” and “b.txt” would both be called “b”
 --> corpus/zhushu.toml:4:8
  |
4 | file = "b.md"
  |        ^^^^^^
  |
  = help: a text is called by its file's name up to the first dot: rename one file

"#]],
    );
    wrong_manifest(
        "[[text]]\nfile = \"../a.txt\"\n",
        str![[r#"
error: “../a.txt” leads out of the corpus's folder
 --> corpus/zhushu.toml:2:8
  |
2 | file = "../a.txt"
  |        ^^^^^^^^^^
  |
  = help: name the file by its path from the manifest's folder

"#]],
    );
    wrong_manifest(
        "[[text]]\nfile = \"a.txt\"\nreader = \"zhushuu\"\n",
        str![[r#"
error: no reader is called “zhushuu”
 --> corpus/zhushu.toml:3:10
  |
3 | reader = "zhushuu"
  |          ^^^^^^^^^
  |
  = help: did you mean `zhushu`?

"#]],
    );
    wrong_manifest(
        "[[text]]\nfile = \"a.txt\"\nencoding = \"gb-18030-x\"\n",
        str![[r#"
error: there is no encoding “gb-18030-x”
 --> corpus/zhushu.toml:3:12
  |
3 | encoding = "gb-18030-x"
  |            ^^^^^^^^^^^^
  |
  = help: names as in the WHATWG Encoding Standard: utf-8, gb18030, big5, utf-16le …

"#]],
    );
    wrong_manifest(
        "[[text]]\nfile = \"a.txt\"\nlanguage = \"古文\"\n",
        str![[r#"
error: “古文” is not a language tag
 --> corpus/zhushu.toml:3:12
  |
3 | language = "古文"
  |            ^^^^^^
  |
  = help: as in BCP 47: lzh-Hant for the classic, zh-Hant or zh-Hans for a modern text

"#]],
    );
    wrong_manifest(
        "[[text]]\ntitle = \"鄉射禮\"\n",
        str![[r#"
error: [[text]] needs a key `file`
 --> corpus/zhushu.toml:1:1
  |
1 | [[text]]
  | ^^^^^^^^

"#]],
    );
    wrong_manifest(
        "[[text]]\nfile = \"a.txt\ntitle = \"x\"\n",
        str![[r#"
error: this is not TOML: invalid basic string, expected `"`
 --> corpus/zhushu.toml:2:14
  |
2 | file = "a.txt
  |              ^

"#]],
    );
    wrong_manifest(
        "[corpus]\ntitle = \"\"\n",
        str![[r#"
error: `title` of [corpus] is empty
 --> corpus/zhushu.toml:2:9
  |
2 | title = ""
  |         ^^
  |
  = help: leave the key out

"#]],
    );
    wrong_manifest(
        "# 儀禮\ntitle = 1979-05-27\nx = {a = 1, a = 2}\n",
        str![[r#"
error: this is not TOML: duplicate key
 --> corpus/zhushu.toml:3:13
  |
3 | x = {a = 1, a = 2}
  |             ^

"#]],
    );
    wrong_manifest(
        "",
        str![[r#"
error: no text is named
--> corpus/zhushu.toml
 = help: each text needs a [[text]] with its `file`

"#]],
    );
}

#[test]
fn a_text_of_a_manifest_that_cannot_be_read_stops_the_build_before_anything_is_written() {
    let p = Place::new();
    p.write("corpus/a.txt", ZHUSHU).write("corpus/b.txt", b"\xff\xff");
    p.write("corpus/zhushu.toml", "[[text]]\nfile = \"a.txt\"\n[[text]]\nfile = \"b.txt\"\n");
    p.refuses(
        "build",
        3,
        str![[r#"
error: byte 0 (0xFF) is not UTF-8
--> corpus/b.txt:1:1
 = help: if the file is in a Chinese legacy encoding, say --encoding gb18030 (or big5)

"#]],
    );
}

#[test]
fn a_folder_without_manifest_says_what_it_left_out() {
    let p = Place::new();
    p.write("texts/a.txt", ZHUSHU).write("texts/b.bin", b"\xff\xff\x00").write("texts/more/c.txt", ZHUSHU);
    p.run("check texts").success().stdout_eq(str![[r#"
info[notes-undivided]: nothing tells 經 from 注 in 1 paragraphs
--> texts/a.txt

left out: texts/more (a folder)
left out: texts/b.bin (byte 0 (0xFF) is not UTF-8)
1 text read, 0 not; 0 errors, 0 warnings, 1 remark

"#]]);
    p.write("none/b.bin", b"\xff\xff\x00");
    p.refuses(
        "build none",
        3,
        str![[r#"
error: there is no text in this folder that a reader recognises
--> none
 = help: `zhushu formats` lists what can be read

"#]],
    );
}

#[test]
fn demo_and_build_and_what_a_second_build_does() {
    let p = Place::new();
    p.run("demo .").success();
    let first = p.run("build").success();
    let words = String::from_utf8_lossy(&first.get_output().stdout).into_owned();
    assert!(words.contains("characters by layer") && words.contains("first build"), "{words}");
    let built = p.files();
    for made in ["json/yili-05-zhushu.json", "tei/yili-07-judou.xml", "site/index.html", "site/yili-05-jinyi.html", "report.txt"] {
        assert!(built.iter().any(|(n, content)| *n == format!("/out/{made}") && !content.is_empty()), "{made}");
    }
    let beads = built.iter().find(|(n, _)| n == "/out/json/yili-05-zhushu--yili-05-jinyi.align.json").unwrap();
    assert!(beads.1.starts_with(b"{"));
    p.run("build").success().stdout_eq(str![[r#"
nothing to do: the 6 files of corpus are as at the last build of out

"#]]);
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
    assert_eq!(
        piped
            .replace("\"path\":\"-\"", "\"path\":\"a.txt\"")
            .replace(":\"text\"", ":\"a\"")
            .replace("text.00", "a.00")
            .replace(".text:", ".a:"),
        file
    );
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
    for word in ["build", "search", "convert", "export", "align", "check", "split", "score", "formats", "demo", "Exit codes:", "Examples:"]
    {
        assert!(help.contains(word), "{word}");
    }
    for line in help.lines() {
        assert!(line.chars().count() <= 110, "{line}");
    }
}

#[test]
fn loci_that_name_nothing_are_told_what_is_near() {
    let p = Place::new();
    p.write("a.txt", ZHUSHU).write("works.toml", "[[work]]\nname = \"x\"\n");
    p.refuses(
        "show a a.txt",
        2,
        str![[r#"
error: “a” is no locus: a locus names a work and a chapter at least
 |
 = help: a locus is work.chapter.section.sentence, as yili.05.23.2 or 儀禮.鄉射.23.2; `zhushu show --help` tells more

"#]],
    );
    p.refuses(
        "show b.00.1 a.txt",
        2,
        str![[r#"
error: no text here is b.00
 |
 = help: there are: a.00

"#]],
    );
    p.refuses(
        "show a.00.2 a.txt",
        2,
        str![[r#"
error: there is no a.00.2
 |
 = help: a.00 has section 0

"#]],
    );
    p.refuses(
        "show a.00.0.9 a.txt",
        2,
        str![[r#"
error: there is no a.00.0.9
 |
 = help: section 0 has sentences 1

"#]],
    );
    p.refuses(
        "show a.00.0.1.ju a.txt",
        2,
        str![[r#"
error: there is no a.00.0.1.ju
 |
 = help: there are: 0.1.shu (疏), 0.1.zhu (注)

"#]],
    );
    p.refuses(
        "show 無此書.3 a.txt",
        2,
        str![[r#"
error: “無此書.3” is no locus: “無此書” is in no list of works
 |
 = help: a locus is work.chapter.section.sentence, as yili.05.23.2 or 儀禮.鄉射.23.2; `zhushu show --help` tells more

"#]],
    );
    p.refuses(
        "refs a.txt --to-passage a.00.7",
        2,
        str![[r#"
error: there is no a.00.7
 |
 = help: a.00 has section 0

"#]],
    );
    p.refuses(
        "refs a.txt --to klingon",
        2,
        str![[r#"
error: references cannot be written as “klingon”
 |
 = help: there are: text, tsv, json, graphml, annotations

"#]],
    );
    p.refuses("formats --works works.toml", 3, str![[r#"
error: unknown field `name`, expected one of `title`, `key`, `abbr`, `period`, `kanripo`, `ctext`, `bare`, `bare_title`, `drop`, `chapters`, `part`
 --> works.toml:2:1
  |
2 | name = "x"
  | ^^^^
  |
  = help: src/corpus/works.toml is the example; [[work]] with a title is enough

"#]]);
    p.run("show a.00.0.1 a.txt --layer 經").success().stdout_eq(str![[r#"
a.00.0.1  urn:cts:zhushu:a.00:0.1

a  a.txt:1:1
  經   1  眾賓繼射,釋獲皆如初。

"#]]);
    p.run("refs a.txt --kind quotation").success().stdout_eq(str![[r#"
a
a.00.0.1.shu.1
  疏 引文  雲“於是言唯上耦者”  → a.00.0.1.zhu 於是言唯上耦者  exact 0.980

1 reference: 1 exact

"#]]);
}
