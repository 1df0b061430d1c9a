//! Say in the index what its tables count, and where more is.

/// What the index of benchmarks about papers is called.
pub const TITLE: &str = "Reports of uqbench";

/// What the table of benchmarks that are about no paper leads to, in Markdown.
pub const BESIDE_BENCHMARKS: &str = "Rows, features and SHA-256 of each dataset: \
    [data.csv](data.csv). Every claim with its judgement: [scorecard.csv](scorecard.csv). Where \
    each protocol comes from: [provenance.md](provenance.md).";

/// What the columns of the table of tables and figures count.
pub const COUNTS: &str = "Reproduced or close: of the printed numbers that are judged, in a \
    smaller profile by the shipped run. By chance: how many would agree if the printed numbers of \
    each row were shuffled among the columns that print one. Claims: how many sentences hold of \
    those that this run decides; “by reading”: its readings disagree; a sentence that several \
    tables read counts in each of them here, and once in the table above. By thresholds of ours: \
    how many readings hang on a threshold that we chose, because the paper states none.";

/// What the table of tables and figures leads to, in Markdown.
pub const BESIDE_TABLES: &str = "How often each verdict occurs in a table: \
    [verdicts.csv](verdicts.csv); how a verdict is reached: `docs/understand/verdicts.md` of \
    uqbench. Every printed number and every claim, with its verdict: \
    [scorecard.csv](scorecard.csv). What is wrong or open in the papers: [errata.md](errata.md). \
    Where each protocol comes from, what else was tried, and the first trial behind each number: \
    [provenance.md](provenance.md). Rows, features and SHA-256 of each dataset: \
    [data.csv](data.csv).";

/// What a table shows where the hash of a dataset is not known.
pub const NO_HASH: &str = "not known yet";

/// What is not shown where the report cannot be written as JSON.
pub fn json(why: impl std::fmt::Display) -> String {
    format!("the report as JSON: {why}")
}

/// A sentence on the number of damaged trials that were met, and one on those that cannot be read,
/// each with a blank before it; empty where there was none.
pub fn damage_line(damaged: usize, unreadable: usize) -> String {
    let sentence = |count: usize, [one, several]: [&str; 2]| match count {
        0 => String::new(),
        1 => format!(" 1 stored trial {one} and was left out."),
        count => format!(" {count} stored trials {several} and were left out."),
    };
    sentence(damaged, ["is damaged", "are damaged"])
        + &sentence(unreadable, ["cannot be read", "cannot be read"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_that_were_left_out_are_counted() {
        assert_eq!(damage_line(0, 0), "");
        insta::assert_snapshot!(damage_line(1, 2).trim_start(), @"1 stored trial is damaged and was left out. 2 stored trials cannot be read and were left out.");
        insta::assert_snapshot!(damage_line(2, 1).trim_start(), @"2 stored trials are damaged and were left out. 1 stored trial cannot be read and was left out.");
        insta::assert_snapshot!(json("why"), @"the report as JSON: why");
    }

    #[test]
    fn tables_are_explained_and_lead_to_files() {
        insta::assert_snapshot!(COUNTS, @"Reproduced or close: of the printed numbers that are judged, in a smaller profile by the shipped run. By chance: how many would agree if the printed numbers of each row were shuffled among the columns that print one. Claims: how many sentences hold of those that this run decides; “by reading”: its readings disagree; a sentence that several tables read counts in each of them here, and once in the table above. By thresholds of ours: how many readings hang on a threshold that we chose, because the paper states none.");
        insta::assert_snapshot!(BESIDE_TABLES, @"How often each verdict occurs in a table: [verdicts.csv](verdicts.csv); how a verdict is reached: `docs/understand/verdicts.md` of uqbench. Every printed number and every claim, with its verdict: [scorecard.csv](scorecard.csv). What is wrong or open in the papers: [errata.md](errata.md). Where each protocol comes from, what else was tried, and the first trial behind each number: [provenance.md](provenance.md). Rows, features and SHA-256 of each dataset: [data.csv](data.csv).");
        insta::assert_snapshot!(BESIDE_BENCHMARKS, @"Rows, features and SHA-256 of each dataset: [data.csv](data.csv). Every claim with its judgement: [scorecard.csv](scorecard.csv). Where each protocol comes from: [provenance.md](provenance.md).");
    }
}
