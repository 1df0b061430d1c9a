//! Name the rows of each region of feature space, so that its coverage can be judged.

use ndarray::{ArrayView1, ArrayView2, Axis};

use super::group::RowGroup;
use crate::regions::{DEPTH, Extent, Regions};
use uq_core::printable::printable;

/// Longest name of a feature in the name of a region, in characters.
const SHOWN: usize = 40;

/// The rows of each region of features (n × d) with these d names: median cuts, which leave
/// [`RowGroup::FEWEST`] rows or more in each region, and at most [`DEPTH`] deep. Every row is in a
/// region. None where the rows are one region, which is all of them.
pub fn regions(features: ArrayView2<f64>, names: &[String]) -> Vec<RowGroup> {
    let is_enough = |depth: &usize| features.nrows() >> depth >= RowGroup::FEWEST;
    let depth = (1..=DEPTH).rev().find(is_enough).unwrap_or(0);
    let regions = Regions::of_depth(features, depth, RowGroup::FEWEST);
    if regions.count() < 2 {
        return Vec::new();
    }
    let of_rows = regions.of(features);
    let group = |region: usize| {
        let extents = regions.extents(region);
        let each = extents.iter().map(|extent| {
            in_words(extent, &names[extent.feature], features.index_axis(Axis(1), extent.feature))
        });
        let rows = (0..of_rows.len()).filter(|&row| of_rows[row] == region as f64).collect();
        RowGroup::new(format!("region {}", each.collect::<Vec<_>>().join(", ")), rows)
    };
    (0..regions.count()).map(group).collect()
}

/// `2 < x ≤ 5`, of a feature with two values `x = 1`, and of the column of a category's level
/// `colour=red` or `not colour=red`.
fn in_words(extent: &Extent, name: &str, values: ArrayView1<f64>) -> String {
    let Extent { above, up_to, .. } = *extent;
    let name = printable(name, SHOWN);
    let mut inside: Vec<f64> =
        values.iter().copied().filter(|value| above < *value && *value <= up_to).collect();
    inside.dedup();
    match (&inside[..], above.is_finite(), up_to.is_finite()) {
        // A column of a category is named `column=level`.
        ([1.0], _, _) if name.contains('=') => name,
        ([0.0], _, _) if name.contains('=') => format!("not {name}"),
        ([only], _, _) => format!("{name} = {}", shown(*only)),
        (_, true, true) => format!("{} < {name} ≤ {}", shown(above), shown(up_to)),
        (_, true, false) => format!("{name} > {}", shown(above)),
        _ => format!("{name} ≤ {}", shown(up_to)),
    }
}

/// A whole number, or six digits of another one: a cut is a value of the table, which may have
/// sixteen.
fn shown(value: f64) -> String {
    let rounded = format!("{value:.5e}").parse().ok().filter(|_| value.fract() != 0.0);
    rounded.unwrap_or(value).to_string()
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    fn names(features: &Array2<f64>) -> Vec<String> {
        let names: Vec<String> = (1..=features.ncols()).map(|j| format!("x{j}")).collect();
        regions(features.view(), &names).into_iter().map(|group| group.name).collect()
    }

    #[test]
    fn a_small_table_is_cut_less_often() {
        let of = |rows: usize| names(&Array2::from_shape_fn((rows, 1), |(i, _)| (i + 1) as f64));
        assert!(of(39).is_empty());
        assert_eq!(of(40), ["region x1 ≤ 20", "region x1 > 20"]);
        assert_eq!(
            of(80),
            ["region x1 ≤ 20", "region 20 < x1 ≤ 40", "region 40 < x1 ≤ 60", "region x1 > 60"]
        );
        assert_eq!((of(160).len(), of(1000).len()), (8, 8));
    }

    #[test]
    fn a_cut_has_six_digits_and_a_whole_number_all_of_its_own() {
        for (value, expected) in
            [(0.025_622_146_401_438, "0.0256221"), (-13.7, "-13.7"), (123_456_789.0, "123456789")]
        {
            assert_eq!(shown(value), expected);
        }
        assert_eq!([1e-300, 1234567.5].map(shown), [1e-300.to_string(), "1234570".to_owned()]);
    }

    #[test]
    fn a_level_of_a_category_is_there_or_not() {
        let features = Array2::from_shape_fn((90, 1), |(i, _)| (i % 2) as f64);
        let found = regions(features.view(), &["colour=red".into()]);
        let found: Vec<&str> = found.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(found, ["region not colour=red", "region colour=red"]);
    }

    #[test]
    fn a_feature_of_two_values_is_named_by_them_and_every_row_is_in_one_region() {
        let features =
            Array2::from_shape_fn((90, 2), |(i, j)| if j == 0 { (i % 2) as f64 } else { i as f64 });
        assert_eq!(
            names(&features),
            [
                "region x1 = 0, x2 ≤ 44",
                "region x1 = 0, x2 > 44",
                "region x1 = 1, x2 ≤ 45",
                "region x1 = 1, x2 > 45"
            ]
        );
        let mut rows: Vec<usize> = regions(features.view(), &["a".into(), "b".into()])
            .into_iter()
            .flat_map(|group| group.rows)
            .collect();
        rows.sort_unstable();
        assert_eq!(rows, (0..90).collect::<Vec<_>>());
    }
}
