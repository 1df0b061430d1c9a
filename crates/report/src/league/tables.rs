//! Write the tables of a board.

use std::collections::BTreeMap;

use super::{grid, is_users};
use crate::comparison::first_trial;
use crate::grid::{Cell, Grid};
use crate::section::Section;
use crate::words::league as words;
use crate::words::league::notes;
use crate::words::signs::APPROXIMATED;
use uq_core::stats::digits::{NONE, number};
use uqbench_judge::evidence::efforts::Effort;
use uqbench_judge::judgement::league::{
    Against, Board, Coverage, OfKind, Standing, Sure, Table, kinds,
};
use uqbench_run::league::Card;

/// Most entrants in the table of skill by dataset.
const SHOWN: usize = 10;

/// Bytes of a mebibyte.
const MEBIBYTE: f64 = 1_048_576.0;

/// The table of ranks, with claimed entries at the places of their skill; `None` without an
/// entrant.
pub(super) fn ranks(board: &Board, table: &Table) -> Option<Section> {
    let interval =
        board.tables.iter().flat_map(|table| &table.ranked).any(|one| one.interval.is_some());
    let skill = if interval { "#Skill (95 % interval)" } else { "#Skill" };
    let mut grid = Grid::new(&[
        "Method",
        "#Rank",
        "#Here",
        "#Elsewhere",
        skill,
        "#Log score",
        "#Interval score",
        "#Coverage",
        "#Worst coverage",
        "#Seconds",
        "#Memory (MiB)",
        "#Failed splits",
    ]);
    let mut all: Vec<&Standing> = table.ranked.iter().chain(&table.claimed).collect();
    // Stable: equal skills keep their order.
    all.sort_by(|a, b| b.skill.total_cmp(&a.skill));
    for one in &all {
        let set = |sure: Sure| range(sure.set.best, sure.set.worst);
        let [rank, here, elsewhere] = match &one.rank {
            Some(rank) => {
                [rank.rank.to_string(), rank.these.map_or(NONE.into(), set), set(rank.others)]
            }
            None => [words::CLAIMED.into(), NONE.into(), NONE.into()],
        };
        let besides = &one.besides;
        let coverage = besides.coverage.as_ref();
        grid.push([
            named(one),
            rank,
            here,
            elsewhere,
            words::percent_within(one.skill, one.interval),
            besides.log_score.map_or(NONE.into(), words::nats),
            besides.interval_score.map_or(NONE.into(), |ratio| format!("{ratio:.3}")),
            coverage.map_or(NONE.into(), |one| words::percent_within(one.mean, one.interval)),
            coverage.map_or(NONE.into(), worst),
            besides.seconds.map_or(NONE.into(), |seconds| number(seconds, Some(seconds))),
            besides.memory.map_or(NONE.into(), |bytes| format!("{:.0}", bytes as f64 / MEBIBYTE)),
            failed(one),
        ]);
    }
    let approximated = all.iter().any(|one| one.is_approximated);
    let mut note = notes::ranks(table.kind);
    if approximated {
        note += &notes::approximated();
    }
    Some(Section { title: words::heading(table.kind).into(), grid, note })
}

/// An entrant's heading, marked where its scores are approximated and others are not.
fn named(one: &Standing) -> String {
    format!("{}{}", one.heading, if one.is_approximated { APPROXIMATED.sign } else { "" })
}

fn range(best: usize, worst: usize) -> String {
    if best == worst { best.to_string() } else { format!("{best} to {worst}") }
}

fn worst(coverage: &Coverage) -> String {
    format!("{} ({})", words::percent(coverage.worst.coverage), coverage.worst.dataset)
}

fn failed(one: &Standing) -> String {
    match one.failed {
        (0, _) => "0".into(),
        (failed, all) => format!("{failed} of {all}"),
    }
}

/// Entries that somebody brought; `None` where there is none.
pub(super) fn claimed(board: &Board, cards: &BTreeMap<String, Card>) -> Option<Section> {
    let mut grid = Grid::new(&[
        "Entry",
        "By",
        "Kind",
        "#Skill",
        "Data seen before",
        "Searched",
        "#Seconds",
        "#Failed splits",
        "Key",
    ]);
    for table in &board.tables {
        for one in &table.claimed {
            let key = &board.field.entrants[one.entrant].id;
            let stated =
                |text: fn(&Card) -> String| cards.get(key).map(text).unwrap_or_else(|| NONE.into());
            let seconds = one.besides.stated_seconds;
            grid.push([
                one.heading.clone(),
                stated(|card| card.authors.join(", ")),
                words::singular(table.kind).into(),
                words::percent_within(one.skill, one.interval),
                stated(words::data_seen),
                stated(|card| card.searched.clone()),
                seconds.map_or(NONE.into(), |seconds| number(seconds, Some(seconds))),
                failed(one),
                key.chars().take(12).collect(),
            ]);
        }
    }
    Some(Section { title: words::CLAIMED_ENTRIES.into(), grid, note: notes::CLAIMED.into() })
}

/// The first ranked entrants of a table, and methods of the user's.
fn shown<'a>(board: &'a Board, table: &'a Table) -> impl Iterator<Item = &'a Standing> {
    let all = table.ranked.iter().enumerate();
    all.filter(|(at, one)| *at < SHOWN || is_users(board, one)).map(|(_, one)| one)
}

/// The skill of the first entrants of a table on each dataset.
pub(super) fn by_dataset(board: &Board, table: &Table, name: &str) -> Option<Section> {
    let shown: Vec<&Standing> =
        shown(board, table).chain(table.claimed.iter().take(SHOWN)).collect();
    let names = shown.iter().map(|one| match one.rank {
        Some(_) => format!("#{}", named(one)),
        None => format!("#{}", words::claimed(&named(one))),
    });
    let mut grid = grid(&std::iter::once("Dataset".to_owned()).chain(names).collect::<Vec<_>>());
    for (at, dataset) in board.datasets.iter().enumerate() {
        let skill = |one: &&Standing| -> Cell {
            let failed = one.failed_on[at];
            let mark = if failed > 0 { words::failed_mark(failed) } else { String::new() };
            let text = format!("{}{mark}", words::percent(one.by_dataset[at]));
            Cell::of_trials(text, first_trial(dataset.block, one.entrant))
        };
        let first: Cell = dataset.block.heading.clone().into();
        grid.push(std::iter::once(first).chain(shown.iter().map(skill)));
    }
    let hidden = table.ranked.len() + table.claimed.len() - shown.len();
    let mut note = notes::by_dataset(SHOWN, hidden, name);
    if shown.iter().any(|one| one.failed.0 > 0) {
        note += &notes::failed_mark();
    }
    let is_any = !shown.is_empty();
    is_any.then(|| Section { title: words::by_dataset(table.kind), grid, note })
}

/// The skill of the first entrants of a table on each kind of dataset.
pub(super) fn by_kind(board: &Board, table: &Table) -> Option<Section> {
    let kinds = kinds(board);
    let head = std::iter::once("Method".to_owned());
    let head = head.chain(kinds.iter().map(|of| format!("#{}", words::kinds::heading(of.kind))));
    let mut grid = grid(&head.collect::<Vec<_>>());
    for one in shown(board, table) {
        let skills = kinds.iter().map(|of| words::percent(one.skill_on(&of.datasets)));
        grid.push(std::iter::once(named(one)).chain(skills));
    }
    let members = |of: &OfKind| {
        let headings = of.datasets.iter().map(|&at| board.datasets[at].block.heading.as_str());
        words::kinds::members(of.kind, &headings.collect::<Vec<_>>())
    };
    let note = words::kinds::note(&kinds.iter().map(members).collect::<Vec<_>>());
    let is_any = !kinds.is_empty();
    is_any.then(|| Section { title: words::kinds::title(table.kind), grid, note })
}

/// Each entrant against the leader of its table.
pub(super) fn against(table: &Table) -> Option<Section> {
    let leader = table.ranked.first()?;
    let mut grid = Grid::new(&[
        "Method",
        "#Better on",
        "#Worse on",
        "#Equivalent on",
        "#Undecided on",
        "#Untested on",
        "#Detectable",
    ]);
    for one in table.ranked.iter().chain(&table.claimed) {
        let Some(Against { better, worse, equivalent, undecided, untested, detectable }) =
            &one.against_leader
        else {
            continue;
        };
        let counts = [better, worse, equivalent, undecided, untested].map(ToString::to_string);
        let detectable = detectable.map_or(NONE.into(), words::percent);
        let name = if one.rank.is_none() { words::claimed(&one.heading) } else { named(one) };
        grid.push(std::iter::once(name).chain(counts).chain([detectable]));
    }
    Some(Section {
        title: words::against(table.kind, &leader.heading),
        grid,
        note: notes::against(&leader.heading),
    })
}

/// How stable the ranks are.
pub(super) fn stability(table: &Table) -> Option<Section> {
    let mut grid =
        Grid::new(&["Method", "#Rank", "#Without one dataset", "#First on single splits"]);
    for one in &table.ranked {
        let Some(rank) = one.rank else { continue };
        let (best, worst) = rank.stability.without_one;
        grid.push([
            one.heading.clone(),
            rank.rank.to_string(),
            if worst == 0 { NONE.into() } else { range(best, worst) },
            rank.stability.leads.map_or(NONE.into(), words::percent),
        ]);
    }
    Some(Section { title: words::stability(table.kind), grid, note: notes::STABILITY.into() })
}

/// Entrants whose rank hangs on the rule for failed splits.
pub(super) fn hanging(board: &Board, table: &Table) -> Option<Section> {
    let mut grid = Grid::new(&["Method", "#Reference", "#Worst", "#Common", "#Failed splits"]);
    for one in &table.ranked {
        let Some(rank) = one.rank.filter(|rank| rank.hangs_on_failures()) else { continue };
        grid.push([
            one.heading.clone(),
            rank.rank.to_string(),
            rank.with_worst.to_string(),
            rank.on_common.map_or(NONE.into(), |rank| rank.to_string()),
            failed(one),
        ]);
    }
    let note = notes::hanging(table.common_datasets, board.datasets.len());
    Some(Section { title: words::hanging_title(table.kind), grid, note })
}

/// The failures of each entrant on each dataset.
pub(super) fn failures(board: &Board) -> Option<Section> {
    let mut grid = Grid::new(&["Method", "Dataset", "#Failed splits", "Outcome", "Reason"]);
    for table in &board.tables {
        for one in table.ranked.iter().chain(&table.claimed) {
            for (at, dataset) in board.datasets.iter().enumerate() {
                let failed = one.failed_on[at];
                if failed == 0 {
                    continue;
                }
                let is_it = |effort: &&Effort| {
                    one.rank.is_some()
                        && effort.column == one.heading
                        && effort.dataset == dataset.block.key
                };
                let effort = board.efforts.iter().find(is_it);
                let outcomes = effort.map(|effort| {
                    let written = |(word, count): &(String, usize)| format!("{word} {count}");
                    effort.failures.iter().map(written).collect::<Vec<_>>().join(", ")
                });
                let outcomes = outcomes.filter(|words| !words.is_empty());
                grid.push([
                    one.heading.clone(),
                    dataset.block.heading.clone(),
                    failed.to_string(),
                    outcomes.unwrap_or_else(|| words::NO_PREDICTION.into()),
                    effort.and_then(|effort| effort.reason.clone()).unwrap_or_else(|| NONE.into()),
                ]);
            }
        }
    }
    Some(Section { title: words::FAILURES.into(), grid, note: notes::FAILURES.into() })
}

/// The datasets, with what their splits could find.
pub(super) fn datasets(board: &Board) -> Section {
    let mut head = vec![
        "Dataset".to_owned(),
        "Source".to_owned(),
        "#Splits".to_owned(),
        format!("#{} of the reference", board.league.loss.label()),
    ];
    head.extend(board.tables.iter().map(|table| format!("#{}", words::detectable(table.kind))));
    let mut grid = grid(&head);
    for dataset in &board.datasets {
        let first = [
            dataset.block.heading.clone(),
            if dataset.source == dataset.block.key {
                NONE.into()
            } else {
                dataset.source.to_owned()
            },
            dataset.splits.to_string(),
            number(dataset.reference_loss, None),
        ];
        let found =
            dataset.detectable.iter().map(|share| share.map_or(NONE.into(), words::percent));
        grid.push(first.into_iter().chain(found));
    }
    Section { title: words::DATASETS.into(), grid, note: notes::DATASETS.into() }
}
