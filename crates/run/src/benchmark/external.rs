//! Find the external methods of a benchmark, and put in what they say of themselves.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::json;

use super::{Benchmark, BenchmarkError, Column, MethodRow};
use crate::external::given::Given;
use crate::external::{ExternalParameters, ID, Place};
use crate::protocols::{Acquisition, Protocol};
use uq_methods::Reading;

/// An external method whose description is needed.
#[derive(Clone, Copy, Debug)]
pub struct Stated<'a> {
    /// What is stated of it.
    pub given: &'a Given,
    /// Where its files are.
    pub place: &'a Place,
    /// Whether it comes from the benchmark file, not from the command line.
    pub from_file: bool,
}

impl Benchmark {
    /// Adds the column of an external method that is given on the command line. Under pool learning
    /// it acquires by its variance and at random.
    pub fn add_external(&mut self, given: &Given, place: &Place) {
        let column = Column {
            reading: Reading::MAIN,
            heading: given.name.clone(),
            labels: BTreeMap::from([("method".to_owned(), given.name.clone())]),
            x: None,
        };
        let is_sequential = matches!(self.protocol, Protocol::PoolLearning(_));
        self.methods.push(MethodRow {
            id: ID.into(),
            parameters: json!(given),
            columns: vec![column],
            variant: None,
            vary: None,
            acquire: is_sequential.then(|| vec![Acquisition::Total, Acquisition::Random(1)]),
            refit: false,
            datasets: None,
            one_seed: false,
            splits: None,
            place: Some(place.clone()),
        });
        self.expand_acquiring_rows();
    }

    /// Completes the parameters of each external method that is `planned`, one entry for each row,
    /// by the hashes of its files and by its description, which `describe` returns, so that its
    /// trials can be planned. The others need no description.
    ///
    /// # Errors
    /// [`BenchmarkError::Meaning`] for parameters that are wrong, and the message of `describe`.
    pub fn describe_external(
        &mut self,
        planned: &[bool],
        describe: &mut dyn FnMut(Stated) -> Result<ExternalParameters, String>,
    ) -> Result<(), BenchmarkError> {
        let (id, folder) = (&self.id, self.folder.clone().unwrap_or_default());
        let names_commands = &mut self.origin.names_commands;
        let rows = self.methods.iter_mut().zip(planned);
        for (row, _) in rows.filter(|(row, is_planned)| row.id == ID && **is_planned) {
            let mut complete = || {
                let (given, place, from_file) = match row.place.take() {
                    Some(place) => {
                        let given = Given::deserialize(&row.parameters)
                            .map_err(|error| error.to_string())?;
                        (given, place, false)
                    }
                    None => {
                        let wrong = |why| format!("method `{ID}`: {why}");
                        let (given, place) =
                            Given::from_parameters(&row.parameters, &folder).map_err(wrong)?;
                        (given, place, true)
                    }
                };
                row.parameters =
                    json!(describe(Stated { given: &given, place: &place, from_file })?);
                row.place = Some(place);
                *names_commands |= from_file;
                Ok(())
            };
            complete()
                .map_err(|message: String| BenchmarkError::Meaning { name: id.clone(), message })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::find;
    use crate::external::contract::{Description, read_description};
    use std::path::Path;

    fn description() -> Description {
        read_description(r#"{"contract": 1, "name": "mine", "deterministic": true}"#).unwrap()
    }

    #[test]
    fn a_method_of_the_command_line_becomes_a_column_with_complete_parameters() {
        let mut benchmark = find("dtb-figure-2").unwrap();
        let before = benchmark.methods.len();
        let words = ["no-such-program".to_owned(), "--fast".to_owned()];
        let (given, place) = Given::from_words(&words, Path::new("/")).unwrap();
        benchmark.add_external(&given, &place);
        benchmark
            .describe_external(&vec![true; before + 1], &mut |stated| {
                assert!(!stated.from_file);
                stated.given.clone().resolve(stated.place, description())
            })
            .unwrap();
        let row = &benchmark.methods[before];
        assert_eq!((row.id.as_str(), row.columns[0].heading.as_str()), (ID, "no-such-program"));
        assert_eq!(row.parameters["description"], json!(description()));
        assert_eq!(row.place, Some(place));
    }

    #[test]
    fn why_a_method_has_no_description_is_told_with_the_benchmark() {
        let mut benchmark = find("dtb-figure-2").unwrap();
        benchmark.methods[0].id = ID.into();
        benchmark.methods[0].parameters = json!({ "name": "mine", "command": ["a"] });
        let all = vec![true; benchmark.methods.len()];
        let mut none = benchmark.clone();
        none.describe_external(&vec![false; all.len()], &mut |_| Err("not asked".into())).unwrap();
        assert_eq!(none.methods[0].parameters, benchmark.methods[0].parameters);
        let message = benchmark
            .describe_external(&all, &mut |_| Err("it is asleep".into()))
            .unwrap_err()
            .to_string();
        assert_eq!(message, "benchmark dtb-figure-2: it is asleep");
        benchmark.methods[0].parameters = json!({ "name": "mine" });
        let message = benchmark
            .describe_external(&all, &mut |_| Err("not reached".into()))
            .unwrap_err()
            .to_string();
        assert!(message.contains("method `external`: missing field `command`"), "{message}");
    }
}
