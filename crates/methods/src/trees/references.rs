//! List the publications behind these methods, for `uqbench cite`. The modules say what each is
//! for.

use uq_core::metrics::Publication;

/// Each with the methods that it is behind.
pub const PUBLICATIONS: &[Publication] = &[
    Publication {
        key: "breiman1984classification",
        authors: "Breiman, L. and Friedman, J. and Stone, C. J. and Olshen, R. A.",
        title: "Classification and Regression Trees",
        venue: "CRC Press",
        year: 1984,
        of: &["tree", "smartcore-tree"],
    },
    Publication {
        key: "meinshausen2006quantile",
        authors: "Meinshausen, N.",
        title: "Quantile regression forests",
        venue: "Journal of Machine Learning Research 7",
        year: 2006,
        of: &["quantile-forest", "quantile-forest-validated"],
    },
    Publication {
        key: "cevid2022distributional",
        authors: "Ćevid, D. and Michel, L. and Näf, J. and Bühlmann, P. and Meinshausen, N.",
        title: "Distributional random forests",
        venue: "Journal of Machine Learning Research 23 (333)",
        year: 2022,
        of: &["distributional-forest"],
    },
    Publication {
        key: "dantzig1955generalized",
        authors: "Dantzig, G. B. and Orden, A. and Wolfe, P.",
        title: "The generalized simplex method",
        venue: "Pacific J. Math. 5",
        year: 1955,
        of: &["dtb"],
    },
];
