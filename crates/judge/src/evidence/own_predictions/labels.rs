//! Find labels of several files that mean the same: `1`, `1.0` and `01`, with or without blanks
//! around them.

use std::collections::{HashMap, HashSet};

use super::forms::{Labels, OwnFile};
use uq_core::printable::printable;

/// Largest whole number that is one label however it is written.
const LARGEST: f64 = 9_007_199_254_740_992.0;

/// Which labels of a file.
type Kind = fn(&mut Labels) -> &mut Option<Vec<String>>;

/// Writes labels of splits, groups and rows as the first file that has them does, where all of them
/// are whole numbers. Blanks around any label are left out.
pub fn unite_labels(files: &mut [OwnFile]) {
    let kinds: [Kind; 4] = [
        |labels| &mut labels.split,
        |labels| &mut labels.group,
        |labels| &mut labels.row,
        |labels| &mut labels.method,
    ];
    for kind in kinds {
        let labels = files.iter_mut().filter_map(|file| kind(&mut file.labels).as_mut()).flatten();
        labels
            .filter(|label| label.trim().len() < label.len())
            .for_each(|label| *label = label.trim().to_owned());
    }
    // Methods may be called 1 and 1.0, because they are named to be told apart.
    kinds[..3].iter().for_each(|kind| unite(files, *kind));
}

/// The same of one kind of labels. Where a method has two labels that would become one, all stay as
/// they are.
fn unite(files: &mut [OwnFile], kind: Kind) {
    let mut written: HashMap<u64, String> = HashMap::new();
    let mut is_like_first = true;
    for file in files.iter_mut() {
        let methods = file.labels.method.clone();
        let Some(labels) = kind(&mut file.labels) else { continue };
        let mut known: HashMap<(&str, u64), &str> = HashMap::new();
        for (row, label) in labels.iter().enumerate() {
            let Some(number) = whole(label) else { return };
            let method = methods.as_ref().map_or("", |methods| methods[row].as_str());
            if *known.entry((method, number)).or_insert(label) != label {
                return;
            }
            let first = written.entry(number).or_insert_with(|| label.clone());
            is_like_first &= first == label;
        }
    }
    if is_like_first {
        return;
    }
    for labels in files.iter_mut().filter_map(|file| kind(&mut file.labels).as_mut()) {
        for label in labels {
            if let Some(first) = whole(label).and_then(|number| written.get(&number)) {
                label.clone_from(first);
            }
        }
    }
}

/// The whole number, not negative, that a label is.
fn whole(label: &str) -> Option<u64> {
    let is_plain = label.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = label
        .parse::<f64>()
        .ok()
        .filter(|number| is_plain && number.fract() == 0.0 && *number < LARGEST)?;
    Some(number as u64)
}

/// How one method writes a label that another one lacks, where both mean the same number or differ
/// in case and blanks: the cause in words.
pub(super) fn describe_spelling<'a>(
    missing: &str,
    known: impl Iterator<Item = &'a str>,
) -> Option<String> {
    let number = |label: &str| label.trim().replace(',', ".").parse::<f64>().ok();
    let plain = |label: &str| label.trim().to_lowercase();
    let is_same = |label: &&str| {
        plain(label) == plain(missing)
            || number(label).zip(number(missing)).is_some_and(|(a, b)| a == b)
    };
    let mut known = known;
    let other = known.find(is_same)?;
    Some(format!(
        "\"{}\" in one file and \"{}\" in the other",
        printable(missing, 60),
        printable(other, 60)
    ))
}

/// The first labels of a list, each once, for a message.
pub(super) fn listed<'a>(labels: impl Iterator<Item = &'a str>) -> String {
    let mut known = HashSet::new();
    let each: Vec<String> = labels
        .filter(|label| known.insert(*label))
        .take(6)
        .map(|label| format!("\"{}\"", printable(label, 30)))
        .collect();
    if known.len() > 5 { format!("{}, …", each[..5].join(", ")) } else { each.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uqbench_data::own::Cells;

    fn file(name: &str, text: &str) -> OwnFile {
        OwnFile::new(&Cells::parse(name, text.as_bytes()).unwrap(), name, "y", None, None).unwrap()
    }

    fn splits(a: &[&str], b: &[&str]) -> Vec<String> {
        let text = |labels: &[&str]| {
            let rows: String =
                labels.iter().map(|label| format!("\"{label}\",1.5,1,1\n")).collect();
            format!("split,y,mean,sd\n{rows}")
        };
        let mut files = [file("a", &text(a)), file("b", &text(b))];
        unite_labels(&mut files);
        files[1].labels.split.clone().unwrap()
    }

    #[test]
    fn whole_numbers_are_one_label_however_they_are_written() {
        assert_eq!(splits(&["0", "1", "1"], &["0.0", "1.0", "01"][..2]), ["0", "1"]);
        assert_eq!(splits(&["01", "02"], &["1", "2"]), ["01", "02"], "as the first file has them");
        assert_eq!(splits(&["1.0"], &["1.", "2"]), ["1.0", "2"]);
    }

    #[test]
    fn other_labels_stay() {
        assert_eq!(splits(&["1", "a"], &["1.0", "a"]), ["1.0", "a"], "one is no number");
        assert_eq!(
            splits(&["1", "01"], &["1.0", "1.0"]),
            ["1.0", "1.0"],
            "two labels would become one"
        );
        assert_eq!(splits(&["1", "2"], &["1.5", "2"]), ["1.5", "2"]);
        assert_eq!(splits(&["1", "2"], &["-1", "2"]), ["-1", "2"]);
        assert_eq!(splits(&["01", "02"], &["01", "02"]), ["01", "02"]);
    }

    #[test]
    fn another_spelling_is_named() {
        assert!(
            describe_spelling("1", ["2.0", "1.0"].into_iter())
                .is_some_and(|told| told.contains("\"1.0\""))
        );
        assert!(describe_spelling("Fold 1", ["fold 1"].into_iter()).is_some());
        assert_eq!(describe_spelling("1", ["2", "3"].into_iter()), None);
    }
}
