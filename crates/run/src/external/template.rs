//! Offer a small whole method to start from, in each of some languages.

/// A method in Python, which needs no package.
const PYTHON: &str = include_str!("templates/method.py");
/// A method in R, which needs no package.
const R: &str = include_str!("templates/method.R");

/// The endings of the files for which there is a template, each with the program that runs it.
pub const TEMPLATES: [(&str, &str); 2] = [("py", "python3"), ("R", "Rscript")];

/// The template for files of this ending.
pub fn template(ending: &str) -> Option<&'static str> {
    match ending {
        "py" => Some(PYTHON),
        "R" => Some(R),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::external::contract::CONTRACT;

    #[test]
    fn every_template_follows_this_contract() {
        for (ending, _) in TEMPLATES {
            let text = template(ending).unwrap();
            assert!(text.contains(&format!("\"contract\": {CONTRACT}")), "{ending}");
        }
        assert_eq!(template("txt"), None);
    }
}
