//! The loci of a text.

use serde_json::{Value, json};

use super::tree::{self, CitedNode};
use super::{Answer, Asked, CONTEXT, Unanswered, VERSION, resource};
use crate::corpus::Library;

/// The part of a tree that is asked for.
enum Part {
    All,
    One(usize),
    Range(usize, usize),
}

/// Nodes of a citation tree, as deep as asked.
pub fn answer(library: &Library, asked: &Asked<'_>) -> Answer<Value> {
    let document = asked.resource(library)?;
    let nodes = tree::nodes(document, tree::named(document, asked.get("tree"))?);
    let part = part(&nodes, asked)?;
    let down: Option<i64> = match asked.get("down").map(str::parse) {
        None => None,
        Some(Ok(n)) if n >= -1 => Some(n),
        Some(_) => return Err(Unanswered(400, "down is a number from -1".into())),
    };
    let mut answer = json!({
        "@context": CONTEXT, "dtsVersion": VERSION, "@id": asked.address, "@type": "Navigation",
        "resource": resource(document),
    });
    let described = |n: usize| nodes[n].described(document);
    match part {
        Part::All => {}
        Part::One(n) => answer["ref"] = described(n),
        Part::Range(from, to) => {
            (answer["start"], answer["end"]) = (described(from), described(to));
        }
    }
    if let Some(members) = members(&nodes, &part, down)? {
        let (members, view) = asked.page(members.into_iter().map(described).collect())?;
        answer["member"] = members.into();
        if let Some(view) = view {
            answer["view"] = view;
        }
    }
    Ok(answer)
}

fn part(nodes: &[CitedNode], asked: &Asked<'_>) -> Answer<Part> {
    let find = |id: &str| {
        nodes
            .iter()
            .position(|n| n.id == id)
            .ok_or_else(|| Unanswered(404, format!("there is no “{id}” in the citation tree")))
    };
    match (asked.get("ref"), asked.get("start"), asked.get("end")) {
        (None, None, None) => Ok(Part::All),
        (Some(one), None, None) => Ok(Part::One(find(one)?)),
        (None, Some(from), Some(to)) => {
            let (from, to) = (find(from)?, find(to)?);
            match from <= to {
                true => Ok(Part::Range(from, to)),
                false => Err(Unanswered(400, "end is before start".into())),
            }
        }
        _ => Err(Unanswered(400, "either ref, or start and end, or none of them".into())),
    }
}

/// The nodes below a part to a depth, in order. `None` if they are not asked for.
fn members(nodes: &[CitedNode], part: &Part, down: Option<i64>) -> Answer<Option<Vec<usize>>> {
    let Some(down) = down else {
        return match part {
            Part::All => Err(Unanswered(400, "ref, start and end, or down is missing".into())),
            _ => Ok(None),
        };
    };
    // Whatever follows a node and is deeper is in it.
    let end_of = |n: usize| {
        let inside = nodes[n + 1..].iter().take_while(|m| m.level > nodes[n].level).count();
        n + 1 + inside
    };
    let (range, level) = match *part {
        Part::All => (0..nodes.len(), 0),
        Part::One(n) if down == 0 => {
            let same = |m: &usize| nodes[*m].parent == nodes[n].parent;
            return Ok(Some((0..nodes.len()).filter(same).collect()));
        }
        Part::One(n) => (n..end_of(n), nodes[n].level),
        Part::Range(from, to) => (from..end_of(to), nodes[from].level.max(nodes[to].level)),
    };
    if down == 0 {
        return Err(Unanswered(400, "down=0 goes with ref".into()));
    }
    let deepest = usize::try_from(down).map_or(usize::MAX, |down| level + down);
    Ok(Some(range.filter(|n| nodes[*n].level <= deepest).collect()))
}
