//! List the publications behind these methods, for `uqbench cite`. The modules say what each is
//! for.

use uq_core::metrics::Publication;

/// Each with the methods that it is behind.
pub const PUBLICATIONS: &[Publication] = &[
    Publication {
        key: "seber2003linear",
        authors: "Seber, G. A. F. and Lee, A. J.",
        title: "Linear Regression Analysis",
        venue: "Wiley, 2nd edition",
        year: 2003,
        of: &["linear-gaussian"],
    },
    Publication {
        key: "wilks2019statistical",
        authors: "Wilks, D. S.",
        title: "Statistical Methods in the Atmospheric Sciences",
        venue: "Elsevier, 4th edition",
        year: 2019,
        of: &["unconditional-gaussian"],
    },
    Publication {
        key: "hyndman1996sample",
        authors: "Hyndman, R. J. and Fan, Y.",
        title: "Sample quantiles in statistical packages",
        venue: "The American Statistician 50",
        year: 1996,
        of: &["unconditional-quantiles"],
    },
];
