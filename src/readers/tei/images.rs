//! The images of leaves in our own TEI: a manifest may have named them, which the restored source
//! does not.

use super::xml::Attributes;
use crate::model::{LeafImage, is_address};

/// The image that a `pb` names.
pub(super) fn of(pb: &Attributes<'_>) -> Option<LeafImage> {
    let address = pb.get("facs").filter(|facs| is_address(facs))?.to_string();
    let edition = pb.get("ed").map(|ed| format!("{ed} ")).unwrap_or_default();
    let leaf = format!("{edition}{}", pb.get("n")?);
    Some(LeafImage { leaf, address, size: None })
}
