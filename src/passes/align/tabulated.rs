//! A function of one number as a table, for where it is needed millions of times.

/// Values in a unit. The error between two of them is below a hundred thousandth for the functions
/// that are tabulated here, whose second derivative is at most 1.
const STEPS_PER_UNIT: f32 = 128.0;

/// A smooth function from 0 on.
#[derive(Debug)]
pub struct Tabulated {
    values: Vec<f32>,
    function: fn(f32) -> f32,
}

impl Tabulated {
    /// Tabulates a function up to `end`; beyond, it is computed.
    pub fn new(end: f32, function: fn(f32) -> f32) -> Self {
        let steps = (end * STEPS_PER_UNIT) as usize + 2;
        Tabulated {
            values: (0..=steps).map(|k| function(k as f32 / STEPS_PER_UNIT)).collect(),
            function,
        }
    }

    /// Its value at `x`, which is not negative.
    pub fn at(&self, x: f32) -> f32 {
        let place = x * STEPS_PER_UNIT;
        let k = place as usize;
        match self.values.get(k..k + 2) {
            Some(&[low, high]) => low + (high - low) * (place - k as f32),
            _ => (self.function)(x),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_the_values_of_its_function_and_beyond_it_too() {
        let function = |x: f32| -3.0 * (x * x / 5.0).ln_1p();
        let table = Tabulated::new(4.0, function);
        for k in 0..1000 {
            let x = k as f32 * 0.0083;
            assert!((table.at(x) - function(x)).abs() < 1e-4, "{x}");
        }
    }
}
