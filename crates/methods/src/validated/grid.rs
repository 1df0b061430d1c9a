//! Read the grid of a search, and put its points into a method's parameters.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::state::require;

/// Most points of a grid: each is a fit.
const MOST: usize = 1000;

/// One setting that is searched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Setting {
    /// Its name; a dot leads into a group of parameters, or to an item of a list by its place.
    pub parameter: String,
    /// Its values, not empty.
    pub values: Vec<Value>,
}

/// For each setting the place of its value, from 0.
pub(super) type Point = Vec<usize>;

/// The settings that are searched, in the order of the search.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub(super) struct SettingsGrid(pub Vec<Setting>);

impl SettingsGrid {
    /// Reads `{ "name": [values], … }`, which is searched in the order of the names, or, in the
    /// order given, `[{ "parameter": "name", "values": [values] }, …]`.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn read(grid: &Value) -> Result<Self, String> {
        let settings = match grid {
            Value::Object(map) => {
                let mut settings = map.iter().map(Self::setting).collect::<Result<Vec<_>, _>>()?;
                // A map has no reliable order.
                settings.sort_by(|a, b| a.parameter.cmp(&b.parameter));
                settings
            }
            Value::Array(_) => {
                serde_json::from_value(grid.clone()).map_err(|error| format!("grid: {error}"))?
            }
            _ => Vec::new(),
        };
        if settings.is_empty() {
            return Err(format!(
                "grid: expected at least one setting with its values, such as {{\"rate\": [0.01, \
                 0.1]}}, found {grid}"
            ));
        }
        let mut points = 1_usize;
        for (i, Setting { parameter, values }) in settings.iter().enumerate() {
            if values.is_empty() {
                return Err(format!("grid: `{parameter}` has no values, expected at least one"));
            }
            if let Some((_, twice)) =
                values.iter().enumerate().find(|(j, value)| values[..*j].contains(value))
            {
                return Err(format!("grid: `{parameter}` has the value {twice} twice"));
            }
            if settings[..i].iter().any(|other| other.parameter == *parameter) {
                return Err(format!("grid: `{parameter}` is given twice"));
            }
            points = points.saturating_mul(values.len());
        }
        if points > MOST {
            return Err(format!("grid: {points} points, expected at most {MOST}: each is a fit"));
        }
        Ok(Self(settings))
    }

    fn setting((parameter, values): (&String, &Value)) -> Result<Setting, String> {
        match values {
            Value::Array(values) => {
                Ok(Setting { parameter: parameter.clone(), values: values.clone() })
            }
            other => Err(format!("grid: `{parameter}` is {other}, expected a list of values")),
        }
    }

    /// The point of the first values.
    pub fn first(&self) -> Point {
        vec![0; self.0.len()]
    }

    /// Checks a point that was read.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn check(&self, point: &Point) -> Result<(), String> {
        let inside = point.len() == self.0.len()
            && self.0.iter().zip(point).all(|(setting, &place)| place < setting.values.len());
        require(inside, "settings that are not in the grid")
    }

    /// Every point; the last setting varies fastest.
    pub fn points(&self) -> Vec<Point> {
        self.0.iter().fold(vec![Vec::new()], |points, setting| {
            let longer = |point: Point| {
                (0..setting.values.len()).map(move |place| [point.as_slice(), &[place]].concat())
            };
            points.into_iter().flat_map(longer).collect()
        })
    }

    /// The points that differ from `point` in this setting alone, and itself, in the order of the
    /// values.
    pub fn turn(&self, setting: usize, point: &Point) -> Vec<Point> {
        let moved = |place| {
            let mut moved = point.clone();
            moved[setting] = place;
            moved
        };
        (0..self.0[setting].values.len()).map(moved).collect()
    }

    /// A point in words, such as `rate = 0.01, tau = 3`.
    pub fn describe(&self, point: &Point) -> String {
        let of = |(setting, &place): (&Setting, &usize)| {
            format!("{} = {}", setting.parameter, setting.values[place])
        };
        self.0.iter().zip(point).map(of).collect::<Vec<_>>().join(", ")
    }

    /// The parameters with the values of a point in their places.
    ///
    /// # Errors
    /// Where a dotted name leads into a group that does not exist.
    pub fn put(&self, point: &Point, parameters: &Value) -> Result<Value, String> {
        let mut all = if parameters.is_null() {
            Value::Object(Default::default())
        } else {
            parameters.clone()
        };
        for (Setting { parameter, values }, &place) in self.0.iter().zip(point) {
            let (group, name) = parameter.rsplit_once('.').unwrap_or(("", parameter));
            let path = if group.is_empty() {
                String::new()
            } else {
                format!("/{}", group.replace('.', "/"))
            };
            let owner = all.pointer_mut(&path).and_then(Value::as_object_mut);
            let owner = owner.ok_or_else(|| {
                format!("`{parameter}`: there is no group `{group}` among the parameters")
            })?;
            owner.insert(name.into(), values[place].clone());
        }
        Ok(all)
    }

    /// The value of a setting as a number; where not all its values are numbers, the place of the
    /// value.
    pub fn number(&self, setting: usize, point: &Point) -> f64 {
        let numbers: Option<Vec<f64>> = self.0[setting].values.iter().map(Value::as_f64).collect();
        let place = point[setting];
        numbers.map_or(place as f64, |numbers| numbers[place])
    }
}
