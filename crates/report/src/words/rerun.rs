//! Say which trials of a pack run again, and what came out.

use crate::grid::counted;
use crate::rerun::outcomes::ChangedVerdict;
use uqbench_run::runner::rerun::compare::Difference;

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    /// The reviewer's word.
    pub word: &'a str,
    /// The seed.
    pub seed: &'a str,
    /// Why trials cannot run again, with their number.
    pub excluded: &'a [(usize, String)],
    /// Number of drawn trials.
    pub drawn: usize,
    /// Number of trials that can run again.
    pub trials: usize,
    /// Number of strata of which some trial is drawn.
    pub reached: usize,
    /// Number of strata.
    pub strata: usize,
    /// Expected processor time in seconds.
    pub seconds: f64,
}

/// The packs by names and hashes, in Markdown; the draw follows.
pub fn announcement(packs: &[(String, String)]) -> String {
    let packs: String =
        packs.iter().map(|(name, hash)| format!("- Pack {name}: SHA-256 {hash}\n")).collect();
    format!("# Trials that run again\n\n{packs}")
}

/// The draw, a line each.
pub fn draw(draw: &Draw) -> String {
    let Draw { word, seed, excluded, drawn, trials, reached, strata, seconds } = draw;
    let excluded: String = excluded
        .iter()
        .map(|(count, why)| format!("- Cannot run again: {}: {why}\n", counted(*count, "trial")))
        .collect();
    format!(
        "- The reviewer's word: “{word}”. Seed of the draw: {seed}\n{excluded}- Drawn: {drawn} of \
         {}, in {reached} of {strata} strata (benchmark and method), expected to take {:.0} s of \
         processor time\n",
        counted(*trials, "trial"),
        seconds.ceil()
    )
}

/// Something that came out, or that cannot.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// How many trials have each grade: equal bytes, equal numbers, within the tolerance,
    /// different.
    Ran([usize; 4]),
    /// How many did not finish.
    Unfinished(usize),
    /// What a sample of this size would find.
    Power {
        /// Number of wrong trials of which it would include one.
        least: usize,
        /// Number of all trials.
        trials: usize,
    },
    /// All trials ran.
    Whole,
    /// How many trials may differ where no drawn one does.
    Bound {
        /// Number of strata of which every drawn trial ran.
        strata: usize,
        /// Number of their trials.
        trials: usize,
        /// The largest number of these that may differ.
        most: usize,
    },
    /// What the time does not reach.
    Unreached {
        /// Number of trials.
        trials: usize,
        /// Their strata.
        strata: Vec<Unreached>,
    },
    /// What equal numbers do not show.
    Limit,
}

/// A stratum of which no trial was drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Unreached {
    /// The benchmark.
    pub benchmark: String,
    /// The method.
    pub method: String,
    /// Expected processor time of a trial in seconds.
    pub seconds: f64,
}

/// A statement, as a line of a list.
pub fn statement(statement: &Statement) -> String {
    let text = match statement {
        Statement::Ran(grades @ [bytes, numbers, within, different]) => format!(
            "{} ran again: {bytes} with equal bytes, {numbers} with equal numbers in other bytes, \
             {within} within their tolerance, {different} different.",
            counted(grades.iter().sum(), "trial")
        ),
        Statement::Unfinished(count) => format!(
            "{} drawn and did not finish: not verified. The bounds of their strata count them as \
             different.",
            if *count == 1 { "1 trial was".into() } else { format!("{count} trials were") }
        ),
        Statement::Power { least, trials } => format!(
            "Power: if {least} of the {trials} trials ({:.2} %), chosen at random, were wrong, a \
             simple random sample of as many trials would include one of them with a probability \
             of 95 %.",
            100.0 * *least as f64 / *trials as f64
        ),
        Statement::Whole => "Every trial that can run again ran again.".into(),
        Statement::Bound { strata, trials, most } => format!(
            "Bound over the {} of which every drawn trial ran: with 95 % confidence at most {most} \
             of their {trials} trials differ, wherever these are.",
            counted_strata(*strata)
        ),
        Statement::Unreached { trials, strata } => {
            let names: Vec<String> = strata
                .iter()
                .map(|Unreached { benchmark, method, seconds }| {
                    format!("{method} in {benchmark} ({seconds:.0} s a trial)")
                })
                .collect();
            format!(
                "Nothing is known of {} with {}, which the time does not reach: {}.",
                counted_strata(strata.len()),
                counted(*trials, "trial"),
                names.join("; ")
            )
        }
        Statement::Limit => "This shows that numbers repeat, not that they are right.".into(),
    };
    format!("- {text}\n")
}

fn counted_strata(count: usize) -> String {
    format!("{count} {}", if count == 1 { "stratum" } else { "strata" })
}

/// A trial of a benchmark by its name.
pub fn trial(name: &str, benchmark: &str) -> String {
    format!("{name} of {benchmark}")
}

/// A trial that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Differing {
    /// Its name, with the benchmark.
    pub trial: String,
    /// Its key.
    pub key: String,
    /// The differences that are shown.
    pub shown: Vec<Difference>,
    /// Number of the others.
    pub hidden: usize,
    /// Why it differs, where that was looked for.
    pub cause: Option<Cause>,
}

/// What is known of why a trial differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The pack does not say where it ran.
    Unrecorded,
    /// This processor rounds products and sums one by one.
    RoundsTwice,
    /// Program, system and processor are the same.
    SameMachine,
    /// Some of them are others.
    Changed(Vec<Changed>),
}

/// Something about a machine that is not as the pack has it; `None` stands for what is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// What it is.
    pub what: &'static str,
    /// In the pack.
    pub stored: Option<String>,
    /// Here.
    pub here: Option<String>,
}

/// The trials that differ, the verdicts that change with them, and the benchmarks of which that is
/// not known, with the reason; empty where no trial differs.
pub fn differing(
    trials: &[Differing],
    changed: &[ChangedVerdict],
    unknown: &[(String, String)],
) -> String {
    if trials.is_empty() {
        return String::new();
    }
    let trials: String = trials.iter().map(differing_trial).collect();
    let verdicts = match (changed.is_empty(), unknown.is_empty()) {
        (false, _) => {
            let changed: String = changed.iter().map(changed_verdict).collect();
            format!("\nVerdicts that change:\n\n{changed}")
        }
        (true, true) => "\nWith the trials as they ran here no verdict changes.\n".to_owned(),
        (true, false) => String::new(),
    };
    let unknown: String = unknown
        .iter()
        .map(|(benchmark, why)| {
            format!("\nWhether verdicts of {benchmark} change is not known: {why}.\n")
        })
        .collect();
    format!("\n## Trials that differ\n\n{trials}{verdicts}{unknown}")
}

fn differing_trial(Differing { trial, key, shown, hidden, cause: found }: &Differing) -> String {
    let mut differences: Vec<String> = shown.iter().map(ToString::to_string).collect();
    if *hidden > 0 {
        differences.push(format!("{hidden} more"));
    }
    let cause = found.as_ref().map_or_else(String::new, |found| format!("  {}\n", cause(found)));
    format!("- {trial}, `{key}`: {}.\n{cause}", differences.join("; "))
}

fn cause(cause: &Cause) -> String {
    match cause {
        Cause::Unrecorded => "The pack does not say where it ran.".into(),
        Cause::RoundsTwice => "This processor has no fused multiply-add, so that products of \
                               matrices round twice and have other last digits."
            .into(),
        Cause::SameMachine => "Program, system and processor are those of the pack: the code has \
                               changed without a new version, or the pack states what its program \
                               did not compute."
            .into(),
        Cause::Changed(changed) => {
            let known =
                |name: &Option<String>| name.as_deref().unwrap_or("an unknown one").to_owned();
            let all: Vec<String> = changed
                .iter()
                .map(|Changed { what, stored, here }| {
                    format!("the {what} ({} in the pack, {} here)", known(stored), known(here))
                })
                .collect();
            format!(
                "The data are those of the pack. Other are {}; the code may have changed, too.",
                all.join(", ")
            )
        }
    }
}

fn changed_verdict(ChangedVerdict { benchmark, what, stored, here }: &ChangedVerdict) -> String {
    format!(
        "- {benchmark}: {what}: {stored} by the pack, {here} with the trials as they ran here.\n"
    )
}

/// Drawn trials that did not finish for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unverified<'a> {
    /// The reason.
    pub why: &'a str,
    /// The trials that are shown, with their benchmarks.
    pub trials: Vec<String>,
    /// Number of the others.
    pub hidden: usize,
}

/// The drawn trials that did not finish; empty where all did.
pub fn unverified(reasons: &[Unverified]) -> String {
    if reasons.is_empty() {
        return String::new();
    }
    let line = |Unverified { why, trials, hidden }: &Unverified| {
        let more = if *hidden > 0 { format!(" and {hidden} more") } else { String::new() };
        format!("- {why}: {}{more}.\n", trials.join("; "))
    };
    format!("\n## Drawn and not verified\n\n{}", reasons.iter().map(line).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_announced_with_what_it_rests_on() {
        let packs = [("a.pack".to_owned(), "0123".to_owned())];
        insta::assert_snapshot!(announcement(&packs).trim_end(), @"
        # Trials that run again

        - Pack a.pack: SHA-256 0123
        ");
        let excluded = [(1, "its method is external".to_owned())];
        let all = Draw {
            word: "pear",
            seed: "4567",
            excluded: &excluded,
            drawn: 3,
            trials: 10,
            reached: 2,
            strata: 4,
            seconds: 12.3,
        };
        insta::assert_snapshot!(draw(&all).trim_end(), @"
        - The reviewer's word: “pear”. Seed of the draw: 4567
        - Cannot run again: 1 trial: its method is external
        - Drawn: 3 of 10 trials, in 2 of 4 strata (benchmark and method), expected to take 13 s of processor time
        ");
    }

    #[test]
    fn each_statement_is_a_line() {
        let said = |all: &[Statement]| {
            let text: String = all.iter().map(statement).collect();
            assert_eq!(text.lines().count(), all.len());
            text.trim_end().to_owned()
        };
        insta::assert_snapshot!(said(&[Statement::Ran([4, 3, 2, 1]), Statement::Whole]), @"
        - 10 trials ran again: 4 with equal bytes, 3 with equal numbers in other bytes, 2 within their tolerance, 1 different.
        - Every trial that can run again ran again.
        ");
        let unfinished = [Statement::Unfinished(1), Statement::Unfinished(2)];
        insta::assert_snapshot!(said(&unfinished), @"
        - 1 trial was drawn and did not finish: not verified. The bounds of their strata count them as different.
        - 2 trials were drawn and did not finish: not verified. The bounds of their strata count them as different.
        ");
        insta::assert_snapshot!(said(&[Statement::Power { least: 30, trials: 1000 }]), @"- Power: if 30 of the 1000 trials (3.00 %), chosen at random, were wrong, a simple random sample of as many trials would include one of them with a probability of 95 %.");
        let bound = |strata| Statement::Bound { strata, trials: 50, most: 7 };
        insta::assert_snapshot!(said(&[bound(1), bound(2)]), @"
        - Bound over the 1 stratum of which every drawn trial ran: with 95 % confidence at most 7 of their 50 trials differ, wherever these are.
        - Bound over the 2 strata of which every drawn trial ran: with 95 % confidence at most 7 of their 50 trials differ, wherever these are.
        ");
        let stratum =
            Unreached { benchmark: "dtb-table-1".into(), method: "dtb".into(), seconds: 99.6 };
        let unreached = Statement::Unreached { trials: 1, strata: vec![stratum] };
        insta::assert_snapshot!(said(&[unreached]), @"- Nothing is known of 1 stratum with 1 trial, which the time does not reach: dtb in dtb-table-1 (100 s a trial).");
        insta::assert_snapshot!(said(&[Statement::Limit]), @"- This shows that numbers repeat, not that they are right.");
    }

    #[test]
    fn trials_that_differ_are_named_with_the_cause_and_the_verdicts() {
        let difference = Difference {
            what: "crps".into(),
            stored: "0.5".into(),
            here: "0.25".into(),
            relative: Some(0.5),
        };
        let trial = |hidden, cause| Differing {
            trial: "`dt` on yacht, split 0 of dtb-table-1".into(),
            key: "0123abcd".into(),
            shown: vec![difference.clone()],
            hidden,
            cause,
        };
        assert_eq!(differing(&[], &[], &[]), "");
        insta::assert_snapshot!(differing(&[trial(0, None)], &[], &[]).trim(), @"
        ## Trials that differ

        - `dt` on yacht, split 0 of dtb-table-1, `0123abcd`: crps: 0.5 in the pack, 0.25 here (relative difference 5.0e-1).

        With the trials as they ran here no verdict changes.
        ");
        let changed = ChangedVerdict {
            benchmark: "dtb-table-1".into(),
            what: "yacht, dtb, CRPS".into(),
            stored: "reproduced".into(),
            here: "different".into(),
        };
        let unknown = [("dtb-table-2".to_owned(), "it has no printed numbers".to_owned())];
        let all = differing(&[trial(4, Some(Cause::Unrecorded))], &[changed], &unknown);
        insta::assert_snapshot!(all.trim(), @"
        ## Trials that differ

        - `dt` on yacht, split 0 of dtb-table-1, `0123abcd`: crps: 0.5 in the pack, 0.25 here (relative difference 5.0e-1); 4 more.
          The pack does not say where it ran.

        Verdicts that change:

        - dtb-table-1: yacht, dtb, CRPS: reproduced by the pack, different with the trials as they ran here.

        Whether verdicts of dtb-table-2 change is not known: it has no printed numbers.
        ");
        assert!(!differing(&[trial(0, None)], &[], &unknown).contains("no verdict"));
    }

    #[test]
    fn each_cause_is_stated() {
        insta::assert_snapshot!(cause(&Cause::RoundsTwice), @"This processor has no fused multiply-add, so that products of matrices round twice and have other last digits.");
        insta::assert_snapshot!(cause(&Cause::SameMachine), @"Program, system and processor are those of the pack: the code has changed without a new version, or the pack states what its program did not compute.");
        let program =
            Changed { what: "program", stored: Some("a 1".into()), here: Some("a 2".into()) };
        let processor = Changed { what: "processor", stored: None, here: Some("P".into()) };
        insta::assert_snapshot!(cause(&Cause::Changed(vec![program, processor])), @"The data are those of the pack. Other are the program (a 1 in the pack, a 2 here), the processor (an unknown one in the pack, P here); the code may have changed, too.");
    }

    #[test]
    fn trials_that_did_not_finish_are_named_by_reason() {
        let reason = |why, hidden| Unverified { why, trials: vec!["a".into(), "b".into()], hidden };
        assert_eq!(unverified(&[]), "");
        let reasons = [reason("timed out", 0), reason("out of memory", 4)];
        insta::assert_snapshot!(unverified(&reasons).trim(), @"
        ## Drawn and not verified

        - timed out: a; b.
        - out of memory: a; b and 4 more.
        ");
    }
}
