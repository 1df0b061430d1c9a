//! Name a metric with its parameters.

use ndarray::ArrayView1;

use super::{Crps, Direction, LogLikelihood, MetricId, Picp, Rmse, ScoreContext, SkillKind};
use crate::predictive::{Exactness, Form, Predictive};

/// Re-exports the listed metrics, and declares [`MetricId`] with one variant for each metric and its default parameters.
macro_rules! metrics {
    ($($family:ident::$metric:ident $({ $($parameter:ident: $default:expr),+ })?,)+) => {
        $(pub use $family::$metric;)+

        /// A metric with its parameters. Text form: the name, and the parameters in parentheses where it has any, as in
        /// `picp(level=0.95)`.
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd, serde::Serialize, serde::Deserialize)]
        #[serde(into = "String", try_from = "String")]
        pub enum MetricId {
            $(#[doc = concat!("[`", stringify!($metric), "`] with its parameters.")] $metric($metric),)+
        }

        impl MetricId {
            /// Every metric with its default parameters, in the order of a listing.
            pub fn all() -> Vec<Self> {
                vec![$(Self::$metric($metric $({ $($parameter: $default),+ })?)),+]
            }

            /// The metric itself.
            fn metric(&self) -> &dyn Metric {
                match self {
                    $(Self::$metric(metric) => metric),+
                }
            }

            /// The metric itself, whose parameters may be set.
            fn metric_mut(&mut self) -> &mut dyn Metric {
                match self {
                    $(Self::$metric(metric) => metric),+
                }
            }
        }
    };
}
pub(super) use metrics;

impl MetricId {
    /// The metrics by which every trial is scored as it finishes, whatever its benchmark requests. Methods are compared
    /// by them.
    pub fn standard() -> [Self; 4] {
        [Self::Crps(Crps), Self::Rmse(Rmse), Self::Picp(Picp { level: 0.95 }), Self::LogLikelihood(LogLikelihood)]
    }

    /// Name and version, under which a score is cached: `crps@1`.
    pub fn versioned(&self) -> String {
        format!("{self}@{}", self.version())
    }

    /// The name without parameters.
    pub fn name(&self) -> &'static str {
        self.metric().name()
    }

    /// Raised whenever the same input would give another score.
    pub fn version(&self) -> u32 {
        self.metric().version()
    }

    /// Which scores are better.
    pub fn direction(&self) -> Direction {
        self.metric().direction()
    }

    /// The heading of a table's column or a figure's axis.
    pub fn label(&self) -> String {
        self.metric().label()
    }

    /// The score's unit, given the target's; empty where there is none.
    pub fn unit(&self, target_unit: &str) -> String {
        self.metric().unit(target_unit)
    }

    /// Formula and literature.
    pub fn definition(&self) -> &'static str {
        self.metric().definition()
    }

    /// The score, as [`Metric::score`](super::Metric::score) says.
    ///
    /// # Panics
    /// If `y` does not have one outcome for each point.
    pub fn score(&self, predictive: &Predictive, y: ArrayView1<f64>, context: &ScoreContext) -> Option<f64> {
        self.metric().score(predictive, y, context)
    }

    /// Whether the score of a form is exact, approximate (and how) or undefined.
    pub fn exactness(&self, form: &Form) -> Exactness {
        self.metric().exactness(form)
    }

    /// The kind of its skill, as [`Metric::skill`](super::Metric::skill) says.
    pub fn skill(&self) -> Option<SkillKind> {
        self.metric().skill()
    }

    /// The tolerance of a verdict, as [`Metric::tolerance`](super::Metric::tolerance) says.
    pub fn tolerance(&self, printed: f64, rows: f64) -> f64 {
        self.metric().tolerance(printed, rows)
    }

    /// Whether it measures the machine: time or memory, which no two runs share.
    pub fn is_cost(&self) -> bool {
        self.metric().is_cost()
    }

    /// The level of the interval whose width it is, as [`Metric::width_of`](super::Metric::width_of) says.
    pub fn width_of(&self) -> Option<f64> {
        self.metric().width_of()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{DiscretisedLogScore, FitSeconds, Metric, Mse, PeakMemory, Pinball};

    #[test]
    fn units_follow_the_target() {
        assert_eq!(Mse.unit("m"), "m²");
        assert_eq!(Mse.unit("m/s"), "(m/s)²");
        assert_eq!(Mse.unit(""), "");
        assert_eq!(Crps.unit("MPa"), "MPa");
        assert_eq!(Picp { level: 0.9 }.unit("MPa"), "");
        assert_eq!(FitSeconds.unit("MPa"), "s");
        assert_eq!(Pinball { level: 0.9 }.unit("MPa"), "MPa");
        assert_eq!(DiscretisedLogScore.unit("MPa"), "nat");
        assert_eq!(PeakMemory.unit("MPa"), "MiB");
    }
}
