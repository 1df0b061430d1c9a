//! Name what is taken for a number of which a limit alone is known.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What is taken for a number of which a limit alone is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Censored {
    /// Half of a limit that it is below, and the limit that it is above.
    #[default]
    Half,
    /// The limit.
    Limit,
    /// Nothing: it is missing.
    Missing,
    /// The text is a level of a category.
    Level,
}

impl fmt::Display for Censored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Censored {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Half => "half",
            Self::Limit => "limit",
            Self::Missing => "missing",
            Self::Level => "level",
        }
    }
}
