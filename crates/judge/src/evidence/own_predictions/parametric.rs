//! Read forms that are families of distributions with parameters beside mean and standard
//! deviation: Student-t distributions, and mixtures of normal ones.

use ndarray::{Array1, Array2};

use super::columns::Columns;
use uq_core::predictive::{Form, Mixture, StudentT};
use uqbench_data::own::OwnError;

/// Weights of a row may sum to 1 up to this much.
const ROUNDING: f64 = 1e-6;

/// The positions of the columns of such forms.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters {
    /// `location`, `scale` and `df`, if all are there.
    pub student_t: Option<[usize; 3]>,
    /// `weight1`, `mean1`, `sd1`, `weight2`, …: of each component, as far as all three are there.
    pub mixture: Vec<[usize; 3]>,
}

impl Parameters {
    /// Finds them by their names.
    pub fn find(find: impl Fn(&str) -> Option<usize>) -> Self {
        let of = |names: [String; 3]| {
            let [a, b, c] = names.map(|name| find(&name));
            Some([a?, b?, c?])
        };
        let component =
            |number: usize| of(["weight", "mean", "sd"].map(|name| format!("{name}{number}")));
        Self {
            student_t: of(["location", "scale", "df"].map(str::to_owned)),
            mixture: (1..).map_while(component).collect(),
        }
    }
}

/// Student-t distributions.
///
/// # Errors
/// [`OwnError::Cell`] for a cell that is no finite number, and a scale or degrees of freedom that
/// are not positive.
pub(super) fn student_t(columns: &dyn Columns, places: [usize; 3]) -> Result<Form, OwnError> {
    let [location, scale, df] = three(columns.finite(&places)?);
    refuse(columns, places[1], &scale, |scale| scale > 0.0, "a scale above 0")?;
    refuse(columns, places[2], &df, |df| df > 0.0, "degrees of freedom above 0")?;
    Ok(Form::StudentT(StudentT { location, scale, degrees_of_freedom: df }))
}

/// Mixtures of normal distributions.
///
/// # Errors
/// [`OwnError::Cell`] for a cell that is no finite number, a weight below 0, a standard deviation
/// that is not positive, and weights of a row that do not sum to 1.
pub(super) fn mixture(columns: &dyn Columns, components: &[[usize; 3]]) -> Result<Form, OwnError> {
    let shape = (columns.rows(), components.len());
    let [mut weights, mut means, mut variances] = [(); 3].map(|()| Array2::zeros(shape));
    for (component, &places) in components.iter().enumerate() {
        let [weight, mean, sd] = three(columns.finite(&places)?);
        refuse(columns, places[0], &weight, |weight| weight >= 0.0, "a weight of 0 or more")?;
        refuse(columns, places[2], &sd, |sd| sd > 0.0, "a standard deviation above 0")?;
        weights.column_mut(component).assign(&weight);
        means.column_mut(component).assign(&mean);
        variances.column_mut(component).assign(&sd.mapv(|sd| sd * sd));
    }
    let sums: Array1<f64> = weights.rows().into_iter().map(|row| row.sum()).collect();
    let first = components.first().map_or(0, |places| places[0]);
    if let Some(row) = sums.iter().position(|sum| (sum - 1.0).abs() > ROUNDING) {
        let found = format!("weights of this row that sum to {}", sums[row]);
        return Err(columns.wrong(row, first, found, "weights that sum to 1"));
    }
    for (mut row, sum) in weights.rows_mut().into_iter().zip(&sums) {
        row /= *sum;
    }
    Ok(Form::Mixture(Mixture { weights, means, variances }))
}

/// Refuses the first number that is not allowed.
fn refuse(
    columns: &dyn Columns,
    place: usize,
    numbers: &Array1<f64>,
    is_allowed: fn(f64) -> bool,
    expected: &str,
) -> Result<(), OwnError> {
    match numbers.iter().position(|number| !is_allowed(*number)) {
        Some(row) => Err(columns.wrong(row, place, numbers[row].to_string(), expected)),
        None => Ok(()),
    }
}

fn three(columns: Vec<Vec<f64>>) -> [Array1<f64>; 3] {
    let mut columns = columns.into_iter().map(Array1::from);
    [(); 3].map(|()| columns.next().unwrap_or_default())
}
