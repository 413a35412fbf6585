//! What the keys of JSON and the columns of tables hold, as a manifest says.
//!
//! ```toml
//! [keys]
//! "原典" = "經"
//! "白話" = "譯"
//! "備註" = "雜"
//! ```

use super::fields::{Fields, nearest, wrong};
use crate::diag::Error;
use crate::model::Layer;
use crate::source::Source;

/// Layers of keys and columns. A key of the layer 雜 holds no text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys(Vec<(String, Layer)>);

impl Keys {
    /// The layer of a key; small and capital letters are the same.
    pub fn layer(&self, key: &str) -> Option<Layer> {
        let key = key.to_lowercase();
        self.0.iter().find(|(k, _)| *k == key).map(|(_, layer)| *layer)
    }

    /// True if nothing is said.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The table `[keys]` of a manifest.
///
/// # Errors
/// When a value is no name of a layer.
pub(super) fn keys(source: &Source, top: &Fields<'_>) -> Result<Keys, Error> {
    let Some((table, at)) = top.table("keys")? else { return Ok(Keys::default()) };
    let names: Vec<&str> = table.keys().map(|k| k.get_ref().as_ref()).collect();
    let fields = Fields::new(source, "[keys]", table, at, &names)?;
    let read = |key: &&str| {
        let name = fields.need(key)?;
        let layer = name.value.parse().map_err(|_| {
            let message = format!("no layer is called “{}”", name.value);
            let known = nearest(&name.value, Layer::all().map(|l| l.id));
            wrong(source, name.span, message).hint(known.unwrap_or_else(Layer::names))
        })?;
        Ok((key.to_lowercase(), layer))
    };
    names.iter().map(read).collect::<Result<_, Error>>().map(Keys)
}
