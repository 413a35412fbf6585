//! A list that copies of a document share until one of them changes it.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A list that is copied only when a copy is changed. A document is copied before each stage, and
/// most stages add to one of its lists and leave the others as they are.
///
/// It is used as the `Vec` that it has; the first change of a shared one copies it.
///
/// ```
/// use zhushu::model::SharedList;
/// let mut one: SharedList<u32> = vec![1, 2].into();
/// let other = one.clone();
/// one.push(3);
/// assert_eq!((one.len(), other.len()), (3, 2));
/// ```
/// An empty one takes no memory.
#[derive(Eq)]
pub struct SharedList<T>(Option<Arc<Vec<T>>>);

impl<T> SharedList<T> {
    /// The list, if it is not empty and no one else has it.
    pub(crate) fn unshared(&mut self) -> Option<&mut Vec<T>> {
        Arc::get_mut(self.0.as_mut()?)
    }

    /// Gives up room that is not used. A shared list has none, or needs it for another document.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.unshared().into_iter().for_each(Vec::shrink_to_fit);
    }
}

impl<T: Clone> SharedList<T> {
    /// Adds all of another list. To add one after the other would take room for twice as many.
    pub(crate) fn add(&mut self, more: Vec<T>) {
        if !more.is_empty() {
            self.reserve_exact(more.len());
            self.extend(more);
        }
    }
}

impl<T> Clone for SharedList<T> {
    fn clone(&self) -> Self {
        SharedList(self.0.clone())
    }
}

impl<T: fmt::Debug> fmt::Debug for SharedList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T> Default for SharedList<T> {
    fn default() -> Self {
        SharedList(None)
    }
}

impl<T> Deref for SharedList<T> {
    type Target = Vec<T>;
    fn deref(&self) -> &Vec<T> {
        self.0.as_deref().unwrap_or(const { &Vec::new() })
    }
}

impl<T: Clone> DerefMut for SharedList<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        Arc::make_mut(self.0.get_or_insert_default())
    }
}

impl<T> From<Vec<T>> for SharedList<T> {
    fn from(list: Vec<T>) -> Self {
        SharedList((!list.is_empty()).then(|| Arc::new(list)))
    }
}

impl<T, const N: usize> From<[T; N]> for SharedList<T> {
    fn from(list: [T; N]) -> Self {
        Vec::from(list).into()
    }
}

impl<T> FromIterator<T> for SharedList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Vec::from_iter(items).into()
    }
}

impl<T: Clone> IntoIterator for SharedList<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.map(Arc::unwrap_or_clone).unwrap_or_default().into_iter()
    }
}

impl<'a, T> IntoIterator for &'a SharedList<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T: Clone> IntoIterator for &'a mut SharedList<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T: PartialEq> PartialEq for SharedList<T> {
    fn eq(&self, other: &Self) -> bool {
        let same = self.0.as_ref().zip(other.0.as_ref()).is_some_and(|(a, b)| Arc::ptr_eq(a, b));
        same || **self == **other
    }
}

impl<T: PartialEq> PartialEq<Vec<T>> for SharedList<T> {
    fn eq(&self, other: &Vec<T>) -> bool {
        **self == *other
    }
}

impl<T: PartialEq, const N: usize> PartialEq<[T; N]> for SharedList<T> {
    fn eq(&self, other: &[T; N]) -> bool {
        **self == other
    }
}

impl<T: Hash> Hash for SharedList<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: Serialize> Serialize for SharedList<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(to)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for SharedList<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Vec::deserialize(from).map(Self::from)
    }
}
