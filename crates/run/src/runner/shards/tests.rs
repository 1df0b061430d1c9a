use std::fs;

use proptest::prelude::{prop_assert, proptest};

use super::*;
use crate::benchmark::find;
use crate::runner::plan::{Filter, plan};

fn loads(costs: &[u64], count: usize) -> Vec<u64> {
    let mut loads = vec![0; count];
    balance(costs.iter().copied(), count)
        .into_iter()
        .zip(costs)
        .for_each(|(shard, cost)| loads[shard] += cost);
    loads
}

fn plans() -> Vec<Plan> {
    let benchmarks = ["dtb-figure-2", "dtb-table-1"].map(|name| find(name).unwrap());
    plan(&benchmarks, Profile::Smoke, &Filter::default()).unwrap()
}

fn shards(count: usize) -> Shards {
    Shards::new(Choice::default(), &plans(), Costs::shipped().unwrap(), &HashSet::new(), count)
}

#[test]
fn the_longest_goes_first_to_the_shard_with_the_least_work() {
    // By hand: 7, 6 and 5 open the shards, then 4 goes to 5, 3 to 6, 2 to 7 (all have 9), and 1 to
    // the first.
    assert_eq!(balance([7, 6, 5, 4, 3, 2, 1], 3), [0, 1, 2, 2, 1, 0, 0]);
    assert_eq!(balance([0; 6], 3), [0, 1, 2, 0, 1, 2], "equal costs are divided by their number");
    assert_eq!(balance([5, 5], 4), [0, 1]);
    // Graham's worst case for two shards: 7 where 6 is possible.
    assert_eq!(loads(&[3, 3, 2, 2, 2], 2), [7, 5]);
}

proptest! {
    #[test]
    fn no_shard_exceeds_the_mean_by_more_than_one_trial(
        mut costs in proptest::collection::vec(0u64..1000, 1..80),
        count in 1usize..9,
    ) {
        costs.sort_unstable_by_key(|cost| Reverse(*cost));
        let loads = loads(&costs, count);
        let sum: u64 = costs.iter().sum();
        prop_assert!(loads.iter().sum::<u64>() == sum);
        prop_assert!(loads.iter().all(|load| load * count as u64 <= sum + costs[0] * count as u64));
    }
}

#[test]
fn every_trial_is_in_one_shard_and_the_bytes_are_always_the_same() {
    let (plans, three) = (plans(), shards(3));
    let mut keys: Vec<&TrialKey> = three.shards.iter().flatten().map(|(key, _)| key).collect();
    let mut expected: Vec<TrialKey> = trials(&plans).into_iter().map(|trial| trial.key).collect();
    keys.sort_unstable();
    expected.sort_unstable();
    assert!(keys.into_iter().eq(&expected));
    assert_eq!(three.bytes().unwrap(), shards(3).bytes().unwrap());
    assert!(
        three.shards.iter().all(|shard| shard.is_sorted_by(|(_, a), (_, b)| a >= b)),
        "the longest first"
    );
}

#[test]
fn what_is_stored_is_no_work_for_any_shard() {
    let all = trials(&plans()).into_iter().map(|trial| trial.key).collect::<Vec<_>>();
    let stored: HashSet<TrialKey> = all[1..].iter().cloned().collect();
    let plan = Shards::new(Choice::default(), &plans(), Costs::shipped().unwrap(), &stored, 2);
    assert_eq!(plan.shards[0][0].0, all[0], "the only trial that has to run");
    let [one, two] = [0, 1]
        .map(|shard| plan.shards[shard].iter().filter(|(key, _)| stored.contains(key)).count());
    assert_eq!(
        (one, two),
        (0, all.len() - 1),
        "the first shard has work, so the other one takes what is no work"
    );
}

#[test]
fn a_file_is_read_as_it_was_written_and_any_other_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.json");
    let read = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        Shards::read(&path)
    };
    let whole = shards(2).bytes().unwrap();
    assert_eq!(read(&whole).unwrap(), shards(2));
    let sealed_text = |text: String| sealed(text.as_bytes());
    let body = String::from_utf8(open_seal(&whole).unwrap().to_vec()).unwrap();
    let twice = Shards {
        shards: vec![shards(1).shards.remove(0), vec![shards(1).shards[0][0].clone()]],
        ..shards(1)
    };
    let mut flipped = whole.clone();
    flipped[100] ^= 1;
    let wrong = [
        (Vec::new(), "no plan, or is damaged"),
        (whole[..whole.len() - 9].to_vec(), "no plan, or is damaged"),
        (flipped, "checksum"),
        (sealed_text("[1]".into()), "states no format"),
        (sealed_text("{\"format\":1}".into()), "missing field"),
        (
            sealed_text(body.replace("\"format\":1", "\"format\":2")),
            "format 2, and this program reads formats up to 1",
        ),
        (twice.bytes().unwrap(), "twice"),
        (Shards { shards: Vec::new(), ..shards(1) }.bytes().unwrap(), "0 shards"),
    ];
    for (bytes, part) in wrong {
        let why = read(&bytes).unwrap_err().to_string();
        assert!(why.contains(part) && why.contains("plan.json"), "{why}");
    }
    let why = Shards::read(&folder.path().join("none")).unwrap_err();
    assert!(
        matches!(&why, ShardsError::Foreign { why, .. } if why.contains("cannot be read")),
        "{why}"
    );
}

#[test]
fn a_plan_of_other_trials_is_refused_with_their_numbers() {
    let (plans, path) = (plans(), Path::new("plan.json"));
    let mut file = shards(2);
    let found = file.find(&plans, path).unwrap();
    assert!(
        found.iter().flatten().map(|trial| &trial.key).eq(file
            .shards
            .iter()
            .flatten()
            .map(|(key, _)| key))
    );
    file.shards[0][0].0 = TrialKey::parse(&"ab".repeat(32)).unwrap();
    let count = trials(&plans).len();
    match file.find(&plans, path).map(|_| ()).unwrap_err() {
        ShardsError::Other { lacking: 1, added: 1, count: all, .. } => assert_eq!(all, count),
        error => panic!("{error}"),
    }
    file.shards[0].remove(0);
    let why = file.find(&plans, path).map(|_| ()).unwrap_err().to_string();
    assert!(why.contains("0 of ") && why.contains("1 others do"), "{why}");
}

#[test]
fn a_shard_is_numbered_from_1_by_the_option_or_by_the_scheduler() {
    let none = |_: &str| None;
    let of = |name: &'static str, value: &'static str| {
        move |asked: &str| (asked == name).then(|| value.to_owned())
    };
    assert_eq!(shard_number(Some("3/8"), none, 8), Ok(3));
    assert_eq!(
        shard_number(Some("3/8"), of("SLURM_ARRAY_TASK_ID", "5"), 8),
        Ok(3),
        "the option goes first"
    );
    for name in TASK_VARIABLES {
        assert_eq!(shard_number(None, of(name, "8"), 8), Ok(8), "{name}");
        for wrong in ["9", "-1", "x", ""] {
            let why = shard_number(None, of(name, wrong), 8).unwrap_err();
            assert_eq!(
                why,
                ShardNumberError::Task { variable: name, text: wrong.into(), count: 8 }
            );
            assert!(
                why.to_string().contains(name) && why.to_string().contains("from 1 to 8"),
                "{why}"
            );
        }
    }
    assert_eq!(
        shard_number(None, of("SLURM_ARRAY_TASK_ID", "0"), 8)
            .unwrap_err()
            .to_string()
            .split(':')
            .next(),
        Some("SLURM_ARRAY_TASK_ID is 0, and the plan has 8 shards")
    );
    for wrong in ["0/8", "9/8", "1/7", "1", "a/8", "1/8/8", ""] {
        assert!(
            shard_number(Some(wrong), none, 8)
                .unwrap_err()
                .to_string()
                .contains("expected 1/8 to 8/8"),
            "{wrong}"
        );
    }
    assert!(shard_number(None, none, 8).unwrap_err() == ShardNumberError::Unstated { count: 8 });
    assert!(
        shard_number(None, of("SGE_TASK_ID", "undefined"), 8).unwrap_err()
            == ShardNumberError::Unstated { count: 8 }
    );
    assert!(
        shard_number(None, of("LSB_JOBINDEX", "0"), 8).unwrap_err()
            == ShardNumberError::Unstated { count: 8 }
    );
    assert_eq!(shard_number(None, none, 1), Ok(1), "the only one");
}
