//! Suggest a similar name for an unknown one, and name a number of things.

/// The candidate most similar to `name`, if any is similar at all; else the first one that has its
/// words.
pub fn nearest_name<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let with_words = || names_with_words(name, candidates.iter().copied()).into_iter().next();
    // Common beginnings count more than typing errors; swapped letters count little.
    let name = name.to_lowercase();
    let similarity = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        strsim::jaro_winkler(&candidate, &name)
            .max(strsim::normalized_damerau_levenshtein(&candidate, &name))
    };
    let similar = candidates.iter().map(|candidate| (similarity(candidate), *candidate));
    let nearest =
        similar.filter(|(similarity, _)| *similarity > 0.65).max_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map(|(_, candidate)| candidate.to_owned()).or_else(with_words)
}

/// The candidates that have all words of `name`: `quantile-forest` has the word `forest`.
pub fn names_with_words<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Vec<String> {
    let words = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        parts.map(str::to_lowercase).collect()
    };
    let wanted = words(name);
    let has_all = |candidate: &&str| {
        let own = words(candidate);
        !wanted.is_empty() && wanted.iter().all(|word| own.contains(word))
    };
    candidates.into_iter().filter(has_all).map(str::to_owned).collect()
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
        assert_eq!(
            nearest_name("a", ["A", "B"]).as_deref(),
            Some("A"),
            "capital letters are no difference"
        );
    }

    #[test]
    fn a_word_of_a_name_leads_to_the_names_that_have_it() {
        let all = ["quantile-forest", "linfa-forest", "sale price", "forestry"];
        assert_eq!(names_with_words("Forest", all), ["quantile-forest", "linfa-forest"]);
        assert_eq!(names_with_words("forest quantile", all), ["quantile-forest"]);
        assert!(names_with_words("--", all).is_empty() && names_with_words("for", all).is_empty());
        assert_eq!(nearest_name("price", ["area", "sale price"]).as_deref(), Some("sale price"));
    }
}
