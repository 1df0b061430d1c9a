//! Compute the mass of a vehicle and its 68 constraints from the numbers of the MOPTA 2008 problem.
//!
//! ```text
//! x = lower + z (upper − lower),   mass f = Σ mass_i x_i
//! u_k = x[index_k] if index_k > 0, else fixed[−index_k]  (the inputs of a constraint's group, counted from 1)
//! y_j = β_0 + βᵀu + Σ_i p_i exp(−Σ_k θ_k |u_k − S_ik|^1.9),  exp(y_j) + offset_j where the model is logarithmic
//! g_j = (sign_j y_j − limit_j) / |limit_j|                     feasible where every g_j ≤ 0
//! value = −(f + 10 Σ_j max(0, g_j))
//! ```
//!
//! The file has no licence, so that it is no part of this program: a mirror has it as
//! `mopta08/mopta08.npz`.
//!
//! # References
//! D. R. Jones: *Large-scale multi-disciplinary mass optimization in the auto industry*,
//! MOPTA 2008. D. Eriksson, M. Jankowiak: *High-dimensional Bayesian optimization with sparse
//! axis-aligned subspaces*, UAI 2021, for the penalty.

use std::io::{Cursor, Read};

use ndarray::{Array1, Array2};
use ndarray_npy::{ReadNpyExt, ReadableElement};
use zip::ZipArchive;

use super::Evaluation;
use crate::{Column, DataError, DataFile, Dataset, Format, Layout};

/// Design variables.
pub const INPUTS: usize = 124;

/// Minus the mass of the reference solution that egobox 0.3x states, at which all constraints hold.
pub const BEST: f64 = -222.232_363_881_157_48;

/// Hash of the file.
pub const SHA256: &str = "abb251a3071cd4fc237e9ddce143a155cb1c5387c5ca880e68edc712de806de8";

/// Constraints, and groups of them that share their inputs and their designs.
const CONSTRAINTS: usize = 68;
const GROUPS: usize = 9;

/// Weight of the sum of violated constraints.
const PENALTY: f64 = 10.0;

/// Exponent of a distance in one input.
const EXPONENT: f64 = 1.9;

const KEY: &str = "mopta08";
const FILE: &str = "mopta08.npz";

/// The file as a dataset that is no table.
pub fn dataset() -> Dataset {
    let text = |text: &str| text.to_owned();
    let file = DataFile {
        name: text(FILE),
        bytes: Some(790_214),
        sha256: text(SHA256),
        sources: Vec::new(),
    };
    let target = Column {
        name: text("mass"),
        unit: String::new(),
        from: text("mass"),
        per: None,
        divide: None,
    };
    let format = Format::Blanks;
    let layout = Layout {
        format,
        columns: Vec::new(),
        header_names: None,
        skip: Vec::new(),
        significant_digits: None,
    };
    Dataset {
        key: text(KEY),
        title: text("numbers of the MOPTA 2008 problem"),
        citation: text(
            "Jones, D. R. (2008). Large-scale multi-disciplinary mass optimization in the auto \
             industry. MOPTA.",
        ),
        doi: None,
        licence: text("none stated"),
        home: text("https://www.miguelanjos.com/jones-benchmark"),
        files: vec![file],
        bundled: None,
        layout,
        features: Vec::new(),
        target,
        dependent: None,
        detrended: false,
        resolution: None,
        values: None,
        rows: 0,
        parsed_sha256: None,
        not_numeric: Vec::new(),
        quirks: Vec::new(),
    }
}

/// What the constraints of a group share.
#[derive(Debug)]
struct Group {
    /// Inputs: a design variable where positive, else a fixed number; counted from 1.
    index: Vec<i16>,
    /// Designs at which the model was fitted, n × inputs.
    design: Array2<f64>,
}

/// The model of one constraint.
#[derive(Debug)]
struct Constraint {
    group: usize,
    theta: Vec<f64>,
    beta: Vec<f64>,
    weights: Vec<f64>,
    /// What is added to the exponential, where the model is logarithmic.
    logarithmic: Option<f64>,
    sign: f64,
    limit: f64,
}

/// The numbers of the problem.
#[derive(Debug)]
pub struct Mopta {
    groups: Vec<Group>,
    constraints: Vec<Constraint>,
    mass: Vec<f64>,
    fixed: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Mopta {
    /// Reads the file.
    ///
    /// # Errors
    /// [`DataError::Archive`] for a file that is no such archive, [`DataError::Shape`] for arrays
    /// that do not fit.
    pub fn read(bytes: &[u8]) -> Result<Self, DataError> {
        let mut archive = Archive(ZipArchive::new(Cursor::new(bytes)).map_err(unreadable)?);
        let mut groups = Vec::with_capacity(GROUPS);
        for group in 0..GROUPS {
            let index = archive.vector(&format!("index_{group}"))?;
            let design: Array2<f64> = archive.array(&format!("design_{group}"))?;
            groups.push(Group { index, design });
        }
        let members: Vec<i8> = archive.vector("group")?;
        let mut numbers = |name: &str| archive.vector::<f64>(name);
        let (logarithmic, offset) = (numbers("uselog")?, numbers("offset")?);
        let (sign, limit) = (numbers("sign")?, numbers("limit")?);
        let (mass, fixed) = (numbers("mass")?, numbers("fixed")?);
        let (lower, upper) = (numbers("lower")?, numbers("upper")?);
        let lengths = [members.len(), logarithmic.len(), offset.len(), sign.len(), limit.len()];
        let fits = lengths.iter().all(|length| *length == CONSTRAINTS)
            && [&mass, &lower, &upper].iter().all(|numbers| numbers.len() == INPUTS);
        let mut constraints = Vec::with_capacity(CONSTRAINTS);
        for j in (0..CONSTRAINTS).filter(|_| fits) {
            constraints.push(Constraint {
                group: usize::try_from(members[j]).unwrap_or(usize::MAX),
                theta: numbers(&format!("theta_{}", j + 1))?,
                beta: numbers(&format!("beta_{}", j + 1))?,
                weights: numbers(&format!("pcoef_{}", j + 1))?,
                logarithmic: (logarithmic[j] != 0.0).then_some(offset[j]),
                sign: sign[j],
                limit: limit[j],
            });
        }
        let found = Self { groups, constraints, mass, fixed, lower, upper };
        if fits && found.is_consistent() { Ok(found) } else { Err(unfitting()) }
    }

    /// Whether all arrays have the lengths that the formula needs.
    fn is_consistent(&self) -> bool {
        let is_input = |index: &i16| match usize::from(index.unsigned_abs()) {
            0 => false,
            place if *index > 0 => place <= INPUTS,
            place => place <= self.fixed.len(),
        };
        let of_group = |group: &Group| {
            group.index.len() == group.design.ncols() && group.index.iter().all(is_input)
        };
        let of_constraint = |one: &Constraint| {
            self.groups.get(one.group).is_some_and(|group| {
                let (designs, inputs) = group.design.dim();
                one.theta.len() == inputs
                    && one.beta.len() == inputs + 1
                    && one.weights.len() == designs
            })
        };
        self.groups.iter().all(of_group) && self.constraints.iter().all(of_constraint)
    }

    /// Mass, and the constraints at a point of the unit cube.
    fn mass_and_constraints(&self, z: &[f64]) -> (f64, Vec<f64>) {
        let x: Vec<f64> = z
            .iter()
            .zip(self.lower.iter().zip(&self.upper))
            .map(|(z, (l, u))| l + z * (u - l))
            .collect();
        let input = |index: &i16| {
            let place = usize::from(index.unsigned_abs()) - 1;
            if *index > 0 { x[place] } else { self.fixed[place] }
        };
        // The constraints of a group share |u − S|^1.9.
        let shared: Vec<(Vec<f64>, Array2<f64>)> = self
            .groups
            .iter()
            .map(|group| {
                let u: Vec<f64> = group.index.iter().map(input).collect();
                let mut powers = group.design.clone();
                powers
                    .indexed_iter_mut()
                    .for_each(|((_, k), s)| *s = (u[k] - *s).abs().powf(EXPONENT));
                (u, powers)
            })
            .collect();
        let of_constraint = |one: &Constraint| {
            let (u, powers) = &shared[one.group];
            let bump = |(row, weight): (ndarray::ArrayView1<f64>, &f64)| {
                weight
                    * (-row.iter().zip(&one.theta).map(|(power, theta)| theta * power).sum::<f64>())
                        .exp()
            };
            let linear =
                one.beta[0] + u.iter().zip(&one.beta[1..]).map(|(u, beta)| u * beta).sum::<f64>();
            let y = linear + powers.rows().into_iter().zip(&one.weights).map(bump).sum::<f64>();
            let y = one.logarithmic.map_or(y, |offset| y.exp() + offset);
            (one.sign * y - one.limit) / one.limit.abs()
        };
        let mass = x.iter().zip(&self.mass).map(|(x, mass)| x * mass).sum();
        (mass, self.constraints.iter().map(of_constraint).collect())
    }

    /// The penalised value, and the largest constraint, at a point of the unit cube (124).
    pub fn evaluate(&self, z: &[f64]) -> Evaluation {
        let (mass, constraints) = self.mass_and_constraints(z);
        let violated: f64 = constraints.iter().map(|g| g.max(0.0)).sum();
        let constraint = constraints.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Evaluation { value: -(mass + PENALTY * violated), constraint }
    }
}

/// The arrays of the file.
struct Archive<'a>(ZipArchive<Cursor<&'a [u8]>>);

impl Archive<'_> {
    fn array<T: ReadNpyExt>(&mut self, name: &str) -> Result<T, DataError> {
        let mut bytes = Vec::new();
        let mut member = self.0.by_name(&format!("{name}.npy")).map_err(unreadable)?;
        member.read_to_end(&mut bytes).map_err(unreadable)?;
        T::read_npy(bytes.as_slice()).map_err(unreadable)
    }

    fn vector<T: ReadableElement>(&mut self, name: &str) -> Result<Vec<T>, DataError> {
        self.array::<Array1<T>>(name).map(|array| array.into_raw_vec_and_offset().0)
    }
}

fn unreadable(error: impl std::fmt::Display) -> DataError {
    DataError::Archive { archive: format!("{KEY}/{FILE}"), message: error.to_string() }
}

fn unfitting() -> DataError {
    let expected =
        format!("arrays of {GROUPS} groups, {CONSTRAINTS} constraints and {INPUTS} inputs");
    DataError::Shape {
        file: format!("{KEY}/{FILE}"),
        found: "arrays of other lengths".into(),
        expected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Library, SourceOptions};

    #[test]
    fn the_centre_has_the_numbers_of_an_independent_program() {
        let Ok(mirror) = std::env::var("UQBENCH_MIRROR") else {
            println!("not tested: UQBENCH_MIRROR names no mirror");
            return;
        };
        let cache = tempfile::tempdir().unwrap();
        let options = SourceOptions {
            mirror: Some(mirror),
            cache: Some(cache.path().into()),
            offline: true,
            ..SourceOptions::default()
        };
        let bytes = match Library::new(options).bytes(&dataset()) {
            Err(error) if error.is_unavailable() => return println!("not tested: {error}"),
            bytes => bytes.unwrap(),
        };
        let mopta = Mopta::read(&bytes).unwrap();
        // Computed in NumPy from the same file.
        let (mass, constraints) = mopta.mass_and_constraints(&[0.5; INPUTS]);
        assert!((mass - 303.266_381_128_512).abs() < 1e-9, "{mass}");
        let violated: Vec<f64> = constraints.iter().copied().filter(|g| *g > 0.0).collect();
        assert_eq!((constraints.len(), violated.len()), (68, 15));
        let found = mopta.evaluate(&[0.5; INPUTS]);
        assert!((found.constraint - 0.617_376_8).abs() < 5e-8, "{found:?}");
        assert!(
            (found.value + mass + 10.0 * violated.iter().sum::<f64>()).abs() < 1e-9,
            "{found:?}"
        );
    }

    #[test]
    fn bytes_of_another_kind_are_refused() {
        let message = Mopta::read(b"no archive").unwrap_err().to_string();
        assert!(message.starts_with("mopta08/mopta08.npz: "), "{message}");
    }
}
