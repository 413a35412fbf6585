//! A handout: some passages with all that is said about them.

use crate::support::program::Folder;

const TEXT: &str = "二筭為純。純猶全也。耦陰陽。\n\n[疏]“二筭為純”。注“純猶”至“陰陽”。釋曰:陰陽對合。\n\n\
                    一純以取。縮，從也。\n\n[疏]“一純以取”。注“縮，從也”。釋曰:凡言從。\n";

#[test]
fn passages_come_with_their_commentaries_and_nothing_else() {
    let p = Folder::new();
    p.write("yili.txt", TEXT);
    let written = p.run("export yili.txt --passages yili.0.2 --to text --no-apparatus").success();
    let text = String::from_utf8(written.get_output().stdout.clone()).unwrap();
    for word in ["一純以取", "縮，從也", "凡言從"] {
        assert!(text.contains(word), "{word} in {text}");
    }
    assert!(!text.contains("二筭為純") && !text.contains("陰陽對合"), "{text}");
    p.write("list", "yili.0.1\nyili.0.2\n");
    let both = p.run("export yili.txt --passages @list --to text --layers 經").success();
    let text = String::from_utf8(both.get_output().stdout.clone()).unwrap();
    assert!(text.contains("二筭為純") && text.contains("一純以取"), "{text}");
    // Sentences that are left out leave no numbers.
    let written = p.run("export yili.txt --passages yili.0.2 --to markdown").success();
    let text = String::from_utf8(written.get_output().stdout.clone()).unwrap();
    assert!(text.contains("<sup>2</sup>") && !text.contains("<sup>1</sup>"), "{text}");
    for (list, said) in [("yili.0.9", "there is no yili"), ("@empty", "names no passage")] {
        p.write("empty", "\n");
        let refused = p.run(&format!("export yili.txt --passages {list} --to text")).code(2);
        let words = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
        assert!(words.contains(said), "{words}");
    }
}
