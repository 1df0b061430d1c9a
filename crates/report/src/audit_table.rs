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
        unread => format!(" Of {} no rule reads what it measures.", counted(unread, "number")),
    };
    page.text(format!("{} were read.{unread}", counted(table.numbers.len(), "number")));
    page.text(match &audit.nearest {
        Some(nearest) => words::nearest(nearest),
        None => "No known protocol has a dataset of this table.".into(),
    });
    let mut findings: Vec<&Finding> = audit.findings().collect();
    findings.sort_by_key(|finding| gravity(finding.verdict));
    if findings.is_empty() {
        page.text("No rule found anything.");
    } else {
        let mut grid = Grid::new(&["Verdict", "Rule", "Lines", "Dataset", "Column", "Evidence"]);
        grid.extend(findings.into_iter().map(row));
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

/// The place of a verdict among the findings.
fn gravity(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Excluded => 0,
        Verdict::ExcludedIf => 1,
        Verdict::Unlikely(_) => 2,
        Verdict::CannotTell(_) => 3,
    }
}

fn row(finding: &Finding) -> Vec<String> {
    vec![
        words::verdict(finding.verdict),
        words::rule(finding.rule).into(),
        lines(&finding.lines),
        finding.dataset.clone().unwrap_or_default(),
        finding.column.clone(),
        words::evidence(&finding.evidence),
    ]
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
