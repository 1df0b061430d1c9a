//! State how the loss of held-out rows falls while boosting adds rounds, which chooses their
//! number.

use super::table::table;

table! {
    /// One row for each number of rounds, beginning with none.
    pub struct HeldOutLoss: "held-out-loss" {
        /// Number of rounds.
        round: Vec<f64>,
        /// Mean loss of the held-out rows; lower is better.
        loss: Vec<f64>,
    }
}

impl HeldOutLoss {
    /// The fewest rounds of the lowest loss; `None` where nothing was held out.
    pub fn chosen(&self) -> Option<f64> {
        let lowest = self
            .loss
            .iter()
            .zip(&self.round)
            .reduce(|best, next| if next.0 < best.0 { next } else { best });
        lowest.map(|(_, round)| *round)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_stored;
    use super::*;

    #[test]
    fn losses_are_stored_as_they_always_were_and_the_first_of_the_lowest_chooses() {
        let losses =
            HeldOutLoss { round: vec![0.0, 1.0, 2.0, 3.0], loss: vec![2.0, 1.0, 1.5, 1.0] };
        let text = r#"{"name":"held-out-loss","columns":[["round",[0.0,1.0,2.0,3.0]],["loss",[2.0,1.0,1.5,1.0]]]}"#;
        assert_stored(&losses, &losses.to_table(), HeldOutLoss::from_table, text, &[]);
        assert_eq!((losses.chosen(), HeldOutLoss::default().chosen()), (Some(1.0), None));
    }
}
