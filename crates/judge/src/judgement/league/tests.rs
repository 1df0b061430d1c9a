use std::collections::BTreeMap;

use super::*;
use uqbench_run::benchmark::find;

/// The datasets of the board `standard`, and a tenth one.
const KEYS: [&str; 10] = [
    "boston",
    "concrete",
    "energy",
    "kin8nm",
    "naval",
    "power:sheet5",
    "protein",
    "wine-red",
    "yacht",
    "tenth",
];

/// Headings of the board `standard`: three models, two systems and the reference.
const NAMES: [&str; 6] =
    ["Ridge", "CART", "NGBoost", "Stack of three", "Split conformal", "Unconditional quantiles"];

const SPLITS: usize = 4;

/// A board whose CRPS of an entrant on a dataset and a split is what a function says; `None` where
/// it failed. The reference's is 2 everywhere.
fn field(datasets: usize, loss: impl Fn(usize, usize, usize) -> Option<f64>) -> Field {
    let board = find("league-standard").unwrap();
    let metrics: Vec<_> = board.metrics.iter().map(|row| row.id).collect();
    let names = NAMES.map(str::to_owned);
    let mut field = Field::default();
    for (dataset, key) in KEYS.iter().enumerate().take(datasets) {
        let of = |entrant: usize| -> Vec<Option<f64>> {
            let one = |split| match NAMES[entrant] {
                "Unconditional quantiles" => Some(2.0),
                _ => loss(entrant, dataset, split),
            };
            (0..SPLITS).map(one).collect()
        };
        let scores: Vec<Vec<_>> = (0..NAMES.len()).map(of).collect();
        // By other metrics nothing is defined.
        let undefined = vec![vec![None; SPLITS]; NAMES.len()];
        let mut all = vec![undefined; metrics.len()];
        all[0] = scores;
        let approximations = vec![Vec::new(); metrics.len()];
        let one = Field::of_scores(key, &names, &metrics, all, approximations, 0.1);
        field.blocks.extend(one.blocks);
        (field.metrics, field.entrants) = (one.metrics, one.entrants);
    }
    field
}

/// Noise of a dataset and a split, without random numbers.
fn noise(entrant: usize, dataset: usize, split: usize) -> f64 {
    1.0 + 0.02 * (((entrant * 31 + dataset * 17 + split * 7) % 11) as f64 - 5.0) / 5.0
}

/// Losses whose entrants differ clearly: 1, 1.2, 1.8, 1, 1.5.
fn clear(entrant: usize, dataset: usize, split: usize) -> Option<f64> {
    Some([1.0, 1.2, 1.8, 1.0, 1.5][entrant] * noise(entrant, dataset, split))
}

fn headings(standings: &[Standing]) -> Vec<&str> {
    standings.iter().map(|one| one.heading.as_str()).collect()
}

#[test]
fn models_and_systems_are_ranked_apart_by_their_skill() {
    let (board, field) = (find("league-standard").unwrap(), field(9, clear));
    let found = judge(&field, &board, &[], &[]).unwrap();
    let [models, systems] = &found.tables[..] else { panic!() };
    assert_eq!(headings(&models.ranked), ["Ridge", "CART", "NGBoost", "Unconditional quantiles"]);
    assert_eq!(headings(&systems.ranked), ["Stack of three", "Split conformal"]);
    let skills: Vec<f64> = models.ranked.iter().map(|one| one.skill).collect();
    for (skill, expected) in skills.iter().zip([0.5, 0.4, 0.1, 0.0]) {
        assert!((skill - expected).abs() < 0.01, "{skills:?}");
    }
    assert_eq!(skills[3], 0.0, "the reference has no skill by its definition");
    for (place, one) in models.ranked.iter().enumerate() {
        let rank = one.rank.unwrap();
        assert_eq!((rank.rank, rank.stability.without_one), (place + 1, (place + 1, place + 1)));
        for sure in [rank.these.unwrap(), rank.others] {
            assert_eq!((sure.set.best, sure.set.worst), (place + 1, place + 1));
            assert_eq!(sure.is_behind_leader, place > 0);
        }
        assert!(!rank.hangs_on_failures());
        assert_eq!(one.interval, None, "nine datasets are too few");
        assert_eq!(one.by_dataset.len(), 9);
    }
    let leads = |at: usize| models.ranked[at].rank.unwrap().stability.leads;
    assert!((leads(0).unwrap() - 1.0).abs() < 1e-12 && leads(1) == Some(0.0));
    assert_eq!(models.ranked[0].against_leader, None);
    let against = models.ranked[2].against_leader.clone().unwrap();
    assert_eq!((against.worse, against.better, against.untested), (9, 0, 0));
    assert!(against.detectable.unwrap() < 0.1);
    assert!(found.datasets.iter().all(|dataset| dataset.reference_loss == 2.0));
    assert!(found.datasets[0].detectable[0].unwrap() > 0.0);
}

#[test]
fn each_kind_of_dataset_has_its_own_skill() {
    // NGBoost is good on the four sets of many rows, and nobody is on Protein and Red wine.
    let losses = |entrant: usize, dataset: usize, _: usize| {
        let own = if (3..7).contains(&dataset) { 0.1 } else { 0.9 };
        Some(match (dataset, entrant) {
            (6 | 7, _) => 1.8,
            (_, 2) => own,
            _ => 0.5,
        })
    };
    let (board, field) = (find("league-standard").unwrap(), field(9, losses));
    let found = judge(&field, &board, &[], &[]).unwrap();
    let members = |kind, datasets: &[usize]| OfKind { kind, datasets: datasets.to_vec() };
    let expected = [
        members(Kind::FewRows, &[0, 1, 2, 7, 8]),
        members(Kind::ManyRows, &[3, 4, 5, 6]),
        members(Kind::Predictable, &[0, 1, 2, 3, 4, 5, 8]),
        members(Kind::Noisy, &[6, 7]),
    ];
    assert_eq!(kinds(&found), expected, "no column of the nine sets is text");
    let models = found.table(EntrantKind::Model).unwrap();
    let ngboost = models.ranked.iter().find(|one| one.heading == "NGBoost").unwrap();
    let many = 1.0 - (0.05_f64.powi(3) * 0.9).powf(0.25);
    assert!((ngboost.skill_on(&[3, 4, 5, 6]) - many).abs() < 1e-12);
    assert!((ngboost.skill_on(&(0..9).collect::<Vec<_>>()) - ngboost.skill).abs() < 1e-12);
}

#[test]
fn splits_are_sure_where_datasets_disagree() {
    // Ridge and CART change places from dataset to dataset, and differ on each of them.
    let losses = |entrant: usize, dataset: usize, split: usize| {
        let own = match entrant {
            0 | 1 => [1.0, if dataset < 5 { 1.5 } else { 0.75 }][entrant],
            _ => [0.0, 0.0, 1.9, 1.0, 1.5][entrant],
        };
        Some(own * noise(entrant, dataset, split))
    };
    let (board, field) = (find("league-standard").unwrap(), field(9, losses));
    let found = judge(&field, &board, &[], &[]).unwrap();
    let cart = found.tables[0].ranked[1].clone();
    let rank = cart.rank.unwrap();
    assert_eq!((cart.heading.as_str(), rank.rank), ("CART", 2));
    assert!(rank.these.unwrap().is_behind_leader && !rank.others.is_behind_leader);
}

#[test]
fn one_split_tells_nothing_of_others() {
    let losses = |entrant: usize, dataset: usize, split: usize| {
        (split == 0).then(|| clear(entrant, dataset, split)).flatten()
    };
    let mut field = field(9, losses);
    let names = NAMES.map(str::to_owned);
    let board = find("league-standard").unwrap();
    for block in &mut field.blocks {
        let first = |of: Vec<Vec<Score>>| -> Vec<Vec<Option<f64>>> {
            let given = |score: &Score| match score {
                Score::Given(loss) => Some(*loss),
                _ => None,
            };
            of.iter().map(|of| of.iter().take(1).map(given).collect()).collect()
        };
        let scores = (0..field.metrics.len()).map(|metric| first(block.scores(metric))).collect();
        let one = Field::of_scores(&block.key, &names, &field.metrics, scores, Vec::new(), 0.1);
        *block = one.blocks[0].clone();
    }
    let found = judge(&field, &board, &[], &[]).unwrap();
    let first = &found.tables[0].ranked[0];
    assert_eq!((first.heading.as_str(), first.rank.unwrap().these), ("Ridge", None));
}

#[test]
fn overall_skill_is_one_less_the_geometric_mean_of_ratios_of_means() {
    // On two datasets the ratio is (1 + 3)/4 and 0.5/2, whatever the order of the splits.
    let losses = |_: usize, dataset: usize, split: usize| {
        Some(if dataset == 0 { [1.0, 3.0, 1.0, 3.0][split] } else { 0.5 })
    };
    let (board, field) = (find("league-standard").unwrap(), field(2, losses));
    let found = judge(&field, &board, &[], &[]).unwrap();
    let first = &found.tables[0].ranked[0];
    assert!((first.skill - 0.5).abs() < 1e-12);
    assert!(first.by_dataset[0].abs() < 1e-12 && (first.by_dataset[1] - 0.75).abs() < 1e-12);
}

#[test]
fn a_failed_split_has_the_loss_of_the_reference_and_two_other_rules_are_shown() {
    // Ridge fails on the first split of every dataset, and is the best one elsewhere.
    let losses = |entrant: usize, dataset: usize, split: usize| {
        (entrant > 0 || split > 0).then(|| clear(entrant, dataset, split)).flatten()
    };
    let (board, field) = (find("league-standard").unwrap(), field(9, losses));
    let found = judge(&field, &board, &[], &[]).unwrap();
    let models = &found.tables[0];
    let ridge = models.ranked.iter().find(|one| one.heading == "Ridge").unwrap();
    // (2 + 3 · 1)/(4 · 2) = 0.625 against 0.6 of CART.
    assert!((ridge.skill - 0.375).abs() < 0.01, "{}", ridge.skill);
    let rank = ridge.rank.unwrap();
    assert_eq!((rank.rank, rank.with_worst, rank.on_common), (2, 2, Some(1)));
    assert!(rank.hangs_on_failures());
    assert_eq!((ridge.failed, ridge.failed_on[0]), ((9, 36), 1));
    assert_eq!(models.common_datasets, 9);
}

#[test]
fn the_worst_loss_is_that_of_any_entrant_on_the_split() {
    // CART fails once, where a system is far worse than the reference.
    let losses = |entrant: usize, dataset: usize, split: usize| match (entrant, dataset, split) {
        (1, 0, 0) => None,
        (4, 0, 0) => Some(2000.0),
        _ => clear(entrant, dataset, split),
    };
    let (board, field) = (find("league-standard").unwrap(), field(9, losses));
    let found = judge(&field, &board, &[], &[]).unwrap();
    let models = &found.tables[0];
    let cart = models.ranked.iter().find(|one| one.heading == "CART").unwrap().rank.unwrap();
    // ln(2000/8)/9 = 0.6 is more than what is between CART and NGBoost.
    assert_eq!((cart.rank, cart.with_worst, cart.on_common), (2, 4, Some(2)));
}

#[test]
fn whoever_always_fails_is_ranked_as_the_reference_and_leaves_no_common_split() {
    let (board, mut field) = (find("league-standard").unwrap(), field(9, clear));
    field.blocks.iter_mut().for_each(|block| block.fail(2));
    let found = judge(&field, &board, &[], &[]).unwrap();
    let models = &found.tables[0];
    let ranks: Vec<_> = models.ranked.iter().map(|one| one.rank.unwrap()).collect();
    assert_eq!(ranks.iter().map(|rank| rank.rank).collect::<Vec<_>>(), [1, 2, 3, 3]);
    assert!(ranks.iter().all(|rank| rank.on_common.is_none()));
    assert_eq!((models.common_datasets, models.unranked.len()), (0, 0));
    let failed = models.ranked.iter().find(|one| one.heading == "NGBoost").unwrap();
    assert_eq!((failed.skill, failed.failed), (0.0, (36, 36)));
    assert_eq!(failed.against_leader.as_ref().unwrap().untested, 9, "all is imputed");
}

fn entry(heading: &str, kind: EntrantKind, datasets: &[&str], loss: f64) -> Brought {
    let metrics = find("league-standard").unwrap().metrics.len();
    let given = || {
        let mut all = vec![vec![Score::Undefined; SPLITS]; metrics];
        all[0] = (0..SPLITS).map(|split| Score::Given(loss * noise(3, 0, split))).collect();
        all
    };
    let scores: BTreeMap<String, _> =
        datasets.iter().map(|key| ((*key).to_owned(), given())).collect();
    Brought {
        approximations: Vec::new(),
        heading: heading.into(),
        key: heading.into(),
        kind,
        stated_seconds: Some(7.0),
        scores,
    }
}

#[test]
fn brought_entries_stand_by_their_skill_and_change_no_rank() {
    let board = find("league-standard").unwrap();
    let without = field(9, clear);
    let ranks = |field: &Field, brought: &[Brought]| {
        let found = judge(field, &board, brought, &[]).unwrap();
        found.tables.iter().map(|table| table.ranked.clone()).collect::<Vec<_>>()
    };
    let brought = [
        entry("mine 1", EntrantKind::Model, &KEYS[..9], 0.2),
        entry("part 1", EntrantKind::System, &KEYS[..8], 0.2),
    ];
    let mut with = without.clone();
    with.bring(&brought);
    assert_eq!(ranks(&with, &brought), ranks(&without, &[]));
    let found = judge(&with, &board, &brought, &[]).unwrap();
    let mine = &found.tables[0].claimed[0];
    assert!((mine.skill - 0.9).abs() < 0.01 && mine.rank.is_none());
    assert_eq!(mine.against_leader.as_ref().unwrap().better, 9);
    assert_eq!(mine.besides.stated_seconds, Some(7.0));
    let part = &found.tables[1].unranked[0];
    assert_eq!((part.heading.as_str(), &part.why), ("part 1", &no_trial("yacht")));
    assert!(found.tables[1].claimed.is_empty());
}

fn no_trial(dataset: &str) -> WhyUnranked {
    WhyUnranked { no_trial: vec![dataset.to_owned()], no_loss: Vec::new() }
}

#[test]
fn an_entry_of_intervals_alone_has_no_skill() {
    let board = find("league-standard").unwrap();
    let mut field = field(9, clear);
    let mut intervals = entry("intervals 1", EntrantKind::Model, &KEYS[..9], 0.2);
    let mut mixed = entry("mixed 1", EntrantKind::Model, &KEYS[..9], 0.2);
    for scores in intervals.scores.values_mut() {
        scores[0] = vec![Score::Undefined; SPLITS];
    }
    mixed.scores.get_mut("yacht").unwrap()[0][0] = Score::Undefined;
    let brought = [intervals, mixed];
    field.bring(&brought);
    let models = &judge(&field, &board, &brought, &[]).unwrap().tables[0];
    assert_eq!(headings(&models.claimed), ["mixed 1"], "one split of a dataset is a failure");
    assert_eq!(models.claimed[0].failed, (1, 9 * SPLITS));
    let [out] = &models.unranked[..] else { panic!("{:?}", models.unranked) };
    assert_eq!(out.heading, "intervals 1");
    assert_eq!((out.why.no_trial.len(), out.why.no_loss.len()), (0, 9));
}

#[test]
fn a_dataset_that_has_only_begun_does_not_count_and_one_of_no_trial_of_an_entrant_leaves_it_out() {
    let board = find("league-standard").unwrap();
    let mut all = field(9, clear);
    let names = NAMES.map(str::to_owned);
    let mut of_few = |key: &str, entrants: &[usize]| {
        // Without the other entrants: they have no trial.
        let scores = (0..names.len())
            .map(|at| if entrants.contains(&at) { vec![Some(1.5); SPLITS] } else { Vec::new() })
            .collect::<Vec<_>>();
        let mut of_all = vec![vec![Vec::new(); names.len()]; all.metrics.len()];
        of_all[0] = scores;
        let one = Field::of_scores(key, &names, &all.metrics, of_all, Vec::new(), 0.1);
        let at = all.blocks.iter().position(|block| block.key == key).unwrap();
        all.blocks[at] = one.blocks[0].clone();
    };
    of_few("boston", &[0, 5]);
    of_few("yacht", &[0, 1, 3, 4, 5]);
    of_few("naval", &[0, 1, 2, 3, 4]);
    let found = judge(&all, &board, &[], &[]).unwrap();
    let why: Vec<_> = found.uncounted.iter().map(|one| (one.heading, one.why)).collect();
    assert_eq!(why, [("boston", WhyUncounted::Begun), ("naval", WhyUncounted::NoReference)]);
    assert_eq!(headings(&found.tables[0].ranked), ["Ridge", "CART", "Unconditional quantiles"]);
    let out = &found.tables[0].unranked[0];
    assert_eq!((out.heading.as_str(), &out.why), ("NGBoost", &no_trial("yacht")));
    let empty = Field { blocks: Vec::new(), ..all };
    assert!(matches!(judge(&empty, &board, &[], &[]), Err(NoBoard::NoTrial { .. })));
    let other = find("dtb-table-1").unwrap();
    assert!(matches!(judge(&empty, &other, &[], &[]), Err(NoBoard::NotABoard(_))));
}

#[test]
fn ten_sources_have_an_interval_of_the_skill_and_datasets_of_one_source_are_one() {
    let mut board = find("league-standard").unwrap();
    let ten = field(10, clear);
    let found = judge(&ten, &board, &[], &[]).unwrap();
    assert_eq!(found.sources(), 10);
    let one = &found.tables[0].ranked[1];
    let (low, high) = one.interval.unwrap();
    assert!(low < one.skill && one.skill < high && high - low < 0.1, "{low} {high}");
    let again = judge(&ten, &board, &[], &[]).unwrap();
    assert_eq!(again.tables, found.tables, "the same draws");
    board.league.as_mut().unwrap().sources =
        BTreeMap::from([("tenth".to_owned(), "yacht".to_owned())]);
    let clustered = judge(&ten, &board, &[], &[]).unwrap();
    assert_eq!(clustered.sources(), 9);
    assert_eq!(clustered.tables[0].ranked[1].interval, None);
    assert_eq!(clustered.tables[0].ranked[1].skill, one.skill);
}

#[test]
fn what_stands_beside_the_skill_is_computed_by_hand() {
    let board = find("league-standard").unwrap();
    let metrics: Vec<_> = board.metrics.iter().map(|row| row.id).collect();
    let at = |name: &str| metrics.iter().position(|metric| metric.to_string() == name).unwrap();
    let names = ["Ridge", "Unconditional quantiles", "Unconditional Gaussian"].map(str::to_owned);
    let block = |key: &str, log: [Option<f64>; 2], interval: f64, coverage: [f64; 2]| {
        let mut all = vec![vec![vec![None; 2]; 3]; metrics.len()];
        all[at("crps")] = vec![vec![Some(1.0); 2], vec![Some(2.0); 2], vec![Some(1.9); 2]];
        all[at("log-likelihood")][0] = log.to_vec();
        all[at("log-likelihood")][2] = vec![Some(-2.0), Some(-3.0)];
        all[at("interval-score(level=0.9)")][0] = vec![Some(interval); 2];
        all[at("interval-score(level=0.9)")][1] = vec![Some(8.0); 2];
        all[at("picp(level=0.9)")][0] = coverage.map(Some).to_vec();
        Field::of_scores(key, &names, &metrics, all, Vec::new(), 0.1)
    };
    let mut field = block("boston", [Some(-1.0), Some(-1.0)], 4.0, [0.9, 0.8]);
    field.blocks.extend(block("energy", [Some(-2.0), Some(-3.0)], 1.0, [0.9, 0.9]).blocks);
    let effort = |dataset: &str, seconds: f64, memory: u64| Effort {
        column: "Ridge".into(),
        dataset: dataset.into(),
        seconds: Some(seconds),
        memory: Some(memory),
        finished: 2,
        planned: 3,
        ..Effort::default()
    };
    let efforts = [effort("boston", 2.0, 10), effort("energy", 8.0, 30)];
    let found = judge(&field, &board, &[], &efforts).unwrap();
    let ridge = &found.tables[0].ranked[0];
    let besides = &ridge.besides;
    // (1 + 2)/2 and 0; √(0.5 · 0.125); √(2 · 8).
    assert_eq!(besides.log_score, Some(0.75));
    assert!((besides.interval_score.unwrap() - 0.25).abs() < 1e-12);
    let coverage = besides.coverage.as_ref().unwrap();
    assert!((coverage.mean - 0.875).abs() < 1e-12 && coverage.worst.dataset == "boston");
    assert!((coverage.worst.coverage - 0.85).abs() < 1e-12);
    // √0.005 · √(1/2 + 0.1) on Boston, nothing on Energy; one degree of freedom: tan(0.475 π) / 2.
    let half = 0.5 * (0.475 * std::f64::consts::PI).tan() * 0.003_f64.sqrt();
    let (low, high) = coverage.interval.unwrap();
    assert!((low - (0.875 - half)).abs() < 1e-9 && high == 1.0, "{low} {high} {half}");
    assert!((besides.seconds.unwrap() - 4.0).abs() < 1e-12);
    assert_eq!((besides.memory, found.trials()), (Some(30), (4, 6)));
    let quantiles = found.tables[0].ranked.iter().find(|one| one.heading.contains("quantiles"));
    assert_eq!(quantiles.unwrap().besides.log_score, None, "it has no density");
}

#[test]
fn skill_that_a_random_division_shows_and_the_board_does_not_is_lost() {
    let mut board = find("league-standard").unwrap();
    board.league.as_mut().unwrap().controls = vec!["ridge".into()];
    // Against a loss of 2: CART falls from 0.4 to 0.2 and NGBoost from 0.1 to −0.1 on seven
    // datasets and rise by 0.05 on two; Ridge, the control, stays at 0.5.
    let honest = |entrant: usize, dataset: usize, _: usize| {
        let change = if dataset < 7 { 0.4 } else { -0.1 };
        Some(match entrant {
            1 | 2 => [0.0, 1.2, 1.8][entrant] + change,
            _ => 1.0,
        })
    };
    let random = |entrant: usize, _: usize, _: usize| Some([1.0, 1.2, 1.8, 1.0, 1.0][entrant]);
    let (honest, random) = (field(9, honest), field(9, random));
    let [here, there] = [&honest, &random].map(|field| judge(field, &board, &[], &[]).unwrap());
    let found = lost_skill(&here, &there).unwrap();
    let loss = |name: &str| found.entrants.iter().find(|one| one.heading == name).unwrap();
    let (cart, ridge) = (loss("CART"), loss("Ridge"));
    assert!((cart.loss.median - 0.2).abs() < 1e-12 && !cart.is_control);
    assert!((cart.by_dataset[0].random - 0.4).abs() < 1e-12);
    assert_eq!((cart.loss.lost, cart.loss.datasets), (7, 9));
    // Nine sources: from the second to the eighth of the sorted losses.
    let (low, high) = cart.loss.interval.unwrap();
    assert!((low + 0.05).abs() < 1e-12 && (high - 0.2).abs() < 1e-12, "{low} {high}");
    assert!(ridge.loss.median.abs() < 1e-12 && ridge.is_control && ridge.loss.lost == 0);
    assert!(found.entrants.iter().all(|one| !one.heading.contains("Unconditional")));
    // The systems lose nothing: medians of 0.2, 0.2, 0 and 0.
    assert!((found.datasets[0].loss - 0.1).abs() < 1e-12, "{:?}", found.datasets[0]);
    assert!((found.all.median - 0.1).abs() < 1e-12 && found.datasets.len() == 9);
    let nobody = Field { blocks: random.blocks[..3].to_vec(), ..random.clone() };
    let few = judge(&nobody, &board, &[], &[]).unwrap();
    let few = lost_skill(&here, &few).unwrap();
    assert_eq!((few.datasets.len(), few.all.interval), (3, None));
}
