//! Holds an encoding that the user names against what the bytes give in others. A wrong name gives
//! rubbish that looks like Chinese, and nothing later would tell.

use std::path::Path;

use super::charset::Charset;
use super::detect::{Detected, beginning, certainty, found};
use super::tally::Tally;
use crate::diag::{Error, ErrorKind};

/// A text of which a larger share is malformed or not common is none, if in another encoding it is
/// so by so many times less and the text is likelier by so many bits.
const MAX_ODD: f64 = 0.1;
const TIMES_LESS: f64 = 3.0;
const CLEARLY: f64 = 200.0;

/// By so many bits another encoding must be likelier to be named in a warning.
const LIKELIER: f64 = 24.0;

/// The named encoding; with another, if that is likelier.
///
/// # Errors
/// When the bytes are no text in it, and clearly are in another.
pub(super) fn judged(path: &Path, charset: Charset, bytes: &[u8]) -> Result<Detected, Error> {
    let known = Detected::known(charset, "named");
    let (detected, likeliest) = found(bytes);
    if likeliest == charset || detected.binary {
        return Ok(known);
    }
    let [own, other] = [charset, likeliest].map(|c| Tally::of(c, beginning(bytes)));
    let bits = own.bits - other.bits;
    if own.text == other.text || bits < LIKELIER {
        return Ok(known);
    }
    let (odd, better) = (own.odd_share(), likeliest.name());
    if odd > MAX_ODD && odd > TIMES_LESS * other.odd_share() && bits > CLEARLY {
        let percent = (odd * 100.0).round();
        let message = format!(
            "this is no text in {}: {percent} % of it would be malformed or improbable",
            charset.name()
        );
        return Err(Error::input(path, message)
            .of_kind(ErrorKind::Encoding)
            .hint(format!("name none, nor in the manifest, or {better}, which is likelier")));
    }
    let why = format!("named; {}; as {better} {}", own.words(), other.words());
    Ok(Detected { certainty: certainty(-bits), why, alternative: Some(better), ..known })
}
