//! List the publications behind these methods, for `uqbench cite`. The modules say what each is
//! for.

use uq_core::metrics::Publication;

/// Each with the methods that it is behind.
pub const PUBLICATIONS: &[Publication] = &[
    Publication {
        key: "duan2020ngboost",
        authors: "Duan, T. and Avati, A. and Ding, D. Y. and Thai, K. K. and Basu, S. and Ng, A. \
                  and Schuler, A.",
        title: "NGBoost: natural gradient boosting for probabilistic prediction",
        venue: "ICML",
        year: 2020,
        of: &["ngboost"],
    },
    Publication {
        key: "lange1989robust",
        authors: "Lange, K. L. and Little, R. J. A. and Taylor, J. M. G.",
        title: "Robust statistical modeling using the t distribution",
        venue: "JASA 84",
        year: 1989,
        of: &["ngboost"],
    },
    Publication {
        key: "friedman2001greedy",
        authors: "Friedman, J. H.",
        title: "Greedy function approximation: a gradient boosting machine",
        venue: "Annals of Statistics 29",
        year: 2001,
        of: &["boosting-quantiles"],
    },
    Publication {
        key: "ke2017lightgbm",
        authors: "Ke, G. and others",
        title: "LightGBM: a highly efficient gradient boosting decision tree",
        venue: "NeurIPS 30",
        year: 2017,
        of: &["boosting-quantiles"],
    },
    Publication {
        key: "chernozhukov2010quantile",
        authors: "Chernozhukov, V. and Fernández-Val, I. and Galichon, A.",
        title: "Quantile and probability curves without crossing",
        venue: "Econometrica 78",
        year: 2010,
        of: &["boosting-quantiles"],
    },
];
