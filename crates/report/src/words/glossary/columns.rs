//! Say what the columns of tables have that are no metrics.

/// A column of the tables of a page that stands alone.
#[derive(Debug)]
pub struct Column {
    /// Its headings.
    pub heads: &'static [&'static str],
    /// Its name in an anchor.
    pub name: &'static str,
    /// What it has.
    pub meaning: &'static str,
    /// The paper behind it; may be empty.
    pub paper: &'static str,
}

const fn column(
    heads: &'static [&'static str],
    name: &'static str,
    meaning: &'static str,
    paper: &'static str,
) -> Column {
    Column { heads, name, meaning, paper }
}

/// The columns of comparisons, scores and tries that are no metrics.
pub const COLUMNS: [Column; 11] = [
    column(
        &["Gain"],
        "gain",
        "A mean loss less another one on the same splits: that of the reference less that of the \
         method, or that of the first store less that of the second. Positive is better.",
        "",
    ),
    column(
        &["Interval"],
        "interval",
        "The interval of the gain at 95 %: Student's, Holm-corrected over the comparisons of the \
         table. Between methods it has the variance (1/n + test/train) s², because training sets \
         overlap.",
        "Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52, \
         239–281",
    ),
    column(
        &["p (Holm)"],
        "p",
        "The p-value of the difference, Holm-corrected over the comparisons of the table.",
        "Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian \
         Journal of Statistics 6, 65–70",
    ),
    column(
        &["Equal within ±"],
        "region",
        "Half width of the region of practical equivalence: a gain inside it makes no difference \
         in practice.",
        POSTERIOR,
    ),
    column(
        &["P(better)", "P(equivalent)", "P(worse)"],
        "posterior",
        "Posterior probability of the correlated t-test that the gain lies above, inside or below \
         the region of practical equivalence.",
        POSTERIOR,
    ),
    column(
        &["Decision"],
        "decision",
        "Better or worse where the corrected p is below 0.05; equivalent where the whole interval \
         lies inside the region of practical equivalence; both where both hold; else undecided.",
        "",
    ),
    column(
        &["Smallest detectable"],
        "detectable",
        "The smallest gain that this design would find significant on its own.",
        "",
    ),
    column(
        &["Mean rank"],
        "rank",
        "The mean over datasets of a method's place by its mean loss; 1 is best, and ties share \
         their mean rank.",
        "Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of \
         Machine Learning Research 7, 1–30",
    ),
    column(
        &["W+", "W−"],
        "signed-rank",
        "Wilcoxon's sums of ranks of the datasets' mean gains: of those on which the first method \
         is better, and of the others.",
        "Wilcoxon (1945), Individual comparisons by ranking methods, Biometrics Bulletin 1, 80–83",
    ),
    column(
        &["Judged"],
        "judged",
        "Whether the coverage of intervals is near the level: its whole interval lies within two \
         points of it. Too low: the intervals are too narrow. Too high: they are wider than \
         necessary. Unclear: there are too few rows. The note below the table has the rule.",
        "Clopper and Pearson (1934), The use of confidence or fiducial limits illustrated in the \
         case of the binomial, Biometrika 26, 404–413",
    ),
    column(
        &["Change"],
        "change",
        "How the scores of the second store differ from those of the first. Lost: repetitions that \
         had a score have none. Statistically worse, statistically better: the interval of the \
         gain excludes no change. Worse beyond the tolerance: worse in the mean by more than the \
         tolerance, and not significantly. Different: by more than rounding, and neither of these. \
         Numerically different: by no more than rounding. New: there was no score. The same: every \
         score has the same bits.",
        "",
    ),
];

/// What the tables of some benchmarks have instead of metrics: what is computed from many trials.
pub const DERIVED: [Column; 15] = [
    column(
        &["By chance", "by chance"],
        "by-chance",
        "How many printed numbers would be reproduced or close if the printed numbers of each row \
         were dealt to its columns at random. It counts no `none`.",
        "",
    ),
    column(
        &["Critical difference"],
        "critical-difference",
        "Mean ranks that differ by less are not significantly different at 5 %: q √(k (k + 1) / (6 \
         N)), with k methods, N datasets and q the upper 5 % point of the studentised range over \
         √2.",
        "Nemenyi (1963), Distribution-free multiple comparisons; Demšar (2006), Statistical \
         comparisons of classifiers over multiple data sets, Journal of Machine Learning Research \
         7, 1–30",
    ),
    column(
        &["level"],
        "level",
        "ln Σ e − ln Σ t over the regions, e the stated and t the true variance of a region: 0 is \
         right, ln 2 = 0.69 states twice the variance.",
        "",
    ),
    column(
        &["unevenness"],
        "unevenness",
        "The mean over the regions of |ln(e / t)|, e the stated and t the true variance of a \
         region, each a mean over replicates: 0 is right in every region.",
        "",
    ),
    column(
        &["rank over regions"],
        "rank-over-regions",
        "The rank correlation of the stated and the true variance over the regions; 1 has the \
         regions in the right order.",
        "Spearman (1904), The proof and measurement of association between two things, American \
         Journal of Psychology 15, 72–101",
    ),
    column(
        &["skill against the best constant"],
        "skill-against-constant",
        "1 − loss / loss of the best constant variance, which knows the true mean. The loss is the \
         mean of t/e − ln(t/e) − 1, e the stated and t the true variance of a region: 1 is \
         perfect, 0 no better than that constant.",
        "Itakura and Saito (1968), Analysis synthesis telephony based on the maximum likelihood \
         method, 6th International Congress on Acoustics, C-17; Patton (2011), Volatility forecast \
         comparison using imperfect volatility proxies, Journal of Econometrics 160, 246–256",
    ),
    column(
        &["Error of the mean, and the share of the bias"],
        "share-of-bias",
        "The root of the mean over test rows and replicates of (m − f)², m the predicted mean and \
         f the true function. In brackets the share of (mean of m over replicates − f)² in that \
         square.",
        "Geman, Bienenstock and Doursat (1992), Neural networks and the bias/variance dilemma, \
         Neural Computation 4, 1–58",
    ),
    column(
        &["Area of the learning curve", "Areas of the learning curves"],
        "learning-curve-area",
        "The mean height of the curve of a score over the number of known rows, by the trapezoidal \
         rule.",
        "",
    ),
    column(
        &["Gain over random rows, and the gain that could be found"],
        "gain-over-random",
        "The area of a learning curve less that of random rows after the same first fit, so that \
         positive is better. In brackets the smallest gain that the design would find significant \
         at 5 % on its own.",
        "",
    ),
    column(
        &["Spread of the batches"],
        "batch-spread",
        "The mean distance of a batch's rows to the nearest other row of the batch, divided by \
         that of random batches: 1 is as diverse as random rows.",
        "",
    ),
    column(
        &["Simple regret"],
        "simple-regret",
        "The maximum of the objective, or the best value that is known, less the best value found. \
         Lower is better, 0 is the maximum.",
        "Bubeck, Munos and Stoltz (2009), Pure exploration in multi-armed bandits problems, \
         Algorithmic Learning Theory, 23–37",
    ),
    column(
        &["Feasible"],
        "feasible",
        "The share of the evaluations after the start that violate no constraint.",
        "",
    ),
    column(
        &["At sides"],
        "at-sides",
        "The share of the inputs of the evaluated points that lie within 1 % of a side of the \
         domain.",
        "",
    ),
    column(
        &["Same choice"],
        "same-choice",
        "The share of the steps in which the entropy itself is largest at the same candidate as \
         its lower bound, by which the method chooses.",
        "",
    ),
    column(
        &["Not mixed"],
        "not-mixed",
        "The share of the steps in which Markov chains have an R-hat above 1.05, so that they may \
         not have reached their common distribution.",
        "Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021), Rank-normalization, folding, and \
         localization: an improved R-hat for assessing convergence of MCMC, Bayesian Analysis 16, \
         667–718",
    ),
];

impl Column {
    /// Whether a heading has its name: alone, before a colon, or after one.
    pub fn is_in(&self, title: &str) -> bool {
        let has = |head: &&str| {
            let before = title
                .strip_prefix(head)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
            before || title.strip_suffix(head).is_some_and(|rest| rest.ends_with(": "))
        };
        self.heads.iter().any(has)
    }
}

/// The paper behind decisions.
const POSTERIOR: &str = "Corani and Benavoli (2015), A Bayesian approach for comparing \
    cross-validated algorithms on multiple data sets, Machine Learning 100, 285–304";

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_judge::judgement::change::Change;

    #[test]
    fn every_change_of_a_column_is_explained() {
        let column = COLUMNS.iter().find(|column| column.name == "change").unwrap();
        for change in Change::ALL {
            assert!(column.meaning.to_lowercase().contains(change.word()), "{}", change.word());
        }
    }
}
