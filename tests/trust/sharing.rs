//! What happens in a folder that people share: names change, files come and go, and what has no
//! effect is said.

use std::fs;

use crate::own_files::said;
use crate::support::program::{Folder, ZHUSHU};

const CLASSIC: &str =
    "子曰：學而時習之，不亦說乎？\n有朋自遠方來，不亦樂乎？\n人不知而不慍，不亦君子乎？\n";
const TRANSLATION: &str = "孔子說：學了又時常溫習，不也很高興嗎？\n有朋友從遠方來，不也很快樂嗎？\n別人不瞭解我，我卻不生氣，不也是君子嗎？\n";
const BEAD: &str = "[[correction]]\nkind = \"bead\"\nat = \"有朋自遠方來，不亦樂乎？\"\ndecision = \"今譯:none\"\nby = \"王\"\nwhen = 2026-11-29T15:00:00Z\n";
const PAIR: &str = "[[text]]\nfile = \"原文.txt\"\n[[text]]\nfile = \"今譯.txt\"\nrole = \"translation\"\ntranslates = [\"原文\"]\n";

fn report(p: &Folder) -> String {
    fs::read_to_string(p.path().join("out/report.txt")).unwrap()
}

#[test]
fn a_decision_about_a_translation_that_has_another_name_is_named() {
    let p = Folder::new();
    p.write("c/原文.txt", CLASSIC).write("c/今譯.txt", TRANSLATION).write("c/zhushu.toml", PAIR);
    p.write("c/原文.txt.review.toml", BEAD).run("build c").success();
    assert!(report(&p).contains("1 decision by a person"), "{}", report(&p));
    fs::rename(p.path().join("c/今譯.txt"), p.path().join("c/譯.txt")).unwrap();
    p.write("c/zhushu.toml", PAIR.replace("今譯.txt", "譯.txt"));
    p.run("check c").code(1);
    p.run("build c").success();
    let report = report(&p);
    assert!(report.contains("there is no text “今譯”"), "{report}");
    assert!(!report.contains("1 decision by a person"), "{report}");
}

#[test]
fn an_edition_without_one_of_its_texts_is_not_written() {
    let p = Folder::new();
    p.write("c/a.txt", ZHUSHU).write("c/b.txt", CLASSIC);
    p.write("c/zhushu.toml", "[[text]]\nfile = \"a.txt\"\n[[text]]\nfile = \"b.txt\"\n");
    p.run("export c --to text -o all.txt").success();
    let whole = fs::read(p.path().join("all.txt")).unwrap();
    p.write("c/b.txt", "");
    assert!(said(&p, "export c --to text -o all.txt", 3).contains("b.txt"));
    p.write("c/b.txt", CLASSIC).write("c/b.txt.review.toml", "x");
    assert!(said(&p, "export c --to text -o all.txt", 4).contains("b.txt.review.toml"));
    assert_eq!(fs::read(p.path().join("all.txt")).unwrap(), whole);
}

#[test]
fn a_text_that_no_manifest_names_and_decisions_without_effect_are_said() {
    let p = Folder::new();
    p.write("c/a.txt", ZHUSHU).write("c/b.txt", CLASSIC);
    p.write("c/zhushu.toml", "[[text]]\nfile = \"a.txt\"\n").run("build c").success();
    assert!(report(&p).contains("b.txt") && report(&p).contains("not named"), "{}", report(&p));
    // Corrections of what is left out of a folder.
    p.write("d/a.txt", ZHUSHU).write("d/README.md", CLASSIC).write("d/README.md.review.toml", "");
    assert!(said(&p, "build d -o o", 3).contains("README.md.review.toml"));
}

#[test]
fn outputs_are_not_written_over_texts_or_among_them() {
    let p = Folder::new();
    p.write("c/a.txt", ZHUSHU).write("c/b.txt", CLASSIC);
    said(&p, "export c --to text -o c/all.txt", 2);
    said(&p, "export c --to tei -o c", 2);
    p.write("c/zhushu.toml", "[[text]]\nfile = \"a.txt\"\n[[text]]\nfile = \"b.txt\"\n");
    said(&p, "convert c/a.txt --to text -o c/b.txt", 5);
    assert_eq!(fs::read_to_string(p.path().join("c/b.txt")).unwrap(), CLASSIC);
}

#[test]
fn what_is_no_text_under_a_named_reader_and_lost_characters_are_said() {
    let p = Folder::new();
    p.write("a.txt", "<html><body>Forbidden</body></html>\n");
    said(&p, "convert a.txt --from jizhu --to text", 3);
    p.write("a.txt", CLASSIC.replace('之', "\u{FFFD}"));
    let run = p.run("check a.txt --all");
    let checked = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(checked.contains("lost-characters"), "{checked}");
    // Chinese in GB18030 that was read as Latin letters.
    p.write("b.txt", "ÂÛÓï×¢Êè£º×ÓÔ»Ñ§¶øÊ±Ï°Ö®²»ÒàËµºõ\n".repeat(9));
    said(&p, "convert b.txt --to text", 3);
}
