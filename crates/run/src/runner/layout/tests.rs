//! Read damaged files of predictions.

use ndarray::{Array1, Array2, array};
use proptest::prelude::{ProptestConfig, any, proptest};
use proptest::sample::Index;

use super::*;

/// A file of three rows with nine quantiles each.
fn written() -> (Layout, Vec<u8>) {
    let values = Array2::from_shape_fn((3, 9), |(row, level)| row as f64 + level as f64 / 10.0);
    let levels = (1..10).map(|level| f64::from(level) / 10.0).collect();
    let predictive = Predictive::new(Form::Quantiles(Quantiles { levels, values }));
    let test = Table::unnamed(Array2::zeros((3, 1)), Array1::from(vec![0.5, 1.5, 2.5]));
    encode_one(&Reading::MAIN, &predictive, &test).unwrap()
}

#[test]
fn a_file_is_read_as_it_was_written() {
    let (layout, bytes) = written();
    let decoded = decode(&layout, &bytes).unwrap();
    assert_eq!((decoded.y, decoded.readings.len()), (array![0.5, 1.5, 2.5], 1));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn a_damaged_file_is_read_or_refused(
        flips in proptest::collection::vec((any::<Index>(), 1..=255_u8), 1..4),
    ) {
        let (layout, mut bytes) = written();
        let length = bytes.len();
        flips.iter().for_each(|(at, flip)| bytes[at.index(length)] ^= flip);
        // The library panics at some damage, which the callers survive; it must not abort.
        let _ = uqbench_system::survive(|| decode(&layout, &bytes).map(|decoded| decoded.y));
    }
}
