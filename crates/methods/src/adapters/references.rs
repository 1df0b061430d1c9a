//! List the publications behind these methods, for `uqbench cite`. The modules say what each is
//! for.

use uq_core::metrics::Publication;

/// Each with the methods that it is behind.
pub const PUBLICATIONS: &[Publication] = &[
    Publication {
        key: "zou2005regularization",
        authors: "Zou, H. and Hastie, T.",
        title: "Regularization and variable selection via the elastic net",
        venue: "JRSS B 67",
        year: 2005,
        of: &["linfa-elastic-net"],
    },
    Publication {
        key: "friedman2010regularization",
        authors: "Friedman, J. and Hastie, T. and Tibshirani, R.",
        title: "Regularization paths for generalized linear models via coordinate descent",
        venue: "Journal of Statistical Software 33",
        year: 2010,
        of: &["linfa-elastic-net"],
    },
    Publication {
        key: "geurts2006extremely",
        authors: "Geurts, P. and Ernst, D. and Wehenkel, L.",
        title: "Extremely randomized trees",
        venue: "Machine Learning 63",
        year: 2006,
        of: &["smartcore-extra-trees"],
    },
    Publication {
        key: "breiman2001random",
        authors: "Breiman, L.",
        title: "Random forests",
        venue: "Machine Learning 45",
        year: 2001,
        of: &["smartcore-forest"],
    },
    Publication {
        key: "tutz1991sequential",
        authors: "Tutz, G.",
        title: "Sequential models in categorical regression",
        venue: "Computational Statistics and Data Analysis 11",
        year: 1991,
        of: &["linfa-tree", "linfa-forest"],
    },
    Publication {
        key: "provost2003tree",
        authors: "Provost, F. and Domingos, P.",
        title: "Tree induction for probability-based ranking",
        venue: "Machine Learning 52",
        year: 2003,
        of: &["linfa-tree", "linfa-forest"],
    },
    Publication {
        key: "breiman1996bagging",
        authors: "Breiman, L.",
        title: "Bagging predictors",
        venue: "Machine Learning 24",
        year: 1996,
        of: &["linfa-forest"],
    },
    Publication {
        key: "ho1998random",
        authors: "Ho, T. K.",
        title: "The random subspace method for constructing decision forests",
        venue: "IEEE TPAMI 20",
        year: 1998,
        of: &["linfa-forest"],
    },
];
