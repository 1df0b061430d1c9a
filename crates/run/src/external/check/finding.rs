//! State one result of a check.

use std::fmt;

/// The result of one question to a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was expected, in a few words.
    pub what: &'static str,
    /// Whether it holds.
    pub verdict: Verdict,
    /// What was found; may be empty.
    pub detail: String,
}

/// Whether a method does what is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Passed,
    /// It does not.
    Failed,
    /// Both are allowed, and the author should know.
    Noted,
}

impl Finding {
    /// What is as expected.
    pub fn passed(what: &'static str, detail: impl Into<String>) -> Self {
        Self { what, verdict: Verdict::Passed, detail: detail.into() }
    }

    /// What is not as expected.
    pub fn failed(what: &'static str, detail: impl Into<String>) -> Self {
        Self { what, verdict: Verdict::Failed, detail: detail.into() }
    }

    /// What the author should know.
    pub fn noted(what: &'static str, detail: impl Into<String>) -> Self {
        Self { what, verdict: Verdict::Noted, detail: detail.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.verdict {
            Verdict::Passed => "passed",
            Verdict::Failed => "FAILED",
            Verdict::Noted => "note",
        };
        write!(f, "{word:6}  {}", self.what)?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}
