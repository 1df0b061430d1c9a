//! Explain how a smaller run lies beside the shipped run.

use crate::grid::counted;

/// The section of a smaller run beside the shipped run, around its table in Markdown.
pub fn section(table: &str) -> String {
    format!(
        "\n## This machine's run beside the shipped run\n\n{table}\nMeans of few splits decide \
         nothing. One agrees where it lies in the 95 % prediction interval of a mean of as many \
         splits of the shipped run, widened by the verdict's tolerance; one in twenty fails by \
         chance. Where the smaller profile trains for fewer steps, more may fail.\n"
    )
}

/// The columns that do not agree: those that are named, and how many others there are.
pub fn disagreeing(named: &[String], others: usize) -> String {
    let others = match others {
        0 => String::new(),
        others => format!(" and {}", counted(others, "other")),
    };
    named.join("; ") + &others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_do_not_agree_are_named_or_counted() {
        let named = ["Boston JCM", "Energy GP"].map(str::to_owned);
        insta::assert_snapshot!(disagreeing(&named, 0), @"Boston JCM; Energy GP");
        insta::assert_snapshot!(disagreeing(&named, 1), @"Boston JCM; Energy GP and 1 other");
        insta::assert_snapshot!(disagreeing(&named, 2), @"Boston JCM; Energy GP and 2 others");
        insta::assert_snapshot!(section("TABLE\n"), @"

        ## This machine's run beside the shipped run

        TABLE

        Means of few splits decide nothing. One agrees where it lies in the 95 % prediction interval of a mean of as many splits of the shipped run, widened by the verdict's tolerance; one in twenty fails by chance. Where the smaller profile trains for fewer steps, more may fail.
        ");
    }
}
