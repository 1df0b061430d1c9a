//! Say what is planned before the first fit.

use uq_core::names::counted;
use uq_core::stats::digits::duration;
use uqbench_run::candidates::Candidate;
use uqbench_run::runner::try_table::{LeftOut, Problem, expected, expected_alone, training_rows};

/// Characters up to which the names of methods are padded.
const WIDEST: usize = 60;

/// The plan: how the rows are divided, each method with the processor time of all its fits where it
/// is tried alone, and that of all methods, which share some fits; and what the budget has left out.
pub fn describe_plan(
    problem: &Problem,
    candidates: &[Candidate],
    inside: bool,
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
         a method alone are expected to take:\n",
        folding.folds,
        folding.times(),
        training_rows(problem.table, folding)
    );
    for candidate in candidates {
        let seconds = expected_alone(problem, candidate).map(duration);
        text += &format!(
            "  {:width$}  {}\n",
            candidate.id,
            seconds.unwrap_or_else(|| "unknown".into())
        );
    }
    let all = duration(expected(problem, candidates, inside).seconds);
    text += &format!("  {:width$}  {all}, with common fits made once", "in all");
    if let Some(budget) = budget {
        text += &format!(", of --budget {}", duration(budget));
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
    format!(
        "plan: {}, {} folds, divided {}: about {time}{left_out}",
        counted(candidates.len(), "method"),
        folding.folds,
        folding.times(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

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
        all[0].cost = Some(Arc::new(|n, d| n * d / 100.0));
        all[1].cost = None;
        // 400 rows and 2 features take 8 s, ten times.
        let left_out = [LeftOut { method: "stack".into(), seconds: 600.0 }];
        let found = describe_plan(&problem, &all, false, &left_out, Some(240.0));
        let expected = "plan: 5 folds, divided twice, of about 400 training rows; processor time \
                        that all fits of a method alone are expected to take:\n  \
                        unconditional-gaussian   80 s\n  unconditional-quantiles  unknown\n  \
                        in all                   80 s, with common fits made once, of --budget 4 \
                        min\nnote: not tried, because with it more than the budget is expected: \
                        stack (10 min)";
        assert_eq!(found, expected);
        assert!(
            describe_plan(&problem, &all, false, &[], None)
                .ends_with("in all                   80 s, with common fits made once")
        );
    }
}
