//! `translates` of a manifest: which texts a translation renders. A name may be that of a text that
//! comes later in the file, so all texts are read first.

use std::path::PathBuf;

use super::fields::{TomlText, nearest, wrong};
use super::manifest::TextEntry;
use crate::diag::Error;
use crate::source::Source;

/// A text and the names of what it translates, which may come later in the file.
pub(super) type UnresolvedText = (TextEntry, Vec<TomlText>);

/// Names of what is translated become ids; a text can be named by its id or its file.
pub(super) fn resolve_translations(
    source: &Source,
    read: Vec<UnresolvedText>,
) -> Result<Vec<TextEntry>, Error> {
    let names: Vec<(String, PathBuf)> =
        read.iter().map(|(e, _)| (e.id.clone(), e.path.clone())).collect();
    let id_of = |own: &str, t: &TomlText| {
        let found = names.iter().find(|(id, path)| *id == t.value || path.ends_with(&t.value));
        match found {
            Some((id, _)) if id == own => {
                Err(wrong(source, t.span, "a text cannot translate itself"))
            }
            Some((id, _)) => Ok(id.clone()),
            None => {
                let hint = nearest(&t.value, names.iter().map(|(id, _)| id.as_str()))
                    .unwrap_or_else(|| {
                        format!(
                            "there are {}",
                            names.iter().map(|n| n.0.as_str()).collect::<Vec<_>>().join(", ")
                        )
                    });
                Err(wrong(
                    source,
                    t.span,
                    format!(
                        "`translates` names “{}”, which is not a text of this manifest",
                        t.value
                    ),
                )
                .hint(hint))
            }
        }
    };
    read.into_iter()
        .map(|(mut entry, translates)| {
            let ids =
                translates.iter().map(|t| id_of(&entry.id, t)).collect::<Result<Vec<_>, _>>()?;
            entry.meta.iter_mut().for_each(|m| m.translates.clone_from(&ids));
            Ok(entry)
        })
        .collect()
}
