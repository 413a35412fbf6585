//! The collections: the corpus, its works, and their texts.

use serde_json::{Map, Value, json};

use super::{ADDRESS, Answer, Asked, CONTEXT, Unanswered, VERSION, resource, text_of};
use crate::corpus::{AuthorityId, Library};
use crate::model::{Document, Role};

/// The identifier of the whole corpus.
const ROOT: &str = "corpus";
/// The beginning of the identifier of a work, and that of texts of no known work.
const WORK: &str = "urn:cts:zhushu:";
const OTHER: &str = "other";

/// A collection or a text, with its members or those that it is a member of.
pub fn answer(library: &Library, asked: &Asked<'_>) -> Answer<Value> {
    let id = asked.get("id").unwrap_or(ROOT);
    let parents = match asked.get("nav") {
        None | Some("children") => false,
        Some("parents") => true,
        Some(other) => {
            return Err(Unanswered(400, format!("nav is children or parents, not “{other}”")));
        }
    };
    let works = works(library);
    let (mut about, members) = if id == ROOT {
        let members = works.iter().map(|w| work(w, library)).collect();
        (corpus(library, works.len()), if parents { vec![] } else { members })
    } else if let Some(name) = works.iter().find(|w| id_of_work(w) == id) {
        let texts = of_work(library, name).map(text).collect();
        (work(name, library), if parents { vec![corpus(library, works.len())] } else { texts })
    } else if let Some(document) = text_of(library, id) {
        let over = work(key_of(document), library);
        (text(document), if parents { vec![over] } else { vec![] })
    } else {
        return Err(Unanswered(404, format!("there is no collection and no text “{id}”")));
    };
    let (members, view) = asked.page(members)?;
    about["@context"] = CONTEXT.into();
    about["dtsVersion"] = VERSION.into();
    about["member"] = members.into();
    if let Some(view) = view {
        about["view"] = view;
    }
    Ok(about)
}

/// The keys of the works, in the order of their first texts.
fn works(library: &Library) -> Vec<&str> {
    let mut works: Vec<&str> = vec![];
    for key in library.documents.iter().map(|d| key_of(d)) {
        if !works.contains(&key) {
            works.push(key);
        }
    }
    works
}

fn key_of(document: &Document) -> &str {
    document.meta.work_key.as_deref().unwrap_or(OTHER)
}

fn of_work<'l>(library: &'l Library, key: &str) -> impl Iterator<Item = &'l Document> {
    library.documents.iter().map(|d| &**d).filter(move |d| key_of(d) == key)
}

fn id_of_work(key: &str) -> String {
    if key == OTHER { OTHER.into() } else { format!("{WORK}{key}") }
}

fn collection(id: &str, title: &str, parents: usize, children: usize) -> Value {
    let at: String = form_urlencoded::byte_serialize(id.as_bytes()).collect();
    json!({
        "@id": id, "@type": "Collection", "title": title,
        "totalParents": parents, "totalChildren": children,
        "collection": format!("/{ADDRESS}/collection?id={at}{{&page,nav}}"),
    })
}

fn corpus(library: &Library, works: usize) -> Value {
    let title = library.documents.first().and_then(|d| d.meta.collection.title.as_deref());
    collection(ROOT, title.unwrap_or(ROOT), 0, works)
}

fn work(key: &str, library: &Library) -> Value {
    let title = of_work(library, key).find_map(|d| d.meta.work.as_deref());
    let mut about =
        collection(&id_of_work(key), title.unwrap_or(key), 1, of_work(library, key).count());
    let elsewhere = title.into_iter().flat_map(AuthorityId::of_work).map(|id| id.address);
    let elsewhere: Vec<String> = elsewhere.collect();
    if !elsewhere.is_empty() {
        about["dublinCore"] = json!({ "relation": elsewhere });
    }
    about
}

fn text(document: &Document) -> Value {
    let meta = &document.meta;
    let mut about = resource(document);
    about.insert("title".into(), meta.title.as_str().into());
    about.insert("totalParents".into(), 1.into());
    about.insert("totalChildren".into(), 0.into());
    if let Some(edition) = &meta.edition {
        about.insert("description".into(), edition.as_str().into());
    }
    let mut known = Map::new();
    known.insert("language".into(), json!([meta.language]));
    let people: Vec<Value> = meta
        .layers
        .iter()
        .filter(|(_, who)| !who.name.is_empty())
        .map(|(_, who)| json!({ "lang": meta.language, "value": who.name }))
        .collect();
    if !people.is_empty() {
        known.insert("creator".into(), people.into());
    }
    let role = if meta.role == Role::Translation { "translation" } else { "edition" };
    known
        .insert("type".into(), json!([format!("http://chs.harvard.edu/xmlns/cts#{role}"), "Text"]));
    for (name, value) in [("source", &meta.origin), ("rights", &meta.rights)] {
        if let Some(value) = value {
            known.insert(name.into(), json!([{ "lang": "en", "value": value }]));
        }
    }
    about.insert("dublinCore".into(), known.into());
    Value::Object(about)
}
