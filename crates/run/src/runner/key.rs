//! Name a trial by the hash of everything that its numbers depend on.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::shared::SharedValue;
use crate::external;
use crate::protocols::{Protocol, RowSubset, ScoreUnits};
use uq_core::math::random::Streams;
use uq_core::scaling::Scaling;
use uq_methods::Request;
use uqbench_system::hash::hexadecimal;

/// Version of the layout of keys and stored trials.
pub const SCHEMA: u32 = 1;

/// Everything that the numbers of a trial depend on; not the profile that requested it.
///
/// The fields are in alphabetical order and `split` is the last one, so that the keys of all splits
/// of an experiment share the prefix of their hash.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrialSpec {
    /// The request to the fit.
    pub ask: Request,
    /// Key of the dataset in the manifest; not hashed, because the definition identifies the data.
    pub dataset: String,
    /// The dataset's definition: pinned file hash, format, columns, derivation.
    pub definition: SharedValue,
    /// Name of the method in the registry.
    pub method: String,
    /// The method's version.
    pub method_version: u32,
    /// All of the method's parameters.
    pub parameters: SharedValue,
    /// How the repetition goes.
    pub protocol: Protocol,
    /// The protocol's version.
    pub protocol_version: u32,
    /// Root of all random streams.
    pub root_seed: u64,
    /// Which rows take part.
    pub rows: RowSubset,
    /// What is done to features and target.
    pub scaling: Scaling,
    /// Version of this layout.
    pub schema: u32,
    /// The units of the scores.
    pub score_units: ScoreUnits,
    /// Seed of the method's own random streams, on the same rows. It is left out where it is 0, so
    /// that the keys of older trials stay valid.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seed: u64,
    /// Number of the repetition.
    pub split: u64,
}

fn is_zero(seed: &u64) -> bool {
    *seed == 0
}

/// The key of a trial: 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct TrialKey(String);

impl TryFrom<String> for TrialKey {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| {
            format!("{text:?} is no trial's key: expected {} hexadecimal digits", Self::LENGTH)
        })
    }
}

impl TrialKey {
    /// Number of digits.
    pub const LENGTH: usize = 64;

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its first digits: enough to be the only trial of any store.
    pub fn short(&self) -> &str {
        self.0.get(..16).unwrap_or(&self.0)
    }

    /// The key with these digits; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        (text.len() == Self::LENGTH && digits).then(|| Self(text.to_owned()))
    }
}

impl std::fmt::Display for TrialKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The hash of a specification up to its split: all repetitions of an experiment share it, unless
/// each has a protocol of its own.
#[derive(Clone)]
pub struct KeyPrefix(Sha256);

impl KeyPrefix {
    /// Hashes everything but the split.
    pub fn new(spec: &TrialSpec) -> Self {
        let json = hashed_json(&TrialSpec { split: 0, ..spec.clone() });
        let mut hasher = Sha256::new();
        hasher.update(&json.as_bytes()[..json.len() - "0}".len()]);
        Self(hasher)
    }

    /// The key of one repetition.
    pub fn key(&self, split: u64) -> TrialKey {
        let mut hasher = self.0.clone();
        hasher.update(format!("{split}}}"));
        TrialKey(hexadecimal(&hasher.finalize()))
    }
}

impl TrialSpec {
    /// The specification of another split of the same experiment.
    #[must_use]
    pub fn of_split(&self, split: u64) -> Self {
        let protocol = self.protocol.of_trial(&self.dataset, split);
        Self { split, protocol, ..self.clone() }
    }

    /// The trial's key.
    pub fn key(&self) -> TrialKey {
        TrialKey(hexadecimal(&Sha256::digest(hashed_json(self))))
    }

    /// The method's name for people: an external method has one of its own.
    pub fn method_name(&self) -> &str {
        let own = self.parameters.get("name").filter(|_| self.method == external::ID);
        own.and_then(|name| name.as_str()).unwrap_or(&self.method)
    }

    /// Streams of the method's own randomness. Trials that differ in their acquisitions alone share
    /// them, so that their first fits are the same.
    pub fn method_streams(&self) -> Streams {
        let shared =
            Self { protocol: self.protocol.without_acquisitions().into_owned(), ..self.clone() };
        Streams::new(self.root_seed, shared.key().as_str())
    }

    /// Streams of splits and draws: they depend on data and protocol alone, so that all methods and
    /// all seeds use the same rows.
    pub fn data_streams(&self) -> Streams {
        let name = serde_json::json!({
            "definition": self.definition,
            // Validation divides the training rows of the same split.
            "protocol": self.protocol.outer().without_acquisitions(),
            "protocol_version": self.protocol_version,
            "rows": self.rows,
        });
        Streams::new(self.root_seed, &canonical(&name))
    }
}

/// The key of a stored specification, which any version of this program may have written.
pub fn key_of_spec(spec: Value) -> TrialKey {
    TrialKey(hexadecimal(&Sha256::digest(hashed_value(spec))))
}

/// The canonical JSON that is hashed: the specification without the dataset's name.
fn hashed_json(spec: &TrialSpec) -> String {
    hashed_value(serde_json::to_value(spec).unwrap_or_default())
}

fn hashed_value(mut value: Value) -> String {
    if let Some(map) = value.as_object_mut() {
        map.remove("dataset");
    }
    canonical(&value)
}

/// JSON with sorted keys and without spaces.
pub fn canonical(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort_unstable();
            let fields: Vec<String> = keys
                .iter()
                .map(|key| format!("{}:{}", Value::from(key.as_str()), canonical(&map[*key])))
                .collect();
            format!("{{{}}}", fields.join(","))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(","))
        }
        leaf => leaf.to_string(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use serde_json::json;

    /// A specification of a mock trial on a bundled dataset.
    pub fn mock_spec(parameters: Value, split: u64) -> TrialSpec {
        let dataset =
            uqbench_data::Manifest::shipped().unwrap().get("motorcycle-94").unwrap().clone();
        let method = crate::registry::build("mock", &parameters).unwrap();
        TrialSpec {
            ask: Request::default(),
            dataset: "motorcycle-94".into(),
            definition: dataset.definition().into(),
            method: "mock".into(),
            method_version: method.version(),
            parameters: method.parameters().into(),
            protocol: Protocol::Holdout(crate::protocols::Holdout {
                test: uqbench_data::splits::TestSize::Fraction(0.2),
            }),
            protocol_version: Protocol::VERSION,
            root_seed: 1,
            rows: RowSubset::All,
            scaling: Scaling::None,
            schema: SCHEMA,
            score_units: ScoreUnits::Target,
            seed: 0,
            split,
        }
    }

    #[test]
    fn a_prefix_gives_the_key_of_the_whole() {
        for seed in [0, 1, 20] {
            let spec = TrialSpec { seed, ..mock_spec(json!({}), 17) };
            let other = TrialSpec { split: 1234, ..spec.clone() };
            let prefix = KeyPrefix::new(&spec);
            assert_eq!(
                (prefix.key(17), prefix.key(1234)),
                (spec.key(), other.key()),
                "seed {seed}"
            );
        }
    }

    #[test]
    fn every_part_but_the_name_enters_the_key() {
        let spec = mock_spec(json!({}), 0);
        let changed = [
            TrialSpec { definition: json!({ "file": "other" }).into(), ..spec.clone() },
            TrialSpec { method_version: 99, ..spec.clone() },
            TrialSpec { parameters: json!({ "tag": 1 }).into(), ..spec.clone() },
            TrialSpec { protocol_version: 99, ..spec.clone() },
            TrialSpec { root_seed: 2, ..spec.clone() },
            TrialSpec { rows: RowSubset::Random(10), ..spec.clone() },
            TrialSpec { scaling: Scaling::AllRows, ..spec.clone() },
            TrialSpec { schema: 99, ..spec.clone() },
            TrialSpec { score_units: ScoreUnits::Scaled, ..spec.clone() },
            TrialSpec { seed: 1, ..spec.clone() },
            TrialSpec { seed: 2, ..spec.clone() },
            TrialSpec { split: 1, ..spec.clone() },
            TrialSpec { ask: Request { samples: 7, ..Request::default() }, ..spec.clone() },
        ];
        let mut keys: Vec<TrialKey> = changed.iter().map(TrialSpec::key).collect();
        keys.push(spec.key());
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), changed.len() + 1);
        assert_eq!(TrialSpec { dataset: "alias".into(), ..spec.clone() }.key(), spec.key());
    }

    #[test]
    fn keys_of_stored_trials_stay_what_they_were() {
        let key = |protocol: &str, seed: u64| {
            let spec = TrialSpec {
                seed,
                definition: json!({ "file": "pin" }).into(),
                method_version: 1,
                parameters: json!({}).into(),
                protocol: serde_json::from_str(protocol).unwrap(),
                protocol_version: 1,
                schema: 1,
                ..mock_spec(json!({}), 3)
            };
            spec.key().to_string()
        };
        // Computed outside this program from the canonical JSON of the first protocols.
        assert_eq!(
            key(r#"{"holdout":{"test":{"fraction":0.2}}}"#, 0),
            "59ddc1aa37d3b1e7bc5d13717340dcc94a19823471a2105167fd885df87016a0"
        );
        assert_eq!(
            key(r#"{"holdout":{"test":{"fraction":0.2}}}"#, 1),
            "aac8ec830b0c8cf803df5c13f91eeb804a7af6b5cc43ee39e2a6e64291933c3d",
            "with \"seed\":1 before \"split\", by Python's hashlib"
        );
        assert_eq!(
            key(r#"{"holdout":{"test":{"rows":104}}}"#, 0),
            "987fdb0bd647d54dbbb2cec439e563765824dc018bd2f93af6e71e3774d3c74d"
        );
        assert_eq!(
            key(r#""demonstration""#, 0),
            "4bdfebf663cee64fc7af4c871d20ebc8b8128913cc88fa6aa2056750b2a302aa"
        );
    }

    #[test]
    fn every_part_of_a_protocol_enters_the_key() {
        let protocols = [
            r#""standard""#,
            r#"{"k-fold":{"folds":5}}"#,
            r#"{"k-fold":{"folds":10}}"#,
            r#"{"numpy-k-fold":{"folds":5,"seed":0}}"#,
            r#"{"numpy-k-fold":{"folds":5,"seed":1}}"#,
            r#""whole-data""#,
            r#"{"active-learning":{"start":30,"added":50}}"#,
            r#"{"active-learning":{"start":30,"added":20}}"#,
            r#"{"k-fold":{"folds":5,"repeats":2}}"#,
            r#"{"grouped":{"test":{"fraction":0.2}}}"#,
            r#"{"grouped":{"test":{"rows":20}}}"#,
            r#"{"gap":{"feature":"x","share":0.2}}"#,
            r#"{"gap":{"feature":"y","share":0.2}}"#,
            r#"{"gap":{"feature":"x","share":0.3}}"#,
            r#"{"tail":{"feature":"x","share":0.2,"end":"low"}}"#,
            r#"{"tail":{"feature":"x","share":0.2,"end":"high"}}"#,
            r#"{"validation":{"of":"standard","fraction":0.1}}"#,
            r#"{"validation":{"of":"standard","fraction":0.2}}"#,
            r#"{"validation":{"of":{"k-fold":{"folds":5}},"fraction":0.1}}"#,
        ];
        let keys: std::collections::BTreeSet<TrialKey> = protocols
            .iter()
            .map(|text| {
                let spec = TrialSpec {
                    protocol: serde_json::from_str(text).unwrap(),
                    ..mock_spec(json!({}), 0)
                };
                let again: TrialSpec =
                    serde_json::from_str(&serde_json::to_string(&spec).unwrap()).unwrap();
                assert_eq!(again, spec, "a child process reads the same trial");
                spec.key()
            })
            .collect();
        assert_eq!(keys.len(), protocols.len());
        let once: Protocol = serde_json::from_str(r#"{"k-fold":{"folds":5,"repeats":1}}"#).unwrap();
        assert_eq!(once, serde_json::from_str(protocols[1]).unwrap(), "one repeat is the default");
    }

    #[test]
    fn methods_share_the_rows_of_a_split() {
        let spec = mock_spec(json!({}), 0);
        let other = TrialSpec {
            parameters: json!({ "tag": 1 }).into(),
            scaling: Scaling::TrainRows,
            ..spec.clone()
        };
        assert_eq!(spec.data_streams(), other.data_streams());
        assert_ne!(spec.method_streams(), other.method_streams());
    }

    #[test]
    fn validation_is_of_the_rows_of_its_split_and_draws_anew() {
        let spec = mock_spec(json!({}), 3);
        let of = Box::new(spec.protocol.clone());
        let inside = TrialSpec {
            protocol: Protocol::Validation(crate::protocols::Validation { of, fraction: 0.1 }),
            ..spec.clone()
        };
        assert_eq!(inside.data_streams(), spec.data_streams());
        assert_ne!(inside.method_streams(), spec.method_streams());
        assert_eq!(KeyPrefix::new(&inside).key(3), inside.key());
    }

    #[test]
    fn seeds_share_the_rows_of_a_split_and_draw_anew() {
        let spec = mock_spec(json!({}), 3);
        let reseeded = TrialSpec { seed: 1, ..spec.clone() };
        assert_eq!(reseeded.data_streams(), spec.data_streams());
        assert_ne!(reseeded.method_streams(), spec.method_streams());
        let again: TrialSpec =
            serde_json::from_str(&serde_json::to_string(&reseeded).unwrap()).unwrap();
        assert_eq!(again, reseeded, "a child process reads the same trial");
        assert!(
            !serde_json::to_string(&spec).unwrap().contains("\"seed\""),
            "old trials keep their bytes"
        );
    }

    #[test]
    fn canonical_json_sorts_keys() {
        assert_eq!(
            canonical(&json!({ "b": [1.5, null], "a": { "d": "x\"", "c": true } })),
            r#"{"a":{"c":true,"d":"x\""},"b":[1.5,null]}"#
        );
    }
}
