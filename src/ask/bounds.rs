//! How much an answer may have, what it says of the rest, and when it is given up.

use std::sync::Arc;

use serde_json::{Value, json};

use super::arguments::Arguments;
use crate::diag::{Error, ErrorKind};

/// Says whether the answer is no longer wanted.
pub(super) type IsOver = Arc<dyn Fn() -> bool + Send + Sync>;

/// What an answer may still take of a list: from an item on, so many, of so many bytes together.
pub(super) struct Budget {
    skip: usize,
    limit: usize,
    bytes: usize,
    /// How many items came by, and how many were taken.
    total: usize,
    taken: usize,
    is_full: bool,
}

impl Budget {
    /// That of the parameters `skip` and `limit`, for at most so many bytes.
    pub(super) fn of(arguments: &Arguments, bytes: usize) -> Self {
        let (skip, limit) = (arguments.number("skip"), arguments.number("limit"));
        Budget { skip, limit, bytes, total: 0, taken: 0, is_full: limit == 0 }
    }

    /// True if the next item is wanted.
    pub(super) fn wants(&self) -> bool {
        !self.is_full && self.total >= self.skip
    }

    /// How many items from the next on may be wanted.
    pub(super) fn room(&self) -> usize {
        if self.is_full { 0 } else { self.limit - self.taken }
    }

    /// How many items are passed over before one is wanted.
    pub(super) fn skips(&self) -> usize {
        self.skip.saturating_sub(self.total)
    }

    /// Counts items that are not wanted.
    pub(super) fn pass(&mut self, items: usize) {
        self.total = self.total.saturating_add(items);
    }

    /// Counts the next item; true if it is taken. The first that is wanted is taken however large
    /// it is, so that one always gets on.
    pub(super) fn take(&mut self, item: &Value) -> bool {
        let is_wanted = self.wants();
        self.total += 1;
        if !is_wanted {
            return false;
        }
        let bytes = item.to_string().len();
        if bytes > self.bytes && self.taken > 0 {
            self.is_full = true;
            return false;
        }
        self.bytes = self.bytes.saturating_sub(bytes);
        self.taken += 1;
        self.is_full = self.taken >= self.limit || self.bytes == 0;
        true
    }

    /// How many items came by.
    pub(super) fn total(&self) -> usize {
        self.total
    }

    /// What an answer says of those after the ones that were taken; null if there are none.
    pub(super) fn more(&self) -> Value {
        let shown = self.skip.saturating_add(self.taken);
        match self.total.saturating_sub(shown) {
            0 => Value::Null,
            left => {
                let how = match self.limit {
                    0 => "ask the same with a limit above 0".into(),
                    _ => format!("ask the same with skip={shown}"),
                };
                json!({ "left": left, "skip": shown, "how": how })
            }
        }
    }
}

/// The error for an answer that takes too long, or that nobody waits for.
pub(super) fn stopped() -> Error {
    Error::request("the search was stopped").of_kind(ErrorKind::Stopped)
}

/// Cuts the `text` of an item that has more than so many characters, and says in `cut` how many are
/// left out.
pub(super) fn cut(item: &mut Value, most: usize) {
    let Some(words) = item["text"].as_str() else { return };
    let Some((at, _)) = words.char_indices().nth(most) else { return };
    let (few, rest) = words.split_at(at);
    let (few, rest) = (few.to_string(), rest.chars().count());
    item["text"] = few.into();
    item["cut"] = rest.into();
}

#[cfg(test)]
mod tests {
    use super::super::operations::named;
    use super::*;

    fn budget(skip: usize, limit: usize, bytes: usize) -> Budget {
        let given = json!({ "skip": skip, "limit": limit });
        let given = given.as_object().unwrap();
        Budget::of(
            &Arguments::of_json(named("contents").unwrap().parameters, given).unwrap(),
            bytes,
        )
    }

    fn taken(mut budget: Budget) -> (Vec<usize>, Value) {
        let taken = (0..10).filter(|n| budget.take(&json!(n))).collect();
        (taken, budget.more())
    }

    #[test]
    fn the_rest_is_counted_and_named() {
        let (some, more) = taken(budget(2, 3, 1000));
        assert_eq!((some, &more["left"], &more["skip"]), (vec![2, 3, 4], &5.into(), &5.into()));
        assert_eq!(taken(budget(0, 10, 1000)).1, Value::Null);
        assert_eq!(taken(budget(0, 10, 4)).0.len(), 4);
        assert_eq!(taken(budget(0, 10, 0)).0, [0], "one always gets on");
        assert_eq!(taken(budget(50, 10, 1000)), (vec![], Value::Null));
        let (none, more) = taken(budget(0, 0, 1000));
        let how = "ask the same with a limit above 0";
        assert_eq!((none, &more["left"], &more["how"]), (vec![], &10.into(), &how.into()));
    }

    #[test]
    fn long_words_are_cut_and_the_cut_is_said() {
        let mut item = json!({ "text": "二筭為純" });
        cut(&mut item, 4);
        assert_eq!(item, json!({ "text": "二筭為純" }));
        cut(&mut item, 1);
        assert_eq!(item, json!({ "text": "二", "cut": 3 }));
    }
}
