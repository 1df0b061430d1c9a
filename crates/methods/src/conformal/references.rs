//! List the publications behind these methods, for `uqbench cite`. The modules say what each is
//! for.

use uq_core::metrics::Publication;

/// Each with the methods that it is behind.
pub const PUBLICATIONS: &[Publication] = &[
    Publication {
        key: "walz2024easy",
        authors: "Walz, E.-M. and Henzi, A. and Ziegel, J. and Gneiting, T.",
        title: "Easy uncertainty quantification (EasyUQ): generating predictive distributions from \
                single-valued model output",
        venue: "SIAM Review 66",
        year: 2024,
        of: &["isotonic-distribution"],
    },
    Publication {
        key: "henzi2021isotonic",
        authors: "Henzi, A. and Ziegel, J. F. and Gneiting, T.",
        title: "Isotonic distributional regression",
        venue: "JRSS-B 83",
        year: 2021,
        of: &["isotonic-distribution"],
    },
    Publication {
        key: "gibbs2021adaptive",
        authors: "Gibbs, I. and Candès, E. J.",
        title: "Adaptive conformal inference under distribution shift",
        venue: "NeurIPS 34",
        year: 2021,
        of: &["adaptive-conformal"],
    },
    Publication {
        key: "tibshirani2019conformal",
        authors: "Tibshirani, R. J. and Barber, R. F. and Candès, E. J. and Ramdas, A.",
        title: "Conformal prediction under covariate shift",
        venue: "NeurIPS 32",
        year: 2019,
        of: &["conformal-distribution"],
    },
    Publication {
        key: "barber2021predictive",
        authors: "Barber, R. F. and Candès, E. J. and Ramdas, A. and Tibshirani, R. J.",
        title: "Predictive inference with the jackknife+",
        venue: "Annals of Statistics 49",
        year: 2021,
        of: &["cv-plus"],
    },
    Publication {
        key: "vovk2015cross",
        authors: "Vovk, V.",
        title: "Cross-conformal predictors",
        venue: "Annals of Mathematics and Artificial Intelligence 74",
        year: 2015,
        of: &["cv-plus"],
    },
    Publication {
        key: "vovk2018cross",
        authors: "Vovk, V. and Nouretdinov, I. and Manokhin, V. and Gammerman, A.",
        title: "Cross-conformal predictive distributions",
        venue: "COPA",
        year: 2018,
        of: &["conformal-distribution"],
    },
    Publication {
        key: "vovk2019nonparametric",
        authors: "Vovk, V. and Shen, J. and Manokhin, V. and Xie, M.",
        title: "Nonparametric predictive distributions based on conformal prediction",
        venue: "Machine Learning 108",
        year: 2019,
        of: &["conformal-distribution"],
    },
    Publication {
        key: "bostrom2020mondrian",
        authors: "Boström, H. and Johansson, U.",
        title: "Mondrian conformal regressors",
        venue: "COPA",
        year: 2020,
        of: &["conformal-distribution"],
    },
    Publication {
        key: "romano2019conformalized",
        authors: "Romano, Y. and Patterson, E. and Candès, E. J.",
        title: "Conformalized quantile regression",
        venue: "NeurIPS 32",
        year: 2019,
        of: &["conformalised-quantiles", "stack", "adaptive-conformal"],
    },
    Publication {
        key: "papadopoulos2002inductive",
        authors: "Papadopoulos, H. and Proedrou, K. and Vovk, V. and Gammerman, A.",
        title: "Inductive confidence machines for regression",
        venue: "ECML",
        year: 2002,
        of: &["split-conformal"],
    },
    Publication {
        key: "lei2018distribution",
        authors: "Lei, J. and G'Sell, M. and Rinaldo, A. and Tibshirani, R. J. and Wasserman, L.",
        title: "Distribution-free predictive inference for regression",
        venue: "JASA 113",
        year: 2018,
        of: &["split-conformal"],
    },
];
