//! Hold what a comparison leaves out, as data; the report puts it into words.

use crate::evidence::overflow::Overflow;
use crate::evidence::versions::SeveralVersions;
use uqbench_data::own::Finding;

/// What a comparison leaves out, or must not be read without.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldNote {
    /// A column has other settings than the one of its name that is compared.
    OtherSettings {
        /// Heading of the dataset.
        dataset: String,
        /// Heading of the column.
        column: String,
        /// Its benchmark.
        benchmark: String,
    },
    /// A dataset is run under several protocols, of which one is compared.
    SeveralProtocols {
        /// Key of the dataset.
        dataset: String,
    },
    /// No compared method has a finished trial on a dataset.
    NoTrial {
        /// Heading of the dataset.
        dataset: String,
    },
    /// Datasets have the same numbers.
    SameTables(Finding),
    /// Trials of another version are not compared.
    SeveralVersions(SeveralVersions),
    /// Predictions are so large that scores overflow.
    Overflow(Overflow),
    /// Why predictions could not be read, in the words of the error.
    Unread(String),
}
