//! Read the name of one of several values, which a library knows without its option.

use super::wording::Worded;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use uq_core::metrics::MetricId;
use uq_core::predictive::Side;
use uqbench_data::own::{Censored, Separator};
use uqbench_judge::evidence::own_predictions::OwnForm;
use uqbench_report::export::{FORMATS, Format};
use uqbench_run::benchmark::Profile;

/// A value with its names, the first of which is shown, and with what the help says of it.
type Choice<T> = (&'static [&'static str], T, &'static str);

const SIDES: [Choice<Side>; 3] =
    [(&["both"], Side::Both, ""), (&["lower"], Side::Lower, ""), (&["upper"], Side::Upper, "")];

const PROFILES: [Choice<Profile>; 3] = [
    (&["smoke"], Profile::Smoke, "A few splits, to check that everything works: under a minute"),
    (
        &["quick"],
        Profile::Quick,
        "A rough version of every table and figure: under five minutes for all papers",
    ),
    (&["full"], Profile::Full, "The paper's own number of repetitions"),
];

const FORMS: [Choice<OwnForm>; 6] = [
    (&["gaussian"], OwnForm::Gaussian, "Normal distributions: the columns `mean` and `sd`"),
    (
        &["student-t"],
        OwnForm::StudentT,
        "Student-t distributions: the columns `location`, `scale` and `df`",
    ),
    (
        &["mixture"],
        OwnForm::Mixture,
        "Mixtures of normal distributions: the columns `weight1`, `mean1`, `sd1`, `weight2`, and \
         so on",
    ),
    (&["quantiles"], OwnForm::Quantiles, "Quantiles: columns such as `q0.05` and `q0.95`"),
    (&["samples"], OwnForm::Samples, "Draws: the columns `s1`, `s2`, and so on"),
    (&["interval"], OwnForm::Interval, "Central intervals: the columns `lower` and `upper`"),
];

const CENSORED: [Choice<Censored>; 4] = [
    (&["half"], Censored::Half, ""),
    (&["limit"], Censored::Limit, ""),
    (&["missing"], Censored::Missing, ""),
    (&["level"], Censored::Level, ""),
];

const SEPARATORS: [Choice<Separator>; 5] = [
    (&[",", "comma"], Separator::Comma, ""),
    (&[";", "semicolon"], Separator::Semicolon, ""),
    (&["tab", "\t", "\\t"], Separator::Tab, ""),
    (&["|", "bar"], Separator::Bar, ""),
    (&["space", " ", "blank"], Separator::Space, ""),
];

/// Reads one of these names as its value, in any case.
fn choices<T: Copy + Send + Sync>(all: &'static [Choice<T>]) -> impl TypedValueParser<Value = T> {
    let possible = |(names, _, help): &Choice<T>| {
        let value = PossibleValue::new(names.first().copied().unwrap_or_default())
            .aliases(names.iter().copied());
        if help.is_empty() { value } else { value.help(*help) }
    };
    PossibleValuesParser::new(all.iter().map(possible)).try_map(|given| {
        let is_it =
            |(names, ..): &&Choice<T>| names.iter().any(|name| name.eq_ignore_ascii_case(&given));
        all.iter().find(is_it).map(|(_, value, _)| *value).ok_or("no such value")
    })
}

/// Reads a side of an interval.
pub fn side() -> impl TypedValueParser<Value = Side> {
    choices(&SIDES)
}

/// Reads a profile.
pub fn profile() -> impl TypedValueParser<Value = Profile> {
    choices(&PROFILES)
}

/// Reads a format of the files of a report.
pub fn format() -> impl TypedValueParser<Value = &'static Format> {
    let possible =
        FORMATS.iter().map(|format| PossibleValue::new(format.ending).help(format.about));
    PossibleValuesParser::new(possible).try_map(|given| {
        let is_it = |format: &&Format| format.ending.eq_ignore_ascii_case(&given);
        FORMATS.iter().find(is_it).ok_or("no such value")
    })
}

/// Reads what a file states of each prediction.
pub fn form() -> impl TypedValueParser<Value = OwnForm> {
    choices(&FORMS)
}

/// Reads what is taken for a number of which a limit alone is known.
pub fn censored() -> impl TypedValueParser<Value = Censored> {
    choices(&CENSORED)
}

/// Reads what stands between cells.
pub fn separator() -> impl TypedValueParser<Value = Separator> {
    choices(&SEPARATORS)
}

/// Metrics, each once.
#[derive(Clone, Debug)]
pub struct Metrics(pub Vec<MetricId>);

/// Metrics between commas; those inside parentheses separate parameters.
pub fn metrics(text: &str) -> Result<Metrics, String> {
    let mut depth = 0_i32;
    let separates = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    };
    let mut all = Vec::new();
    for name in text.split(separates).map(str::trim).filter(|name| !name.is_empty()) {
        let metric = name.parse::<MetricId>().map_err(|error| error.worded())?;
        if !all.contains(&metric) {
            all.push(metric);
        }
    }
    if all.is_empty() { Err("expected at least one metric".into()) } else { Ok(Metrics(all)) }
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command};

    use super::*;

    #[test]
    fn a_separator_has_a_sign_and_a_name() {
        let command =
            Command::new("x").arg(Arg::new("s").value_parser(separator()).ignore_case(true));
        let read = |text: &str| {
            command
                .clone()
                .try_get_matches_from(["x", text])
                .ok()?
                .get_one::<Separator>("s")
                .copied()
        };
        for (names, separator) in [
            (&[",", "comma"][..], Separator::Comma),
            (&[";", "semicolon"], Separator::Semicolon),
            (&["tab", "TAB", "\t", "\\t"], Separator::Tab),
            (&["|", "bar"], Separator::Bar),
            (&["space", " ", "blank"], Separator::Space),
        ] {
            names.iter().for_each(|name| assert_eq!(read(name), Some(separator), "{name}"));
        }
        assert_eq!(read("x"), None);
    }
}
