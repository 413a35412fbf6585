//! Lists of references read by hand, and how well links agree with them: the scorer of
//! `tests/links/lists.rs`, entry by entry.

use std::fmt;
use std::ops::Add;
use std::path::Path;

use serde_json::Value;
use zhushu::score::pairs::{Chars, Pairs, fit, is_hit};

/// The name of a file, and a place in it.
type Place = (String, Chars);

/// A link of the program.
pub struct PredictedLink {
    pub at: Chars,
    pub quoted: Option<Chars>,
    pub kind: &'static str,
    pub work: Option<String>,
    pub target: Option<Place>,
}

impl fmt::Display for PredictedLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{}>{:?} {:?} {:?}", self.at, self.kind, self.quoted, self.work, self.target)
    }
}

/// A reference of a list.
struct Entry {
    at: Chars,
    quoted: Option<Chars>,
    kind: String,
    work: Option<String>,
    /// Places that are right.
    places: Vec<Place>,
    flags: String,
    text: String,
}

/// One list.
pub struct GoldList {
    /// Its name.
    pub name: String,
    /// The path of its text in the folder of texts.
    pub text: String,
    covered: Vec<Chars>,
    entries: Vec<Entry>,
}

/// What is right of a list: for each entry whether it is found, placed, and has its work.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub found: (usize, usize),
    pub real: (usize, usize),
    pub place: (usize, usize),
    pub resolved: (usize, usize),
    pub work: (usize, usize),
    entries: Vec<[bool; 3]>,
}

impl GoldList {
    /// All lists of a folder.
    pub fn all(folder: &Path) -> std::io::Result<Vec<GoldList>> {
        let mut paths: Vec<_> =
            std::fs::read_dir(folder)?.filter_map(|e| Some(e.ok()?.path())).collect();
        paths.sort();
        let name = |p: &Path| {
            let stem = p.file_stem()?.to_str()?.strip_prefix("links-")?.to_string();
            p.extension().is_some_and(|e| e == "tsv").then_some(stem)
        };
        let lists = paths.iter().filter_map(|p| Some((name(p)?, p)));
        lists.map(|(name, path)| Ok(GoldList::of(name, &std::fs::read_to_string(path)?))).collect()
    }

    fn of(name: String, table: &str) -> GoldList {
        let head = table.lines().next().unwrap_or_default();
        let (_, head) = head.split_once("Text: ").expect("the head names the text");
        let (text, range) = head.split_once("; characters ").expect("and the stretch");
        let (from, to) = range.trim_end_matches(" of it.").split_once(" to ").expect("from and to");
        let number = |s: &str| s.parse::<usize>().ok();
        let both = |a: &str, b: &str| Some((number(a)?, number(b)?));
        let own = text.rsplit('/').next().unwrap_or(text);
        let mut entries: Vec<Entry> = Vec::new();
        for row in table.lines().filter(|l| !l.starts_with('#')) {
            let cells: Vec<&str> = row.split('\t').collect();
            let at = both(cells[0], cells[1]).expect("a place");
            let file = if cells[6] == "own" { own } else { cells[6] };
            let place = both(cells[7], cells[8]).map(|p| (file.to_string(), p));
            if let Some(last) = entries.last_mut().filter(|e| e.at == at) {
                last.places.extend(place);
                continue;
            }
            entries.push(Entry {
                at,
                quoted: both(cells[2], cells[3]),
                kind: cells[4].to_string(),
                work: (cells[5] != "-").then(|| cells[5].to_string()),
                places: place.into_iter().collect(),
                flags: cells[9].to_string(),
                text: String::new(),
            });
        }
        let covered = vec![both(from, to).expect("numbers")];
        GoldList { name, text: text.to_string(), covered, entries }
    }

    /// A list in JSON.
    pub fn json(name: &str, text: &str, json: &str) -> GoldList {
        let gold: Value = serde_json::from_str(json).expect("JSON");
        let at = |v: &Value| Some((v.get(0)?.as_u64()? as usize, v.get(1)?.as_u64()? as usize));
        let span = |v: &Value| {
            Some((v.get("start")?.as_u64()? as usize, v.get("end")?.as_u64()? as usize))
        };
        let place = |v: &Value| {
            let path = v.get("path")?.as_str()?.rsplit('/').next()?.to_string();
            Some((path, span(v)?))
        };
        let entry = |l: &Value| {
            let word = |key: &str| l[key].as_str().map(String::from);
            let is = |key: &str| l[key].as_bool() == Some(true);
            let said = l["text"].as_str().unwrap_or_default();
            let is_wide =
                said.starts_with("自此") || matches!(l["match"].as_str(), Some("range" | "scope"));
            let flags = [
                (is("doubtful"), 'd'),
                (is("implicit"), 'i'),
                (l["why"].is_string(), 'n'),
                (is_wide, 'w'),
            ];
            let also = l["also"].as_array().map_or(&[][..], |a| a);
            Entry {
                at: span(l).expect("a place"),
                quoted: at(&l["quoted"]),
                kind: word("kind").unwrap_or_default(),
                work: word("work"),
                places: place(&l["target"])
                    .into_iter()
                    .chain(also.iter().filter_map(place))
                    .collect(),
                flags: flags.iter().filter(|f| f.0).map(|f| f.1).collect(),
                text: plain(said),
            }
        };
        let entries = gold["links"].as_array().expect("links").iter().map(entry).collect();
        let covered = gold["covered"].as_array().map_or(&[][..], |a| a);
        GoldList {
            name: name.to_string(),
            text: text.to_string(),
            covered: covered.iter().filter_map(at).collect(),
            entries,
        }
    }

    /// True if the stretch is in some code points of the file.
    pub fn covers(&self, chars: std::ops::Range<usize>) -> bool {
        self.covered.is_empty() || self.covered.iter().any(|c| c.0 < chars.end && chars.start < c.1)
    }

    /// Scores the links of a text.
    pub fn score(&self, all: &[PredictedLink]) -> Outcome {
        let is_covered = |at: usize| {
            self.covered.is_empty() || self.covered.iter().any(|c| (c.0..c.1).contains(&at))
        };
        let links: Vec<&PredictedLink> =
            all.iter().filter(|l| l.kind != "parallel" && is_covered(l.at.0)).collect();
        let fit = |i: usize, j: usize| self.entries[i].fit(links[j]);
        let Pairs { took, taken, within } = Pairs::of(self.entries.len(), links.len(), fit);
        let mut out = Outcome::default();
        let count = |(right, of): &mut (usize, usize), is: bool| {
            (*right, *of) = (*right + usize::from(is), *of + 1)
        };
        for (entry, took) in self.entries.iter().zip(&took).filter(|(e, _)| !e.flags.contains('d'))
        {
            let link = took.map(|j| links[j]);
            let is = [
                link.is_some(),
                link.is_some_and(|l| entry.is_hit(l)),
                link.is_some_and(|l| entry.has_work(l)),
            ];
            count(&mut out.found, is[0]);
            if !entry.places.is_empty() {
                count(&mut out.place, is[1]);
            }
            let names =
                entry.work.is_some() && entry.kind != "internal" && !entry.flags.contains('i');
            if names {
                count(&mut out.work, is[2]);
            }
            out.entries.push([is[0], is[1] && !entry.places.is_empty(), is[2] && names]);
        }
        for (j, link) in links.iter().enumerate() {
            if within[j].is_none() {
                count(&mut out.real, taken[j].is_some());
            }
            let entry = taken[j].or(within[j]).map(|i| &self.entries[i]);
            let is_known = entry.is_none_or(|e| !e.places.is_empty() || e.flags.contains('n'));
            if link.target.is_some() && is_known {
                count(&mut out.resolved, entry.is_some_and(|e| e.is_hit(link)));
            }
        }
        out
    }
}

impl Entry {
    fn fit(&self, link: &PredictedLink) -> f64 {
        fit([Some(self.at), self.quoted], [Some(link.at), link.quoted])
    }

    fn is_hit(&self, link: &PredictedLink) -> bool {
        let Some((file, there)) = &link.target else { return false };
        let wide = self.flags.contains('w');
        self.places.iter().any(|(name, place)| name == file && is_hit(*there, *place, wide))
    }

    fn has_work(&self, link: &PredictedLink) -> bool {
        let (Some(want), Some(got)) = (&self.work, &link.work) else { return false };
        let (a, b) = (parts(want), parts(got));
        if b.is_empty() {
            return false;
        }
        let alike = |x: &str, y: &str| {
            x.chars().count().min(y.chars().count()) > 1 && (x.starts_with(y) || y.starts_with(x))
        };
        a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| alike(x, y))
            || b.len() == 1 && a.first() == b.first() && self.text == b[0]
    }
}

/// What is said without marks and what follows a title.
fn plain(said: &str) -> String {
    let marks = [
        '《', '》', '“', '”', '「', '」', ':', '：', '(', ')', '（', '）', '・', '·', '.', '．',
        '-', ' ',
    ];
    let text = said.replace(marks, "");
    let text = text.trim_end_matches(['雲', '云', '曰']);
    text.trim_end_matches('職').to_string()
}

fn parts(work: &str) -> Vec<String> {
    const OPTIONAL: [&str; 12] = [
        "天官",
        "地官",
        "春官",
        "夏官",
        "秋官",
        "冬官",
        "冬官考工記",
        "考工記",
        "記",
        "注",
        "鄭注",
        "經",
    ];
    let mut plain = String::new();
    let mut depth = 0;
    for c in work.chars() {
        match c {
            '(' | '（' => depth += 1,
            ')' | '）' => depth -= 1,
            c if depth > 0 || c.is_whitespace() || "《》".contains(c) => {}
            c => plain.push(c),
        }
    }
    let parts = plain.split(['・', '·', '.', '．']).filter(|p| !p.is_empty()).map(String::from);
    parts
        .enumerate()
        .filter(|(i, p)| *i == 0 || !OPTIONAL.contains(&p.as_str()))
        .map(|p| p.1)
        .collect()
}

impl Outcome {
    /// All of them together.
    pub fn sum(all: &[Outcome]) -> Outcome {
        all.iter().fold(Outcome::default(), |a, b| a + b.clone())
    }

    /// How many entries are right in one of two in another way.
    pub fn differing(&self, other: &Outcome) -> usize {
        self.entries.iter().zip(&other.entries).filter(|(a, b)| a != b).count()
    }

    /// True if no sum of another reading is lower by more than half a percent: found, real (and
    /// the share of it), place, work.
    pub fn is_held_by(&self, other: &Outcome) -> bool {
        let least = |a: (usize, usize), b: (usize, usize)| b.0 * 200 >= a.0 * 199;
        let share = |a: (usize, usize)| a.0 as f64 / a.1.max(1) as f64;
        least(self.found, other.found)
            && least(self.real, other.real)
            && share(other.real) >= 0.995 * share(self.real)
            && least(self.place, other.place)
            && least(self.work, other.work)
    }

    /// How many more are right here than there: found, real, place, resolved, work.
    pub fn gain_over(&self, other: &Outcome) -> String {
        let gain = |a: (usize, usize), b: (usize, usize)| a.0 as i64 - b.0 as i64;
        let loose = |a: (usize, usize), b: (usize, usize)| {
            format!("{}/{}", gain(a, b), a.1 as i64 - b.1 as i64)
        };
        format!(
            "{}\t{}\t{}\t{}\t{}",
            gain(self.found, other.found),
            loose(self.real, other.real),
            gain(self.place, other.place),
            loose(self.resolved, other.resolved),
            gain(self.work, other.work)
        )
    }
}

impl Add for Outcome {
    type Output = Outcome;

    fn add(mut self, other: Outcome) -> Outcome {
        let plus = |a: (usize, usize), b: (usize, usize)| (a.0 + b.0, a.1 + b.1);
        self.entries.extend(other.entries);
        Outcome {
            found: plus(self.found, other.found),
            real: plus(self.real, other.real),
            place: plus(self.place, other.place),
            resolved: plus(self.resolved, other.resolved),
            work: plus(self.work, other.work),
            entries: self.entries,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [self.found, self.real, self.place, self.resolved, self.work];
        let names = ["found", "real", "place", "resolved", "work"];
        let part = |(name, (a, b)): (&str, (usize, usize))| format!("{name} {a}/{b}");
        f.write_str(&names.into_iter().zip(all).map(part).collect::<Vec<_>>().join("\t"))
    }
}
