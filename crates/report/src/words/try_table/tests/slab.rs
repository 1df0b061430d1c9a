use super::*;
use crate::words::try_table::slab::{found, warning};
use uqbench_run::runner::try_table::{Slab, SlabPlace};

fn slab(place: SlabPlace) -> Slab {
    Slab {
        method: "dtb".into(),
        place,
        searched: Coverage { covered: 18, rows: 25 },
        tested: Coverage { covered: 20, rows: 28 },
        even: (0.7, 0.84),
    }
}

#[test]
fn where_coverage_is_lowest() {
    let of = |low: f64, high: f64| SlabPlace::Feature { name: "a|b".into(), low, high };
    insta::assert_snapshot!(found(&slab(of(3.25, 5.5)), INTERVALS), @r"A search over slabs of the features, each with a tenth of the rows or more, found the lowest coverage on one half of the rows where a\|b is from 3.250 to 5.500: 72.0 % of 25 rows. Where coverage is the same everywhere, such a search finds 70.0 % to 84.0 %. Of the other half, which has not chosen the slab, the intervals there cover 71.4 % (95 % interval: 51.3 to 86.8 %) of 28 rows: too few.");
    insta::assert_snapshot!(warning(&slab(of(1.0, 1.0)), UPPER), @r"its upper bounds cover only 71.4 % of 28 rows where a\|b is 1.000, on rows that have not chosen this slab of the features");
    let weights = vec![("x".into(), -0.8), ("y".into(), 0.5), ("z".into(), -0.25)];
    let sum = |others| SlabPlace::Sum { weights: weights.clone(), others, low: -1.0, high: 0.25 };
    insta::assert_snapshot!(warning(&slab(sum(0)), INTERVALS), @"its intervals cover only 71.4 % of 28 rows where −0.80 x + 0.50 y − 0.25 z (in standard deviations from the means) is from -1.00 to 0.25, on rows that have not chosen this slab of the features");
    insta::assert_snapshot!(warning(&slab(sum(4)), INTERVALS), @"its intervals cover only 71.4 % of 28 rows where −0.80 x + 0.50 y − 0.25 z + … (in standard deviations from the means) is from -1.00 to 0.25, on rows that have not chosen this slab of the features");
}
