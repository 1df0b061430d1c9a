//! Know the columns of new rows by their names in another case.

use std::collections::{HashMap, HashSet};

use super::cells::Cells;
use super::error::SHOWN;
use super::finding::{Finding, Topic};
use uq_core::printable::printable;

impl Cells {
    /// The same cells whose columns have these names where they have them in another case, or with
    /// blanks around them, and no other column has.
    #[must_use]
    pub fn named_as(mut self, names: &[&str]) -> (Self, Option<Finding>) {
        let plain = |name: &str| name.trim().to_lowercase();
        let known: HashSet<&str> = names.iter().copied().collect();
        let mut wanted: HashMap<String, Vec<&str>> = HashMap::new();
        known.iter().for_each(|name| wanted.entry(plain(name)).or_default().push(name));
        let mut spare: HashMap<String, Vec<usize>> = HashMap::new();
        let others =
            self.names.iter().enumerate().filter(|(_, found)| !known.contains(found.as_str()));
        others.for_each(|(place, found)| spare.entry(plain(found)).or_default().push(place));
        let present: HashSet<&str> = self.names.iter().map(String::as_str).collect();
        let only = |(plain, places): (&String, &Vec<usize>)| match (
            wanted.get(plain).map(Vec::as_slice),
            &places[..],
        ) {
            (Some([name]), [place]) if !present.contains(name) => Some((*place, *name)),
            _ => None,
        };
        let mut renamed: Vec<(usize, &str)> = spare.iter().filter_map(only).collect();
        renamed.sort_unstable();
        let quoted = |name: &str| format!("\"{}\"", printable(name, SHOWN));
        let each = renamed
            .iter()
            .map(|(place, name)| format!("{} is {}", quoted(&self.names[*place]), quoted(name)));
        let told = printable(&each.collect::<Vec<_>>().join(", "), 300);
        let finding = (!renamed.is_empty()).then(|| {
            let text = format!(
                "{}: names of columns are taken for those of the table in another case: {told}",
                self.file
            );
            Finding::note(text).about(Topic::Names, renamed.iter().map(|(_, name)| *name))
        });
        for (place, name) in renamed {
            self.names[place] = name.to_owned();
        }
        (self, finding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_another_case_are_known_where_only_one_is_meant() {
        let of = |header: &str, names: &[&str]| {
            let (cells, finding) =
                Cells::parse("f", format!("{header}\n1,2,3\n").as_bytes()).unwrap().named_as(names);
            (cells.names.join(","), finding.map_or(Vec::new(), |finding| finding.columns))
        };
        assert_eq!(of("A,b,c", &["a", "B"]), ("a,B,c".into(), vec!["a".to_owned(), "B".into()]));
        assert_eq!(of("a,b,c", &["a", "b"]), ("a,b,c".into(), Vec::new()));
        assert_eq!(of("A,\u{c4}x,c", &["a", "\u{e4}X"]).0, "a,\u{e4}X,c");
        assert_eq!(of("Ab,AB,c", &["ab"]).0, "Ab,AB,c", "nobody knows which");
        assert_eq!(of("a,b,c", &["a", "A"]).0, "a,b,c", "two columns of the table");
        assert_eq!(of("X,b,c", &["x", "X"]).0, "X,b,c");
    }
}
