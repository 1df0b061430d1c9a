//! Name a metric with its parameters.

use super::{Crps, LogLikelihood, MetricId, Picp, Rmse};

/// Re-exports the listed metrics, and declares [`MetricId`] with one variant for each metric and
/// its default parameters.
macro_rules! metrics {
    ($($family:ident::$metric:ident $({ $($parameter:ident: $default:expr),+ })?,)+) => {
        $(pub use $family::$metric;)+

        /// A metric with its parameters. Text form: the name, and the parameters in parentheses
        /// where it has any, as in `picp(level=0.95)`.
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
        }

        /// It is used as the metric that it names.
        impl std::ops::Deref for MetricId {
            type Target = dyn Metric;

            fn deref(&self) -> &Self::Target {
                match self {
                    $(Self::$metric(metric) => metric),+
                }
            }
        }

        /// The parameters of the metric may be set.
        impl std::ops::DerefMut for MetricId {
            fn deref_mut(&mut self) -> &mut Self::Target {
                match self {
                    $(Self::$metric(metric) => metric),+
                }
            }
        }
    };
}
pub(super) use metrics;

impl MetricId {
    /// The metrics by which every trial is scored as it finishes, whatever its benchmark requests.
    /// Methods are compared by them.
    pub fn standard() -> [Self; 4] {
        [
            Self::Crps(Crps),
            Self::Rmse(Rmse),
            Self::Picp(Picp { level: 0.95 }),
            Self::LogLikelihood(LogLikelihood),
        ]
    }

    /// Name and version, under which a score is cached: `crps@1`.
    pub fn versioned(&self) -> String {
        format!("{self}@{}", self.version())
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
