//! Say how the times under one profile compare with those under another one.

use std::collections::BTreeMap;

use super::CostRow;
use crate::benchmark::Profile;

/// The profile whose times are known, and the one whose times are wanted.
type Profiles = (Profile, Profile);

/// Ratios of times under two profiles, of each method and over all methods. A ratio is the
/// geometric mean over the pairs of rows that differ in the profile alone: of one benchmark,
/// dataset, method and heading. A time of zero is one below a millisecond and has no ratio.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ratios {
    of_methods: BTreeMap<String, BTreeMap<Profiles, f64>>,
    of_all: BTreeMap<Profiles, f64>,
}

/// Logarithms of the ratios of pairs of rows.
type Logarithms = BTreeMap<Profiles, Vec<f64>>;

impl Ratios {
    /// The ratios of these rows, which stand by their method.
    pub fn of(by_method: &BTreeMap<String, Vec<CostRow>>) -> Self {
        let (mut of_methods, mut all) = (BTreeMap::new(), Logarithms::new());
        for (method, rows) in by_method {
            let own = logarithms(rows);
            of_methods.insert(method.clone(), means(&own));
            own.into_iter()
                .for_each(|(profiles, pairs)| all.entry(profiles).or_default().extend(pairs));
        }
        Self { of_methods, of_all: means(&all) }
    }

    /// What a time of the method under the first profile is multiplied by to give one under the
    /// second profile: the method's own ratio, else that over all methods, else 1.
    pub fn ratio(&self, method: &str, profiles: Profiles) -> f64 {
        let own = self.of_methods.get(method).and_then(|ratios| ratios.get(&profiles));
        own.or_else(|| self.of_all.get(&profiles)).copied().unwrap_or(1.0)
    }
}

/// Of the rows of one method.
fn logarithms(rows: &[CostRow]) -> Logarithms {
    // Rows that differ in the profile alone, and the logarithms of their times.
    let mut times: BTreeMap<_, Vec<(Profile, f64)>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.seconds > 0.0) {
        let about = (row.benchmark.as_str(), row.dataset.as_str(), row.heading.as_str());
        times.entry(about).or_default().push((row.profile, row.seconds.ln()));
    }
    let mut found = Logarithms::new();
    for same in times.values() {
        for (from, known) in same {
            for (to, wanted) in same.iter().filter(|(to, _)| to != from) {
                found.entry((*from, *to)).or_default().push(wanted - known);
            }
        }
    }
    found
}

fn means(all: &Logarithms) -> BTreeMap<Profiles, f64> {
    let mean = |pairs: &[f64]| (pairs.iter().sum::<f64>() / pairs.len() as f64).exp();
    all.iter().map(|(profiles, pairs)| (*profiles, mean(pairs))).collect()
}
