//! Read the columns of a Parquet file as predictive distributions.

use ndarray::{Array1, Array2, Axis};
use polars_arrow::array::{Array, PrimitiveArray};

use super::{Block, Decoded, FormLayout, Layout, SummaryLayout, name};
use uq_core::metrics::RowFacts;
use uq_core::predictive::{
    Atoms, Cells, Form, Gaussian, Mixture, Piecewise, Predictive, Quantiles, Samples, Smoothed,
    Split, StudentT, Summary,
};
use uqbench_data::columns::ParquetFile;

/// Reads what [`encode`](super::encode) wrote.
///
/// # Errors
/// A message where the bytes are no table, or do not fit this layout.
pub fn decode(layout: &Layout, bytes: &[u8]) -> Result<Decoded, String> {
    let table = Read::table(bytes)?;
    let mut readings = Vec::with_capacity(layout.readings.len());
    for one in &layout.readings {
        let form = table.form(&one.form, layout.y)?;
        let (aleatoric, epistemic) =
            (table.optional(one.aleatoric)?, table.optional(one.epistemic)?);
        let split = one.split.then_some(Split { aleatoric, epistemic });
        readings.push((one.reading.clone(), Predictive { form, split }));
    }
    let (region, noise) = (table.optional(layout.region)?, table.optional(layout.noise)?);
    let (truth, density) = (table.optional(layout.truth)?, table.optional(layout.density)?);
    let facts = RowFacts { region, noise, truth, density };
    Ok(Decoded { x: table.optional(layout.x)?, y: table.column(layout.y)?, facts, readings })
}

/// A decoded table, whose columns are named by their places.
struct Read {
    rows: usize,
    columns: Vec<Array1<f64>>,
}

/// All columns of a file that [`encode`](super::encode) wrote, in their order.
///
/// # Errors
/// A message where the bytes are no table of such columns.
pub fn columns(bytes: &[u8]) -> Result<Vec<Array1<f64>>, String> {
    Ok(Read::table(bytes)?.columns)
}

impl Read {
    fn table(bytes: &[u8]) -> Result<Self, String> {
        let file = ParquetFile::open(bytes).map_err(|error| error.to_string())?;
        let rows = file.facts().num_rows;
        let mut columns = Vec::with_capacity(file.schema().len());
        for (place, found) in file.schema().iter_names().enumerate() {
            if *found != name(place) {
                return Err(format!("column {found} stands where {} is expected", name(place)));
            }
            let mut values = Vec::new();
            for part in file.read(place, 0..rows).map_err(|error| error.to_string())? {
                let part = part.as_any().downcast_ref::<PrimitiveArray<f64>>();
                let part = part.ok_or_else(|| format!("column {found} has no numbers"))?;
                if part.null_count() > 0 {
                    return Err(format!("column {found} has missing values"));
                }
                values.extend_from_slice(part.values());
            }
            if values.len() != rows {
                return Err(format!("column {found} has {} rows, expected {rows}", values.len()));
            }
            columns.push(Array1::from(values));
        }
        Ok(Self { rows, columns })
    }

    fn column(&self, index: usize) -> Result<Array1<f64>, String> {
        let found = self.columns.get(index).cloned();
        found.ok_or_else(|| format!("there is no column {}", name(index)))
    }

    fn optional(&self, index: Option<usize>) -> Result<Option<Array1<f64>>, String> {
        index.map(|index| self.column(index)).transpose()
    }

    fn block(&self, block: &Block) -> Result<Array2<f64>, String> {
        match block {
            Block::Shared(values) => Array2::from_shape_vec((1, values.len()), values.clone())
                .map_err(|error| error.to_string()),
            Block::Columns(indices) => {
                let mut all = Array2::zeros((self.rows, indices.len()));
                for (mut into, &index) in all.axis_iter_mut(Axis(1)).zip(indices) {
                    into.assign(&self.column(index)?);
                }
                Ok(all)
            }
        }
    }

    fn form(&self, layout: &FormLayout, y: usize) -> Result<Form, String> {
        Ok(match layout {
            FormLayout::Gaussian { mean, variance } => Form::Gaussian(Gaussian {
                mean: self.column(*mean)?,
                variance: self.column(*variance)?,
            }),
            FormLayout::StudentT { location, scale, degrees_of_freedom } => {
                Form::StudentT(StudentT {
                    location: self.column(*location)?,
                    scale: self.column(*scale)?,
                    degrees_of_freedom: self.column(*degrees_of_freedom)?,
                })
            }
            FormLayout::Mixture { weights, means, variances } => Form::Mixture(Mixture {
                weights: self.block(weights)?,
                means: self.block(means)?,
                variances: self.block(variances)?,
            }),
            FormLayout::Atoms { values, weights } => {
                Form::Atoms(Atoms { values: self.block(values)?, weights: self.block(weights)? })
            }
            FormLayout::Quantiles { levels, values } => {
                Form::Quantiles(Quantiles { levels: levels.clone(), values: self.block(values)? })
            }
            FormLayout::Samples { values } => {
                Form::Samples(Samples { values: self.block(values)? })
            }
            FormLayout::Piecewise { edges, masses, tails } => Form::Piecewise(Piecewise {
                edges: self.block(edges)?,
                masses: self.block(masses)?,
                tails: self.block(tails)?,
            }),
            FormLayout::Smoothed { values, weights, bandwidth, kernel } => {
                Form::Smoothed(Smoothed {
                    values: self.block(values)?,
                    weights: self.block(weights)?,
                    bandwidth: self.column(*bandwidth)?,
                    kernel: *kernel,
                })
            }
            FormLayout::Summary(layout) => Form::Summary(Box::new(self.summary(layout, y)?)),
        })
    }

    fn summary(&self, layout: &SummaryLayout, y: usize) -> Result<Summary, String> {
        let quantiles = match &layout.quantiles {
            Some((levels, values)) => {
                Some(Quantiles { levels: levels.clone(), values: self.block(values)? })
            }
            None => None,
        };
        let cells = match layout.cells {
            Some((width, column)) => Some(Cells { width, ln_probability: self.column(column)? }),
            None => None,
        };
        Ok(Summary {
            source: layout.source,
            outcomes: self.column(y)?,
            mean: self.optional(layout.mean)?,
            variance: self.optional(layout.variance)?,
            log_density: self.optional(layout.log_density)?,
            cdf: self.optional(layout.cdf)?,
            cdf_below: self.optional(layout.cdf_below)?,
            crps: self.optional(layout.crps)?,
            cells,
            quantiles,
        })
    }
}
