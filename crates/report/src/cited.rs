//! Find the errata that words cite, and those behind a variant.

use uqbench_run::benchmark::Benchmark;
use uqbench_run::benchmark::papers::{Erratum, topics};

/// What stands before the names of errata in words: `errata.md, JCM 6, 12 and 14`.
const CITED: &str = "errata.md, ";

/// Whether an erratum of a benchmark's paper has the name of a variant, or the benchmark file cites
/// it where it says what the variant is.
pub fn has_variant(one: &Erratum, benchmark: &Benchmark, variant: &str) -> bool {
    let tried = benchmark
        .provenance
        .alternatives
        .iter()
        .filter(|tried| tried.row.as_deref() == Some(variant));
    one.paper == benchmark.paper
        && (one.has_name(variant)
            || tried.flat_map(|tried| [&tried.what, &tried.outcome]).any(|words| cites(words, one)))
}

/// Whether words cite an erratum.
pub fn cites(words: &str, one: &Erratum) -> bool {
    cited(words).iter().any(|(_, named)| *named == Some(one.name()))
}

/// A text in parts. The number of each erratum that it cites is a part with the erratum's paper and
/// number.
pub fn cited(text: &str) -> Vec<(&str, Option<(&'static str, usize)>)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(CITED) {
        let (before, after) = rest.split_at(at + CITED.len());
        parts.push((before, None));
        rest = after;
        let topic = topics()
            .find_map(|topic| Some((topic.key, rest.strip_prefix(topic.name)?.strip_prefix(' ')?)));
        let Some((paper, mut numbers)) = topic else { continue };
        loop {
            let end = numbers.find(|c: char| !c.is_ascii_digit()).unwrap_or(numbers.len());
            let (digits, after) = numbers.split_at(end);
            let Ok(number) = digits.parse() else { break };
            parts.push((&rest[..rest.len() - numbers.len()], None));
            parts.push((digits, Some((paper, number))));
            rest = after;
            let Some(next) = [", ", " and "].iter().find_map(|gap| rest.strip_prefix(gap)) else {
                break;
            };
            numbers = next;
        }
    }
    parts.push((rest, None));
    parts
}

/// Words in which each erratum that is cited is a link in Markdown to its `address`; `plain` writes
/// the other words.
pub fn linked(
    text: &str,
    all: &[Erratum],
    address: impl Fn(&Erratum) -> String,
    plain: impl Fn(&str) -> String,
) -> String {
    let written =
        |(part, named): (&str, Option<_>)| match all.iter().find(|one| Some(one.name()) == named) {
            Some(one) => format!("[{part}]({})", address(one)),
            None => plain(part),
        };
    cited(text).into_iter().map(written).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_run::benchmark::papers::errata;

    #[test]
    fn what_is_cited_and_exists_becomes_a_link() {
        let link = |text: &str| linked(text, errata(), Erratum::address, str::to_uppercase);
        assert_eq!(link("see errata.md, JCM 6."), "SEE ERRATA.MD, JCM [6](errata/jcm.md#jcm-6).");
        assert_eq!(link("see errata.md, JCM 9999."), "SEE ERRATA.MD, JCM 9999.");
    }

    #[test]
    fn each_number_of_a_list_is_cited() {
        let words =
            "a (errata.md, JCM 6, 12 and 14), b errata.md, Baselines 2. c errata.md, x, errata.md";
        let parts = cited(words);
        assert_eq!(parts.iter().map(|(part, _)| *part).collect::<String>(), words);
        let named: Vec<_> =
            parts.into_iter().filter_map(|(part, named)| Some((part, named?))).collect();
        let [six, twelve, fourteen] = [6, 12, 14].map(|number| ("jcm", number));
        assert_eq!(named, [("6", six), ("12", twelve), ("14", fourteen), ("2", ("baselines", 2))]);
        assert_eq!(cited("errata.md, JCM and 12"), [("errata.md, ", None), ("JCM and 12", None)]);
        assert_eq!(cited("JCM 6"), [("JCM 6", None)], "a paper and a number alone are no item");
    }
}
