//! Files of a room that need each other in a ring cannot be read one after the other. The `use`
//! lines do not show every ring: a file also needs the one with the methods that it calls.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};

use crate::code::{self, CodeFile};

/// Rings of so many files are easily seen, and need no line in [`RINGS`].
const MAX_RING_FILES: usize = 2;

/// The larger rings that there are: the first file of each, how many files it has, and why. What is
/// in a ring may leave it; then its line is changed or goes. A new ring, or one more file, fails.
const RINGS: &[(&str, usize, &str)] = &[
    ("src/cli/aside.rs", 4, "what is printed aside ends a line of progress, and names texts"),
    ("src/search/eval/mod.rs", 22, "an index answers a query, and its words are looked up in it"),
    ("src/source.rs", 4, "a source is decoded and its rows exchanged with its own types"),
    ("src/text/collate/chain.rs", 4, "what is between two seeds is collated as a text is"),
    ("src/writers/editions/book/mod.rs", 25, "the table of formats names all, and they its types"),
    ("src/writers/html/asked.rs", 3, "methods of Page, which writes all parts of a page"),
    ("src/writers/html/assets.rs", 7, "methods of Page, which writes all parts of a page"),
    ("src/writers/tei/apparatus.rs", 5, "the header lists what the entries of the text refer to"),
];

#[test]
fn rings_of_files_are_those_that_are_known() {
    let mut found = vec![];
    for (room, uses) in uses(&code::files()) {
        let large = rings(&uses).into_iter().filter(|ring| ring.len() > MAX_RING_FILES);
        found.extend(large.map(|ring| (room.clone(), ring)));
    }
    let mut wrong = vec![];
    for (room, ring) in &found {
        if !RINGS.iter().any(|(first, n, _)| *first == ring[0] && *n == ring.len()) {
            let (n, files) = (ring.len(), ring.join("\n    "));
            wrong.push(format!(
                "{room}: a ring of {n} files that RINGS does not have:\n    {files}"
            ));
        }
    }
    for (first, n, _) in RINGS {
        if !found.iter().any(|(_, ring)| ring[0] == *first && ring.len() == *n) {
            wrong.push(format!(
                "{first}: there is no ring of {n} files from it any more: see RINGS"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_ring_through_a_method_is_seen() {
    let file = |path: &str, text: &str| CodeFile {
        path: path.into(),
        text: text.into(),
        tree: syn::parse_str(text).expect("code"),
    };
    let files = [
        file("src/room/mod.rs", "mod a; mod b; mod c; pub struct Thing;"),
        file("src/room/a.rs", "use super::Thing; impl Thing { pub fn first(&self) { c::of() } }"),
        file("src/room/b.rs", "fn of(thing: &super::Thing) { thing.first(); }"),
        file("src/room/c.rs", "use super::{b, a as other}; fn of() { b::of() }"),
    ];
    let files: Vec<CodeFile> = files.into_iter().collect();
    let uses = &uses(&files)["src/room"];
    let of = |path: &str| uses[path].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(of("src/room/a.rs"), [""; 0], "`c` is no child of `a`");
    assert_eq!(of("src/room/b.rs"), ["src/room/a.rs"]);
    assert_eq!(of("src/room/c.rs"), ["src/room/a.rs", "src/room/b.rs"]);
    assert_eq!(rings(uses), Vec::<Vec<String>>::new());
    let mut ring = uses.clone();
    ring.get_mut("src/room/a.rs").expect("a file").insert("src/room/c.rs".into());
    let names = ["a", "b", "c"].map(|n| format!("src/room/{n}.rs"));
    assert_eq!(rings(&ring), [names.to_vec()]);
}

/// What each file of a room needs of the same room.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// The uses of each room.
fn uses(files: &[CodeFile]) -> BTreeMap<String, Uses> {
    let methods = methods_of_one_type(files);
    let modules: BTreeMap<Vec<String>, &CodeFile> =
        files.iter().map(|f| (module(&f.path), f)).collect();
    let room_of: BTreeMap<&str, String> =
        files.iter().map(|f| (f.path.as_str(), f.room())).collect();
    let mut rooms: BTreeMap<String, Uses> = BTreeMap::new();
    for file in files.iter().filter(|f| !code::is_of_tests(&f.path)) {
        let mut names = Names::default();
        names.visit_file(&file.tree);
        let called = names.calls.iter().filter_map(|name| methods.get(name).map(String::as_str));
        let own = module(&file.path);
        let named = names.paths.iter().filter_map(|path| file_of(&own, path, &modules));
        let used = called.chain(named).filter(|u| *u != file.path && room_of[*u] == file.room());
        let used = used.map(str::to_string).collect();
        rooms.entry(file.room()).or_default().insert(file.path.clone(), used);
    }
    rooms
}

/// Names of methods that only one type of the crate has, in one file, with that file.
fn methods_of_one_type(files: &[CodeFile]) -> BTreeMap<String, String> {
    let mut owners: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    for file in files {
        code::each_item(file, |item| {
            let (owner, names) = match item {
                syn::Item::Impl(i) => {
                    let names = i.items.iter().filter_map(|i| match i {
                        syn::ImplItem::Fn(f) => Some(f.sig.ident.to_string()),
                        _ => None,
                    });
                    (code::type_name(&i.self_ty).unwrap_or_default(), names.collect::<Vec<_>>())
                }
                syn::Item::Trait(t) => {
                    let names = t.items.iter().filter_map(|i| match i {
                        syn::TraitItem::Fn(f) => Some(f.sig.ident.to_string()),
                        _ => None,
                    });
                    (t.ident.to_string(), names.collect())
                }
                _ => return,
            };
            for name in names {
                owners.entry(name).or_default().insert((owner.clone(), file.path.clone()));
            }
        });
    }
    let only = owners.into_iter().filter(|(_, owners)| owners.len() == 1);
    only.filter_map(|(name, owners)| Some((name, owners.into_iter().next()?.1))).collect()
}

/// The module of a file, from the root of its crate.
fn module(path: &str) -> Vec<String> {
    let parts = path.trim_end_matches(".rs").split('/').filter(|p| *p != "mod");
    let parts: Vec<String> = parts.map(str::to_string).collect();
    match parts.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["src", "lib" | "main"] => vec!["src".into()],
        ["lab", "src", "main"] => vec!["lab".into(), "src".into()],
        _ => parts,
    }
}

/// The file of what a path names: that of the longest part of it that is a module. None if that is
/// a module around the own one: what all files of a folder share is in its `mod.rs`, which lists
/// them.
fn file_of<'a>(
    own: &[String],
    path: &[String],
    modules: &BTreeMap<Vec<String>, &'a CodeFile>,
) -> Option<&'a str> {
    let root = if own[0] == "lab" { 2 } else { 1 };
    let up = path.iter().take_while(|p| *p == "super").count();
    let full = match path.first()?.as_str() {
        "crate" => [&own[..root], &path[1..]].concat(),
        "self" => [own, &path[1..]].concat(),
        "super" => [own.get(..own.len().checked_sub(up)?)?, &path[up..]].concat(),
        _ => {
            let child = [own, &path[..1]].concat();
            modules.contains_key(&child).then(|| [own, path].concat())?
        }
    };
    let known = (root..=full.len()).rev().find(|n| modules.contains_key(&full[..*n]))?;
    (!own.starts_with(&full[..known])).then(|| modules[&full[..known]].path.as_str())
}

/// The methods that code calls, and the paths that it names.
#[derive(Default)]
struct Names {
    calls: BTreeSet<String>,
    paths: BTreeSet<Vec<String>>,
}

impl<'a> Visit<'a> for Names {
    fn visit_item(&mut self, item: &'a syn::Item) {
        if !code::is_test(code::attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'a syn::ExprMethodCall) {
        self.calls.insert(call.method.to_string());
        visit::visit_expr_method_call(self, call);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        self.paths.insert(path.segments.iter().map(|s| s.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.add(&item.tree, vec![]);
    }
}

impl Names {
    fn add(&mut self, tree: &syn::UseTree, mut before: Vec<String>) {
        match tree {
            syn::UseTree::Path(p) => {
                before.push(p.ident.to_string());
                self.add(&p.tree, before);
            }
            syn::UseTree::Group(g) => g.items.iter().for_each(|t| self.add(t, before.clone())),
            syn::UseTree::Name(n) => {
                before.push(n.ident.to_string());
                self.paths.insert(before);
            }
            syn::UseTree::Rename(r) => {
                before.push(r.ident.to_string());
                self.paths.insert(before);
            }
            syn::UseTree::Glob(_) => _ = self.paths.insert(before),
        }
    }
}

/// The groups of files that all need each other, directly or not.
fn rings(uses: &Uses) -> Vec<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        uses.keys().map(|file| (file, reached_from(file, uses))).collect();
    let mut found: BTreeSet<Vec<String>> = BTreeSet::new();
    for (file, there) in &reached {
        let back =
            there.iter().filter(|other| reached.get(**other).is_some_and(|r| r.contains(file)));
        let ring: Vec<String> = back.map(|other| (*other).clone()).collect();
        if ring.len() > 1 {
            found.insert(ring);
        }
    }
    found.into_iter().collect()
}

/// All files that a file needs, directly or not.
fn reached_from<'a>(file: &'a String, uses: &'a Uses) -> BTreeSet<&'a String> {
    let (mut reached, mut left) = (BTreeSet::new(), vec![file]);
    while let Some(next) = left.pop() {
        for used in uses.get(next).into_iter().flatten() {
            if reached.insert(used) {
                left.push(used);
            }
        }
    }
    reached
}
