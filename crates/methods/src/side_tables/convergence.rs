//! State whether a fit had converged when it ended, and how it ended.

use super::SideTable;
use super::table::table;

table! {
    /// The first column of every table `convergence`.
    pub struct Converged: "convergence" {
        /// Whether the fit had converged.
        converged: bool,
    }
}

table! {
    /// The column of a table `fit` that reports it for a single search.
    pub struct Capped: "fit" {
        /// Whether the search stopped because its steps were used up.
        cap_reached: bool,
    }
}

table! {
    /// The last columns of the table `starts`, which has a row for each search.
    pub struct Starts: "starts" {
        /// 1 for a search that stopped because its steps were used up, else 0; NaN for one that
        /// could not begin.
        cap_reached: Vec<f64>,
        /// 1 for the search whose parameters are used, else 0.
        chosen: Vec<f64>,
    }
}

table! {
    /// How the training of a deep Gaussian process ended.
    pub struct Climb: "convergence" {
        /// Whether the bound was level before the budget was used up.
        converged: bool,
        /// Steps taken.
        steps: f64,
        /// Most steps that were allowed.
        step_budget: f64,
        /// How often training began again with smaller steps.
        restarts: f64,
        /// The largest jitter that a kernel matrix needed, as a share of the signal's variance.
        largest_jitter: f64,
        /// The bound in the last window, in nats a row; `None` where there were fewer than three
        /// windows.
        bound_per_row: Option<f64>,
        /// The bound's slope over the last windows, in nats a row and 1000 steps; `None` as above.
        slope_per_1000_steps: Option<f64>,
        /// The standard error of the slope, in the same unit; `None` as above.
        slope_standard_error: Option<f64>,
    }
}

table! {
    /// How well the chains of a sampler have mixed.
    pub struct Sampled: "convergence" {
        /// Whether the largest R-hat is that of chains that have mixed.
        converged: bool,
        /// The largest split R-hat of the log posterior density and of the function at fixed
        /// inputs.
        largest_r_hat: f64,
        /// The smallest effective sample size of them, over all chains.
        smallest_effective: f64,
        /// Gradients that were computed.
        gradients: f64,
        /// Draws after the warm-up whose trajectory diverged.
        divergences: f64,
    }
}

impl Converged {
    /// Names of the tables that [`Self::of`] reads.
    pub const TABLES: [&str; 3] = [Self::NAME, Capped::NAME, Starts::NAME];

    /// Whether the fit of this table had converged. `None` where the table does not say it.
    ///
    /// Of several starts the chosen one counts.
    pub fn of(table: &SideTable) -> Option<bool> {
        if let Some(found) = Self::from_table(table) {
            return Some(found.converged);
        }
        if let Some(fit) = Capped::from_table(table) {
            return Some(!fit.cap_reached);
        }
        let starts = Starts::from_table(table)?;
        let chosen = starts.chosen.iter().position(|chosen| *chosen == 1.0)?;
        Some(*starts.cap_reached.get(chosen)? != 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_stored;
    use super::*;

    #[test]
    fn each_table_is_stored_as_it_always_was() {
        let converged = Converged { converged: false };
        let text = r#"{"name":"convergence","columns":[["converged",[0.0]]]}"#;
        assert_stored(&converged, &converged.to_table(), Converged::from_table, text, &[]);
        let capped = Capped { cap_reached: true };
        let text = r#"{"name":"fit","columns":[["cap_reached",[1.0]]]}"#;
        assert_stored(&capped, &capped.to_table(), Capped::from_table, text, &[]);
        let starts = Starts { cap_reached: vec![1.0, 0.0], chosen: vec![0.0, 1.0] };
        let text =
            r#"{"name":"starts","columns":[["cap_reached",[1.0,0.0]],["chosen",[0.0,1.0]]]}"#;
        assert_stored(&starts, &starts.to_table(), Starts::from_table, text, &[]);
    }

    #[test]
    fn the_training_of_a_deep_process_is_stored_as_it_always_was() {
        let climb = Climb {
            converged: true,
            steps: 9000.0,
            step_budget: 20_000.0,
            restarts: 0.0,
            largest_jitter: 1e-8,
            bound_per_row: Some(-1.25),
            slope_per_1000_steps: Some(0.002),
            slope_standard_error: Some(0.0005),
        };
        let text = concat!(
            r#"{"name":"convergence","columns":[["converged",[1.0]],["steps",[9000.0]],["step_budget",[20000.0]],"#,
            r#"["restarts",[0.0]],["largest_jitter",[1e-8]],["bound_per_row",[-1.25]],"#,
            r#"["slope_per_1000_steps",[0.002]],["slope_standard_error",[0.0005]]]}"#
        );
        let optional = ["bound_per_row", "slope_per_1000_steps", "slope_standard_error"];
        assert_stored(&climb, &climb.to_table(), Climb::from_table, text, &optional);
        assert_eq!(Converged::of(&climb.to_table()), Some(true));
    }

    #[test]
    fn the_chains_of_a_sampler_have_their_columns() {
        let sampled = Sampled {
            converged: false,
            largest_r_hat: 1.25,
            smallest_effective: 12.5,
            gradients: 4096.0,
            divergences: 1.0,
        };
        let text = concat!(
            r#"{"name":"convergence","columns":[["converged",[0.0]],["largest_r_hat",[1.25]],"#,
            r#"["smallest_effective",[12.5]],["gradients",[4096.0]],["divergences",[1.0]]]}"#
        );
        assert_stored(&sampled, &sampled.to_table(), Sampled::from_table, text, &[]);
        assert_eq!(Converged::of(&sampled.to_table()), Some(false));
    }

    #[test]
    fn each_stored_form_says_whether_its_fit_had_converged() {
        let of = |text: &str| Converged::of(&serde_json::from_str(text).unwrap());
        assert_eq!(
            of(r#"{"name":"convergence","columns":[["converged",[0.0]],["step",[5.0]]]}"#),
            Some(false)
        );
        assert_eq!(
            of(r#"{"name":"fit","columns":[["bound",[2.5]],["cap_reached",[1.0]]]}"#),
            Some(false)
        );
        assert_eq!(of(r#"{"name":"fit","columns":[["cap_reached",[0.0]]]}"#), Some(true));
        assert_eq!(
            of(r#"{"name":"fit","columns":[["noise_variance",[1.0]]]}"#),
            None,
            "the exact process' table"
        );
        let starts = r#"{"name":"starts","columns":[["start",[0,1,2]],["cap_reached",[1,0,null]],["chosen",CHOSEN]]}"#;
        let chosen = |flags: &str| of(&starts.replace("CHOSEN", flags));
        assert_eq!(chosen("[0,1,0]"), Some(true), "what the others did does not matter");
        assert_eq!((chosen("[1,0,0]"), chosen("[0,0,0]")), (Some(false), None));
        assert_eq!(of(r#"{"name":"trace","columns":[["converged",[0.0]]]}"#), None);
    }
}
