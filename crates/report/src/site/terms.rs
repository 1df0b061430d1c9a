//! Lead words of a page to what they mean: to the glossary beside it, or, on a page that stands
//! alone, to a folded part of its own, which has the words that the page uses.

use std::cell::RefCell;
use std::collections::BTreeMap;

use maud::{Markup, html};

use super::anchors::GLOSSARY;
use super::entries::Term;
use crate::words::glossary::{COLUMNS, DERIVED, LETTERS};
use crate::words::signs::{ALL, MISSING, Sign};
use uq_core::metrics::MetricId;

/// What words of a page mean, and where that stands.
#[derive(Default)]
pub struct Terms<'a> {
    /// Metrics by the words that headings and cells use for them.
    metrics: Vec<(&'a str, MetricId)>,
    /// Entries of a page that stands alone, by their anchors; `None` where the glossary lies beside
    /// the page.
    own: Option<RefCell<BTreeMap<String, Markup>>>,
}

impl<'a> Terms<'a> {
    /// Of a page beside the glossary.
    pub fn of_glossary(metrics: impl IntoIterator<Item = (&'a str, MetricId)>) -> Self {
        Self { metrics: metrics.into_iter().collect(), own: None }
    }

    /// Of a page that stands alone.
    pub fn of_page(metrics: impl IntoIterator<Item = (&'a str, MetricId)>) -> Self {
        Self { own: Some(RefCell::default()), ..Self::of_glossary(metrics) }
    }

    /// Where the meaning stands. A page that stands alone gets its entry by this.
    fn address(&self, term: &Term) -> String {
        let anchor = term.anchor();
        match &self.own {
            Some(own) => {
                let address = format!("#{anchor}");
                own.borrow_mut().entry(anchor).or_insert_with(|| term.entry());
                address
            }
            None => format!("{GLOSSARY}.html#{anchor}"),
        }
    }

    /// The metric that a heading names, perhaps with a dataset or a reference after it; `None`
    /// where it may be several.
    fn named(&self, title: &str) -> Option<(&'a str, MetricId)> {
        let names = |(name, _): &&(&str, MetricId)| {
            let is_end = |rest: &str| {
                rest.is_empty() || rest.starts_with([',', ':']) || rest.starts_with(" against ")
            };
            title.strip_prefix(name).is_some_and(is_end)
        };
        let longest = self.metrics.iter().filter(names).max_by_key(|(name, _)| name.len())?;
        let is_other = |(name, id): &(&str, MetricId)| *name == longest.0 && *id != longest.1;
        (!self.metrics.iter().any(is_other)).then_some(*longest)
    }

    /// Whether a heading names a metric, or what is computed from many trials.
    pub fn has(&self, title: &str) -> bool {
        self.named(title).is_some() || DERIVED.iter().any(|one| one.is_in(title))
    }

    /// Whether a page that stands alone does not have the entry yet.
    fn is_new(&self, term: &Term) -> bool {
        self.own.as_ref().is_some_and(|own| !own.borrow().contains_key(&term.anchor()))
    }

    /// A link from a heading to its definition, where it names a metric, is a letter in a table of
    /// verdicts, or is a column of a page that stands alone. A column leads there in the first
    /// table that has it: nine links above each table would be in the way.
    pub fn definition(&self, title: &str, judged: bool) -> Markup {
        let letter =
            || LETTERS.iter().find(|letter| judged && letter.sign == title).map(Term::Sign);
        let column = || {
            let column =
                COLUMNS.iter().find(|column| column.heads.contains(&title)).map(Term::Column);
            column.filter(|term| self.is_new(term))
        };
        let derived = || DERIVED.iter().find(|one| one.is_in(title)).map(Term::Column);
        let found = match self.named(title) {
            Some((name, metric)) => Some((name, Term::Metric(metric))),
            None => letter().or_else(column).or_else(derived).map(|term| (title, term)),
        };
        html! { @if let Some((name, term)) = found {
            " " a.define href=(self.address(&term)) { "definition" span.sr { " of " (name) } }
        } }
    }

    /// A cell's words, as a link to the definition where they are a metric.
    pub fn metric(&self, text: &str) -> Markup {
        let is_meant =
            |(name, id): &&(&str, MetricId)| text == *name || text == format!("{name} ({id})");
        html! {
            @if let Some((_, metric)) = self.metrics.iter().find(is_meant) {
                a href=(self.address(&Term::Metric(*metric))) { (text) }
            } @else { (text) }
        }
    }

    /// Sentences in which a mark that they explain is a link. Such a mark begins a sentence or a
    /// part of one.
    pub fn note(&self, text: &str) -> Markup {
        let is_start = |at: &usize| text[..*at].ends_with(['.', ';']);
        let starts = text.match_indices(' ').map(|(at, _)| at).filter(is_start).map(|at| at + 1);
        let mut parts: Vec<(&str, &'static Sign)> = Vec::new();
        let mut done = 0;
        for at in std::iter::once(0).chain(starts) {
            if let Some(sign) = explained(&text[at..]) {
                parts.push((&text[done..at], sign));
                done = at + sign.sign.len();
            }
        }
        html! {
            @for (before, sign) in parts {
                (before) a href=(self.address(&Term::Sign(sign))) { (sign.sign) }
            }
            (text[done..])
        }
    }

    /// Takes note of the marks in a cell of numbers, so that a page that stands alone explains
    /// them.
    pub fn see(&self, text: &str) {
        // A dash is a mark in place of a number alone.
        let has = |sign: &&Sign| {
            if *sign == &MISSING { text.starts_with(sign.sign) } else { text.contains(sign.sign) }
        };
        for sign in ALL.into_iter().filter(|sign| self.own.is_some() && has(sign)) {
            self.address(&Term::Sign(sign));
        }
    }

    /// The folded part with the words that a page uses, which stands alone; nothing elsewhere.
    pub fn section(&self) -> Markup {
        let own = self.own.as_ref().map(RefCell::borrow).filter(|own| !own.is_empty());
        html! { @if let Some(own) = own {
            details #words {
                summary { h2 { "Words" } }
                dl { @for entry in own.values() { (entry) } }
            }
        } }
    }
}

/// The mark with which a sentence begins that explains it.
fn explained(sentence: &str) -> Option<&'static Sign> {
    let begins = |sign: &&Sign| {
        sentence.strip_prefix(sign.sign).is_some_and(|rest| rest.starts_with([' ', ':', 'k']))
    };
    ALL.into_iter().find(begins)
}

#[cfg(test)]
mod tests {
    use super::*;
    use uq_core::metrics::{Crps, Pinball};

    #[test]
    fn a_page_that_stands_alone_explains_the_words_to_which_it_leads_and_no_others() {
        let terms = Terms::of_page([("CRPS", MetricId::Crps(Crps))]);
        assert_eq!(terms.section().into_string(), "");
        for title in ["CRPS against a", "CRPS, Boston", "CRPS: mean ranks", "CRPS"] {
            assert!(
                terms.definition(title, false).into_string().contains("href=\"#metric-crps\""),
                "{title}"
            );
        }
        assert_eq!(terms.definition("CRPSS", false).into_string(), "");
        assert!(terms.metric("CRPS (crps)").into_string().starts_with("<a href=\"#metric-crps\">"));
        assert!(terms.definition("Gain", false).into_string().contains("href=\"#column-gain\""));
        assert_eq!(
            terms.definition("Gain", false).into_string(),
            "",
            "the first table alone leads there"
        );
        terms.see("1.5 ± 0.2 ¶2");
        let words = terms.section().into_string();
        for anchor in ["metric-crps", "column-gain", "mark-imputed"] {
            assert!(words.contains(&format!("<dt id=\"{anchor}\">")), "{anchor}: {words}");
        }
        assert_eq!(words.matches("<dt ").count(), 3, "{words}");
    }

    #[test]
    fn a_page_beside_the_glossary_leads_there() {
        let terms = Terms::of_glossary([("CRPS", MetricId::Crps(Crps))]);
        assert!(
            terms
                .definition("CRPS", false)
                .into_string()
                .contains("href=\"glossary.html#metric-crps\"")
        );
        assert!(
            terms.definition("h", true).into_string().contains("href=\"glossary.html#mark-h\"")
        );
        assert_eq!(
            terms.definition("h", false).into_string()
                + &terms.definition("Gain", false).into_string(),
            ""
        );
        assert_eq!(terms.section().into_string(), "");
        for title in [
            "Aleatoric variance: level",
            "level",
            "Area of the learning curve: CRPS",
            "Simple regret",
        ] {
            assert!(
                terms
                    .definition(title, false)
                    .into_string()
                    .contains("href=\"glossary.html#column-"),
                "{title}"
            );
        }
        assert_eq!(terms.definition("noise level", false).into_string(), "");
    }

    #[test]
    fn a_heading_that_may_be_several_metrics_leads_nowhere() {
        let [low, high] =
            [0.1, 0.9].map(|level| ("Pinball loss", MetricId::Pinball(Pinball { level })));
        let terms = Terms::of_page([low, high]);
        assert!(!terms.has("Pinball loss"));
        assert!(
            terms
                .metric("Pinball loss (pinball(level=0.9))")
                .into_string()
                .contains("#metric-pinball(level=0.9)")
        );
    }

    #[test]
    fn marks_that_a_note_explains_are_links_and_others_are_text() {
        let terms = Terms::of_glossary([]);
        let note =
            terms.note("Mean ± sd; * differs; † 2 of 3 <b>. –: none. 1 – 2, 3 * 4.").into_string();
        let link =
            |name: &str, sign: &str| format!("<a href=\"glossary.html#mark-{name}\">{sign}</a>");
        let [star, dagger, dash] = [("significant", "*"), ("failed", "†"), ("none", "–")]
            .map(|(name, sign)| link(name, sign));
        assert_eq!(
            note,
            format!(
                "Mean ± sd; {star} differs; {dagger} 2 of 3 &lt;b&gt;. {dash}: none. 1 – 2, 3 * 4."
            )
        );
        for sign in ALL {
            let note = terms.note(&format!("{}: it.", sign.sign)).into_string();
            assert_eq!(note, format!("{}: it.", link(sign.name, sign.sign)));
        }
    }
}
