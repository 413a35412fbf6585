//! Identifiers of works in the catalogues of others, as far as a file says them that one can point
//! to: `data/authorities.tsv` has the repository, the commit and the line of each.

use serde::Serialize;

/// The table.
const TABLE: &str = include_str!("data/authorities.tsv");

/// The authorities: names, and where they show what has an identifier, which takes the
/// place of the braces.
const AUTHORITIES: &[(&str, &str, &str)] =
    &[("kanripo", "Kanripo", "https://www.kanripo.org/text/{}/")];

/// The identifier of a work in the catalogue of an authority.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuthorityId {
    /// The authority: `kanripo`.
    pub authority: &'static str,
    /// What people call it.
    #[serde(skip)]
    pub name: &'static str,
    /// The identifier there.
    pub id: &'static str,
    /// The address at which the authority shows it.
    pub address: String,
}

impl AuthorityId {
    /// Those of a work, by its canonical title.
    pub fn of_work(title: &str) -> impl Iterator<Item = AuthorityId> {
        let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
        rows.filter_map(move |row| {
            let mut cells = row.split('\t');
            let (work, authority, id) = (cells.next()?, cells.next()?, cells.next()?);
            let (_, name, address) = AUTHORITIES.iter().find(|known| known.0 == authority)?;
            let address = address.replace("{}", id);
            (work == title).then_some(AuthorityId { authority, name, id, address })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Works;

    #[test]
    fn each_id_is_of_a_known_work_and_in_the_line_that_says_it() {
        let works = Works::builtin();
        for row in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let cells: Vec<&str> = row.split('\t').collect();
            let [work, authority, id, _, commit, _, line] = cells[..] else { panic!("{row}") };
            assert!(line.contains(id) && commit.len() == 40, "{row}");
            let known = works.work(work).unwrap_or_else(|| panic!("{work} is not in works.toml"));
            if let Some(kanripo) = known.kanripo.as_deref().filter(|_| authority == "kanripo") {
                assert_eq!(kanripo, id, "{work}");
            }
            let ids: Vec<AuthorityId> = AuthorityId::of_work(work).collect();
            assert!(ids.iter().any(|known| known.id == id && known.address.contains(id)), "{row}");
        }
        assert_eq!(AuthorityId::of_work("論語").count(), 1);
    }
}
