//! The filter of the classics' words, and its file.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use xorf::{BinaryFuse8, BinaryFuse8Ref, DmaSerializable, Filter, FilterRef};

/// Number of characters that are looked up together.
pub const GRAM_CHARS: usize = 4;

static FILE: &[u8] = include_bytes!("canon.bin");

static BUILTIN: LazyLock<Arc<CanonFilter>> =
    LazyLock::new(|| Arc::new(CanonFilter::of(FILE.into()).expect("canon.bin is read by a test")));

/// Knows which characters follow each other in the classics.
#[derive(Debug)]
pub struct CanonFilter {
    file: Cow<'static, [u8]>,
}

impl CanonFilter {
    /// The filter that ships with the program.
    pub fn builtin() -> Arc<Self> {
        Arc::clone(&BUILTIN)
    }

    /// The filter of a file made by [`file_of`]. None if it is none: each question looks at
    /// three segments of the fingerprints, which must be there.
    pub fn of(file: Cow<'static, [u8]>) -> Option<Self> {
        let (descriptor, fingerprints) = file.split_at_checked(BinaryFuse8::DESCRIPTOR_LEN)?;
        let word = |at: usize| {
            let bytes = descriptor.get(at..at + 4)?.try_into().ok()?;
            usize::try_from(u32::from_le_bytes(bytes)).ok()
        };
        let (segment, mask, starts) = (word(8)?, word(12)?, word(16)?);
        let fits = segment.is_power_of_two()
            && mask == segment - 1
            && starts > 0
            && fingerprints.len() == starts + 2 * segment;
        fits.then_some(CanonFilter { file })
    }

    /// A filter without words: it covers no text.
    pub fn of_nothing() -> Self {
        let file = file_of(&[0]).expect("a filter of one number can be made");
        CanonFilter { file: file.into() }
    }

    /// True for four characters that the classics have in a row; in one of 256 other cases too.
    pub fn questions(&self) -> impl Fn(&[char]) -> bool + '_ {
        let (descriptor, fingerprints) = self.file.split_at(BinaryFuse8::DESCRIPTOR_LEN);
        let filter = BinaryFuse8Ref::from_dma(descriptor, fingerprints);
        move |gram| filter.contains(&hash(gram))
    }
}

/// The number of four characters.
pub fn hash(gram: &[char]) -> u64 {
    gram.iter().fold(0, |h: u64, c| {
        (h.rotate_left(23) ^ u64::from(u32::from(*c))).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}

/// The file of the filter of some different numbers.
///
/// # Errors
/// If they are too few to make a filter.
pub fn file_of(numbers: &[u64]) -> Result<Vec<u8>, &'static str> {
    let filter = BinaryFuse8::try_from(numbers)?;
    let mut file = vec![0; BinaryFuse8::DESCRIPTOR_LEN];
    filter.dma_copy_descriptor_to(&mut file);
    file.extend_from_slice(filter.dma_fingerprints());
    Ok(file)
}
