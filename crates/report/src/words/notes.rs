//! Write the note below a table of a report: what its numbers and marks mean.

use std::collections::BTreeSet;

use super::cells::{is_part, is_unsettled};
use super::comparison::failures::legend;
use crate::grid::counted;
use crate::words::signs::{DROPPED, NO_COVERAGE, SIGNIFICANT, UNSETTLED};
use uq_core::metrics::percent;
use uq_core::stats::paired::ALPHA;
use uqbench_judge::evidence::imputation::Imputation;
use uqbench_judge::evidence::unconverged::Count;
use uqbench_judge::report::{About, Cell, PartScore, Score, Table};
use uqbench_run::benchmark::{Seeds, Validation};

/// The note of a table; empty where it needs none.
pub(super) fn note(table: &Table) -> String {
    match &table.about {
        About::Scores { .. } => on_scores(table),
        About::CommonSplits { .. } => format!(
            "Mean ± standard deviation over the same splits in each row; columns without any score \
             are left out. {}",
            legend(&Imputation::Worst)
        ),
        About::Curves { repetitions, every, .. } => {
            let left_out = match every {
                0 | 1 => String::new(),
                every => format!(" One point of {every} is shown; the CSV file has all."),
            };
            format!(
                "Mean ± standard deviation over {}{}.{left_out}",
                counted_range(*repetitions),
                on_marks(table)
            )
        }
        About::Variants { .. } => {
            let marks = on_marks(table);
            format!(
                "Mean ± standard deviation; the paper prints no numbers to compare these \
                 with{marks}."
            )
        }
        About::Validation { validation, has_own_choice } => {
            on_validation(validation, *has_own_choice)
        }
        About::Variance { seeds } => on_variance(*seeds),
        About::Settings => SETTINGS.into(),
        About::Crossings => CROSSINGS.into(),
        About::LearnedNoise => LEARNED_NOISE.into(),
        About::Training => TRAINING.into(),
        About::Quiet => QUIET.into(),
        About::Incomplete => String::new(),
        About::Parts => PARTS.into(),
        About::Part { score, .. } => format!("{} {ERRORS}", part_words(*score).note),
        About::ErrorParts => ERROR_PARTS.into(),
        About::Gains { .. } => format!(
            "Gain: how much better the area of the learning curve is than that of random rows \
             after the same first fit; mean ± corrected standard error. In brackets the smallest \
             gain that this design would find significant at {:.0} % on its own: a claim about a \
             smaller one stays undecided.",
            100.0 * ALPHA
        ),
        About::Area { .. } => AREA.into(),
        About::Batches => BATCHES.into(),
        About::Areas { .. } => on_areas(),
        About::Optimised { start, evaluations, .. } => on_optimised(*start, *evaluations),
    }
}

const SETTINGS: &str = "n repetitions searched settings, each on held-out or out-of-bag rows of \
    its own training rows. A point lists its values in the order of the settings; for a setting \
    that is no number it has the index in the list of values, from 0. What each candidate scored \
    is in the trials' artefacts.json.";

const CROSSINGS: &str = "Crossed: share of the test rows at which the method's own quantiles at \
    two neighbouring levels are in the wrong order, before they are sorted, in the mean over the \
    pairs of levels and n repetitions; most: of the pair where it is largest, in the mean over the \
    repetitions. All levels of the method count, also those between the tables' ones.";

const LEARNED_NOISE: &str = "Noise variance: mean ± standard deviation over n fits, in units of \
    the variance of the training target; at its bound: the number of fits whose noise variance is \
    at an end of its allowed range, so that the range determined it and not the data (–: the floor \
    is added to the noise, so that the noise never reaches it).";

const TRAINING: &str = "Steps and final slope: mean ± standard deviation over n fits; the slope is \
    that of the bound over the last windows of training, in nats a row and 1000 steps, its error \
    the largest standard error of any fit. A fit has converged where slope and two standard errors \
    together stay below its tolerance before the budget is used up: its bound rises slowly, and \
    may still rise.";

const QUIET: &str = "Beside others: trials of the same run that ran at the same time. Load: the \
    machine's average number of running and waiting tasks over a minute. Times are those of a \
    quiet machine only where no trial ran beside another one and the load was below the number of \
    processors.";

const PARTS: &str = "Aleatoric: against the variance of the noise. Epistemic: against the squared \
    error of the mean, averaged over replicate training sets. Total: predictive variance against \
    both together. Beats the constant: datasets on which the skill is above 0 by more than two \
    standard errors, of those on which it is defined; the constant knows the true mean variance, \
    which no method knows. Factor: median over datasets, up or down.";

const ERROR_PARTS: &str = "Root of the mean squared error of the predictive mean over inputs and \
    replicates; in brackets the share of it that is squared bias (estimated without bias, 0 where \
    that is negative). The rest is variance over training sets and over what the method draws: the \
    part that a posterior variance can describe.";

const AREA: &str = "Mean height of the learning curve by the trapezoidal rule; mean ± standard \
                    deviation over repetitions.";

const BATCHES: &str = "Distance of a batch's rows to the nearest other row of the batch, divided \
    by that of random batches: 1 is as diverse as random rows.";

/// The end of every note on a score of a part of the variance.
const ERRORS: &str = "± 1 standard error by the jackknife over replicates. – also where a method \
                      does not define the part.";

/// A score of a part of the variance in words.
pub(super) struct PartWords {
    /// What the title calls it.
    pub title: &'static str,
    /// How it is computed and read.
    note: &'static str,
}

/// A score of a part of the variance in words.
pub(super) const fn part_words(score: PartScore) -> PartWords {
    match score {
        PartScore::Skill => PartWords {
            title: "skill against the best constant",
            note: "1 − loss / loss of the best constant, which knows the true mean: 1 is perfect, \
                   0 no better than that constant, below 0 worse. The loss is t/e − ln(t/e) − 1, t \
                   the true and e the stated variance of a region, averaged over regions and \
                   replicates. – where the constant loses less than 0.01 nat: the true variance \
                   hardly varies.",
        },
        PartScore::Level => PartWords {
            title: "level",
            note: "ln of the mean stated by the mean true variance: 0 is right, 0.69 states twice \
                   the variance, −0.69 half of it.",
        },
        PartScore::Unevenness => PartWords {
            title: "unevenness",
            note: "Mean over regions of |ln(stated / true)|, variances averaged over replicates: 0 \
                   is right in every region.",
        },
        PartScore::Rank => PartWords {
            title: "rank over regions",
            note: "Spearman's correlation of stated and true variance over sixteen regions, \
                   variances averaged over replicates. – where one of them is the same in all \
                   regions: a constant has no order.",
        },
    }
}

/// The scores of a table.
fn scores(table: &Table) -> impl Iterator<Item = &Score> {
    table.rows.iter().flatten().filter_map(|cell| match cell {
        Cell::Score(score) => Some(&**score),
        _ => None,
    })
}

fn on_scores(table: &Table) -> String {
    let About::Scores { repetitions, has_printed, has_unbuilt, significant, validation, .. } =
        &table.about
    else {
        return String::new();
    };
    let printed = match (has_printed, has_unbuilt) {
        (false, _) => "",
        (true, false) => "; printed number in brackets",
        (true, true) => {
            "; printed number in brackets, alone where the benchmark file has no method for it"
        }
    };
    let starred = significant.map_or_else(String::new, |(marked, all)| {
        format!(
            "; {} significantly different from its reference column (paired, Holm-corrected at 5 % \
             over {}, of which {marked} {} significant; about random splits of these data, not \
             about new data)",
            SIGNIFICANT.sign,
            counted(all, "comparison"),
            if marked == 1 { "is" } else { "are" }
        )
    });
    let has_medians = scores(table).any(|score| score.median.is_some());
    let medians = if has_medians {
        "; with the median where one repetition alone decides the spread"
    } else {
        ""
    };
    let flags = validation
        .map(|validation| format!("; {} none: {}", NO_COVERAGE.sign, rule(&validation)))
        .unwrap_or_default();
    let n = counted_range(*repetitions);
    format!(
        "Mean ± standard deviation over {n}{medians}{printed}{starred}{}{flags}.",
        on_marks(table)
    )
}

/// The smallest and the largest number of repetitions: `3 to 5 repetitions`.
fn counted_range(range: Option<(usize, usize)>) -> String {
    match range {
        Some((low, high)) if low < high => format!("{low} to {high} repetitions"),
        range => counted(range.map_or(0, |(n, _)| n), "repetition"),
    }
}

/// What the marks of means mean, to be put at the end of a sentence; empty where nothing is marked.
fn on_marks(table: &Table) -> String {
    let parts = scores(table).filter(|score| is_part(score));
    let parts =
        parts.filter_map(|score| Some((score.summary?.n, score.expected))).collect::<BTreeSet<_>>();
    let mut note = String::new();
    if !parts.is_empty() {
        let counts: Vec<String> =
            parts.iter().map(|(n, expected)| format!("{n} of {expected}")).collect();
        note += &format!(
            "; {} {} repetitions; the others were dropped",
            DROPPED.sign,
            counts.join(" or ")
        );
    }
    let unsettled: BTreeSet<Count> = scores(table)
        .filter(|score| is_unsettled(score))
        .filter_map(|score| score.unconverged)
        .collect();
    if !unsettled.is_empty() {
        let (sign, counts) = (UNSETTLED.sign, counts(&unsettled));
        note += &format!("; {sign} training stopped at its step limit in {counts} fits");
    }
    note
}

/// One or two counts as they are, more by the least and the most of them.
fn counts(of: &BTreeSet<Count>) -> String {
    let fits: BTreeSet<usize> = of.iter().map(|count| count.fits).collect();
    let range = of.first().zip(of.last()).zip(fits.first());
    match range {
        Some(((least, most), fits_of_all)) if of.len() > 2 && fits.len() == 1 => {
            format!("{} to {} of {fits_of_all}", least.unconverged, most.unconverged)
        }
        _ if of.len() > 2 => "some of the".into(),
        _ => of
            .iter()
            .map(|count| format!("{} of {}", count.unconverged, count.fits))
            .collect::<Vec<_>>()
            .join(" or "),
    }
}

/// When a column is flagged.
fn rule(validation: &Validation) -> String {
    let Validation { fraction, level, tolerance } = validation;
    format!(
        "{} of the training rows are held out from a second fit, and its {} intervals cover on \
         average less than {} or more than {} of them; test rows are not used",
        percent(*fraction),
        percent(*level),
        percent(level - tolerance),
        percent(level + tolerance)
    )
}

fn on_validation(validation: &Validation, has_own_choice: bool) -> String {
    let own_choice = if has_own_choice {
        "; a column without a coverage chooses its settings by coverage itself, and is flagged \
         where no repetition has a setting with the required one"
    } else {
        ""
    };
    format!(
        "Flagged none: {}{own_choice}. The flag is chosen once, at {}, and used at every level. A \
         mean nearer to its bound than the standard deviation divided by √n could have come out on \
         the other side.",
        rule(validation),
        percent(validation.level)
    )
}

fn on_variance(Seeds { count, splits }: Seeds) -> String {
    format!(
        "The first {splits} repetitions (splits) with {count} seeds each, as a one-way \
         random-effects analysis of variance (Searle, Casella and McCulloch, 1992, chapter 3). Sd \
         over seeds: how much a score changes on the same rows when only the method's random \
         numbers change. Sd over splits: the remaining variation between splits; 0 where the \
         estimate of its square is negative. Where seeds are most of the variance, more seeds per \
         split are needed to distinguish methods on these splits; otherwise more splits. With so \
         few of both, the sizes are rough estimates. S × K: splits with all seeds finished × \
         seeds. All other tables, claims and figures use the first seed alone."
    )
}

fn on_areas() -> String {
    format!(
        "Area: mean height of the learning curve by the trapezoidal rule, in units of the metric; \
         mean ± standard deviation over n repetitions. Gain over random: how much better the area \
         is than that of random rows (the mean of the random sequences) after the same first fit, \
         paired by repetition; mean ± corrected standard error. Detectable gain: the smallest gain \
         of this design that would be significant at {:.0} % on its own; p of the same test, \
         without correction for the number of rows of this table. Splits overlap, so that the \
         standard error is the corrected one of Nadeau and Bengio: s √(1/n + n₂/n₁) with n₂ test \
         rows and n₁ rows at the start, for equal shares and ten splits 3.3 times the plain s/√n. \
         Spread: distance of a batch's rows to the nearest other row of the batch, divided by that \
         of random batches, both averaged over additions and repetitions; 1 is as diverse as \
         random rows.",
        100.0 * ALPHA
    )
}

fn on_optimised(start: usize, evaluations: usize) -> String {
    format!(
        "After {start} starting points and {evaluations} evaluations; mean ± standard error over n \
         repetitions, which share their starting points. Simple regret: the maximum (or the best \
         value that is known) less the best value. Feasible: share of the evaluations after the \
         start that violate no constraint. At sides: share of the inputs of these points that are \
         within 1 % of a side of the domain. Same choice: share of the steps in which the entropy \
         itself is largest at the same candidate as its lower bound H_l, by which entropy-ucb \
         chooses. Not mixed: share of the steps in which the chains of BNN-HMC have an R-hat above \
         1.05. Of a target ten times as large, ucb-β chooses the same points and entropy-ucb-β \
         those of entropy-ucb-(β/10).",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::stats::Summary;

    fn table(means: &[(usize, Option<Count>)]) -> Table {
        let score = |(n, unconverged): &(usize, Option<Count>)| {
            let summary = (*n > 0).then_some(Summary { mean: 0.5, sd: None, n: *n });
            Cell::Score(Box::new(Score {
                summary,
                expected: 5,
                most: 5,
                median: None,
                significant: false,
                against_best: None,
                unconverged: *unconverged,
                misses_coverage: false,
                printed: None,
                line: None,
                reason: String::new(),
                first_trial: None,
            }))
        };
        let about = About::Variants { metric: "RMSE".into() };
        Table { about, head: Vec::new(), rows: vec![means.iter().map(score).collect()] }
    }

    #[test]
    fn only_means_over_a_part_are_explained() {
        assert_eq!(on_marks(&table(&[(5, None), (0, None)])), "");
        let parts = table(&[(4, None), (3, None), (4, None)]);
        assert_eq!(on_marks(&parts), "; † 3 of 5 or 4 of 5 repetitions; the others were dropped");
    }

    #[test]
    fn only_unconverged_fits_are_explained() {
        let of = |counts: &[(usize, usize)]| {
            let count = |&(unconverged, fits)| (5, Some(Count { unconverged, fits }));
            on_marks(&table(&counts.iter().map(count).collect::<Vec<_>>()))
        };
        assert_eq!(of(&[(0, 10)]), "");
        let few = "; § training stopped at its step limit in 1 of 10 or 3 of 10 fits";
        assert_eq!(of(&[(3, 10), (1, 10), (3, 10), (0, 10)]), few);
        let many = "; § training stopped at its step limit in 1 to 10 of 10 fits";
        assert_eq!(of(&[(3, 10), (1, 10), (10, 10)]), many);
        let some = "; § training stopped at its step limit in some of the fits";
        assert_eq!(of(&[(3, 10), (1, 10), (10, 10), (2, 5)]), some);
    }
}
