//! List the papers whose tables and figures are reproduced.

/// The key that stands for a paper in benchmarks that are about none.
pub const OWN: &str = "own";

/// Whether a benchmark with this key is about a paper or a question of uqbench. `none` is written
/// where a file states that it is about none.
pub fn is_stated(key: &str) -> bool {
    ![OWN, "none"].contains(&key)
}

/// A paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Its key in benchmark files.
    pub key: &'static str,
    /// Its short name.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The name spelled out.
    pub spelled: &'static str,
    /// Its authors, as BibTeX separates them.
    pub authors: &'static str,
    /// The year of the version that is reproduced; `None` where the copy at hand prints none.
    pub year: Option<u16>,
    /// Names of the methods that are its own.
    pub methods: &'static [&'static str],
}

/// The papers, in the order of pages and lists.
pub const PAPERS: [Paper; 5] = [
    Paper {
        key: "dtb",
        name: "DTB",
        title: "Decision theoretic bootstrapping",
        spelled: "decision-theoretic bootstrapping",
        authors: "Tavallali, Peyman and Hamze Bajgiran, Hamed and Esaid, Danial J. and Owhadi, \
                  Houman",
        year: Some(2021),
        methods: &["dtb"],
    },
    Paper {
        key: "jcm",
        name: "JCM",
        title: "Joint and condition modeling for high-dimensional aleatoric and epistemic \
                uncertainty quantification",
        spelled: "joint and conditional modelling",
        authors: "Ji, Chunlin and Gong, Dingwei and Li, Yongxiang and Zhang, Meiyang and Ma, Terry \
                  and Liu, Jun S.",
        year: None,
        methods: &["jcm", "jcm-validated", "random-mixtures"],
    },
    Paper {
        key: "nsgp",
        name: "NSGP",
        title: "Uncertainty disentanglement with non-stationary heteroscedastic Gaussian processes \
                for active learning",
        spelled: "non-stationary Gaussian processes",
        authors: "Patel, Zeel B. and Batra, Nipun and Murphy, Kevin",
        year: Some(2022),
        methods: &["nonstationary-gp"],
    },
    Paper {
        key: "wiener",
        name: "Wiener",
        title: "Wiener chaos in kernel regression: towards untangling aleatoric and epistemic \
                uncertainty",
        spelled: "Wiener chaos in kernel regression",
        authors: "Faulwasser, Timm and Molodchyk, Oleksii",
        year: Some(2023),
        methods: &["wiener-kernel-regression"],
    },
    Paper {
        key: "gplvm",
        name: "GPLVM",
        title: "Uncertainty quantification in probabilistic machine learning models: theory, \
                methods, and insights",
        spelled: "a latent variable model of Gaussian processes with random features",
        authors: "Ajirak, Marzieh and Ravishankar, Anand and Djuri{\\'c}, Petar M.",
        year: Some(2025),
        methods: &["rff-gplvm"],
    },
];

/// What pages sort benchmarks by: a paper, or a question that is no paper's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its key in benchmark files.
    pub key: &'static str,
    /// Its short name.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
}

/// Topics beside the papers, after them.
const OTHERS: [Topic; 3] = [
    Topic { key: "baselines", name: "Baselines", title: "Baselines on the standard splits" },
    Topic { key: "uqbench", name: "Own questions", title: "Questions of uqbench" },
    Topic { key: OWN, name: "Your own", title: "Benchmarks of your own" },
];

/// The papers and the other topics, in the order of pages and lists.
pub fn topics() -> impl Iterator<Item = Topic> {
    PAPERS.iter().map(|&Paper { key, name, title, .. }| Topic { key, name, title }).chain(OTHERS)
}

/// The topic of this key.
pub fn topic(key: &str) -> Option<Topic> {
    topics().find(|topic| topic.key == key)
}

/// The short name of a topic, or its key where the list does not have it.
pub fn short_name(key: &str) -> &str {
    topic(key).map_or(key, |topic| topic.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::shipped;

    #[test]
    fn every_paper_of_a_shipped_benchmark_is_listed() {
        let keys: Vec<&str> =
            shipped().unwrap().iter().map(|benchmark| benchmark.paper.as_str()).collect();
        assert!(
            PAPERS.iter().all(|paper| keys.contains(&paper.key)),
            "a paper without a benchmark"
        );
        assert!(keys.iter().all(|key| topic(key).is_some()), "{keys:?}");
        assert_eq!((short_name("jcm"), short_name("mine")), ("JCM", "mine"));
        assert_eq!(
            [OWN, "none", "jcm", "uqbench", "mine"].map(is_stated),
            [false, false, true, true, true]
        );
    }
}
