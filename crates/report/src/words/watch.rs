//! Put into words what came of predictions, and what to do about them.

use super::try_table::bounds::{Words, percent_of, stated};
use crate::export::escape;
use uq_core::metrics::percent;
use uq_core::names::counted;
use uq_core::predictive::Side;
use uq_core::printable::printable;
use uq_core::stats::coverage::Coverage;
use uq_core::stats::digits::number;
use uq_core::stats::drift::Cell;
use uqbench_data::own::CalendarPeriod;
use uqbench_judge::watch::{Advice, Every, Evidence, FeatureDrift, Watch};

/// Most features that a sentence names.
const NAMED: usize = 3;

/// Longest name in a sentence, in characters.
const SHOWN: usize = 60;

/// The evidence of misses in a legend.
pub const OF_MISSES: &str = "more misses than tolerated";

/// The evidence of larger errors in a legend.
pub const OF_GROWTH: &str = "larger errors than before";

/// The title of the table of features.
pub const FEATURES: &str = "Features that have changed";

/// The note below it.
pub const FEATURES_NOTE: &str = "Rows with: the range, or the missing cells, whose share of rows \
    has changed most since the rows that the model is fitted on. Distance: half the sum of the \
    absolute differences of the shares of all ranges; 0.1 or more is told. p: Pearson's test that \
    both have one distribution, Holm-corrected over all features. It presumes that rows are \
    independent.";

/// The heading of the page.
pub fn title(method: &str, title: &str) -> String {
    format!("Predictions of {} for {}", printable(method, SHOWN), printable(title, 200))
}

/// The title of the figure.
pub fn figure(target: &str) -> String {
    format!("Predictions of {}: coverage and evidence", printable(target, SHOWN))
}

/// What to do, and what the intervals have kept.
pub fn advice(watch: &Watch) -> String {
    let kept = kept(watch);
    let Words { plural, score, .. } = Words::of(watch.terms.bounds);
    let changed = || changed(watch);
    match watch.advice {
        Advice::Keep => format!("**No alarm: keep the model.** {kept}{}", not_excluded(watch)),
        Advice::Narrow => format!(
            "**Keep the model, or recalibrate it to narrow its {plural}.** {kept} That is more than \
             {} and the tolerance of {} together.",
            percent(watch.terms.bounds.level),
            points(watch.terms.tolerance)
        ),
        Advice::Recalibrate { gain: None, .. } => format!(
            "**Recalibrate the model.** {kept}{} There are too few rows to tell whether a new fit \
             would be better.",
            changed()
        ),
        Advice::Recalibrate { gain: Some(gain), .. } => format!(
            "**Recalibrate the model.** {kept}{} Moved by the older half of these rows, the {plural} \
             of the newer {} would have had a mean {score} of {} in place of {}.",
            changed(),
            gain.rows,
            number(gain.moved, None),
            number(gain.before, None)
        ),
        Advice::NoGain { gain, .. } => format!(
            "**Do not rely on the {plural}.** {kept}{} Recalibration does not help yet: moved by the \
             older half of these rows, the {plural} of the newer {} have a mean {score} of {} in \
             place of {}.",
            changed(),
            gain.rows,
            number(gain.moved, None),
            number(gain.before, None)
        ),
        Advice::FitAnew { gain, .. } => format!(
            "**Fit the model anew.** {kept}{} {} do not help: moved by the older half of these rows, \
             they have a mean {score} of {} on the newer {}, and one that is the same for all rows \
             has {}.",
            changed(),
            capitalised(&format!("recalibrated {plural}")),
            number(gain.moved, None),
            gain.rows,
            number(gain.constant, None)
        ),
        Advice::Wait { newest, expected } => format!(
            "**Do not rely on the {plural}, and wait for more outcomes.** {kept}{} To recalibrate, \
             {expected} rows since then are needed, and there are {newest}.",
            changed()
        ),
    }
}

/// Since when errors have changed, and how.
fn changed(watch: &Watch) -> String {
    let newest = watch.advice.newest().unwrap_or(watch.coverage.rows);
    let since = match &watch.since {
        Some(since) if newest < watch.coverage.rows => format!(
            "Errors have probably changed from {} on, {} ago",
            escape(&printable(since, SHOWN)),
            counted(newest, "row")
        ),
        _ => "Errors have been different from the first of these rows on".into(),
    };
    let offset = watch.offset.map_or_else(String::new, |offset| {
        let side = if offset < 0.0 { "below" } else { "above" };
        format!(
            "; the median outcome since then lies {} {side} the middle of its interval",
            number(offset.abs(), None)
        )
    });
    format!(" {since}{offset}.")
}

/// That too little is known to exclude a coverage below what is tolerated.
fn not_excluded(watch: &Watch) -> String {
    let least = 1.0 - watch.terms.most_missed();
    match watch.interval {
        Some((low, _)) if low < least => {
            format!(" These outcomes do not exclude a coverage below {} yet.", percent_of(least))
        }
        None => format!(
            " The evidence comes from {}: more and shorter ones tell more.",
            counted(watch.periods.len().saturating_sub(1), "finished period")
        ),
        Some(_) => String::new(),
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// How many rows lie in their intervals.
fn kept(watch: &Watch) -> String {
    let of_words = Words::of(watch.terms.bounds);
    let interval = watch.interval.map_or_else(String::new, |(low, high)| {
        let level = percent(1.0 - watch.terms.alpha);
        format!(
            " ({level} interval that holds whenever one looks: {:.1} to {})",
            100.0 * low,
            percent_of(high)
        )
    });
    let loss = format!("mean {} {}", of_words.score, number(watch.loss, None));
    let width = watch
        .width
        .map_or_else(String::new, |width| format!("mean width {}, ", number(width, None)));
    let Coverage { covered, rows } = watch.coverage;
    let share = |count: usize| percent_of(count as f64 / rows as f64);
    let missed = match watch.terms.bounds.side {
        Side::Both => {
            format!(
                ", {} below and {} above",
                share(watch.below),
                share(rows - covered - watch.below)
            )
        }
        Side::Lower | Side::Upper => String::new(),
    };
    // Money in thousands, or a length in another unit.
    let unit = match rows >= 10 && (watch.below == rows || covered + watch.below == 0) {
        true => " All lie on one side: is their unit that of the target?",
        false => "",
    };
    format!(
        "{} of {rows} outcomes are inside their {}{interval}{missed}; {width}{loss}.{unit}",
        share(covered),
        stated(watch.terms.bounds)
    )
}

/// A tolerance in percentage points.
fn points(tolerance: f64) -> String {
    format!("{} points", short(100.0 * tolerance))
}

/// Whether more outcomes are missed than is tolerated.
pub fn misses(watch: &Watch, every: Every) -> String {
    let most = percent_of(watch.terms.most_missed());
    let what = format!("that more than {most} of outcomes are missed");
    alarm("Coverage", &watch.misses, &what, watch, every)
}

/// Whether errors have grown.
pub fn growth(watch: &Watch, every: Every, is_recalibrated: bool) -> String {
    match &watch.growth {
        Some(growth) => {
            let rows = match is_recalibrated {
                true => {
                    counted(watch.calibration_rows, "row") + " that have recalibrated the model"
                }
                false => counted(watch.calibration_rows, "held-out row") + " of the comparison",
            };
            let what = format!("that errors are larger than those of {rows}");
            alarm("Errors", growth, &what, watch, every)
        }
        None if watch.terms.dependent => "Errors: not compared with those of the comparison, \
                                          because rows of one period depend on each other."
            .into(),
        None => "Errors: not compared, because the model has none of its comparison (an older \
                 program saved it, or its method has no intervals)."
            .into(),
    }
}

/// An alarm, or that there is none.
fn alarm(about: &str, evidence: &Evidence, what: &str, watch: &Watch, every: Every) -> String {
    let raises = short(1.0 / watch.terms.alpha);
    let reached = self::evidence(evidence.largest);
    match evidence.alarm {
        Some(period) => format!(
            "{about}: **alarm** {}. The evidence {what} has reached {reached}; {raises} \
             raises the alarm.",
            at(every, &escape(&printable(&watch.periods[period].label, SHOWN)))
        ),
        None => format!(
            "{about}: no alarm. The evidence {what} is {reached} at most; {raises} \
                         raises the alarm."
        ),
    }
}

/// Evidence beyond this is written as more than it.
const MOST_EVIDENCE: f64 = 1e6;

/// Evidence.
pub fn evidence(evidence: f64) -> String {
    match evidence > MOST_EVIDENCE {
        true => format!("over {MOST_EVIDENCE}"),
        false => number(evidence, None),
    }
}

/// Which features have changed.
pub fn drifts(watch: &Watch) -> String {
    let Some(drifts) = &watch.drifts else {
        return "Features: not compared.".into();
    };
    if drifts.is_empty() {
        return "Features: no change was found against the rows that the model is fitted on."
            .into();
    }
    let named = drifts.iter().take(NAMED).map(|FeatureDrift { name, drift, .. }| {
        format!(
            "\"{}\" {} in {} of rows, before in {}",
            escape(&printable(name, SHOWN)),
            escape(&cell(drift.cell)),
            percent_of(drift.now),
            percent_of(drift.before)
        )
    });
    let more = match drifts.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let have = if drifts.len() == 1 { "has" } else { "have" };
    format!(
        "Features: {} {have} changed: {}{more}.",
        counted(drifts.len(), "feature"),
        named.collect::<Vec<_>>().join("; ")
    )
}

/// A range of a feature.
pub fn cell(cell: Cell) -> String {
    let text = |end: f64| number(end, None);
    match cell {
        Cell::Missing => "missing".into(),
        Cell::Between(None, None) => "any number".into(),
        Cell::Between(None, Some(high)) => format!("below {}", text(high.next_up())),
        Cell::Between(Some(low), None) => format!("above {}", text(low)),
        Cell::Between(Some(low), Some(high)) => {
            format!("above {}, up to {}", text(low), text(high))
        }
    }
}

/// A number without zeros at its end, such as 20 or 0.5.
fn short(value: f64) -> String {
    let text = number(value, None);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// The heading of the column of periods.
pub fn heading(every: Every) -> &'static str {
    match every {
        Every::Calendar(CalendarPeriod::Day) => "Day",
        Every::Calendar(CalendarPeriod::Week) => "Week from",
        Every::Calendar(CalendarPeriod::Month) => "Month",
        Every::Rows(_) => "Rows in order",
    }
}

/// When something was, in a period of this name.
fn at(every: Every, label: &str) -> String {
    match every {
        Every::Calendar(CalendarPeriod::Day) => format!("on {label}"),
        Every::Calendar(CalendarPeriod::Week) => format!("in the week from {label}"),
        Every::Calendar(CalendarPeriod::Month) | Every::Rows(_) => format!("in {label}"),
    }
}

/// The title of the table of periods, of which the first ones may be skipped.
pub fn periods(every: Every, skipped: usize) -> String {
    let title = match every {
        Every::Calendar(CalendarPeriod::Day) => "By day",
        Every::Calendar(CalendarPeriod::Week) => "By week",
        Every::Calendar(CalendarPeriod::Month) => "By month",
        Every::Rows(_) => "By rows in order",
    };
    match skipped {
        0 => title.into(),
        more => format!("{title}, {more} earlier left out"),
    }
}

/// The note below the table of periods.
pub fn periods_note(watch: &Watch) -> String {
    let interval = match watch.terms.dependent {
        true => "No interval: rows of one period depend on each other.",
        false => {
            "The interval is that of the probability of being covered in this period, and holds \
                  whenever one looks at it."
        }
    };
    format!("{interval} Evidence: after the last row of the period.")
}

/// How to read the page.
pub fn reading(watch: &Watch) -> String {
    let gathered = if watch.terms.dependent { "period" } else { "row" };
    let presumes = match watch.terms.dependent {
        true => {
            "Rows of one period may depend on each other, and the last period is not bet on, \
                 because it may be unfinished; given the periods before it, the share of its rows that \
                 is missed is not expected to exceed what is tolerated."
        }
        false => {
            "The probability of being missed is tolerated for each row, given the rows before \
                  it: where rows depend on each other, such as those of one day, false alarms are \
                  more frequent, unless evidence is gathered by period."
        }
    };
    format!(
        "## How to read this\n\nEvidence (an e-process) is the wealth of somebody who began with 1 \
         and has bet, {gathered} by {gathered}, against the hypothesis that all is well: while it \
         holds, nobody can expect to win. So the probability that it ever reaches {} is at most {}, \
         however often one looks, as long as new rows come after the old ones (Ville 1939; Ramdas, \
         Grünwald, Vovk and Shafer 2023). {presumes}\n\nThe alarm of coverage tests \"missed with a \
         probability of at most {}\": the stated level less a tolerance, because the coverage of a \
         fixed model is never exactly its level. The alarm of errors compares how far an outcome lies \
         outside or inside its interval with earlier rows, by its rank (a conformal test martingale; \
         Vovk, Gammerman and Shafer 2005). Its probability holds for rows that are exchangeable with \
         these; held-out rows of a method that they have chosen are so approximately. Smaller errors \
         raise none.\n\nThe newest rows are those from which on bets would have won most. Moved by \
         their older half and scored on the newer one, recalibrated intervals are compared with the \
         intervals as they are, and with one interval for all rows. Interval score: the width, and \
         {:.0} times the distance of an outcome outside; lower is better.\n",
        short(1.0 / watch.terms.alpha),
        percent(watch.terms.alpha),
        percent_of(watch.terms.most_missed()),
        2.0 / (1.0 - watch.terms.bounds.level)
    )
}
