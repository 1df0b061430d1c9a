//! Find the known protocol whose datasets and number of splits are most like those of a table.

use std::collections::BTreeSet;

use super::Table;
use uqbench_run::benchmark::papers::short_name;
use uqbench_run::benchmark::{Benchmark, Profile, shipped};

/// The benchmark whose protocol is most like that of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// The benchmark.
    pub benchmark: String,
    /// Its paper and artefact.
    pub place: String,
    /// Datasets of the table that it has, and all of the table.
    pub datasets: (usize, usize),
    /// Datasets of the table that no benchmark of the program has.
    pub unknown: Vec<String>,
    /// Numbers of the table that are over as many splits as it has.
    pub splits: (u64, usize),
    /// All numbers of the table that state their splits.
    pub counted: usize,
}

/// The keys of the datasets of a benchmark.
fn keys(benchmark: &Benchmark) -> impl Iterator<Item = &str> {
    let main = benchmark.datasets.iter().filter(|row| row.variant.is_none());
    main.filter_map(|row| row.key.split(':').next())
}

/// The nearest known protocol; `None` where no benchmark has a dataset of the table.
pub fn nearest(table: &Table) -> Option<Nearest> {
    let own: BTreeSet<&str> = table.numbers.iter().map(|number| number.dataset.as_str()).collect();
    let counts: Vec<u64> = table.numbers.iter().filter_map(|number| number.count).collect();
    let all = shipped().unwrap_or_default();
    let known: BTreeSet<&str> = all.iter().flat_map(keys).collect();
    let unknown = own.difference(&known).map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let candidates = all.iter().filter_map(|benchmark| {
        let keys: BTreeSet<&str> = keys(benchmark).collect();
        let shared = own.intersection(&keys).count();
        let splits = benchmark.profile(Profile::Full)?.splits;
        let equal = counts.iter().filter(|count| **count == splits).count();
        (shared > 0).then(|| Nearest {
            benchmark: benchmark.id.clone(),
            place: format!("{} {}", short_name(&benchmark.paper), benchmark.artefact),
            datasets: (shared, own.len()),
            splits: (splits, equal),
            counted: counts.len(),
            unknown: unknown.clone(),
        })
    });
    // The first of equals, in the order of the program.
    candidates.reduce(|best, other| {
        let rank = |one: &Nearest| (one.datasets.0, one.splits.1);
        if rank(&other) > rank(&best) { other } else { best }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_splits_of_the_literature_are_those_of_the_baselines() {
        let text = "# count = 20\n# method = m\ndataset,metric,value\nboston,rmse,3\nyacht,rmse,1\n\
                    unheard,rmse,1\n";
        let found = nearest(&Table::parse(text).unwrap()).unwrap();
        assert_eq!((found.benchmark.as_str(), found.datasets), ("baselines-standard", (2, 3)));
        assert_eq!((found.splits, found.counted), ((20, 3), 3));
        assert_eq!(found.unknown, ["unheard"]);
        let text = "# method = m\ndataset,metric,value\nunheard,rmse,3\n";
        assert_eq!(nearest(&Table::parse(text).unwrap()), None);
    }
}
