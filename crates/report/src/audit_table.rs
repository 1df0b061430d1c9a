//! Make the page of an audit of a printed table.

use super::grid::{Grid, counted};
use super::section::{Page, Section};
use super::words::audit_table as words;
use uqbench_judge::audit_table::{Audit, Finding, Table, Verdict};

/// The page of an audit: its findings, the gravest first, and what each rule was applied to.
pub fn page(title: &str, table: &Table, audit: &Audit) -> Page {
    let mut page = Page::new(title.to_owned());
    page.text(words::introduction());
    let unread = match table.unread {
        0 => String::new(),
        unread => format!(", and {unread} that measure something that no rule reads"),
    };
    page.text(format!("It has {}{unread}.", counted(table.numbers.len(), "number")));
    page.text(match &audit.nearest {
        Some(nearest) => words::nearest(nearest),
        None => "No known protocol has a dataset of this table.".into(),
    });
    audit.by_chance.iter().for_each(|agreeing| page.text(words::by_chance(agreeing)));
    let mut rows: Vec<Row> = Vec::new();
    for finding in audit.findings() {
        match rows.iter_mut().find(|row| row.takes(finding)) {
            Some(row) => row.findings.push(finding),
            None => rows.push(Row { findings: vec![finding] }),
        }
    }
    rows.sort_by_key(Row::gravity);
    if rows.is_empty() {
        let applied = audit.rules.iter().filter(|checked| checked.applied > 0).count();
        page.text(words::nothing(applied, audit.rules.len()));
    } else {
        let mut grid = Grid::new(&["Verdict", "Rule", "Lines", "Dataset", "Column", "Evidence"]);
        grid.extend(rows.iter().filter_map(Row::cells));
        page.section(Section { title: "Findings".into(), grid, note: String::new() });
    }
    let mut grid = Grid::new(&["Rule", "#Applied to", "#Findings", "Premises"]);
    grid.extend(audit.rules.iter().map(|checked| {
        vec![
            words::rule(checked.rule).into(),
            checked.applied.to_string(),
            checked.findings.len().to_string(),
            words::premises(checked.rule).into(),
        ]
    }));
    page.section(Section { title: "Rules".into(), grid, note: String::new() });
    page
}

/// A row of the findings: one, or those of a rule on a column that hang on one premise.
struct Row<'f> {
    findings: Vec<&'f Finding>,
}

impl Row<'_> {
    /// Whether a finding hangs on the premise of this row.
    fn takes(&self, finding: &Finding) -> bool {
        finding.verdict == Verdict::ExcludedIf
            && self.findings.first().is_some_and(|first| {
                (first.rule, first.verdict, &first.column)
                    == (finding.rule, finding.verdict, &finding.column)
            })
    }

    /// Its place among the rows.
    fn gravity(&self) -> u8 {
        match self.findings.first().map(|first| first.verdict) {
            Some(Verdict::Excluded) => 0,
            Some(Verdict::ExcludedIf) => 1,
            Some(Verdict::Unlikely(_)) => 2,
            Some(Verdict::Likelier(_)) => 3,
            Some(Verdict::Same(_)) => 4,
            Some(Verdict::CannotTell(_)) | None => 5,
        }
    }

    fn cells(&self) -> Option<Vec<String>> {
        let first = self.findings.first()?;
        let all: Vec<usize> =
            self.findings.iter().flat_map(|finding| &finding.lines).copied().collect();
        let datasets: Vec<&str> =
            self.findings.iter().filter_map(|finding| finding.dataset.as_deref()).collect();
        let evidence = words::evidence(&first.evidence);
        Some(vec![
            words::verdict(first.verdict),
            words::rule(first.rule).into(),
            lines(&all),
            datasets.join(", "),
            first.column.clone(),
            match datasets.len() {
                0 | 1 => evidence,
                _ => words::first_of(datasets[0], &evidence),
            },
        ])
    }
}

/// Line numbers, of which a run is a range.
fn lines(all: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for line in all {
        match ranges.last_mut() {
            Some((_, last)) if *last == *line || *last + 1 == *line => *last = *line,
            _ => ranges.push((*line, *line)),
        }
    }
    let range = |(first, last): &(usize, usize)| match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_lines_is_a_range() {
        assert_eq!(lines(&[3, 4, 5, 9, 11, 12]), "3–5, 9, 11–12");
        assert_eq!(lines(&[7]), "7");
    }
}
