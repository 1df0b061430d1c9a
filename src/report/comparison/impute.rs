//! Stand in for failed repetitions: drop them, or give them the worst score or an anchor's.

use super::field::Score;
use crate::metrics::Direction;

/// What is done about a repetition in which a method failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Imputation {
    /// It counts for nobody: a method that fails on hard splits looks better than it is.
    #[default]
    Drop,
    /// It gets the worst score that any method has on the same split.
    Worst,
    /// It gets this method's score on the same split.
    Anchor(String),
}

/// Scores of one metric on one dataset after imputation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imputed {
    /// Scores by method and repetition.
    pub scores: Vec<Vec<Option<f64>>>,
    /// Number of failed repetitions of each method.
    pub failed: Vec<usize>,
    /// How many of them got a score.
    pub imputed: Vec<usize>,
}

impl Imputed {
    /// Applies the rule to scores by method and repetition; `anchor` has one score a repetition.
    pub fn new(scores: &[Vec<Score>], rule: &Imputation, anchor: Option<&[Score]>, direction: Direction) -> Self {
        let given = |score: &Score| if let Score::Given(value) = score { Some(*value) } else { None };
        let worst = |repetition: usize| {
            let all = scores.iter().filter_map(|of_method| given(&of_method[repetition]));
            all.reduce(|a, b| if direction.prefers(a, b) { b } else { a })
        };
        let stand_in = |repetition: usize| match rule {
            Imputation::Drop => None,
            Imputation::Worst => worst(repetition),
            Imputation::Anchor(_) => anchor.and_then(|anchor| given(anchor.get(repetition)?)),
        };
        let mut all = Self::default();
        for of_method in scores {
            let failed: Vec<usize> = (0..of_method.len()).filter(|&r| of_method[r] == Score::Failed).collect();
            let mut values: Vec<Option<f64>> = of_method.iter().map(given).collect();
            for &repetition in &failed {
                values[repetition] = stand_in(repetition);
            }
            all.imputed.push(failed.iter().filter(|&&repetition| values[repetition].is_some()).count());
            all.failed.push(failed.len());
            all.scores.push(values);
        }
        all
    }

    /// The mark of a method's cell: `†2` for two imputed repetitions, `‡2` for two dropped ones.
    pub fn mark(&self, method: usize) -> String {
        let dropped = self.failed[method] - self.imputed[method];
        let part = |sign: char, count: usize| if count > 0 { format!(" {sign}{count}") } else { String::new() };
        part('†', self.imputed[method]) + &part('‡', dropped)
    }
}

impl Imputation {
    /// What the marks in a table mean.
    pub fn legend(&self) -> String {
        let dropped = "‡k: k failed repetitions were dropped";
        match self {
            Self::Drop => format!("{dropped}."),
            Self::Worst => {
                format!(
                    "†k: k failed repetitions have the worst score that any method here has on the same split; {dropped}."
                )
            }
            Self::Anchor(name) => {
                format!("†k: k failed repetitions have the score of {name} on the same split; {dropped}.")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Score::{Absent, Failed, Given, Undefined};
    use super::*;

    fn field() -> [Vec<Score>; 3] {
        [
            vec![Given(1.0), Failed, Given(3.0), Failed],
            vec![Given(2.0), Given(5.0), Failed, Failed],
            vec![Given(4.0), Given(4.0), Undefined, Absent],
        ]
    }

    #[test]
    fn dropping_leaves_failures_empty_and_counts_them() {
        let dropped = Imputed::new(&field(), &Imputation::Drop, None, Direction::Lower);
        assert_eq!(dropped.scores[0], [Some(1.0), None, Some(3.0), None]);
        assert_eq!((dropped.failed.clone(), dropped.imputed.clone()), (vec![2, 2, 0], vec![0, 0, 0]));
        assert_eq!((dropped.mark(0).as_str(), dropped.mark(2).as_str()), (" ‡2", ""));
    }

    #[test]
    fn the_worst_follows_the_direction() {
        let lower = Imputed::new(&field(), &Imputation::Worst, None, Direction::Lower);
        assert_eq!(lower.scores[0], [Some(1.0), Some(5.0), Some(3.0), None], "nobody has a score on the last split");
        assert_eq!(lower.mark(0), " †1 ‡1");
        let higher = Imputed::new(&field(), &Imputation::Worst, None, Direction::Higher);
        assert_eq!(higher.scores[0][1], Some(4.0));
    }

    #[test]
    fn an_anchor_stands_in_only_where_a_method_failed() {
        let anchor = [Given(9.0), Given(8.0), Undefined, Given(7.0)];
        let rule = Imputation::Anchor("linear-gaussian".into());
        let imputed = Imputed::new(&field(), &rule, Some(&anchor), Direction::Lower);
        assert_eq!(imputed.scores[0], [Some(1.0), Some(8.0), Some(3.0), Some(7.0)]);
        assert_eq!(imputed.scores[1], [Some(2.0), Some(5.0), None, Some(7.0)]);
        assert_eq!(imputed.scores[2], [Some(4.0), Some(4.0), None, None], "undefined and absent stay so");
    }
}
