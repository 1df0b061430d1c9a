//! Make a predictive distribution of a response, with the rows in their own order.

use std::path::Path;

use ndarray::{Array1, Array2, Axis};

use super::arrays;
use super::contract::{Answer, FormAnswer, Numbers};
use uq_core::predictive::{
    Atoms, Form, Gaussian, Mixture, Piecewise, Predictive, Quantiles, Samples, Split, StudentT,
};
use uq_methods::SideTable;

/// Fewest draws of a row, because the fair CRPS compares pairs of draws.
const FEWEST_DRAWS: usize = 2;
/// Prefix of the names of side tables, so that none is mistaken for one that this program reads.
const PREFIX: &str = "external-";

/// What a response is read with.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    /// The folder of its arrays.
    pub folder: &'a Path,
    /// The row of the question at each row of the response.
    pub order: &'a [usize],
    /// The levels of the request.
    pub levels: &'a [f64],
}

impl Reader<'_> {
    /// The predictive distribution at each row of the question, and the side tables. The numbers of
    /// the distribution are not checked.
    ///
    /// # Errors
    /// The array whose shape or content is not that of the contract.
    pub fn read(&self, answer: Answer) -> Result<(Predictive, Vec<SideTable>), String> {
        let form = self.form(answer.form)?;
        let variance = |name, numbers: Option<Numbers>| {
            numbers.map(|numbers| self.vector(name, numbers)).transpose()
        };
        let aleatoric = variance("aleatoric", answer.aleatoric)?;
        let epistemic = variance("epistemic", answer.epistemic)?;
        let split =
            (aleatoric.is_some() || epistemic.is_some()).then_some(Split { aleatoric, epistemic });
        let mut tables = Vec::new();
        for (name, columns) in answer.tables {
            let column = |(column, numbers): (String, Numbers)| {
                let values = arrays::read(self.folder, numbers)
                    .map_err(|why| format!("table `{name}`: {why}"))?;
                Ok((column, values.into_iter().collect()))
            };
            let columns: Vec<(String, Vec<f64>)> =
                columns.into_iter().map(column).collect::<Result<_, String>>()?;
            if columns.windows(2).any(|pair| pair[0].1.len() != pair[1].1.len()) {
                return Err(format!("table `{name}`: its columns have different lengths"));
            }
            tables.push(SideTable { name: format!("{PREFIX}{name}"), columns });
        }
        Ok((Predictive { form, split }, tables))
    }

    fn form(&self, form: FormAnswer) -> Result<Form, String> {
        Ok(match form {
            FormAnswer::Gaussian { mean, variance } => Form::Gaussian(Gaussian {
                mean: self.vector("mean", mean)?,
                variance: self.vector("variance", variance)?,
            }),
            FormAnswer::StudentT { location, scale, degrees_of_freedom } => {
                Form::StudentT(StudentT {
                    location: self.vector("location", location)?,
                    scale: self.vector("scale", scale)?,
                    degrees_of_freedom: self.vector("degrees_of_freedom", degrees_of_freedom)?,
                })
            }
            FormAnswer::Mixture { weights, means, variances } => {
                let means = self.matrix("means", means)?;
                Form::Mixture(Mixture {
                    weights: self.shared(
                        "weights",
                        self.unordered("weights", weights)?,
                        means.ncols(),
                    )?,
                    variances: self.matrix_of("variances", variances, means.ncols())?,
                    means,
                })
            }
            FormAnswer::Quantiles { levels, values } => {
                let levels = levels.unwrap_or_else(|| self.levels.to_vec());
                Form::Quantiles(Quantiles {
                    values: self.matrix_of("values", values, levels.len())?,
                    levels,
                })
            }
            FormAnswer::Samples { values } => {
                let values = self.matrix("values", values)?;
                if values.ncols() < FEWEST_DRAWS {
                    return Err(format!(
                        "`values` has {} draws a row, expected at least {FEWEST_DRAWS}",
                        values.ncols()
                    ));
                }
                Form::Samples(Samples { values })
            }
            FormAnswer::Atoms { values, weights } => {
                let values = self.matrix("values", values)?;
                Form::Atoms(Atoms {
                    weights: self.shared(
                        "weights",
                        self.unordered("weights", weights)?,
                        values.ncols(),
                    )?,
                    values,
                })
            }
            FormAnswer::Piecewise { edges, masses, tails } => {
                let edges = self.unordered("edges", edges)?;
                // One column is a list that all rows share, because a row has at least two edges.
                let count = if edges.ncols() == 1 { edges.nrows() } else { edges.ncols() };
                if count < 2 {
                    return Err(format!("`edges` has {count} numbers a row, expected at least 2"));
                }
                let masses = self.shared("masses", self.unordered("masses", masses)?, count - 1)?;
                let masses = masses
                    .broadcast((self.order.len(), count - 1))
                    .map_or_else(|| masses.clone(), |all| all.to_owned());
                let tails = match tails {
                    Some(tails) => self.shared("tails", self.unordered("tails", tails)?, 4)?,
                    None => Array2::zeros((1, 4)),
                };
                Form::Piecewise(Piecewise {
                    edges: self.shared("edges", edges, count)?,
                    masses,
                    tails,
                })
            }
        })
    }

    /// A number for each row.
    fn vector(&self, name: &str, numbers: Numbers) -> Result<Array1<f64>, String> {
        Ok(self.matrix_of(name, numbers, 1)?.remove_axis(Axis(1)))
    }

    /// The numbers of each row.
    fn matrix_of(
        &self,
        name: &str,
        numbers: Numbers,
        columns: usize,
    ) -> Result<Array2<f64>, String> {
        let values = self.matrix(name, numbers)?;
        match values.ncols() {
            found if found == columns => Ok(values),
            found => Err(format!("`{name}` has {found} columns, expected {columns}")),
        }
    }

    /// Some numbers for each row.
    fn matrix(&self, name: &str, numbers: Numbers) -> Result<Array2<f64>, String> {
        self.ordered(name, &self.unordered(name, numbers)?)
    }

    /// The numbers of each row, or one row of them for all rows.
    fn shared(
        &self,
        name: &str,
        values: Array2<f64>,
        columns: usize,
    ) -> Result<Array2<f64>, String> {
        if values.dim() == (1, columns) {
            return Ok(values);
        }
        if columns > 1 && values.dim() == (columns, 1) {
            return Ok(values.reversed_axes().as_standard_layout().into_owned());
        }
        if values.ncols() != columns {
            return Err(format!("`{name}` has {} columns, expected {columns}", values.ncols()));
        }
        self.ordered(name, &values)
    }

    fn unordered(&self, name: &str, numbers: Numbers) -> Result<Array2<f64>, String> {
        arrays::read(self.folder, numbers).map_err(|why| format!("`{name}`: {why}"))
    }

    /// The rows in the order of the question.
    fn ordered(&self, name: &str, values: &Array2<f64>) -> Result<Array2<f64>, String> {
        let (rows, found) = (self.order.len(), values.nrows());
        if found != rows {
            return Err(format!(
                "`{name}` has {found} rows, expected {rows}, one for each test row"
            ));
        }
        let mut ordered = Array2::zeros(values.dim());
        for (row, &own) in values.rows().into_iter().zip(self.order) {
            ordered.row_mut(own).assign(&row);
        }
        Ok(ordered)
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract::{Response, read_response};
    use super::*;
    use ndarray::array;

    fn read(rest: &str) -> Result<(Predictive, Vec<SideTable>), String> {
        let response = read_response(&format!("{{\"contract\": 1, {rest}}}")).unwrap();
        let Response::Answer(answer) = response else { panic!("{response:?}") };
        let reader =
            Reader { folder: Path::new("/nowhere"), order: &[2, 0, 1], levels: &[0.1, 0.9] };
        reader.read(*answer)
    }

    #[test]
    fn rows_are_put_back_into_their_own_order() {
        let (found, _) =
            read(r#""form": "gaussian", "mean": [1, 2, 3], "variance": [4, 5, 6], "aleatoric": [7, 8, 9]"#).unwrap();
        assert_eq!(
            found.form,
            Form::Gaussian(Gaussian {
                mean: array![2.0, 3.0, 1.0],
                variance: array![5.0, 6.0, 4.0]
            })
        );
        assert_eq!(
            found.split,
            Some(Split { aleatoric: Some(array![8.0, 9.0, 7.0]), epistemic: None })
        );
        let (found, _) =
            read(r#""form": "quantiles", "values": [[1, 2], [3, 4], [5, 6]]"#).unwrap();
        let values = array![[3.0, 4.0], [5.0, 6.0], [1.0, 2.0]];
        assert_eq!(found.form, Form::Quantiles(Quantiles { levels: vec![0.1, 0.9], values }));
    }

    #[test]
    fn weights_are_shared_by_all_rows_or_belong_to_each() {
        let atoms = |weights: &str| {
            let rest = format!(
                r#""form": "atoms", "values": [[1, 2], [3, 4], [5, 6]], "weights": {weights}"#
            );
            match read(&rest).unwrap().0.form {
                Form::Atoms(atoms) => atoms.weights,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(atoms("[0.25, 0.75]"), array![[0.25, 0.75]]);
        assert_eq!(atoms("[[0.25, 0.75]]"), array![[0.25, 0.75]]);
        assert_eq!(
            atoms("[[1, 0], [0, 1], [0.5, 0.5]]"),
            array![[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]
        );
    }

    #[test]
    fn student_t_rows_are_put_back_and_have_one_number_each() {
        let rest = r#""form": "student-t", "location": [1, 2, 3], "scale": [4, 5, 6], "degrees_of_freedom": [7, 8, 9]"#;
        let (found, _) = read(rest).unwrap();
        let (location, scale) = (array![2.0, 3.0, 1.0], array![5.0, 6.0, 4.0]);
        let expected = StudentT { location, scale, degrees_of_freedom: array![8.0, 9.0, 7.0] };
        assert_eq!(found.form, Form::StudentT(expected));
        let without = read(&rest.replace("9]", "null]")).unwrap().0;
        assert!(
            without.validate().is_err(),
            "a number that is missing is read, and the distribution is refused"
        );
        for (rest, expected) in [
            (
                r#""scale": [4, 5, 6], "degrees_of_freedom": [7]"#,
                "`degrees_of_freedom` has 1 rows, expected 3",
            ),
            (
                r#""scale": [[4, 5], [6, 7], [8, 9]], "degrees_of_freedom": [1, 1, 1]"#,
                "`scale` has 2 columns, expected 1",
            ),
        ] {
            let message = read(&format!(r#""form": "student-t", "location": [1, 2, 3], {rest}"#))
                .unwrap_err();
            assert!(message.contains(expected), "{rest}: {message}");
        }
    }

    #[test]
    fn mixture_rows_are_put_back_with_their_own_weights_or_with_shared_ones() {
        let mixture = |rest: &str| match read(&format!(r#""form": "mixture", {rest}"#))
            .map(|found| found.0.form)
        {
            Ok(Form::Mixture(form)) => Ok(form),
            Ok(other) => panic!("{other:?}"),
            Err(why) => Err(why),
        };
        let means = r#""means": [[1, 2], [3, 4], [5, 6]]"#;
        let parts = format!(r#"{means}, "variances": [[7, 8], [9, 10], [11, 12]]"#);
        let expected = |weights| Mixture {
            weights,
            means: array![[3.0, 4.0], [5.0, 6.0], [1.0, 2.0]],
            variances: array![[9.0, 10.0], [11.0, 12.0], [7.0, 8.0]],
        };
        let own = mixture(&format!(r#""weights": [[1, 0], [0, 1], [0.5, 0.5]], {parts}"#)).unwrap();
        assert_eq!(own, expected(array![[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]));
        let shared = mixture(&format!(r#""weights": [0.25, 0.75], {parts}"#)).unwrap();
        assert_eq!(shared, expected(array![[0.25, 0.75]]));
        assert_eq!(Predictive::new(Form::Mixture(shared)).validate(), Ok(()));
        for (rest, expected) in [
            (
                format!(r#""weights": [0.2, 0.3, 0.5], {parts}"#),
                "`weights` has 1 columns, expected 2",
            ),
            (
                format!(r#""weights": [[0.5, 0.5], [0.5, 0.5]], {parts}"#),
                "`weights` has 2 rows, expected 3",
            ),
            (
                format!(r#""weights": [0.5, 0.5], {means}, "variances": [7, 8, 9]"#),
                "`variances` has 1 columns, expected 2",
            ),
        ] {
            let message = mixture(&rest).unwrap_err();
            assert!(message.contains(expected), "{rest}: {message}");
        }
    }

    #[test]
    fn edges_masses_and_tails_are_shared_by_all_rows_or_belong_to_each() {
        let piecewise = |rest: &str| match read(&format!(r#""form": "piecewise", {rest}"#))
            .map(|found| found.0.form)
        {
            Ok(Form::Piecewise(form)) => Ok(form),
            Ok(other) => panic!("{other:?}"),
            Err(why) => Err(why),
        };
        let found =
            piecewise(r#""edges": [0, 1, 2], "masses": [[1, 0], [0, 1], [0.5, 0.5]]"#).unwrap();
        let masses = array![[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]];
        assert_eq!(
            found,
            Piecewise { edges: array![[0.0, 1.0, 2.0]], masses, tails: array![[0.0; 4]] }
        );
        let rest =
            r#""edges": [[0, 1], [2, 3], [4, 5]], "masses": [0.75], "tails": [0.25, 2, 0, 0]"#;
        let found = piecewise(rest).unwrap();
        let edges = array![[2.0, 3.0], [4.0, 5.0], [0.0, 1.0]];
        assert_eq!(
            found,
            Piecewise {
                edges,
                masses: array![[0.75], [0.75], [0.75]],
                tails: array![[0.25, 2.0, 0.0, 0.0]]
            }
        );
        assert_eq!(Predictive::new(Form::Piecewise(found)).validate(), Ok(()));
        for (rest, expected) in [
            (r#""edges": [1], "masses": [1]"#, "`edges` has 1 numbers a row, expected at least 2"),
            (
                r#""edges": [0, 1, 2], "masses": [0.2, 0.3, 0.5]"#,
                "`masses` has 1 columns, expected 2",
            ),
            (
                r#""edges": [0, 1], "masses": [1], "tails": [0, 1]"#,
                "`tails` has 1 columns, expected 4",
            ),
        ] {
            assert_eq!(piecewise(rest).unwrap_err(), expected);
        }
    }

    #[test]
    fn tables_have_a_prefix_and_columns_of_equal_length() {
        let gaussian = r#""form": "gaussian", "mean": [1, 2, 3], "variance": [4, 5, 6]"#;
        let (_, tables) = read(&format!(
            r#"{gaussian}, "tables": {{"loss": {{"epoch": [1, 2], "nll": [0.5, null]}}}}"#
        ))
        .unwrap();
        assert_eq!((tables.len(), tables[0].name.as_str()), (1, "external-loss"));
        assert_eq!(tables[0].column("epoch"), Some(&[1.0, 2.0][..]));
        let message =
            read(&format!(r#"{gaussian}, "tables": {{"loss": {{"a": [1, 2], "b": [1]}}}}"#))
                .unwrap_err();
        assert_eq!(message, "table `loss`: its columns have different lengths");
    }

    #[test]
    fn a_wrong_shape_is_told_with_the_expected_one() {
        for (rest, expected) in [
            (
                r#""form": "gaussian", "mean": [1, 2], "variance": [1, 2, 3]"#,
                "`mean` has 2 rows, expected 3, one for each test row",
            ),
            (
                r#""form": "gaussian", "mean": [[1, 2], [1, 2], [1, 2]], "variance": [1, 2, 3]"#,
                "`mean` has 2 columns, expected 1",
            ),
            (r#""form": "quantiles", "values": [1, 2, 3]"#, "`values` has 1 columns, expected 2"),
            (
                r#""form": "samples", "values": [1, 2, 3]"#,
                "`values` has 1 draws a row, expected at least 2",
            ),
            (
                r#""form": "atoms", "values": [[1], [2], [3]], "weights": [[1, 1]]"#,
                "`weights` has 2 columns, expected 1",
            ),
            (
                r#""form": "gaussian", "mean": "m.npy", "variance": [1, 2, 3]"#,
                "`mean`: m.npy: it cannot be read",
            ),
        ] {
            let message = read(rest).unwrap_err();
            assert!(message.contains(expected), "{rest}: {message}");
        }
    }
}
