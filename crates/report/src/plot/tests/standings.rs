//! Test the figure of ranks with their confidence sets: its texts, and what it refuses.

use super::super::{FigureError, Render};
use super::{svg, texts};
use crate::words::figures::{BEHIND, NOT_BEHIND};
use uqbench_judge::figures::{Standings, StandingsPanel, StandingsRow};

pub(super) fn standings() -> Standings {
    let row = |name: &str, rank: usize, others: (usize, usize), is_behind: bool| StandingsRow {
        name: name.into(),
        skill: format!("{} %", 70 - 10 * rank),
        rank,
        these: Some((rank, rank)),
        others,
        is_behind,
    };
    let models = vec![
        row("NGBoost", 1, (1, 2), false),
        row("Exact GP", 2, (1, 2), false),
        row("Ridge", 3, (3, 3), true),
    ];
    let systems = vec![row("Stack", 1, (1, 2), false), row("CV+", 2, (1, 2), false)];
    Standings {
        title: "Ranks".into(),
        note: "A note.".into(),
        panels: vec![
            StandingsPanel { label: "Models".into(), rows: models },
            StandingsPanel { label: "Systems".into(), rows: systems },
        ],
    }
}

#[test]
fn every_entrant_is_named_with_its_skill_and_told_at_the_pointer() {
    let figure = standings();
    let svg = svg(&figure);
    for word in ["Ranks", "A note.", "Models", "Systems", "Exact GP", BEHIND, NOT_BEHIND] {
        assert_eq!(texts(&svg, word), 1, "{word}");
    }
    assert_eq!(texts(&svg, "60 %"), 2, "the first of each table");
    let tips = figure.render().unwrap().tips;
    assert!(
        tips.iter()
            .any(|tip| tip.words == "Exact GP: rank 2, on these datasets 2 to 2, on others 1 to 2"),
        "{tips:?}"
    );
    assert_eq!(tips.len(), 5);
}

#[test]
fn ranks_outside_the_panel_and_swapped_ends_are_refused() {
    let with = |change: fn(&mut StandingsRow)| {
        let mut figure = standings();
        change(&mut figure.panels[0].rows[1]);
        figure.render().unwrap_err()
    };
    assert!(matches!(with(|row| row.rank = 0), FigureError::Value { place: 2, .. }));
    assert!(matches!(with(|row| row.others = (1, 4)), FigureError::Value { .. }));
    assert!(matches!(with(|row| row.these = Some((2, 1))), FigureError::Interval { .. }));
    let empty = Standings { panels: Vec::new(), ..standings() };
    assert!(matches!(empty.render(), Err(FigureError::Empty { .. })));
}
