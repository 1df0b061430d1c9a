//! Put into words what decides a claim, on our runs and on the printed numbers.

use uq_core::metrics::percent;
use uq_core::stats::digits::{mean_and_spread, number};
use uqbench_judge::judgement::claims::note::{
    Counts, Estimate, Extremes, Gains, Measurement, Order, Place, PrintedCounts, Ranks, Rivals,
    Superiority, Uncounted,
};
use uqbench_judge::judgement::claims::{Judged, Note, PrintedNote};
use uqbench_judge::judgement::sentences::Conclusions;
use uqbench_run::benchmark::claims::{End, Statistic};

/// The verb for `count` claims that are judged so: "holds" for one, "hold" for more.
pub fn verb(judged: Judged, count: usize) -> &'static str {
    match (judged, count) {
        (Judged::Holds, 1) => "holds",
        (Judged::Holds, _) => "hold",
        (Judged::Fails, 1) => "fails",
        (Judged::Fails, _) => "fail",
        (Judged::Undecided, 1) => "is undecided",
        (Judged::Undecided, _) => "are undecided",
    }
}

/// What is said of `count` sentences of which two readings disagree.
pub fn dependence(count: usize) -> &'static str {
    if count == 1 { "depends on the reading" } else { "depend on the reading" }
}

/// How many claims have each judgement, without those that none has: `5 hold, 1 is undecided`.
pub fn judgements(all: impl Iterator<Item = Judged>) -> String {
    let all: Vec<Judged> = all.collect();
    let count = |wanted: Judged| all.iter().filter(|judged| **judged == wanted).count();
    numbered(Judged::ALL.map(|judged| (count(judged), verb(judged, count(judged)))))
}

/// How many sentences have each conclusion, without those that none has: `5 hold, 1 depends on the
/// reading`.
pub fn conclusions(Conclusions { hold, fail, depend, open }: &Conclusions) -> String {
    numbered([
        (*hold, verb(Judged::Holds, *hold)),
        (*fail, verb(Judged::Fails, *fail)),
        (*depend, dependence(*depend)),
        (*open, verb(Judged::Undecided, *open)),
    ])
}

/// The counts that are not 0 with their verbs.
fn numbered<const N: usize>(counts: [(usize, &str); N]) -> String {
    let some = counts.into_iter().filter(|(count, _)| *count > 0);
    joined(some.map(|(count, verb)| format!("{count} {verb}")), ", ")
}

/// What our runs show of a claim.
pub fn ours(note: &Note) -> String {
    match note {
        Note::AtLeast { metric, bound, main, variants } => {
            let mean = |mean: &Option<Estimate>| match mean {
                Some(mean) => bounded(&metric.to_string(), *mean, &format!("at least {bound}")),
                None => "no number".into(),
            };
            let each = variants.iter().map(|(variant, other)| {
                format!("; {variant}, which the words allow as well: {}", mean(other))
            });
            mean(main) + &each.collect::<String>()
        }
        Note::Counted(counts) => counted(counts),
        Note::NoEnd { low, high } => format!("no point at {low} or at {high}"),
        Note::NotPositive => "no repetition has a positive number at every point".into(),
        Note::Exponent { exponent, bound } => {
            bounded("exponent", *exponent, &format!("at most {bound}"))
        }
        Note::FewRepetitions => {
            "an interval needs two repetitions with a number at every point".into()
        }
        Note::Extreme(extremes) => extreme(extremes),
        Note::Flat { largest, between: (from, to), factor, pairs, inside, outside } => format!(
            "largest change by a factor {largest:.3} from {from} to {to}; of {pairs} pairs \
             {inside} within a factor {factor} either way (95 % together, paired), {outside} beyond"
        ),
        Note::Increasing { steps, up_in_the_mean, significant: None } => {
            format!("up in the mean in {up_in_the_mean} of {steps} steps")
        }
        Note::Increasing { steps, up_in_the_mean, significant: Some((up, down)) } => format!(
            "significantly up in {up} of {steps} steps and significantly down in {down} (paired, \
             Holm 5 %), up in the mean in {up_in_the_mean}"
        ),
        Note::NoArea => "not every curve has an area".into(),
        Note::LearningRanked { ranks, share } => {
            ranked(ranks, ["on", "datasets"]) + &in_corrected_samples("enough", *share)
        }
        Note::LearningUndominated { best, datasets, share } => format!(
            "the curve that is best most often is best on {best} of {datasets} datasets{}",
            in_corrected_samples("none is best on all", *share)
        ),
        Note::LearningGain(gains) => gain(gains),
        Note::NoInterval(place) => {
            format!("{}: an interval needs two repetitions with a number", named(place))
        }
        Note::Measured { statistic, numbers, at_least, at_most } => {
            measured(*statistic, numbers, *at_least, *at_most)
        }
        Note::Minimum { at, interval: (low, high), share, within: (first, last) } => format!(
            "minimum of the mean at {at}; bootstrap over repetitions: 95 % within [{low}, {high}], \
             {} within [{first}, {last}]",
            whole(*share)
        ),
        Note::NonInferior { margin, total, ran, within_in_the_mean, significant, uncounted } => {
            let margin = percent(*margin);
            let counts = match (ran, significant) {
                (0, _) => none_of(*total),
                (ran, None) => {
                    format!("at most {margin} worse in the mean in {within_in_the_mean} of {ran}")
                }
                (_, Some((within, worse))) => format!(
                    "at most {margin} worse in {within} of {total} comparisons (95 % each), \
                     significantly worse by more in {worse} (paired, Holm 5 %)"
                ),
            };
            counts + &left_out(*uncounted)
        }
        Note::Optimised { readings, five } => optimised(readings, five),
        Note::NoChoice => "no choice is stored".into(),
        Note::SameChoice { shares, at_least } => format!(
            "the same candidate in {} of the choices; the claim needs {} on each",
            shared(shares),
            whole(*at_least)
        ),
        Note::Scoreless { without, all } => format!("{without} of {all} scores without a number"),
        Note::Ranked { ranks, share } => {
            let samples = share.map(|share| {
                format!("; enough cells in {} of bootstrap samples over repetitions", whole(share))
            });
            ranked(ranks, ["in", "cells"]) + &samples.unwrap_or_default()
        }
        Note::NoColumn => "no column".into(),
        Note::NoHyperFunctions => "an interval needs two repetitions with hyper-functions".into(),
        Note::Recovered { correlations, bound } => {
            let each =
                correlations.iter().map(|(name, mean, h)| format!("{name} {mean:.2} ± {h:.2}"));
            format!(
                "correlation of logarithms (95 %): {}; expected at least {bound}",
                joined(each, ", ")
            )
        }
        Note::Unbeaten { datasets, comparisons } => format!(
            "{} (paired, Holm 5 % over {comparisons} comparisons; 95 % each)",
            joined(datasets.iter().map(rivals), "; ")
        ),
        Note::Within { means, interval: (low, high), inside, outside } => {
            let each = means.iter().map(|(x, mean, h)| format!("{x}: {mean:.3} ± {h:.3}"));
            format!(
                "means by x (95 % together): {}; {inside} of {} within [{low}, {high}], {outside} \
                 outside",
                joined(each, ", "),
                means.len()
            )
        }
    }
}

/// What the printed numbers show of a claim.
pub fn printed(note: &PrintedNote) -> String {
    match note {
        PrintedNote::Unprinted => "the paper prints no numbers for it".into(),
        PrintedNote::Counted(PrintedCounts { order, below, ties, short, total, needed }) => {
            let [word, _] = words(*order);
            let equal = if *ties > 0 { format!(", equal in {ties}") } else { String::new() };
            format!(
                "by the printed numbers {word} in {below} of {total} comparisons{equal}{}; the \
                 claim needs {needed}",
                in_short(*short)
            )
        }
        PrintedNote::Ranked(ranks) => {
            format!("by the printed numbers {}", ranked(ranks, ["in", "cells"]))
        }
        PrintedNote::NonInferior { margin, within, total, short } => format!(
            "by the printed numbers at most {} worse in {within} of {total}{}",
            percent(*margin),
            in_short(*short)
        ),
    }
}

/// A mean that is held against a bound.
fn bounded(what: &str, Estimate { mean, half_width }: Estimate, bound: &str) -> String {
    match half_width {
        Some(h) => format!("{what} {mean:.3} ± {h:.3} (95 % interval), expected {bound}"),
        None => format!("{what} {mean:.3}, expected {bound}"),
    }
}

/// Texts with this between them.
fn joined(texts: impl Iterator<Item = String>, between: &str) -> String {
    texts.collect::<Vec<_>>().join(between)
}

/// A share in whole per cent.
fn whole(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Names with their shares.
fn shared(shares: &[(String, f64)]) -> String {
    joined(shares.iter().map(|(name, share)| format!("{name} {}", whole(*share))), ", ")
}

/// The words for what a claim says of the side under test, and for the opposite.
fn words(order: Order) -> [&'static str; 2] {
    match order {
        Order::Lower => ["lower", "higher"],
        Order::Better => ["better", "worse"],
    }
}

/// That no comparison has a number.
fn none_of(total: usize) -> String {
    format!("none of {total} comparisons has a number")
}

/// The comparisons in which the narrower intervals cover too little; empty for none.
fn in_short(short: usize) -> String {
    match short {
        0 => String::new(),
        count => format!(", in {count} the narrower intervals cover too little"),
    }
}

/// The comparisons that count for neither side; empty for none.
fn left_out(Uncounted { short, unrun, empty }: Uncounted) -> String {
    let some = |count: usize, words: &str| {
        if count > 0 { format!(", {count} {words}") } else { String::new() }
    };
    in_short(short) + &some(unrun, "not run") + &some(empty, "without a common repetition")
}

/// How many comparisons lie on which side, the clearest one, and how many the claim needs.
fn counted(counts: &Counts) -> String {
    let Counts { order, total, in_the_mean, uncounted, needed, .. } = counts;
    let [low, high] = words(*order);
    let sides = match (counts.ran, counts.significant) {
        (0, _) => none_of(*total),
        (ran, None) => format!("{low} in the mean on {in_the_mean} of {ran}"),
        (_, Some((below, above))) => format!(
            "significantly {low} in {below} of {total} comparisons and significantly {high} in \
             {above} (paired, Holm 5 %), {low} in the mean in {in_the_mean}"
        ),
    };
    let clearest = counts.clearest.map(|(mean, half_width)| {
        let word = if mean < 0.0 { low } else { high };
        let size = mean_and_spread(Some(mean.abs()), Some(half_width));
        format!(", the clearest by {size} {word}")
    });
    let idle = match counts.idle {
        0 => String::new(),
        1 => "; one comparison has fewer than ten repetitions, which cannot change it".into(),
        some => {
            format!("; {some} comparisons have fewer than ten repetitions, which cannot change it")
        }
    };
    let clearest = clearest.unwrap_or_default();
    format!("{sides}{}{clearest}; the claim needs {needed}{idle}", left_out(*uncounted))
}

/// The ranks of what is under test; `on` is the preposition and the noun of what it is ranked in.
fn ranked(ranks: &Ranks, [on, what]: [&str; 2]) -> String {
    let Ranks { at_most, within, needed, all } = ranks;
    let listed = joined(all.iter().map(|(name, rank)| format!("{name} {rank}")), ", ");
    format!(
        "rank at most {at_most} {on} {within} of {} {what}, the claim needs {needed} ({listed})",
        all.len()
    )
}

/// The share of bootstrap samples in which `what` is so; empty for one repetition.
fn in_corrected_samples(what: &str, share: Option<f64>) -> String {
    let samples = |share| {
        let share = whole(share);
        format!("; {what} in {share} of corrected bootstrap samples over repetitions")
    };
    share.map(samples).unwrap_or_default()
}

/// How many gains lie above and below zero.
fn gain(Gains { all, ran, above_in_the_mean, significant }: &Gains) -> String {
    let counts = match (ran, significant) {
        (0, _) => return format!("none of {all} differences has a number"),
        (ran, None) => format!("above 0 in the mean in {above_in_the_mean} of {ran}"),
        (_, Some((above, below))) => format!(
            "significantly above 0 in {above} of {all} differences and below in {below} (corrected \
             resampled t-test, Holm 5 %), above in the mean in {above_in_the_mean}"
        ),
    };
    let without =
        if ran < all { format!(", {} without a number", all - ran) } else { String::new() };
    format!("{counts}{without}; the claim needs all")
}

/// One dataset against the others.
fn extreme(extremes: &Extremes) -> String {
    let Extremes { end, least, total, inside, outside, ranges } = extremes;
    let (word, opposite) = match end {
        End::Highest => ("higher", "lower"),
        End::Lowest => ("lower", "higher"),
    };
    let Superiority { dataset, share, interval: (low, high) } = least;
    let (share, [low, high]) = (whole(*share), [low, high].map(|end| 100.0 * end));
    let each = ranges.iter().map(|(name, low, high)| {
        format!("than {name} in {:.0} to {:.0} %", 100.0 * low, 100.0 * high)
    });
    format!(
        "at one point {word} than {dataset} in only {share} of the pairs of repetitions ({low:.0} \
         to {high:.0} %); of {total} comparisons {inside} significantly {word}, {outside} \
         significantly {opposite} (Mann and Whitney, 95 % together); over the points {}",
        joined(each, ", ")
    )
}

/// The name of a place; of a ratio, the two datasets.
fn named(Place { dataset, before }: &Place) -> String {
    match before {
        Some(before) => format!("{dataset} to {before}"),
        None => dataset.clone(),
    }
}

/// Numbers that are held against bounds.
fn measured(
    statistic: Statistic,
    numbers: &[Measurement],
    at_least: Option<f64>,
    at_most: Option<f64>,
) -> String {
    let (what, all) = match statistic {
        Statistic::Mean => ("mean (95 %)", " in every repetition"),
        Statistic::Ratio => ("mean ratio (95 %)", " in every repetition"),
        Statistic::Spread => ("largest less smallest", ""),
    };
    let each = numbers.iter().map(|Measurement { place, centre, half_width }| {
        let spread = half_width.map_or_else(|| all.to_owned(), |h| format!(" ± {}", digits(h)));
        format!("{}: {}{spread}", named(place), digits(*centre))
    });
    let bound =
        |word: &str, bound: Option<f64>| bound.map(|bound| format!("{word} {}", limit(bound)));
    let bounds = bound("at least", at_least).into_iter().chain(bound("at most", at_most));
    format!("{what}, {}; expected {}", joined(each, ", "), joined(bounds, " and "))
}

/// A bound with all its digits, as a power of ten where it is tiny.
fn limit(bound: f64) -> String {
    if bound != 0.0 && bound.abs() < 1e-3 { format!("{bound:e}") } else { bound.to_string() }
}

/// Three digits, as a power of ten where the number is tiny.
fn digits(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-3 { format!("{value:.1e}") } else { format!("{value:.3}") }
}

/// What an optimisation finds, reading by reading, and what five trials would show.
fn optimised(readings: &[(String, Judged, Counts)], five: &[(String, f64)]) -> String {
    let each = readings
        .iter()
        .map(|(name, judged, counts)| format!("{name}: {} ({})", judged.as_str(), counted(counts)));
    let main = readings.first().filter(|_| !five.is_empty());
    let of_five = main.map(|(name, ..)| {
        let shares = shared(five);
        format!("the mean of five trials would be best of all at {name} in {shares} of subsets")
    });
    joined(each.chain(of_five), "; ")
}

/// What the other points of a curve show of the recommended one.
fn rivals(rivals: &Rivals) -> String {
    let Rivals { dataset, recommended, all, empty, better, equal, .. } = rivals;
    let found = match (all, rivals.tested, better.len()) {
        (0, ..) => format!("no point but {recommended}"),
        (_, 0, _) => {
            let (lower, ran) = (rivals.better_in_the_mean, all - empty);
            format!("{lower} of {ran} better than {recommended} in the mean")
        }
        (.., 0) => format!("none of {all} significantly better than {recommended}"),
        _ => {
            let points = joined(better.iter().map(ToString::to_string), ", ");
            format!("{points} significantly better than {recommended}")
        }
    };
    let without = match (empty, all) {
        (0, _) | (_, 0) => String::new(),
        _ => format!(", {empty} of {all} without numbers to compare"),
    };
    let shown = if rivals.tested > 0 {
        let tolerance = number(rivals.tolerance, Some(rivals.tolerance));
        format!(", {equal} of {all} shown to be better by less than {tolerance}")
    } else {
        String::new()
    };
    let loses = match rivals.best {
        Some((x, Estimate { mean, half_width })) if mean > 0.0 => {
            let spread = half_width.map(|h| format!(" ± {}", number(h, half_width)));
            format!(
                "; it loses {}{} against the best mean, at {x}",
                number(mean, half_width),
                spread.unwrap_or_default()
            )
        }
        Some(_) => "; it has the best mean".into(),
        None => String::new(),
    };
    format!("{dataset}: {found}{without}{shown}{loses}")
}

#[cfg(test)]
mod tests;
