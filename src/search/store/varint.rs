//! Numbers of variable length (LEB128: seven bits a byte, the last without the high bit).

/// Writes a number.
pub(crate) fn put(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Writes a number that may be negative; small ones of either sign are short.
pub(crate) fn put_signed(out: &mut Vec<u8>, n: i64) {
    put(out, ((n << 1) ^ (n >> 63)) as u64);
}

/// Reads numbers one after the other; `None` if the bytes end too early or are invalid.
pub(crate) struct Numbers<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Numbers<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Numbers { bytes, at: 0 }
    }

    #[inline]
    pub(crate) fn next(&mut self) -> Option<u64> {
        let first = *self.bytes.get(self.at)?;
        self.at += 1;
        if first < 0x80 {
            return Some(u64::from(first));
        }
        let mut n = u64::from(first & 0x7F);
        for shift in (7..63).step_by(7) {
            let b = *self.bytes.get(self.at)?;
            self.at += 1;
            n |= u64::from(b & 0x7F) << shift;
            if b < 0x80 {
                return Some(n);
            }
        }
        None
    }

    #[inline]
    pub(crate) fn next_u32(&mut self) -> Option<u32> {
        u32::try_from(self.next()?).ok()
    }

    pub(crate) fn next_signed(&mut self) -> Option<i64> {
        let n = self.next()?;
        Some((n >> 1) as i64 ^ -((n & 1) as i64))
    }

    /// Bytes read so far.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn is_done(&self) -> bool {
        self.at == self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reading_restores_what_was_written(a in 0..u64::MAX >> 1, b in -(1i64 << 60)..1 << 60, c: u32) {
            let mut bytes = vec![];
            put(&mut bytes, a);
            put_signed(&mut bytes, b);
            put(&mut bytes, u64::from(c));
            let mut n = Numbers::new(&bytes);
            prop_assert_eq!((n.next(), n.next_signed(), n.next_u32()), (Some(a), Some(b), Some(c)));
            prop_assert!(n.is_done());
        }

        #[test]
        fn arbitrary_bytes_do_not_panic(bytes: Vec<u8>) {
            let mut n = Numbers::new(&bytes);
            while n.next().is_some() {}
            prop_assert!(n.at() <= bytes.len());
        }
    }
}
