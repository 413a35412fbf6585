//! What PaddleOCR writes of an image: the texts of its lines, and beside them their boxes.

use jsonc_parser::ast::{Object, Value};

use crate::readers::halves;

/// The key of the texts, and those that the boxes have had.
pub(super) const TEXTS: &str = "rec_texts";
const BOXES: [&str; 3] = ["rec_boxes", "rec_polys", "dt_polys"];

/// What Google writes of an image: all of its text, and again word by word, with boxes.
const WHOLE: &str = "fullTextAnnotation";
const AGAIN: [&str; 2] = ["textAnnotations", "pages"];

/// True for what has the text of an object, which is under the key `around`, again, in pieces.
pub(super) fn is_repeated(object: &Object<'_>, around: &str, key: &str) -> bool {
    AGAIN.contains(&key) && (object.get(WHOLE).is_some() || around == WHOLE)
}

/// The texts of an image, and of each whether it is half of a double row.
pub(super) fn lines<'o, 'v>(object: &'o Object<'v>) -> Option<Vec<(&'o Value<'v>, bool)>> {
    let texts = &object.get_array(TEXTS)?.elements;
    let boxes = BOXES.iter().find_map(|key| object.get_array(key));
    let boxes = boxes.map_or(&[][..], |boxes| &boxes.elements);
    let sizes: Vec<_> = (0..texts.len()).map(|n| size(boxes.get(n)?)).collect();
    Some(texts.iter().zip(halves(&sizes)).collect())
}

/// Width and height of a box: left, top, right, bottom; or its corners.
fn size(value: &Value<'_>) -> Option<(f64, f64)> {
    let mut numbers = vec![];
    collect(value, &mut numbers);
    let extent = |of: usize| {
        let own = || numbers.iter().skip(of).step_by(2).copied();
        Some(own().reduce(f64::max)? - own().reduce(f64::min)?)
    };
    Some((extent(0)?, extent(1)?))
}

fn collect(value: &Value<'_>, numbers: &mut Vec<f64>) {
    match value {
        Value::Array(array) => array.elements.iter().for_each(|v| collect(v, numbers)),
        Value::NumberLit(number) => numbers.extend(number.value.parse::<f64>().ok()),
        _ => {}
    }
}
