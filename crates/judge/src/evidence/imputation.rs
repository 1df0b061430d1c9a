//! Replace the scores of failed repetitions: drop them, or use the worst score or that of a named
//! method.

use super::field::Score;
use uq_core::metrics::Direction;

/// What is done about a repetition in which a method failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Imputation {
    /// It is left out: a method that fails on hard splits looks better than it is.
    #[default]
    Drop,
    /// It gets the worst score that any method of the benchmarks has on the same split, compared or
    /// not.
    Worst,
    /// It gets this method's score on the same split.
    Method(String),
}

impl Imputation {
    /// The score that a failed repetition gets, by repetition, given the scores of all methods by
    /// method and repetition and the index of the replacing method.
    pub fn stand_ins(
        &self,
        pool: &[Vec<Score>],
        method: Option<usize>,
        direction: Direction,
    ) -> Vec<Option<f64>> {
        let repetitions = pool.iter().map(Vec::len).max().unwrap_or(0);
        let score = |of: &Vec<Score>, repetition: usize| match of.get(repetition) {
            Some(Score::Given(value)) => Some(*value),
            _ => None,
        };
        let worst = |repetition: usize| {
            let all = pool.iter().filter_map(|of_method| score(of_method, repetition));
            all.reduce(|a, b| if direction.prefers(a, b) { b } else { a })
        };
        let one = |repetition: usize| match self {
            Self::Drop => None,
            Self::Worst => worst(repetition),
            Self::Method(_) => method.and_then(|method| score(pool.get(method)?, repetition)),
        };
        (0..repetitions).map(one).collect()
    }
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
    /// Puts the replacements (one for each repetition) into the places of failures in scores by
    /// method and repetition.
    pub fn new(scores: &[Vec<Score>], stand_ins: &[Option<f64>]) -> Self {
        let mut all = Self::default();
        for of_method in scores {
            let value = |(repetition, score): (usize, &Score)| match score {
                Score::Given(value) => Some(*value),
                Score::Failed => stand_ins.get(repetition).copied().flatten(),
                Score::Undefined | Score::Absent => None,
            };
            let values: Vec<Option<f64>> = of_method.iter().enumerate().map(value).collect();
            let failed =
                || of_method.iter().zip(&values).filter(|(score, _)| **score == Score::Failed);
            all.failed.push(failed().count());
            all.imputed.push(failed().filter(|(_, value)| value.is_some()).count());
            all.scores.push(values);
        }
        all
    }

    /// Whether more than half of a method's scores are replaced: such scores do not describe the
    /// method.
    pub fn is_mostly_imputed(&self, method: usize) -> bool {
        2 * self.imputed[method] > self.scores[method].iter().flatten().count()
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

    fn imputed(rule: &Imputation, method: Option<usize>, direction: Direction) -> Imputed {
        Imputed::new(&field(), &rule.stand_ins(&field(), method, direction))
    }

    #[test]
    fn dropping_leaves_failures_empty_and_counts_them() {
        let dropped = imputed(&Imputation::Drop, None, Direction::Lower);
        assert_eq!(dropped.scores[0], [Some(1.0), None, Some(3.0), None]);
        assert_eq!(
            (dropped.failed.clone(), dropped.imputed.clone()),
            (vec![2, 2, 0], vec![0, 0, 0])
        );
    }

    #[test]
    fn the_worst_score_follows_the_direction_and_is_taken_over_all_methods() {
        let lower = imputed(&Imputation::Worst, None, Direction::Lower);
        assert_eq!(
            lower.scores[0],
            [Some(1.0), Some(5.0), Some(3.0), None],
            "no method has a score on the last split"
        );
        assert_eq!((lower.failed[0], lower.imputed[0]), (2, 1));
        let higher = imputed(&Imputation::Worst, None, Direction::Higher);
        assert_eq!(higher.scores[0][1], Some(4.0));
        let pool = [vec![Given(9.0); 4]];
        let outside =
            Imputed::new(&field(), &Imputation::Worst.stand_ins(&pool, None, Direction::Lower));
        assert_eq!(outside.scores[0][1], Some(9.0), "a method that is not compared is worse");
    }

    #[test]
    fn another_method_replaces_only_failed_repetitions() {
        let imputed = imputed(&Imputation::Method("the second".into()), Some(1), Direction::Lower);
        assert_eq!(
            imputed.scores[0],
            [Some(1.0), Some(5.0), Some(3.0), None],
            "it failed itself on the last split"
        );
        assert_eq!(
            imputed.scores[2],
            [Some(4.0), Some(4.0), None, None],
            "undefined and absent stay so"
        );
    }

    #[test]
    fn mostly_replaced_scores_are_recognised() {
        let scores = [
            vec![Given(1.0), Failed, Failed],
            vec![Given(1.0), Given(1.0), Failed],
            vec![Given(1.0); 3],
        ];
        let imputed = Imputed::new(&scores, &[Some(2.0); 3]);
        assert_eq!([0, 1, 2].map(|method| imputed.is_mostly_imputed(method)), [true, false, false]);
    }
}
