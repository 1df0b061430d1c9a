//! Write benchmarks of mock trials.

use std::fmt::Write;

/// One mock method of a benchmark.
#[derive(Clone, Copy)]
pub struct Mock {
    pub behaviour: &'static str,
    pub sleep_ms: u64,
    pub tag: u64,
}

/// Mocks that predict, with tags 0 to `count` − 1, after some sleep.
pub fn answering(count: u64, sleep_ms: u64) -> Vec<Mock> {
    (0..count).map(|tag| Mock { behaviour: "answer", sleep_ms, tag }).collect()
}

/// One mock with another behaviour.
pub fn one(behaviour: &'static str) -> Mock {
    Mock { behaviour, sleep_ms: 0, tag: 0 }
}

/// A benchmark of these mocks on a small bundled dataset, with this number of splits in every
/// profile.
pub fn benchmark(mocks: &[Mock], splits: u64) -> String {
    on("motorcycle-94", mocks, splits)
}

/// The same on another dataset.
pub fn on(dataset: &str, mocks: &[Mock], splits: u64) -> String {
    let mut text = format!(
        "id = \"mocks\"\npaper = \"none\"\nartefact = \"Table 0\"\ntitle = \
         \"Mocks\"\nprotocol_source = \"printed\"\n\
         protocol = {{ holdout = {{ test = {{ fraction = 0.2 }} }} }}\n\
         datasets = [{{ key = \"{dataset}\", heading = \"Data\" }}]\n\
         metrics = [{{ id = \"rmse\", heading = \"RMSE\" }}, {{ id = \"crps\", heading = \"CRPS\" \
         }}]\n"
    );
    for Mock { behaviour, sleep_ms, tag } in mocks {
        write!(
            text,
            "[[methods]]\nid = \"mock\"\n\
             parameters = {{ behaviour = \"{behaviour}\", sleep_ms = {sleep_ms}, tag = {tag} }}\n\
             columns = [{{ heading = \"{behaviour} {tag}\", labels = {{ mock = \"{behaviour} \
             {tag}\" }} }}]\n"
        )
        .unwrap();
    }
    in_every_profile(text, splits)
}

/// A benchmark that has no profiles yet, with this number of splits in each of them.
/// Printed numbers in a benchmark file, of which each is given as `dataset,method,metric,value` and,
/// where it has a spread, its standard deviation behind that; all are over ten splits.
pub fn printed(numbers: &[&str]) -> String {
    let entry = |number: &&str| {
        let mut parts = number.split(',');
        let mut part = || parts.next().unwrap_or_default();
        let (dataset, method, metric, value) = (part(), part(), part(), part());
        let spread = match part() {
            "" => String::new(),
            spread => format!(", spread = \"{spread}\", spread_kind = \"sd\", count = 10"),
        };
        format!(
            "  {{ dataset = \"{dataset}\", metric = \"{metric}\", value = \"{value}\"{spread}, \
             method = \"{method}\" }},\n"
        )
    };
    format!("published = [\n{}]\n", numbers.iter().map(entry).collect::<String>())
}

pub fn in_every_profile(text: impl Into<String>, splits: u64) -> String {
    let mut text = text.into();
    for profile in ["smoke", "quick", "full"] {
        write!(text, "[profiles.{profile}]\nsplits = {splits}\n").unwrap();
    }
    text
}
