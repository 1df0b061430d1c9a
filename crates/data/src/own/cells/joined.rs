//! Join predictions with what came true, by the column that identifies the rows.

use std::collections::HashMap;

use super::{Cells, Row};
use crate::own::error::{OwnError, SHOWN, shape};
use crate::own::finding::Finding;
use crate::own::missing::is_missing_number;
use crate::own::words::Setting;
use uq_core::names::counted;
use uq_core::printable::printable;

/// The column by which scores know a row.
const ROW: &str = "row";

/// Most identifiers that a message names.
const MOST: usize = 5;

/// Where the outcomes of predictions are.
#[derive(Clone, Copy, Debug)]
pub struct Truth<'a> {
    /// Their file.
    pub cells: &'a Cells,
    /// The column of both files that identifies the rows.
    pub id: &'a str,
    /// The column of the outcomes.
    pub outcome: &'a str,
    /// A further column of their file that is needed, such as that of times.
    pub further: Option<&'a str>,
}

/// Predictions with their outcomes.
#[derive(Clone, Debug)]
pub struct Joined {
    /// The rows that have an outcome, with it as the last column but for a further one; the column
    /// of identifiers is called `row`, in place of a column of that name.
    pub cells: Cells,
    /// Which predictions have no outcome.
    pub left_out: Option<Finding>,
    /// How many outcomes have no prediction.
    pub unused: Option<Finding>,
}

impl Cells {
    /// These predictions with the outcomes of the rows of `truth` that have the same text in the
    /// column of identifiers; whole numbers are the same however they are written, unless a file
    /// tells two writings of one apart. Several predictions may be of one row, such as those of
    /// several methods. The column `row` of predictions is the number of the new row, so that a
    /// truth without such a column is joined by its own rows, from 1.
    ///
    /// # Errors
    /// [`OwnError::UnknownColumn`] for a file without the column; [`OwnError::Column`] where the
    /// predictions have outcomes of their own; [`OwnError::Cell`] for two outcomes of one row;
    /// [`OwnError::Shape`] where no row has an outcome.
    pub fn joined(&self, truth: &Truth) -> Result<Joined, OwnError> {
        let Truth { cells: truth, id, outcome, further } = *truth;
        let own = self.place(Setting::Id, id)?;
        let numbered = (id == ROW && truth.find(ROW).is_none()).then(|| truth.numbered());
        let truth = numbered.as_ref().unwrap_or(truth);
        let other = truth.place(Setting::Id, id)?;
        let values = truth.place(Setting::Outcome, outcome)?;
        let further = further.map(|name| truth.place(Setting::Time, name)).transpose()?;
        self.refuse_foreign(&[own])?;
        truth.refuse_foreign(&[&[other, values][..], further.as_slice()].concat())?;
        if let Some(place) = self.find(outcome) {
            return Err(OwnError::Column {
                file: self.file.clone(),
                column: printable(&self.names[place], SHOWN),
                found: format!("a column of outcomes, which {} has, too", truth.file),
                expected: "outcomes in one of the two files alone: remove this column".into(),
            });
        }
        let by_number = self.tells_numbers_apart(own) && truth.tells_numbers_apart(other);
        let key = |text: &str| match whole(text).filter(|_| by_number) {
            Some(number) => number.to_string(),
            None => text.trim().to_owned(),
        };
        let outcomes = truth.outcomes(other, values, key)?;
        let taken = [&[values][..], further.as_slice()].concat();
        let mut found = HashMap::new();
        let (mut rows, mut without) = (Vec::new(), Vec::new());
        for row in 0..self.rows() {
            let name = key(self.text(row, own));
            match outcomes.get(&name) {
                Some(&of) => {
                    let texts: Vec<&str> =
                        taken.iter().map(|place| truth.text(of, *place)).collect();
                    rows.push(self.with_outcome(row, own, &texts));
                    found.insert(name, ());
                }
                None => without.push(self.text(row, own)),
            }
        }
        if rows.is_empty() {
            return Err(self.without_partner(truth, own, other));
        }
        let names: Vec<&str> = taken.iter().map(|place| truth.names[*place].as_str()).collect();
        Ok(Joined {
            cells: self.with_rows(own, &names, rows),
            left_out: left_out(&without, &truth.file),
            unused: unused(outcomes.len() - found.len(), &truth.file),
        })
    }

    /// The same rows with their numbers, from 1, as a column `row`.
    fn numbered(&self) -> Self {
        self.clone().with_column(ROW, |row| (row + 1).to_string())
    }

    /// Whether the whole numbers of a column are different where their texts are.
    fn tells_numbers_apart(&self, place: usize) -> bool {
        let mut written: HashMap<i64, &str> = HashMap::new();
        self.texts(place).all(|text| match whole(text) {
            Some(number) => *written.entry(number).or_insert(text.trim()) == text.trim(),
            None => true,
        })
    }

    /// The row of each identifier that has an outcome.
    fn outcomes(
        &self,
        id: usize,
        values: usize,
        key: impl Fn(&str) -> String,
    ) -> Result<HashMap<String, usize>, OwnError> {
        let mut rows: HashMap<String, usize> = HashMap::new();
        for row in (0..self.rows()).filter(|row| !is_missing_number(self.text(*row, values))) {
            let first = *rows.entry(key(self.text(row, id))).or_insert(row);
            let earlier = self.text(first, values);
            let later = self.text(row, values);
            if earlier.trim() != later.trim() {
                let found = format!(
                    "{}, a second outcome of \"{}\": {} has {}",
                    printable(later, SHOWN),
                    printable(self.text(row, id), SHOWN),
                    self.rows[first].place,
                    printable(earlier, SHOWN)
                );
                return Err(self.wrong(row, values, found, "one outcome of each row"));
            }
        }
        Ok(rows)
    }

    /// A row with cells of its outcome; the identifier comes first, and takes the place of a column
    /// `row`.
    fn with_outcome(&self, row: usize, id: usize, outcome: &[&str]) -> Row {
        let mut cells = csv::StringRecord::new();
        cells.push_field(self.text(row, id).trim());
        self.others(id).for_each(|place| cells.push_field(self.text(row, place)));
        outcome.iter().for_each(|text| cells.push_field(text));
        Row { cells, ..self.rows[row].clone() }
    }

    /// The places of all columns but the identifier and one that is called `row`.
    fn others(&self, id: usize) -> impl Iterator<Item = usize> {
        (0..self.names.len()).filter(move |place| *place != id && self.names[*place] != ROW)
    }

    /// The same file with these rows, made by [`Cells::with_outcome`].
    fn with_rows(&self, id: usize, outcome: &[&str], rows: Vec<Row>) -> Self {
        let others = self.others(id).map(|place| self.names[place].clone());
        let outcome = outcome.iter().map(|name| (*name).to_owned());
        let names = std::iter::once(ROW.to_owned()).chain(others).chain(outcome);
        let (foreign, nameless) = (Default::default(), Default::default());
        let names = names.collect();
        Self { names, rows, foreign, nameless, written: Default::default(), ..self.clone() }
    }

    /// That no row of this file has an outcome in the other one.
    fn without_partner(&self, truth: &Self, own: usize, other: usize) -> OwnError {
        let [ours, theirs] = [(self, own), (truth, other)]
            .map(|(file, place)| listed(&file.texts(place).take(MOST).collect::<Vec<_>>()));
        let found = format!(
            "no row that has an outcome in {}: the identifiers here are {ours}, and those there \
             {theirs}",
            truth.file
        );
        shape(&self.file, &found, "identifiers that both files have")
    }
}

/// A whole number, however it is written.
fn whole(text: &str) -> Option<i64> {
    let number: f64 = text.trim().parse().ok()?;
    (number.fract() == 0.0 && number.abs() < 2f64.powi(53)).then_some(number as i64)
}

/// Texts in quotation marks, the first ones of many.
fn listed(texts: &[&str]) -> String {
    let quoted = texts.iter().take(MOST).map(|text| format!("\"{}\"", printable(text, SHOWN)));
    let more = if texts.len() > MOST { ", …" } else { "" };
    quoted.collect::<Vec<_>>().join(", ") + more
}

/// Which predictions have no outcome.
fn left_out(names: &[&str], file: &str) -> Option<Finding> {
    let have = if names.len() == 1 { "has" } else { "have" };
    let are = if names.len() == 1 { "is" } else { "are" };
    (!names.is_empty()).then(|| {
        Finding::note(format!(
            "{} {have} no outcome in {file} and {are} left out: {}",
            counted(names.len(), "prediction"),
            listed(names)
        ))
    })
}

/// How many outcomes have no prediction.
fn unused(count: usize, file: &str) -> Option<Finding> {
    let have = if count == 1 { "has" } else { "have" };
    let outcomes = counted(count, "outcome");
    (count > 0).then(|| Finding::note(format!("{outcomes} in {file} {have} no prediction")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own::Severity;

    fn cells(name: &str, text: &str) -> Cells {
        Cells::parse(name, text.as_bytes()).unwrap()
    }

    fn texts(cells: &Cells) -> Vec<Vec<&str>> {
        (0..cells.rows()).map(|row| cells.rows[row].cells.iter().collect()).collect()
    }

    fn truth<'a>(cells: &'a Cells, id: &'a str, outcome: &'a str) -> Truth<'a> {
        Truth { cells, id, outcome, further: None }
    }

    const PREDICTED: &str = "row,house,method,lower,upper\n1,7,a,1,2\n2,8,a,3,4\n3,7,b,0,2\n";

    #[test]
    fn each_prediction_has_the_outcome_of_its_row() {
        let file = cells("truth.csv", "price,house,other\n1.5,07,x\n,8,y\n9,10,z\n");
        let given = truth(&file, "house", "price");
        let joined = cells("p.csv", PREDICTED).joined(&given).unwrap();
        assert_eq!(joined.cells.names(), ["row", "method", "lower", "upper", "price"]);
        assert_eq!(
            texts(&joined.cells),
            [["7", "a", "1", "2", "1.5"], ["7", "b", "0", "2", "1.5"]]
        );
        let left_out = joined.left_out.unwrap();
        let unused = joined.unused.unwrap();
        assert_eq!(
            left_out.text.to_string(),
            "1 prediction has no outcome in truth.csv and is left out: \"8\""
        );
        assert_eq!(unused.text.to_string(), "1 outcome in truth.csv has no prediction");
        assert!([left_out, unused].iter().all(|finding| finding.severity == Severity::Note));
        let given = Truth { further: Some("other"), ..given };
        let joined = cells("p.csv", PREDICTED).joined(&given).unwrap();
        assert_eq!(joined.cells.names(), ["row", "method", "lower", "upper", "price", "other"]);
        assert_eq!(texts(&joined.cells)[1], ["7", "b", "0", "2", "1.5", "x"]);
    }

    #[test]
    fn writings_of_a_number_are_one_row_unless_a_file_tells_them_apart() {
        let predicted = "id,mean\n1,5\n2,6\n";
        let of = |text: &str| {
            let file = cells("t.csv", text);
            let joined = cells("p.csv", predicted).joined(&truth(&file, "id", "y"));
            joined.map(|joined| joined.cells.rows())
        };
        assert_eq!(of("id,y\n1.0,3\n02,4\n").unwrap(), 2);
        // 2 and 02 are two rows here, so that texts decide.
        assert_eq!(of("id,y\n1.0,3\n02,4\n2,5\n").unwrap(), 1);
        assert_eq!(of("id,y\n1,3\n1,3\n2,5\n").unwrap(), 2, "the same outcome twice is one");
    }

    #[test]
    fn the_number_of_a_row_joins_a_truth_without_one() {
        let predicted = cells("p.csv", "row,lower,upper\n1,0,1\n3,2,3\n");
        let file = cells("t.csv", "x,y\na,5\nb,6\nc,7\n");
        let joined = predicted.joined(&truth(&file, "row", "y")).unwrap();
        assert_eq!(texts(&joined.cells), [["1", "0", "1", "5"], ["3", "2", "3", "7"]]);
        let own = cells("t.csv", "row,y\n3,5\n1,6\n");
        let joined = predicted.joined(&truth(&own, "row", "y")).unwrap();
        assert_eq!(texts(&joined.cells), [["1", "0", "1", "6"], ["3", "2", "3", "5"]]);
    }

    #[test]
    fn what_cannot_be_joined_is_refused_with_its_place() {
        let refused = |predicted: &str, text: &str| {
            let file = cells("t.csv", text);
            let joined = cells("p.csv", predicted).joined(&truth(&file, "id", "y"));
            joined.unwrap_err().to_string()
        };
        let two = refused("id,mean\n1,5\n", "id,y\n1,3\n2,4\n1,3.5\n");
        assert!(two.contains("line 4") && two.contains("line 2 has 3"), "{two}");
        let none = refused("id,mean\na,5\nb,6\n", "id,y\n1,3\n2,4\n");
        assert!(none.contains("\"a\", \"b\"") && none.contains("\"1\", \"2\""), "{none}");
        assert!(refused("id,mean,y\n1,5,2\n", "id,y\n1,3\n").contains("a column of outcomes"));
        assert!(refused("key,mean\n1,5\n", "id,y\n1,3\n").contains("p.csv"));
        assert!(refused("id,mean\n1,5\n", "id,z\n1,3\n").contains("t.csv"));
    }
}
