//! The filter of the classics' words, and its file.

use std::sync::LazyLock;

use xorf::{BinaryFuse8, BinaryFuse8Ref, DmaSerializable, Filter, FilterRef};

use crate::diag::Error;
use crate::model::{Document, Layer};
use crate::passes::evidence::known;

/// Number of characters that are looked up together.
pub const GRAM_CHARS: usize = 4;

static FILE: &[u8] = include_bytes!("canon.bin");

/// The filter that ships with the program.
pub static SHIPPED: LazyLock<CanonFilter<'static>> = LazyLock::new(|| CanonFilter::of(FILE));

/// Knows which characters follow each other in the classics.
pub struct CanonFilter<'a>(BinaryFuse8Ref<'a>);

impl<'a> CanonFilter<'a> {
    fn of(file: &'a [u8]) -> Self {
        let (descriptor, fingerprints) = file.split_at(BinaryFuse8::DESCRIPTOR_LEN);
        CanonFilter(BinaryFuse8Ref::from_dma(descriptor, fingerprints))
    }

    /// True if the classics have these characters in a row; in one of 256 other cases too.
    pub fn contains(&self, gram: &[char]) -> bool {
        self.0.contains(&hash(gram))
    }
}

fn hash(gram: &[char]) -> u64 {
    gram.iter().fold(0, |h: u64, c| {
        (h.rotate_left(23) ^ u64::from(u32::from(*c))).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}

/// The file of the filter of some classics.
///
/// # Errors
/// If the documents have too few words to make a filter.
pub fn canon_file<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Result<Vec<u8>, Error> {
    let mut grams: Vec<u64> = Vec::new();
    for d in documents {
        let classic = d.segments.iter().filter(|s| matches!(s.layer, Layer::Jing | Layer::Zhuan));
        let chars: Vec<char> = classic.flat_map(|s| known::classic_key(d, s.span).chars).collect();
        grams.extend(chars.windows(GRAM_CHARS).map(hash));
    }
    grams.sort_unstable();
    grams.dedup();
    let filter = BinaryFuse8::try_from(&grams)
        .map_err(|why| Error::request(format!("no filter can be made of these texts: {why}")))?;
    let mut file = vec![0; BinaryFuse8::DESCRIPTOR_LEN];
    filter.dma_copy_descriptor_to(&mut file);
    file.extend_from_slice(filter.dma_fingerprints());
    Ok(file)
}
