use super::*;
use crate::export::Format;
use crate::words::decomposed;
use uq_core::math::special::normal_quantile;
use uqbench_data::own::Cells;
use uqbench_judge::evidence::own_predictions::{OwnFile, decompose};

/// Two methods on 60 rows in two groups: the first covers all outcomes, the second few of the
/// second group.
fn text() -> String {
    let mut text = "method,group,y,mean,sd\n".to_owned();
    for method in ["wide", "narrow"] {
        for i in 0..60 {
            let (group, y) =
                (["left", "right"][i % 2], ((i * 37 % 60) as f64 / 60.0).sqrt() + i as f64);
            let sd = if method == "wide" || group == "left" { 1.0 } else { 0.01 };
            text += &format!("{method},{group},{y},{i},{sd}\n");
        }
    }
    text
}

fn evaluated(text: &str) -> (OwnPredictions, Evaluation) {
    let cells = Cells::parse("p.csv", text.as_bytes()).unwrap();
    let predictions =
        OwnPredictions::new(&[OwnFile::new(&cells, "p", "y", None, Some(0.9)).unwrap()]).unwrap();
    let evaluation = Evaluation::of(&predictions, 0.9, None);
    (predictions, evaluation)
}

fn rendered(text: &str) -> Vec<Document> {
    let (predictions, evaluation) = evaluated(text);
    let subject =
        Subject { files: "p.csv".into(), target: "y".into(), rope: 0.01, findings: Vec::new() };
    render(&subject, &predictions, &evaluation, &[])
}

#[test]
fn a_page_has_scores_coverage_groups_figures_and_the_comparison() {
    let documents = rendered(&text());
    let names: Vec<&str> = documents.iter().map(|document| document.name.as_str()).collect();
    for format in Format::of_pages() {
        assert!(names.contains(&format!("score.{}", format.ending).as_str()), "{names:?}");
    }
    for figure in ["reliability", "calibration", "crps-gains"] {
        assert!(names.contains(&format!("score-{figure}.svg").as_str()), "{names:?}");
    }
    let page = String::from_utf8(documents[0].bytes.clone()).unwrap();
    let (predictions, evaluation) = evaluated(&text());
    let undefined: Vec<String> = evaluation.undefined.iter().map(ToString::to_string).collect();
    assert!(!undefined.is_empty());
    for part in [
        words::about("y", &predictions, &evaluation),
        words::coverage_title("90 %"),
        words::undefined(&undefined),
    ] {
        assert!(page.contains(&part), "{part} in\n{page}");
    }
    for part in [
        "# Scores of p.csv",
        "| Coverage of mean ± 1 sd ",
        "## Calibration by group",
        "wide: left, 1.000 of 30 ",
        "narrow: right, 0.0",
        "## CRPS against wide",
        "](score-reliability.svg)",
    ] {
        assert!(page.contains(part), "{part} in\n{page}");
    }
    let narrow = page.lines().find(|line| line.starts_with("| narrow | right")).unwrap();
    assert!(narrow.contains("too low"), "{narrow}");
}

#[test]
fn the_table_of_numbers_has_all_rows_and_groups() {
    let documents = rendered(&text());
    let csv = documents.iter().find(|document| document.name == "score.csv").unwrap();
    let csv = String::from_utf8(csv.bytes.clone()).unwrap();
    assert!(csv.starts_with("method,split,group,metric,rows,score,low,high,exactness\n"));
    let of = |start: &str| csv.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(
        [
            of("wide,,,crps,60,"),
            of("narrow,,left,crps,30,"),
            of("narrow,,right,picp(level=0.9),30,")
        ],
        [1, 1, 1]
    );
}

/// One normal forecast of 400 rows in eight test sets, as it is and by its quantiles at these
/// levels.
fn two_forms(levels: &[f64]) -> Vec<Document> {
    let (mut normal, mut quantiles) = ("split,y,mean,sd\n".to_owned(), "split,y".to_owned());
    levels.iter().for_each(|level| quantiles += &format!(",q{level}"));
    quantiles += "\n";
    for i in 0..400 {
        let (mean, sd) = (f64::from(i * 37 % 60), 1.0 + f64::from(i % 7));
        let y = mean + sd * normal_quantile((f64::from(i * 151 % 400) + 0.5) / 400.0);
        normal += &format!("{},{y},{mean},{sd}\n", i / 50);
        let ends: String = levels
            .iter()
            .map(|level| format!(",{}", mean + sd * normal_quantile(*level)))
            .collect();
        quantiles += &format!("{},{y}{ends}\n", i / 50);
    }
    let file = |name: &str, text: &str| {
        OwnFile::new(&Cells::parse(name, text.as_bytes()).unwrap(), name, "y", None, None).unwrap()
    };
    let predictions =
        OwnPredictions::new(&[file("normal", &normal), file("quantiles", &quantiles)]).unwrap();
    let evaluation = Evaluation::of(&predictions, 0.9, None);
    let subject =
        Subject { files: "p.csv".into(), target: "y".into(), rope: 0.01, findings: Vec::new() };
    render(&subject, &predictions, &evaluation, &[])
}

#[test]
fn one_forecast_in_two_forms_is_not_decided_by_an_approximated_score() {
    let decision = |documents: &[Document], metric: &str| {
        let page = String::from_utf8(documents[0].bytes.clone()).unwrap();
        let section = page
            .split("\n## ")
            .find(|section| section.starts_with(&format!("{metric} against")))
            .unwrap()
            .to_owned();
        let row = section.lines().find(|line| line.contains("| quantiles |")).unwrap().to_owned();
        row.split('|').nth(11).unwrap().trim().to_owned()
    };
    let few = two_forms(&[0.05, 0.5, 0.95]);
    assert!(decision(&few, "CRPS").contains("approximated"), "{}", decision(&few, "CRPS"));
    assert!(decision(&few, "RMSE").contains("approximated"));
    assert!(
        !decision(&few, "Interval score (90 %)").contains("approximated"),
        "its ends are given"
    );
    let many: Vec<f64> = (1..100).map(|i| f64::from(i) / 100.0).collect();
    assert!(
        !decision(&two_forms(&many), "CRPS").contains("approximated"),
        "99 levels are near enough"
    );
}

#[test]
fn one_method_is_not_compared() {
    let one: String = text()
        .lines()
        .filter(|line| !line.starts_with("narrow"))
        .map(|line| format!("{line}\n"))
        .collect();
    let documents = rendered(&one);
    assert!(documents.iter().all(|document| !document.name.contains("gains")));
    assert!(!String::from_utf8_lossy(&documents[0].bytes).contains("Gain"));
}

#[test]
fn a_page_says_what_the_crps_is_made_of_where_it_is_asked() {
    let (predictions, evaluation) = evaluated(&text());
    let subject =
        Subject { files: "p.csv".into(), target: "y".into(), rope: 0.01, findings: Vec::new() };
    let documents = render(&subject, &predictions, &evaluation, &decompose(&predictions));
    let page = String::from_utf8(documents[0].bytes.clone()).unwrap();
    let section =
        page.split("\n## ").find(|section| section.starts_with(decomposed::TITLE)).unwrap();
    let row = |method: &str| -> Vec<String> {
        let line = section.lines().find(|line| line.starts_with(&format!("| {method} "))).unwrap();
        line.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let (wide, narrow) = (row("wide"), row("narrow"));
    assert_eq!(wide[9], "100 %", "one standard deviation: all forecasts are comparable");
    assert_eq!(narrow[6], "miscalibrated");
    assert_eq!(wide[8], narrow[8], "uncertainty is that of the outcomes");
    let csv = documents.iter().find(|document| document.name == "score.csv").unwrap();
    let csv = String::from_utf8(csv.bytes.clone()).unwrap();
    let number = |metric: &str| -> f64 {
        let line = csv.lines().find(|line| line.starts_with(&format!("wide,,,{metric},60,")));
        line.unwrap().split(',').nth(5).unwrap().parse().unwrap()
    };
    let part = |part: &str| number(&format!("crps-part(part={part})"));
    let sum = part("miscalibration") - part("discrimination") + part("uncertainty");
    assert!((sum - number("crps")).abs() < 1e-12);
    let without = String::from_utf8(rendered(&text())[0].bytes.clone()).unwrap();
    assert!(!without.contains(decomposed::TITLE));
}

#[test]
fn parts_of_an_approximated_crps_are_marked_and_those_of_an_interval_are_none() {
    let row = |head: &str, cells: &str| -> Vec<String> {
        let rows: String = (0..40).map(|i| format!("{i},{cells}\n")).collect();
        let (predictions, evaluation) = evaluated(&format!("y,{head}\n{rows}"));
        let section = decomposition::section(&predictions, &evaluation, &decompose(&predictions));
        section.grid.rows[0].iter().map(|cell| cell.text.clone()).collect()
    };
    let quantiles = row("q0.05,q0.5,q0.95", "10,20,30");
    assert!(quantiles[1].starts_with('≈') && quantiles[2].starts_with('≈'), "{quantiles:?}");
    let interval = row("lower,upper", "10,30");
    assert!(interval[1..].iter().all(|cell| cell == "–"), "{interval:?}");
}
