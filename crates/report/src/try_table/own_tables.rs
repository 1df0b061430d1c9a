//! List the comparisons of tables of one's own that lie in one folder, with what came out of each.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::comparison::FORMAT;
use crate::document::Document;
use crate::grid::{Cell, Grid, Lead};
use crate::section::{Page, Section};
use crate::site::single;
use crate::words::try_table::bounds::stated;
use crate::words::try_table::notes;
use uq_core::metrics::{Crps, MetricId};
use uq_core::predictive::{Bounds, Side};
use uq_core::stats::digits::{NONE, number};
use uqbench_run::benchmark::report_files;
use uqbench_system::address::encoded;

/// Name of the page in the site, without ending.
pub const NAME: &str = report_files::OWN_TABLES;

/// Its title.
pub const TITLE: &str = "Own tables";

/// The part of `FILE-comparison.json` that the list shows.
#[derive(Deserialize)]
struct Compared {
    format: u32,
    level: f64,
    side: Side,
    recommendation: Recommended,
    procedure: Option<Procedure>,
    methods: Vec<Method>,
    warnings: Vec<String>,
}

#[derive(Deserialize)]
struct Recommended {
    method: Option<String>,
}

#[derive(Deserialize)]
struct Procedure {
    rows: usize,
    coverage: f64,
    interval: Option<(f64, f64)>,
    judged: String,
}

#[derive(Deserialize)]
struct Method {
    method: String,
    scores: Map<String, Value>,
}

/// The page of these comparisons: the name of each table's page without ending, and its
/// `FILE-comparison.json`, in order.
pub fn own_tables(comparisons: &[(String, String)]) -> Document {
    let mut page = Page::new(TITLE);
    page.text(notes::compared(comparisons.len()));
    let mut grid = Grid::new(&[
        "Table",
        "Recommended",
        "Asked",
        "#Test rows",
        "#Coverage",
        "95 % interval",
        "Judged",
        "#CRPS",
        "#Warnings",
    ]);
    for (name, json) in comparisons {
        match read(json) {
            Ok(compared) => {
                let page = Lead::Page(format!("site/{}.html", encoded(name)));
                grid.push(row(Cell::leading(name.as_str(), Some(page)), &compared));
            }
            Err(why) => page.text(notes::unreadable(name, &why)),
        }
    }
    page.name_metric("CRPS", MetricId::Crps(Crps));
    page.section(Section { title: "Tables".into(), grid, note: notes::OWN_TABLES.into() });
    single::alone(NAME, &page, &[])
}

fn read(json: &str) -> Result<Compared, String> {
    let compared: Compared = serde_json::from_str(json).map_err(|error| error.to_string())?;
    match compared.format {
        FORMAT => Ok(compared),
        other => Err(format!("found the format {other}, expected {FORMAT}")),
    }
}

fn row(
    name: Cell,
    Compared { level, side, recommendation, procedure, methods, warnings, .. }: &Compared,
) -> [Cell; 9] {
    let none = || NONE.to_owned();
    let [rows, coverage, interval, judged] = match procedure {
        None => [none(), none(), none(), none()],
        Some(Procedure { rows, coverage, interval, judged }) => [
            rows.to_string(),
            format!("{coverage:.3}"),
            interval.map_or_else(none, |(low, high)| format!("{low:.3} to {high:.3}")),
            judged.clone(),
        ],
    };
    let is_chosen = |method: &&Method| Some(&method.method) == recommendation.method.as_ref();
    let crps =
        methods.iter().find(is_chosen).and_then(|method| method.scores.get("crps")?.as_f64());
    [
        name,
        recommendation.method.as_deref().unwrap_or("none").into(),
        stated(Bounds { level: *level, side: *side }).into(),
        rows.into(),
        coverage.into(),
        interval.into(),
        judged.into(),
        crps.map_or_else(none, |crps| number(crps, None)).into(),
        warnings.len().to_string().into(),
    ]
}
