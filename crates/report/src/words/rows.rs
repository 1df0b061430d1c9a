//! Say at how many rows a score has no finite value and why, and what a report lacks.

use uqbench_judge::evidence::overflow::{LARGE, Overflow};
use uqbench_judge::report::{DegenerateRows, Density, Lack};

/// Why log-likelihoods are −∞ or undefined, and at how many tested rows: a sentence for each of the
/// two, where there is such a row.
pub fn degenerate(all: &[DegenerateRows]) -> Vec<String> {
    let told = [
        (
            Density::Zero,
            "A log-likelihood is -inf where an outcome has the predictive density 0, as beside the \
             mean of a prediction of variance 0",
        ),
        (
            Density::Unbounded,
            "A log-likelihood is undefined where an outcome equals the mean of a prediction of \
             variance 0, because its density has no bound",
        ),
    ];
    let place = |DegenerateRows { column, dataset, rows, tested, .. }: &DegenerateRows| {
        format!("{column} on {dataset} at {rows} of {tested} tested rows")
    };
    let sentence = |(density, why): (Density, &str)| {
        let places: Vec<String> =
            all.iter().filter(|rows| rows.density == density).map(place).collect();
        (!places.is_empty())
            .then(|| format!("{why}: {}. One such row decides the mean.", places.join("; ")))
    };
    told.into_iter().filter_map(sentence).collect()
}

/// Of which predictions scores overflow.
pub fn overflow(Overflow { column, dataset, rows, tested, metrics }: &Overflow) -> String {
    let labels: Vec<String> = metrics.iter().map(|metric| metric.label()).collect();
    format!(
        "{column} on {dataset}: predictions at {rows} of {tested} tested rows are larger than \
         {LARGE:e} in size, so that sums of their squares overflow. Scores that need them are not \
         defined (–): {}.",
        labels.join(", ")
    )
}

/// What a report lacks, and why.
pub fn lack(Lack { part, error, is_damage }: &Lack) -> String {
    let part = if part.is_empty() { String::new() } else { format!("{part}: ") };
    let check = if *is_damage { "; run `uqbench store check` for details" } else { "" };
    format!("{part}{error}{check}")
}
