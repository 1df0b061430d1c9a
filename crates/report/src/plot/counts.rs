//! Say how many repetitions a figure shows.

/// A count that all curves or bars share, or the least and the largest, such as `18 to 20`.
pub fn least_to_most(counts: impl Iterator<Item = usize> + Clone) -> String {
    match (counts.clone().min(), counts.max()) {
        (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
        (_, most) => most.unwrap_or(0).to_string(),
    }
}
