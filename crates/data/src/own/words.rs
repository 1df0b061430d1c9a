//! Hold a message with the settings that it is about as values, so that each way to use the library
//! calls them by its own names.

use std::fmt;
use std::ops::{Add, AddAssign};

use super::censored::Censored;

/// What a user states of a table, or of predictions of it, and a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Setting {
    /// The column to predict.
    Target,
    /// Columns to leave out.
    Drop,
    /// The column that identifies the rows.
    Id,
    /// The column of groups of rows.
    Group,
    /// The column that orders the rows.
    Time,
    /// Whether the column of groups or times is a feature.
    Keep,
    /// How bytes stand for characters.
    Encoding,
    /// The sheet of a workbook.
    Sheet,
    /// Values that stand for missing ones.
    Na,
    /// Columns in which `NA` is a level.
    LevelNa,
    /// How limits are read, in this way.
    Censored(Censored),
    /// Whether columns that number the rows are features.
    KeepIndex,
    /// The column of outcomes beside predictions.
    Outcome,
    /// What a file states of each prediction.
    Form,
    /// The probability of intervals.
    Level,
}

impl fmt::Display for Setting {
    /// Its name among the fields of this library, which the keys of a benchmark file have, too.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Target => "`target`",
            Self::Drop => "`drop`",
            Self::Id => "`id`",
            Self::Group => "`group`",
            Self::Time => "`time`",
            Self::Keep => "`keep`",
            Self::Encoding => "`encoding`",
            Self::Sheet => "`sheet`",
            Self::Na => "`na`",
            Self::LevelNa => "`level_na`",
            Self::Censored(reading) => return write!(f, "`censored = \"{}\"`", reading.name()),
            Self::KeepIndex => "`keep_index = true`",
            Self::Outcome => "`y`",
            Self::Form => "`form`",
            Self::Level => "`level`",
        })
    }
}

/// A message, or a part of one. Displayed, it calls settings as [`Setting`] does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Setting(Setting),
}

impl Words {
    /// The message, each setting in it by its name here.
    pub fn named(&self, name: impl Fn(Setting) -> String) -> String {
        let shown = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Setting(setting) => name(*setting),
        };
        self.0.iter().map(shown).collect()
    }

    /// The settings in it, in their order.
    pub fn settings(&self) -> impl Iterator<Item = Setting> + '_ {
        self.0.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Setting(setting) => Some(*setting),
        })
    }

    /// All of these in their order, with this text between them.
    pub(super) fn joined(all: impl IntoIterator<Item = Self>, between: &str) -> Self {
        let join = |before: Option<Self>, next: Self| {
            Some(before.map_or(next.clone(), |before| before + between + next))
        };
        all.into_iter().fold(None, join).unwrap_or_default()
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.named(|setting| setting.to_string()))
    }
}

impl From<String> for Words {
    fn from(text: String) -> Self {
        Self(vec![Part::Text(text)])
    }
}

impl From<&String> for Words {
    fn from(text: &String) -> Self {
        text.clone().into()
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<Setting> for Words {
    fn from(setting: Setting) -> Self {
        Self(vec![Part::Setting(setting)])
    }
}

impl<T: Into<Self>> Add<T> for Words {
    type Output = Self;

    fn add(mut self, next: T) -> Self {
        self += next;
        self
    }
}

impl<T: Into<Self>> AddAssign<T> for Words {
    fn add_assign(&mut self, next: T) {
        self.0.extend(next.into().0);
    }
}

impl<T: Into<Words>> Add<T> for Setting {
    type Output = Words;

    fn add(self, next: T) -> Words {
        Words::from(self) + next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reader_has_names_of_its_own() {
        let words = Words::from("1 cell: ")
            + Setting::Na
            + " \"x=-1\" makes it missing, "
            + Setting::KeepIndex
            + " a feature";
        assert_eq!(
            words.to_string(),
            "1 cell: `na` \"x=-1\" makes it missing, `keep_index = true` a feature"
        );
        assert_eq!(words.settings().collect::<Vec<_>>(), [Setting::Na, Setting::KeepIndex]);
        let named = words
            .named(|setting| if setting == Setting::Na { "NA".into() } else { "INDEX".into() });
        assert_eq!(named, "1 cell: NA \"x=-1\" makes it missing, INDEX a feature");
    }

    #[test]
    fn words_are_joined() {
        assert_eq!(Words::joined([], ", "), Words::default());
        assert_eq!(Words::joined([Setting::Na.into(), "b".into()], ", ").to_string(), "`na`, b");
    }
}
