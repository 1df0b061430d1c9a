//! Say what is planned before the first fit.

use uq_core::names::counted;
use uq_core::stats::digits::duration;
use uqbench_run::candidates::Candidate;
use uqbench_run::runner::try_table::{
    FOLDS, LeftOut, Problem, expected_seconds, seconds_of_fold, training_rows,
};

/// Characters up to which the names of methods are padded.
const WIDEST: usize = 60;

/// The plan: how the rows are divided, each method with the processor time of all its fits, and
/// their sum; and what the budget has left out.
pub fn describe_plan(
    problem: &Problem,
    candidates: &[Candidate],
    left_out: &[LeftOut],
    budget: Option<f64>,
) -> String {
    let folding = problem.folding;
    let width = candidates
        .iter()
        .map(|candidate| candidate.id.chars().count())
        .max()
        .unwrap_or(0)
        .min(WIDEST);
    let mut text = format!(
        "plan: {} folds, divided {}, of about {:.0} training rows; processor time that all fits of \
         a method are expected to take:\n",
        folding.folds,
        folding.times(),
        training_rows(problem.table, folding)
    );
    for candidate in candidates {
        let seconds = seconds_of_fold(problem.table, folding, candidate);
        let seconds = seconds.map(|seconds| duration(seconds * folding.fits() as f64));
        text += &format!(
            "  {:width$}  {}\n",
            candidate.id,
            seconds.unwrap_or_else(|| "unknown".into())
        );
    }
    let all = duration(expected_seconds(problem.table, folding, candidates, 1));
    text += &format!("  {:width$}  {all}", "in all");
    if let Some(budget) = budget {
        text += &format!(", of --budget {}", duration(budget));
    }
    if folding.has_fewer_folds() {
        text += &format!(
            "\nnote: {} folds in place of {FOLDS}, because with {FOLDS} the budget leaves more \
             methods out",
            folding.folds
        );
    }
    if !left_out.is_empty() {
        let each = left_out.iter().map(|of| format!("{} ({})", of.method, duration(of.seconds)));
        let each = each.collect::<Vec<_>>().join(", ");
        text +=
            &format!("\nnote: not tried, because with it more than the budget is expected: {each}");
    }
    text
}

/// The same in a line; `time` is how long all fits are expected to take.
pub fn summarize_plan(
    problem: &Problem,
    candidates: &[Candidate],
    left_out: &[LeftOut],
    time: &str,
) -> String {
    let folding = problem.folding;
    let left_out = match left_out.len() {
        0 => String::new(),
        count => format!("; --budget leaves {} out", counted(count, "method")),
    };
    let fewer = match folding.has_fewer_folds() {
        true => format!(" in place of {FOLDS}"),
        false => String::new(),
    };
    format!(
        "plan: {}, {} folds{fewer}, divided {}: about {time}{left_out}",
        counted(candidates.len(), "method"),
        folding.folds,
        folding.times(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array1, Array2};
    use uq_core::Table;
    use uq_core::predictive::{Bounds, Side};
    use uqbench_run::candidates::candidates;
    use uqbench_run::runner::try_table::{Division, Folding};

    #[test]
    fn a_plan_names_each_method_with_its_time_and_what_is_left_out() {
        let table =
            Table::unnamed(Array2::from_shape_fn((500, 2), |(i, _)| i as f64), Array1::zeros(500));
        let problem = Problem {
            table: &table,
            division: Division::Rows,
            folding: Folding { folds: 5, repeats: 2 },
            discrete: false,
            bounds: Bounds { level: 0.9, side: Side::Both },
            seed: 1,
            categories: &[],
            stated: None,
        };
        let mut all = candidates(&[]).unwrap();
        all[0].cost = Some(Box::new(|n, d| n * d / 100.0));
        all[1].cost = None;
        // 400 rows and 2 features take 8 s, ten times.
        let left_out = [LeftOut { method: "stack".into(), seconds: 600.0 }];
        let found = describe_plan(&problem, &all, &left_out, Some(240.0));
        let expected = "plan: 5 folds, divided twice, of about 400 training rows; processor time \
                        that all fits of a method are expected to take:\n  \
                        unconditional-gaussian   80 s\n  unconditional-quantiles  unknown\n  \
                        in all                   80 s, of --budget 4 min\nnote: not tried, because \
                        with it more than the budget is expected: stack (10 min)";
        assert_eq!(found, expected);
        assert!(
            describe_plan(&problem, &all, &[], None).ends_with("in all                   80 s")
        );
        let three = Problem { folding: Folding { folds: 3, repeats: 1 }, ..problem };
        let found = describe_plan(&three, &all, &[], Some(20.0));
        assert!(
            found.starts_with("plan: 3 folds, divided once, of about 333 training rows"),
            "{found}"
        );
        // 333 rows and 2 features take 6.66 s, three times.
        let expected = "20 s, of --budget 20 s\nnote: 3 folds in place of 5, because with 5 the \
                        budget leaves more methods out";
        assert!(found.ends_with(expected), "{found}");
    }
}
