//! Suggest a similar name for an unknown one, and name a number of things.

/// The candidate most similar to `name`, if any is similar at all.
pub fn nearest_name<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    // Common beginnings count more than typing errors; swapped letters count little.
    let name = name.to_lowercase();
    let similarity = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        strsim::jaro_winkler(&candidate, &name).max(strsim::normalized_damerau_levenshtein(&candidate, &name))
    };
    candidates
        .into_iter()
        .map(|candidate| (similarity(candidate), candidate))
        .filter(|(similarity, _)| *similarity > 0.65)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate.to_owned())
}

/// The end of a message on an unknown name.
pub fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!(", did you mean `{name}`?")).unwrap_or_default()
}

/// A number of things: `1 pair`, `2 pairs`.
pub fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_are_seen_through() {
        let guess = |name| nearest_name(name, ["dtb", "tree", "linear-gaussian"]);
        assert_eq!(guess("dbt").as_deref(), Some("dtb"));
        assert_eq!(guess("Linear-Gausian").as_deref(), Some("linear-gaussian"));
        assert_eq!(guess("wavelets"), None);
        assert_eq!(nearest_name("a", ["A", "B"]).as_deref(), Some("A"), "capital letters are no difference");
    }
}
