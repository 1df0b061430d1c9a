//! Say what is drawn.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::metrics::MetricId;

/// What is drawn, from stored trials alone.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Figure {
    /// Test rows in the order of their target: mean ± one standard deviation, and the outcome.
    TestBand {
        /// File name, without its ending.
        file: String,
        /// Caption.
        title: String,
        /// Label of the vertical axis.
        y_label: String,
        /// Which columns, by their labels, one panel each.
        panels: Vec<Panel>,
    },
    /// A one-dimensional problem: truth, training points, mean ± one standard deviation.
    CurveBand {
        /// File name, without its ending.
        file: String,
        /// Caption.
        title: String,
        /// Which columns, by their labels, one panel each.
        panels: Vec<Panel>,
    },
    /// A metric against a parameter: means over repetitions, their standard errors, and a local regression line.
    Sweep {
        /// File name, without its ending.
        file: String,
        /// Caption.
        title: String,
        /// Label of the horizontal axis.
        x_label: String,
        /// Whether the horizontal axis is logarithmic.
        #[serde(default)]
        log_x: bool,
        /// Whether the vertical axes are logarithmic.
        #[serde(default)]
        log_y: bool,
        /// Whether a locally weighted regression line is drawn.
        #[serde(default)]
        local_regression: bool,
        /// One panel a metric.
        panels: Vec<MetricPanel>,
        /// One line each.
        series: Vec<Panel>,
    },
    /// The distribution of one column of a side table over all repetitions.
    Histogram {
        /// File name, without its ending.
        file: String,
        /// Caption.
        title: String,
        /// Label of the horizontal axis.
        x_label: String,
        /// The side table and its column, such as `values@game` and `value`.
        #[serde(alias = "artefact")]
        side_table: (String, String),
        /// Which columns, by their labels, one panel each.
        panels: Vec<Panel>,
    },
    /// Calibration over all finished repetitions: histogram of the probability integral transform, and reliability curve.
    Calibration {
        /// File name, without its ending.
        file: String,
        /// Caption.
        title: String,
        /// Which columns, by their labels, one panel each; anchors carry their id as label `method`.
        panels: Vec<Panel>,
    },
    /// A one-dimensional problem fitted by a Gaussian mixture of (x, y): its components over the training rows, conditional
    /// mean and bands, and conditional densities. Its datasets are not scaled.
    Mixture {
        /// File name, without its ending.
        file: String,
        /// Caption.
        title: String,
        /// Which columns, by their labels, one row each.
        panels: Vec<Panel>,
        /// Another method, such as a Gaussian process, whose mean and bands on each row's dataset stand beside the mixture's.
        beside: Option<Panel>,
        /// Interval of x that is shaded, by dataset key.
        #[serde(default)]
        marked: BTreeMap<String, (f64, f64)>,
    },
    /// A Gaussian process of one feature with its hyper-functions: rows, mean and bands of both kinds of uncertainty above, length
    /// scale, signal and noise below, where the fit left them behind.
    HyperFunctions {
        /// File name, without its ending.
        file: String,
        /// Caption.
        title: String,
        /// Which columns, by their labels, one fit each.
        panels: Vec<Panel>,
    },
    /// A kernel regression of one feature in three tubes of one standard deviation: noise propagated to the mean, and the Gaussian process
    /// with less and more noise.
    Tubes {
        /// File name, without its ending.
        file: String,
        /// Caption.
        title: String,
        /// What the two outer tubes are.
        reading: TubeReading,
        /// Which columns, by their labels, one panel each, three in a row.
        panels: Vec<Panel>,
    },
    /// Realisations of a random function of one feature with densities at the rows' places, and its law at one place.
    Realisations {
        /// File name, without its ending.
        file: String,
        /// Caption.
        title: String,
        /// Which columns, by their labels, one row each.
        panels: Vec<Panel>,
    },
    /// What a sequential protocol recorded step by step: means over repetitions with their 95 % intervals.
    Learning {
        /// File name, without its ending.
        file: String,
        /// Caption.
        title: String,
        /// Label of the horizontal axis.
        x_label: String,
        /// Label of the vertical axis.
        y_label: String,
        /// Which columns, by their labels, one line each.
        series: Vec<Panel>,
    },
    /// Paired differences of the contrast's columns in per cent of the reference, with their intervals, one row a cell.
    Contrast {
        /// File name, without its ending.
        file: String,
        /// Caption.
        title: String,
        /// One panel a metric.
        panels: Vec<MetricPanel>,
    },
    /// A metric over repetitions: panels in rows, in each a box for every column that a series and the panel select.
    Boxes {
        /// File name, without its ending.
        file: String,
        /// Caption.
        title: String,
        /// The metric.
        metric: MetricId,
        /// Label of its axis.
        y_label: String,
        /// Panels in a row.
        across: usize,
        /// Row by row.
        panels: Vec<BoxesPanel>,
        /// One look each; boxes stand in this order, within a series in the order of their columns' `x`. An experiment of
        /// which several columns are selected is drawn once in a panel, for the first.
        series: Vec<Panel>,
    },
    /// What methods state of noise and of their own error beside the truth, for problems of one feature whose test inputs never change.
    Variances {
        /// File name, without its ending.
        file: String,
        /// Caption.
        title: String,
        /// One row of panels each.
        rows: Vec<Panel>,
        /// One panel of a row each; labels select nothing here.
        datasets: Vec<DatasetPanel>,
    },
    /// Skill of every part of the variance against the best constant, a row a method and a dot a dataset.
    Skill {
        /// File name, without its ending.
        file: String,
        /// Caption.
        title: String,
        /// One row each; a column whose label `split` is `nominal` is marked as such.
        rows: Vec<Panel>,
        /// One look each.
        groups: Vec<DatasetGroup>,
        /// What the places in a group are called: the dots of a method stand in so many lanes.
        lanes: Vec<String>,
    },
}

/// A dataset that is a panel.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatasetPanel {
    /// Title of the panel.
    pub title: String,
    /// Dataset key.
    pub dataset: String,
}

/// Datasets that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatasetGroup {
    /// Name in the legend.
    pub title: String,
    /// Dataset keys, one a lane.
    pub datasets: Vec<String>,
}

/// Whether the standard deviation of the Gaussian process has the noise in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TubeReading {
    /// That of f, and with the noise added.
    WithoutNoise,
    /// That of y (2b), and with the noise added once more.
    WithNoise,
}

impl TubeReading {
    /// The columns of the side table `tubes` that are the outer and the middle tube.
    pub fn columns(self) -> [&'static str; 2] {
        match self {
            Self::WithoutNoise => ["predictive", "latent"],
            Self::WithNoise => ["twice", "predictive"],
        }
    }

    /// Names of the three tubes, from the outermost.
    pub fn names(self) -> [&'static str; 3] {
        let inner = "noise in the mean (9b)";
        match self {
            Self::WithoutNoise => ["GP with noise: (2b)", "GP without noise: κ − kᵀa", inner],
            Self::WithNoise => ["(2b) and ρ² again", "GP with noise: (2b)", inner],
        }
    }
}

/// Columns of one dataset, as boxes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxesPanel {
    /// Title of the panel.
    pub title: String,
    /// Label of the boxes' axis: what the columns' `x` is.
    pub x_label: String,
    /// Labels that a column must carry, besides those of its series.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    /// Dataset key.
    pub dataset: String,
}

/// Columns chosen by their labels, and how they are named.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    /// Title of the panel, or name of the line.
    pub title: String,
    /// Labels that a column must carry.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    /// Dataset key; the first dataset where absent.
    pub dataset: Option<String>,
}

/// A panel that shows one metric.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricPanel {
    /// The metric.
    pub metric: MetricId,
    /// Label of its axis.
    pub label: String,
    /// Level lines of a sweep: numbers to compare with.
    #[serde(default)]
    pub references: Vec<Reference>,
}

/// A number that a panel shows as a level line.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// Its name in the legend.
    pub title: String,
    /// The number.
    pub value: f64,
}

impl Figure {
    /// File name, without its ending.
    pub fn file(&self) -> &str {
        match self {
            Self::TestBand { file, .. }
            | Self::CurveBand { file, .. }
            | Self::Sweep { file, .. }
            | Self::Histogram { file, .. }
            | Self::Calibration { file, .. }
            | Self::Mixture { file, .. }
            | Self::HyperFunctions { file, .. }
            | Self::Tubes { file, .. }
            | Self::Realisations { file, .. }
            | Self::Learning { file, .. }
            | Self::Contrast { file, .. }
            | Self::Boxes { file, .. }
            | Self::Variances { file, .. }
            | Self::Skill { file, .. } => file,
        }
    }

    /// The columns that it shows.
    pub fn columns(&self) -> &[Panel] {
        match self {
            Self::TestBand { panels, .. }
            | Self::CurveBand { panels, .. }
            | Self::Histogram { panels, .. }
            | Self::Calibration { panels, .. }
            | Self::Mixture { panels, .. }
            | Self::HyperFunctions { panels, .. }
            | Self::Tubes { panels, .. }
            | Self::Realisations { panels, .. } => panels,
            Self::Sweep { series, .. } | Self::Learning { series, .. } | Self::Boxes { series, .. } => series,
            Self::Variances { rows, .. } | Self::Skill { rows, .. } => rows,
            Self::Contrast { .. } => &[],
        }
    }

    /// The columns that it shows beside tables in the units of the fit.
    pub fn unscaled_columns(&self) -> Option<&[Panel]> {
        match self {
            Self::HyperFunctions { panels, .. } | Self::Tubes { panels, .. } | Self::Realisations { panels, .. } => {
                Some(panels)
            }
            _ => None,
        }
    }

    /// The metrics that it shows.
    pub fn metrics(&self) -> Vec<MetricId> {
        match self {
            Self::Sweep { panels, .. } | Self::Contrast { panels, .. } => panels.iter().map(|p| p.metric).collect(),
            Self::Boxes { metric, .. } => vec![*metric],
            Self::TestBand { .. }
            | Self::CurveBand { .. }
            | Self::Histogram { .. }
            | Self::Calibration { .. }
            | Self::Mixture { .. }
            | Self::HyperFunctions { .. }
            | Self::Tubes { .. }
            | Self::Realisations { .. }
            | Self::Learning { .. }
            | Self::Variances { .. }
            | Self::Skill { .. } => Vec::new(),
        }
    }
}
