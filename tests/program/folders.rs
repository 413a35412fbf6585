//! Real folders: with subfolders, files that are not texts, links, encodings.

use std::fs;

use encoding_rs::{BIG5, GB18030};

use crate::support::program::{Folder, ZHUSHU};

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with three texts and much else.
fn mixed() -> Folder {
    let p = Folder::new();
    let gb = GB18030.encode(ZHUSHU).0.cut_in_character();
    p.write("texts/a.txt", ZHUSHU)
        .write("texts/gb/a.txt", gb)
        .write("texts/big5/deep/b.txt", &BIG5.encode(ZHUSHU).0)
        .write("texts/gb/picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06")
        .write("texts/gb/empty.txt", "")
        .write("texts/gb/notes.txt", "Nothing Chinese here.\n")
        .write("texts/README.md", ZHUSHU)
        .write("texts/.git/config", "[core]\n")
        .write("texts/.hidden.txt", ZHUSHU)
        .write("texts/out/tei/c.xml", ZHUSHU)
        .write("texts/gb/zhushu.toml", "[corpus]\n");
    p
}

trait CutInCharacter {
    fn cut_in_character(self) -> Vec<u8>;
}

impl CutInCharacter for std::borrow::Cow<'_, [u8]> {
    /// The bytes without the last one: the file was cut in a character.
    fn cut_in_character(self) -> Vec<u8> {
        let end = self.iter().rposition(|b| *b > 0x7F).unwrap_or(0);
        self[..end].to_vec()
    }
}

const LEFT_OUT: &str = "\
left out: texts/.git (hidden)
left out: texts/.hidden.txt (hidden)
left out: texts/README.md (a readme, licence or changelog, by its name)
left out: texts/gb/empty.txt (the file is empty)
left out: texts/gb/notes.txt (no reader recognises this text)
left out: texts/gb/picture.png (this is a binary file, not a text (image/png))
left out: texts/gb/zhushu.toml (the manifest of a folder inside this one; name that folder to use it)
left out: texts/out (a folder that build writes)
";

#[test]
fn check_reads_subfolders_and_reports_how_and_why_not() {
    let p = mixed();
    let run = p.run("check texts").success();
    let out = words(&run.get_output().stdout);
    assert!(out.contains(LEFT_OUT), "{out}");
    for row in [
        "  texts/a.txt            zhushu  UTF-8           經 9, 注 15, 疏首 11, 疏 12\n",
        "  texts/big5/deep/b.txt  zhushu  Big5 (1.00)     經 9, 注 15, 疏首 11, 疏 12\n",
        "  texts/gb/a.txt         zhushu  gb18030 (1.00)  經 9, 注 15, 疏首 11, 疏 12  1 sequence undecodable\n",
    ] {
        assert!(out.contains(row), "{row}{out}");
    }
    assert!(out.contains("undecodable-bytes"), "{out}");
}

#[test]
fn a_build_names_texts_by_their_folders_where_names_clash() {
    let p = mixed();
    p.run("build texts -o texts/made").success();
    for id in ["a", "gb-a", "b"] {
        assert!(p.path().join(format!("texts/made/json/{id}.json")).exists(), "{id}");
    }
    let report = fs::read_to_string(p.path().join("texts/made/report.txt")).unwrap();
    assert!(report.contains("how each text was read: 3\n"), "{report}");
    assert!(report.contains("texts/gb/empty.txt"), "{report}");
    // Output is not read by the next build.
    let again = words(&p.run("build texts -o texts/made").success().get_output().stdout);
    assert!(again.starts_with("nothing to do"), "{again}");
    p.run("convert texts/made/tei/gb-a.xml --to source -o back.txt").success();
    assert_eq!(
        fs::read(p.path().join("back.txt")).unwrap(),
        fs::read(p.path().join("texts/gb/a.txt")).unwrap()
    );
}

#[test]
fn bad_files_beside_a_text_do_not_stop_it() {
    let p = mixed();
    let run = p.run("convert texts/a.txt --with texts -o a.json").success();
    let said = words(&run.get_output().stderr);
    assert!(said.contains("note: 3 files could not be read as text"), "{said}");
    let json = fs::read_to_string(p.path().join("a.json")).unwrap();
    assert!(json.contains("\"id\":\"a\""), "the text named first keeps its id");
}

#[test]
fn an_encoding_that_is_named_decides() {
    let p = Folder::new();
    p.write("texts/a.txt", &GB18030.encode(ZHUSHU).0);
    let out = words(&p.run("check texts --encoding gbk").success().get_output().stdout);
    assert!(out.contains("gb18030  經"), "not (1.00), which is for a guess: {out}");
    let out = words(&p.run("check texts").success().get_output().stdout);
    assert!(out.contains("gb18030 (1.00)"), "{out}");
    p.write("texts/zhushu.toml", "[[text]]\nfile = \"a.txt\"\nencoding = \"gbk\"\n");
    let out = words(&p.run("check texts --encoding big5").success().get_output().stdout);
    assert!(out.contains("gb18030  經"), "the manifest decides: {out}");
}

#[test]
fn an_encoding_that_is_wrongly_named_is_refused() {
    let p = Folder::new();
    p.write("texts/a.txt", &GB18030.encode(&ZHUSHU.repeat(3)).0);
    for name in ["big5", "shift_jis", "euc-kr", "utf-8", "utf-16le", "hz"] {
        let run = p.run(&format!("convert texts/a.txt --encoding {name} -o a.json")).code(3);
        let said = words(&run.get_output().stderr);
        assert!(said.contains("or gb18030, which is likelier"), "{name}: {said}");
    }
    let out = words(&p.run("check texts --encoding big5").code(3).get_output().stdout);
    assert!(out.contains("left out: texts/a.txt (this is no text in Big5"), "{out}");
}

#[test]
fn a_text_of_a_manifest_that_cannot_be_read_is_reported_each_time_and_the_rest_is_built() {
    let p = Folder::new();
    p.write("corpus/a.txt", ZHUSHU).write("corpus/b.txt", b"\xff\xff");
    p.write("corpus/zhushu.toml", "[[text]]\nfile = \"a.txt\"\n[[text]]\nfile = \"b.txt\"\n");
    for _ in 0..2 {
        let run = p.run("build").code(3);
        let said = words(&run.get_output().stderr);
        assert!(said.contains("binary") && said.contains("corpus/b.txt"), "{said}");
        assert!(p.path().join("out/json/a.json").exists());
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_links_are_left_out() {
    use std::os::unix::fs::symlink;
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU).write("texts/more/b.txt", ZHUSHU);
    let texts = p.path().join("texts");
    let made = std::process::Command::new("mkfifo").arg(texts.join("pipe.txt")).status();
    assert!(made.is_ok_and(|s| s.success()), "mkfifo");
    symlink("nowhere.txt", texts.join("dangling.txt")).unwrap();
    symlink("..", texts.join("more/loop")).unwrap();
    symlink("a.txt", texts.join("0.txt")).unwrap();
    symlink("loop.txt", texts.join("loop.txt")).unwrap();
    symlink("more", texts.join("again")).unwrap();
    p.write("private/diary.txt", ZHUSHU);
    symlink("../private", texts.join("private")).unwrap();
    symlink("/", texts.join("root")).unwrap();
    let out = words(&p.run("check texts").success().get_output().stdout);
    for row in [
        "left out: texts/0.txt (the same as texts/a.txt)",
        "left out: texts/dangling.txt (a broken link)",
        "left out: texts/loop.txt (",
        "left out: texts/more/loop (a link to a folder that contains it)",
        "left out: texts/pipe.txt (not a regular file)",
        "left out: texts/private (a link that leads out of this folder; --follow takes it)",
        "left out: texts/root (a link that leads out",
        "2 texts read, 0 not",
    ] {
        assert!(out.contains(row), "{row}\n{out}");
    }
    std::fs::remove_file(texts.join("root")).unwrap();
    let out = words(&p.run("check texts --follow").success().get_output().stdout);
    assert!(out.contains("3 texts read, 0 not"), "{out}");
}

#[test]
fn without_a_manifest_a_build_says_what_it_took_for_a_translation() {
    let p = Folder::new();
    p.write_corpus();
    fs::remove_file(p.path().join("corpus/zhushu.toml")).unwrap();
    let run = p.run("build corpus").success();
    let out = words(&run.get_output().stdout);
    let from = out.find("taken for translations").unwrap_or_else(|| panic!("{out}"));
    let list: String = out[from..].split_inclusive('\n').take(2).collect();
    assert_eq!(
        list,
        "taken for translations, as no manifest names them: 1\n  \
         yili-05-jinyi  translates yili-05-zhushu  both are 儀禮・鄉射禮\n"
    );
    assert!(out.contains("yili-05-zhushu × yili-05-jinyi"), "{out}");
    let run = p.run("init corpus -o -").success();
    let manifest = words(&run.get_output().stdout);
    let line = "translates = [\"yili-05-zhushu\"]  # both are 儀禮・鄉射禮\n";
    assert!(manifest.contains(line), "{manifest}");
}

#[test]
fn files_of_one_work_of_kanripo_are_its_volumes() {
    let p = Folder::new();
    for volume in 2..4 {
        let head = "#+TITLE: 某氏雜記\n#+PROPERTY: ID KR3z9999\n#+PROPERTY: BASEEDITION SBCK\n";
        let text = "山居水行(山居山中也)又言其志(志心也)其志不移(移易也)";
        let page = format!("<pb:KR3z9999_SBCK_00{volume}-1a>¶\n{text}¶\n{volume}{text}¶\n");
        let file = format!("{head}#+PROPERTY: JUAN {volume}\n{page}");
        p.write(&format!("texts/KR3z9999_00{volume}.txt"), file);
    }
    p.run("build texts").success();
    for (volume, title) in [(2, "某氏雜記・卷二"), (3, "某氏雜記・卷三")] {
        let file = p.path().join(format!("out/json/KR3z9999_00{volume}.json"));
        let json: serde_json::Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        assert_eq!(json["document"]["title"], title);
        assert_eq!(json["document"]["work"], "某氏雜記");
        let locus = json["loci"][0][0].as_str().unwrap();
        assert!(locus.starts_with(&format!("KR3z9999.0{volume}.")), "{locus}");
    }
}

/// Two chapters of a book in one file.
const BOOK: &str = "\
論語\n\n學而第一\n\n子曰：「學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？人不知而不慍，不亦君子乎？」\n\n\
為政第二\n\n子曰：「為政以德，譬如北辰，居其所而眾星共之。」\n子曰：「詩三百，一言以蔽之，曰思無邪。」\n";

#[test]
fn an_edition_has_all_chapters_of_a_book_that_is_one_file() {
    let p = Folder::new();
    p.write("texts/book.txt", BOOK).write("other.txt", ZHUSHU);
    for from in ["texts/book.txt --with other.txt", "texts"] {
        for format in ["markdown", "text"] {
            let made = p.run(&format!("export {from} --to {format} -o -")).success();
            let text = words(&made.get_output().stdout);
            assert!(text.contains("學而時習之") && text.contains("思無邪"), "{from} {text}");
            assert!(!text.contains("釋曰"), "only what was asked for: {text}");
        }
    }
}

#[test]
fn a_book_that_was_written_as_tei_is_exported_as_the_chapters_in_it() {
    let p = Folder::new();
    p.write("book.txt", BOOK).write("other.txt", ZHUSHU);
    p.run("convert book.txt --to tei -o again.xml").success();
    for format in ["markdown", "text"] {
        let made =
            p.run(&format!("export again.xml --with other.txt --to {format} -o -")).success();
        let text = words(&made.get_output().stdout);
        assert!(text.contains("學而時習之") && text.contains("思無邪"), "{text}");
        assert!(!text.contains("釋曰"), "only what was asked for: {text}");
    }
}

#[test]
fn references_of_a_book_that_is_one_file_are_those_of_its_chapters() {
    let p = Folder::new();
    p.write("book.txt", format!("儀禮注疏\n\n鄉飲酒禮第四\n\n{ZHUSHU}\n鄉射禮第五\n\n{ZHUSHU}"));
    let made = p.run("refs book.txt --to json").success();
    let listed = words(&made.get_output().stdout);
    assert!(listed.contains("book-01") && listed.contains("book-02"), "{listed}");
}

#[test]
fn a_book_that_is_one_file_is_aligned_as_a_whole() {
    let p = Folder::new();
    let translation = "孔子說：“學習并且按時溫習，不是很愉快嗎？有朋友從遠方來，不是很快樂嗎？別人不了解而不生氣，\
        不是君子嗎？”\n孔子說：“用道德治理國家，就像北極星，在自己的位置上而眾星環繞著它。”\n\
        孔子說：“《詩經》三百篇，一句話概括，就是思想純正。”\n";
    p.write("book.txt", BOOK).write("now.txt", translation);
    let made = p.run("align book.txt now.txt --to tsv").success();
    let beads = words(&made.get_output().stdout);
    assert!(beads.contains("學而時習之") && beads.contains("思無邪"), "{beads}");
}

#[test]
fn a_file_of_several_texts_is_not_aligned_as_if_it_were_its_first() {
    let p = Folder::new();
    p.write("book.txt", BOOK).write("now.txt", "孔子說：“學習并且按時溫習，不是很愉快嗎？”\n");
    p.run("convert book.txt --to tei -o book.xml").success();
    let refused = p.run("align book.xml now.txt").code(3);
    let said = words(&refused.get_output().stderr);
    assert!(said.contains("book.xml") && said.contains("2 texts"), "{said}");
}

#[test]
fn what_is_not_wanted_of_an_edition_is_removed_and_comes_back() {
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU).run("build texts").success();
    let whole: Vec<_> = p.files().into_iter().filter(|(n, _)| !n.contains(".zhushu")).collect();
    p.write("out/json/own.json", "mine");
    let out = words(&p.run("build texts --formats site,index").success().get_output().stdout);
    assert!(out.contains("(other formats are wanted)") && out.contains("\nout/site;"), "{out}");
    let at = |name: &str| p.path().join("out").join(name).exists();
    assert!(!at("tei") && !at("json/a.json") && at("json/own.json") && at("site/a.html"));
    p.run("search 眾賓 --index out").success();
    let message = words(&p.run("export out --to text -o x.txt").code(3).get_output().stderr);
    assert!(message.contains("without TEI"), "{message}");
    let again = words(&p.run("build texts --formats index,site").success().get_output().stdout);
    assert!(again.contains("nothing to do"), "{again}");
    p.run("build texts --formats tei").success();
    assert!(!at("index") && !at("site") && at("tei/a.xml"));
    p.run("build texts").success();
    std::fs::remove_file(p.path().join("out/json/own.json")).unwrap();
    let back: Vec<_> = p.files().into_iter().filter(|(n, _)| !n.contains(".zhushu")).collect();
    assert!(whole == back);
}

#[test]
fn sniff_says_what_was_not_understood() {
    let p = Folder::new();
    let text = "學而時習之（馬曰：子者，男子之通稱。）有朋自遠方來（包曰：同門曰朋。）人不知而不慍（慍，怒也。）";
    p.write("a.json", format!("[{{\"content\":\"{text}\"}}]"));
    let out = words(&p.run("sniff a.json").success().get_output().stdout);
    assert!(out.contains("warning   line 1:") && out.contains("are read as its words"), "{out}");
    let json = words(&p.run("sniff a.json --to json").success().get_output().stdout);
    assert!(json.contains("\"kind\": \"brackets-unread\""), "{json}");
}

#[test]
fn a_translation_into_another_language_stands_beside_its_text() {
    let classic = "子曰：「巧言令色，鮮矣仁。」\n\n曾子曰：「吾日三省吾身：為人謀而不忠乎？與朋友交而不信乎？\
                   傳不習乎？」\n\n子曰：「君子不器。」\n";
    let english = "The Master said, \"Clever words and a pleasing face seldom go with goodness.\"\n\n\
                   Master Zeng said, \"Each day I examine myself on three things. In planning for others, \
                   have I been disloyal? In dealing with friends, have I been false? Have I passed on what \
                   I have not practised?\"\n\nThe Master said, \"A gentleman is not a vessel.\"\n";
    let korean = "공자께서 말씀하셨다. “말을 잘 꾸미고 얼굴빛을 곱게 하는 사람 가운데 인한 이는 드물다.”\n\n\
                  증자가 말했다. “나는 날마다 세 가지로 나를 살핀다. 남을 위하면서 불충하지는 않았는가? 벗과 \
                  사귀면서 불신하지는 않았는가? 배운 것을 익히지 않았는가?”\n\n공자께서 말씀하셨다. “군자는 \
                  그릇이 아니다.”\n";
    let p = Folder::new();
    // A few words about an edition are no translation of it.
    let long = classic.repeat(20);
    p.write("notes/a.txt", &long)
        .write("notes/b.txt", "This text was made by hand from a print. It is good.");
    p.run("build notes -o notes-out").success();
    let report = std::fs::read_to_string(p.path().join("notes-out/report.txt")).unwrap();
    assert!(report.contains("its work was not recognised"), "{report}");
    // By the names of the files, and because there is no other text.
    p.write("c/text.txt", classic).write("c/text-en.txt", english).write("c/other.txt", korean);
    p.run("build c").success();
    let json = std::fs::read_to_string(p.path().join("out/json/text-en.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["document"]["language"], "en");
    let report = std::fs::read_to_string(p.path().join("out/report.txt")).unwrap();
    assert!(!report.contains("of nothing"), "{report}");
    for (file, language) in [("c/text-en.txt", "en"), ("c/other.txt", "ko")] {
        let aligned =
            words(&p.run(&format!("align c/text.txt {file}")).success().get_output().stdout);
        let aligned: serde_json::Value = serde_json::from_str(&aligned).unwrap();
        let beads = aligned["beads"].as_array().unwrap();
        let said = |side: &serde_json::Value| {
            let parts = side.as_array().unwrap().iter().map(|part| part["text"].as_str().unwrap());
            parts.collect::<Vec<_>>().join(" ")
        };
        let last = beads.last().unwrap();
        assert!(said(&last["source"]).contains("君子不器"), "{language}: {aligned}");
        let vessel = said(&last["translation"]);
        assert!(vessel.contains("vessel") || vessel.contains("그릇"), "{language}: {vessel}");
        let alone = beads.iter().filter(|b| said(&b["source"]).is_empty());
        assert_eq!(alone.count(), 0, "{language}: {aligned}");
    }
}

/// A 注疏 as it circulates: its reader finds the name of the first chapter.
const ZHUSHU_BOOK: &str = "論語注疏\n\n●學而第一\n\n　　子曰：「學而時習之，不亦說乎？」馬曰：「子者，男子之通稱。」[疏]「子曰學而時習之」。\
    ○正義曰：此章勸人學為君子也。\n\n●為政第二\n\n　　子曰：「為政以德，譬如北辰，居其所而眾星共之。」包曰：「德者無為。」[疏]「子曰為\
    政以德」。○正義曰：此章言為政之要。\n\n●八佾第三\n\n　　孔子謂季氏：「八佾舞於庭，是可忍也，孰不可忍也？」馬曰：「佾，列也。」[疏]「孔\
    子謂季氏」。○正義曰：此章論魯卿季氏僭用禮樂之事。\n";

#[test]
fn a_manifest_of_init_leaves_a_book_its_chapters() {
    let p = Folder::new();
    p.write("texts/lunyu.txt", ZHUSHU_BOOK);
    let chapters = |out: &str| {
        p.run(&format!("build texts -o {out}")).success();
        fs::read_dir(p.path().join(out).join("tei")).unwrap().count()
    };
    let without = chapters("a");
    assert!(without > 1, "{without}");
    p.run("init texts").success();
    let manifest = fs::read_to_string(p.path().join("texts/zhushu.toml")).unwrap();
    assert!(manifest.contains("work = \"lunyu\""), "{manifest}");
    assert_eq!(chapters("b"), without);
}

/// A link with too long a name stands for any file that the system does not give at the moment.
#[cfg(unix)]
#[test]
fn init_refuses_a_folder_of_which_it_cannot_read_a_part() {
    let p = Folder::new();
    p.write("texts/a.txt", ZHUSHU);
    std::os::unix::fs::symlink("b".repeat(300), p.path().join("texts/b.txt")).unwrap();
    p.run("init texts").code(5);
    assert!(!p.path().join("texts/zhushu.toml").exists());
}

#[test]
fn a_manifest_of_init_leaves_a_translated_book_its_chapters() {
    let p = Folder::new();
    let translation = "論語今譯\n\n學而第一\n\n孔子說：“學習并且按時溫習，不是很愉快嗎？有朋友從遠方來，不是很快樂嗎？別人不了解而不生氣，\
        不是君子嗎？”\n\n為政第二\n\n孔子說：“用道德治理國家，就像北極星，在自己的位置上而眾星環繞著它。”\n\
        孔子說：“詩經三百篇，用一句話來概括，就是思想純正。”\n";
    p.write("texts/lunyu.txt", BOOK).write("texts/lunyu-jinyi.txt", translation);
    let pairs = |out: &str| {
        let built = p.run(&format!("build texts -o {out}")).success();
        let said = words(&built.get_output().stdout);
        said.lines().filter(|line| line.contains('×')).map(String::from).collect::<Vec<_>>()
    };
    let without = pairs("a");
    p.run("init texts").success();
    assert_eq!(pairs("b"), without);
    assert!(without.len() > 1, "{without:?}");
}
