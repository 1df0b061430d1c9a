//! Count what `audit-table` finds of faults that are put into tables of our own numbers.

use std::collections::BTreeMap;

use uqbench_judge::audit_table::{Audit, References, Rule, Table, Verdict};

use super::command::Dir;

/// A printed number.
#[derive(Clone)]
struct Printed {
    dataset: String,
    method: String,
    metric: &'static str,
    value: f64,
    sd: f64,
    count: usize,
    /// Decimals of the value.
    decimals: usize,
}

/// Our own means and standard deviations of a committed report.
fn own(report: &str, methods: &[&str]) -> Vec<Printed> {
    let path = format!("{}/reports/{report}.csv", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(path).unwrap();
    let rows = reader.deserialize().map(Result::<BTreeMap<String, String>, _>::unwrap);
    let metrics = [
        ("rmse", "rmse", 3),
        ("log-likelihood", "ll", 3),
        ("crps", "crps", 3),
        ("picp(level=0.95)", "coverage", 5),
    ];
    rows.filter_map(|row| {
        let (_, metric, decimals) =
            metrics.into_iter().find(|(name, ..)| row["metric"] == *name)?;
        let is_chosen = row["variant"].is_empty() && methods.contains(&row["column"].as_str());
        if !is_chosen {
            return None;
        }
        Some(Printed {
            dataset: row["dataset"].split(':').next().unwrap().into(),
            method: row["column"].clone(),
            metric,
            value: row["mean"].parse().ok()?,
            sd: row["sd"].parse().ok()?,
            count: row["n"].parse().ok()?,
            decimals,
        })
    })
    .collect()
}

/// A file of these numbers, whose spreads are called so.
fn file(numbers: &[Printed], kind: &str, premises: &str) -> String {
    let line = |n: &Printed| {
        let Printed { dataset, method, metric, value, sd, count, decimals } = n;
        format!("{dataset},{method},{metric},{value:.decimals$},{sd:.decimals$},{count}\n")
    };
    let lines: String = numbers.iter().map(line).collect();
    format!(
        "# protocol = standard\n# spread_kind = {kind}\n{premises}dataset,method,metric,value,spread,\
         count\n{lines}"
    )
}

/// Whether a rule says of a file that something is excluded or unlikely.
fn is_found(text: &str, rule: Rule) -> bool {
    let audit = Audit::new(&Table::parse(text).unwrap(), &References::carried());
    let is_clear = |verdict| matches!(verdict, Verdict::Excluded | Verdict::Unlikely(_));
    audit.findings().any(|finding| finding.rule == rule && is_clear(finding.verdict))
}

const METHODS: [&str; 10] = [
    "ridge",
    "ngboost",
    "exact-gp",
    "pbp",
    "mixture-density-network",
    "mean-variance-network",
    "laplace",
    "gmm-regression",
    "jcm",
    "linear-gaussian",
];

/// The numbers of a method under a metric.
fn column(all: &[Printed], method: &str, metric: &str) -> Vec<Printed> {
    all.iter().filter(|n| n.method == method && n.metric == metric).cloned().collect()
}

/// Ten faults of ten kinds, each with the rule that has to find it.
#[test]
fn faults_of_ten_kinds_are_found_and_tables_without_one_are_left_alone() {
    let all = own("baselines-standard", &METHODS);
    let rows = [
        ("boston", 51.0),
        ("concrete", 103.0),
        ("energy", 77.0),
        ("yacht", 31.0),
        ("wine-red", 160.0),
    ];
    let sds: BTreeMap<String, f64> = own("baselines-standard", &["unconditional-gaussian"])
        .into_iter()
        .filter(|n| n.metric == "rmse")
        .map(|n| (n.dataset, n.value))
        .collect();
    let test_rows = |dataset: &str| rows.iter().find(|(key, _)| *key == dataset).map(|(_, m)| *m);
    let mut hits: BTreeMap<&str, usize> = BTreeMap::new();
    let mut alarms: Vec<String> = Vec::new();
    for (at, method) in METHODS.into_iter().enumerate() {
        let (rmse, ll) = (column(&all, method, "rmse"), column(&all, method, "ll"));
        let coverage = column(&all, method, "coverage");
        let changed = |numbers: &[Printed], change: &dyn Fn(&mut Printed)| {
            let mut numbers = numbers.to_vec();
            numbers.iter_mut().for_each(change);
            numbers
        };
        let both = |ll: Vec<Printed>| [rmse.clone(), ll].concat();
        let one = |numbers: &[Printed], dataset: &str| -> Vec<Printed> {
            numbers.iter().filter(|n| n.dataset == dataset).cloned().collect()
        };
        let (dataset, m) = rows[at % rows.len()];
        let premise = "# one_variance = yes\n";
        let of_one = |value: f64| changed(&one(&ll, dataset), &|n| n.value = value);
        let error = one(&rmse, dataset).remove(0);
        let width = Printed { metric: "width", value: 8.0 * error.value, sd: 0.0, ..error.clone() };
        let low = Printed {
            metric: "coverage",
            value: 0.9 + 0.001 * at as f64,
            sd: 0.01,
            ..error.clone()
        };
        let faults: [(&str, Rule, String); 10] = [
            (
                "coverage between two counts",
                Rule::CoverageCount,
                file(
                    &changed(&one(&coverage, dataset), &|n| n.value += 0.45 / (m * 20.0)),
                    "sd",
                    "",
                ),
            ),
            (
                "spread of coverages too wide",
                Rule::CoverageSpread,
                file(
                    &changed(&one(&coverage, dataset), &|n| n.sd = 0.4 + 0.05 * at as f64),
                    "sd",
                    "",
                ),
            ),
            (
                "log-likelihood above its bound",
                Rule::LogLikelihoodBound,
                file(
                    &[
                        vec![error.clone()],
                        of_one(0.2 - 1.419 - error.value.ln() + error.sd / error.value),
                    ]
                    .concat(),
                    "sd",
                    premise,
                ),
            ),
            (
                "coverage below its bound",
                Rule::CoverageBound,
                file(&[error.clone(), width, low], "sd", "# constant_width = yes\n"),
            ),
            (
                "standard errors called deviations",
                Rule::SpreadKind,
                file(&changed(&ll, &|n| n.sd /= (n.count as f64).sqrt()), "sd", ""),
            ),
            ("deviations called standard errors", Rule::SpreadKind, file(&ll, "se", "")),
            (
                "negative log-likelihood",
                Rule::LogLikelihoodForm,
                file(&both(changed(&ll, &|n| n.value = -n.value)), "sd", ""),
            ),
            (
                "sum over the rows",
                Rule::LogLikelihoodForm,
                file(
                    &changed(&ll, &|n| n.value *= test_rows(&n.dataset).unwrap_or(900.0)),
                    "sd",
                    "",
                ),
            ),
            (
                "units of the standard deviation",
                Rule::Units,
                file(&changed(&rmse, &|n| n.value /= sds[&n.dataset]), "sd", ""),
            ),
            (
                "the column of another method",
                Rule::EqualColumns,
                file(
                    &[rmse.clone(), changed(&rmse, &|n| n.method = "copy".into())].concat(),
                    "sd",
                    "",
                ),
            ),
        ];
        for (kind, rule, text) in faults {
            *hits.entry(kind).or_default() += usize::from(is_found(&text, rule));
        }
        let clean = file(&[rmse.clone(), ll.clone(), coverage.clone()].concat(), "sd", "");
        alarms.extend(
            Rule::ALL
                .iter()
                .filter(|rule| is_found(&clean, **rule))
                .map(|rule| format!("{method}: {rule:?}")),
        );
    }
    println!("{hits:#?}\n{} of 100; false alarms: {alarms:?}", hits.values().sum::<usize>());
    assert_eq!((hits.len(), alarms.is_empty()), (10, true), "{alarms:?}");
    assert!(hits.values().sum::<usize>() >= 80, "{hits:?}");
}

/// Spreads of errors and of the CRPS: a second count of forty faults, made after the first hundred.
#[test]
fn spreads_of_errors_and_of_the_crps_tell_their_kind_where_methods_are_alike() {
    let all = own("baselines-standard", &METHODS);
    let mut hits: BTreeMap<String, usize> = BTreeMap::new();
    for (method, metric) in METHODS.iter().flat_map(|method| ["rmse", "crps"].map(|m| (method, m)))
    {
        let numbers = column(&all, method, metric);
        assert!(numbers.len() > 3, "{method} {metric}");
        let error = |n: &Printed| Printed { sd: n.sd / (n.count as f64).sqrt(), ..n.clone() };
        let errors: Vec<Printed> = numbers.iter().map(error).collect();
        for (kind, text) in [
            ("errors called deviations", file(&errors, "sd", "")),
            ("deviations called errors", file(&numbers, "se", "")),
        ] {
            let found = usize::from(is_found(&text, Rule::SpreadKind));
            *hits.entry(format!("{metric}: {kind}")).or_default() += found;
        }
        assert!(!is_found(&file(&numbers, "sd", ""), Rule::SpreadKind), "{method} {metric}");
        assert!(!is_found(&file(&errors, "se", ""), Rule::SpreadKind), "{method} {metric}");
    }
    println!("{hits:#?}");
    assert!(hits.len() == 4 && hits.values().sum::<usize>() >= 21, "{hits:?}");
}

#[test]
fn a_table_is_audited_and_a_theorem_ends_with_its_code() {
    let dir = Dir::new();
    dir.write(
        "printed.csv",
        "# protocol = standard\n# count = 20\n# method = m\ndataset,metric,value\nboston,coverage,0.96032\n",
    );
    let ended = dir.run("audit-table printed.csv").code(3);
    assert!(ended.out.contains("0.96032 of 1020 test rows is no whole number"), "{}", ended.out);
    dir.run("audit-table jcm-table-2 jcm-table-4").code(0);
    let none = dir.run("audit-table dtb").code(1).err;
    assert!(none.contains("no printed numbers of what a rule reads"), "{none}");
    dir.write("words.csv", "dataset,metric,value\nboston,speed,1\n");
    let unread = dir.run("audit-table words.csv").code(1).err;
    assert!(unread.contains("one of rmse, log_likelihood"), "{unread}");
    dir.run("audit-table absent.csv").code(1);
}
