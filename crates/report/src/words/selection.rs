//! Say how the findings that a reader sees first are chosen.

/// What the reader is told of the choice, where benchmarks are about papers and where they are
/// about none.
pub fn rule(is_of_papers: bool) -> &'static str {
    if is_of_papers {
        "Up to thirteen results. First comes, for each paper that has one, the worst one for its own \
         method or for our version of a method, or else the lowest coverage or the ranking over most \
         datasets. Then, as room allows, come that ranking, the best result, a claim that fails, and \
         the lowest coverage. Each links to its evidence."
    } else {
        "Up to thirteen results. First comes the worst one for the benchmark's own method, or else \
         the lowest coverage or the ranking over most datasets. Then, as room allows, come that \
         ranking, the best result, a claim that fails, and the lowest coverage. Each links to its \
         evidence."
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_is_explained_with_papers_and_without() {
        insta::assert_snapshot!(rule(true), @"Up to thirteen results. First comes, for each paper that has one, the worst one for its own method or for our version of a method, or else the lowest coverage or the ranking over most datasets. Then, as room allows, come that ranking, the best result, a claim that fails, and the lowest coverage. Each links to its evidence.");
        insta::assert_snapshot!(rule(false), @"Up to thirteen results. First comes the worst one for the benchmark's own method, or else the lowest coverage or the ranking over most datasets. Then, as room allows, come that ranking, the best result, a claim that fails, and the lowest coverage. Each links to its evidence.");
    }
}
