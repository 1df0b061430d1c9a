//! Limit the time and memory of a benchmark's trials:
//! `limits = { wall = "20 min", memory = "4 GiB" }`.

use serde::{Deserialize, Serialize};

/// Longest wall time that can be stated: 30 days.
pub const LONGEST: u64 = 30 * 24 * 3600;
/// Least memory that can be stated, in MiB: the need of a process of this program before any trial.
pub const LEAST_MEMORY: u64 = 256;
/// Most memory that can be stated, in MiB: 16 TiB.
pub const MOST_MEMORY: u64 = 16 << 20;

/// Limits of one trial. They are not part of a trial's key, because they change no number of a
/// trial that finishes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrialLimits {
    /// Wall time.
    pub wall: Option<Wall>,
    /// Address space of its process.
    pub memory: Option<Memory>,
}

/// A wall time in seconds, written as `90 s`, `20 min` or `2 h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Wall(pub u64);

/// A size of memory in MiB, written as `512 MiB` or `4 GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Memory(pub u64);

impl Memory {
    /// In bytes.
    pub fn bytes(self) -> u64 {
        self.0 << 20
    }
}

impl TryFrom<String> for Wall {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let seconds = quantity(&text, &[("s", 1), ("min", 60), ("h", 3600)])
            .filter(|s| (1..=LONGEST).contains(s));
        seconds.map(Self).ok_or_else(|| {
            format!("`{text}` is no wall time: expected 1 s to 720 h, as `90 s`, `20 min` or `2 h`")
        })
    }
}

impl TryFrom<String> for Memory {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let mib = quantity(&text, &[("MiB", 1), ("GiB", 1024)])
            .filter(|m| (LEAST_MEMORY..=MOST_MEMORY).contains(m));
        mib.map(Self).ok_or_else(|| {
            format!(
                "`{text}` is no size of memory: expected {LEAST_MEMORY} MiB to {} GiB, as `512 \
                 MiB` or `4 GiB`",
                MOST_MEMORY >> 10
            )
        })
    }
}

impl From<Wall> for String {
    fn from(wall: Wall) -> Self {
        match wall.0 {
            s if s.is_multiple_of(3600) => format!("{} h", s / 3600),
            s if s.is_multiple_of(60) => format!("{} min", s / 60),
            s => format!("{s} s"),
        }
    }
}

impl From<Memory> for String {
    fn from(memory: Memory) -> Self {
        match memory.0 {
            mib if mib.is_multiple_of(1024) => format!("{} GiB", mib / 1024),
            mib => format!("{mib} MiB"),
        }
    }
}

/// A whole number and a unit, in the smallest unit.
fn quantity(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit())?);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim())?;
    number.parse::<u64>().ok()?.checked_mul(*factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_with_their_units_and_written_the_same() {
        let limits: TrialLimits = toml::from_str("wall = \"20 min\"\nmemory = \"4 GiB\"").unwrap();
        assert_eq!((limits.wall, limits.memory), (Some(Wall(1200)), Some(Memory(4096))));
        assert_eq!(Memory(512).bytes(), 512 << 20);
        for text in ["90 s", "20 min", "2 h"] {
            assert_eq!(String::from(Wall::try_from(text.to_owned()).unwrap()), text);
        }
        for text in ["1500 MiB", "4 GiB"] {
            assert_eq!(String::from(Memory::try_from(text.to_owned()).unwrap()), text);
        }
    }

    #[test]
    fn what_is_no_limit_is_told_with_the_range() {
        for text in [
            "",
            "20",
            "min",
            "0 s",
            "721 h",
            "1.5 h",
            "-1 s",
            "18446744073709551615 h",
            "5 min 3 s",
        ] {
            assert!(
                Wall::try_from(text.to_owned()).unwrap_err().contains("expected 1 s to 720 h"),
                "{text}"
            );
        }
        for text in ["64 MiB", "1 TiB", "17592186044416 MiB", "18446744073709551615 GiB", "4"] {
            assert!(
                Memory::try_from(text.to_owned())
                    .unwrap_err()
                    .contains("expected 256 MiB to 16384 GiB"),
                "{text}"
            );
        }
    }
}
