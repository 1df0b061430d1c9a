//! List the publications behind each metric, for `uqbench cite`. The definitions name them.

/// A publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Publication {
    /// Its key in BibTeX.
    pub key: &'static str,
    /// Its authors, as BibTeX separates them.
    pub authors: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Journal with volume, conference or publisher.
    pub venue: &'static str,
    /// Its year.
    pub year: u16,
    /// Names of the metrics or methods that it is behind.
    pub of: &'static [&'static str],
}

/// Each with the metrics that it is behind.
const PUBLICATIONS: &[Publication] = &[
    Publication {
        key: "kuleshov2018accurate",
        authors: "Kuleshov, V. and Fenner, N. and Ermon, S.",
        title: "Accurate uncertainties for deep learning using calibrated regression",
        venue: "ICML",
        year: 2018,
        of: &["pit-calibration"],
    },
    Publication {
        key: "czado2009predictive",
        authors: "Czado, C. and Gneiting, T. and Held, L.",
        title: "Predictive model assessment for count data",
        venue: "Biometrics 65",
        year: 2009,
        of: &["pit-calibration"],
    },
    Publication {
        key: "angelopoulos2023conformal",
        authors: "Angelopoulos, A. N. and Bates, S.",
        title: "Conformal prediction: a gentle introduction",
        venue: "Foundations and Trends in Machine Learning 16",
        year: 2023,
        of: &["coverage-by-width", "coverage-by-region"],
    },
    Publication {
        key: "romano2020malice",
        authors: "Romano, Y. and Barber, R. F. and Sabatti, C. and Candès, E. J.",
        title: "With malice toward none: assessing uncertainty via equalized coverage",
        venue: "Harvard Data Science Review 2(2)",
        year: 2020,
        of: &["coverage-by-region"],
    },
    Publication {
        key: "romano2019conformalized",
        authors: "Romano, Y. and Patterson, E. and Candès, E. J.",
        title: "Conformalized quantile regression",
        venue: "NeurIPS 32",
        year: 2019,
        of: &["coverage-by-noise"],
    },
    Publication {
        key: "feldman2021improving",
        authors: "Feldman, S. and Bates, S. and Romano, Y.",
        title: "Improving conditional coverage via orthogonal quantile regression",
        venue: "NeurIPS 34",
        year: 2021,
        of: &["coverage-by-noise"],
    },
    Publication {
        key: "khosravi2011lower",
        authors: "Khosravi, A. and Nahavandi, S. and Creighton, D. and Atiya, A. F.",
        title: "Lower upper bound estimation method for construction of neural network-based \
                prediction intervals",
        venue: "IEEE Transactions on Neural Networks 22(3)",
        year: 2011,
        of: &["picp", "mpiw", "mpiw-range"],
    },
    Publication {
        key: "gneiting2007strictly",
        authors: "Gneiting, T. and Raftery, A. E.",
        title: "Strictly proper scoring rules, prediction, and estimation",
        venue: "JASA 102",
        year: 2007,
        of: &["interval-score", "crps", "discretised-log-score"],
    },
    Publication {
        key: "gneiting2011making",
        authors: "Gneiting, T.",
        title: "Making and evaluating point forecasts",
        venue: "JASA 106",
        year: 2011,
        of: &["rmse", "mse", "mae", "pinball"],
    },
    Publication {
        key: "arnold2024decompositions",
        authors: "Arnold, S. and Walz, E.-M. and Ziegel, J. and Gneiting, T.",
        title: "Decompositions of the mean continuous ranked probability score",
        venue: "Electronic Journal of Statistics 18",
        year: 2024,
        of: &["crps-part"],
    },
    Publication {
        key: "good1952rational",
        authors: "Good, I. J.",
        title: "Rational decisions",
        venue: "JRSS B 14",
        year: 1952,
        of: &["log-likelihood", "discretised-log-score"],
    },
    Publication {
        key: "koenker1978regression",
        authors: "Koenker, R. and Bassett, G.",
        title: "Regression quantiles",
        venue: "Econometrica 46",
        year: 1978,
        of: &["pinball"],
    },
    Publication {
        key: "gneiting2007probabilistic",
        authors: "Gneiting, T. and Balabdaoui, F. and Raftery, A. E.",
        title: "Probabilistic forecasts, calibration and sharpness",
        venue: "JRSS B 69",
        year: 2007,
        of: &["sharpness"],
    },
    Publication {
        key: "gneiting2011comparing",
        authors: "Gneiting, T. and Ranjan, R.",
        title: "Comparing density forecasts using threshold- and quantile-weighted scoring rules",
        venue: "Journal of Business and Economic Statistics 29",
        year: 2011,
        of: &["threshold-weighted-crps"],
    },
    Publication {
        key: "allen2023evaluating",
        authors: "Allen, S. and Ginsbourger, D. and Ziegel, J.",
        title: "Evaluating forecasts for high-impact events using transformed kernel scores",
        venue: "SIAM/ASA Journal on Uncertainty Quantification 11",
        year: 2023,
        of: &["threshold-weighted-crps"],
    },
];

/// The publications behind a metric, by its name without parameters.
pub fn publications(metric: &str) -> impl Iterator<Item = &'static Publication> + '_ {
    PUBLICATIONS.iter().filter(move |publication| publication.of.contains(&metric))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::MetricId;

    #[test]
    fn a_definition_names_the_publications_of_its_metric_and_no_others() {
        let plain = |text: &str| text.replace('è', "e");
        for metric in MetricId::all() {
            let definition = metric.properties().definition;
            for one in publications(metric.name()) {
                let parts = [plain(one.authors.split(',').next().unwrap()), one.year.to_string()];
                assert!(
                    parts.iter().all(|part| definition.contains(part.as_str())),
                    "{metric}: {one:?}"
                );
            }
            // A year in brackets follows authors. The papers on the non-stationary process and on
            // DTB are reproduced themselves.
            let years =
                (1900..2100).filter(|year| definition.contains(&format!("({year})"))).count();
            let named = publications(metric.name())
                .map(|one| one.year)
                .collect::<std::collections::BTreeSet<_>>()
                .len();
            let is_of_reproduced = ["nlpd", "max-fold-mse"].contains(&metric.name());
            assert!(
                is_of_reproduced || years == named,
                "{metric}: {years} years, {named} publications"
            );
        }
        assert!(
            PUBLICATIONS
                .iter()
                .flat_map(|one| one.of)
                .all(|name| MetricId::all().iter().any(|metric| metric.name() == *name))
        );
    }
}
