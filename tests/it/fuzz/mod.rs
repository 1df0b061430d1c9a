//! Feed malformed inputs to every reader: no panic, no abort, no hang over 10 s, no more than 1 GiB
//! of memory.
//!
//! Not a part of the suite: `just fuzz MINUTES` runs each target for this time. A finding is
//! printed with its seed and its input.

mod mutate;
mod targets;

use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Longest time that one input may take.
const LONGEST: Duration = Duration::from_secs(10);

/// Most memory that a target may add to that of the process, in bytes.
const MOST: u64 = 1 << 30;

/// Runs a target on mutants of the corpus for the requested time, and prints how many.
fn fuzz(
    name: &str,
    corpus: &[Vec<u8>],
    mutant: impl Fn(&[Vec<u8>], &mut ChaCha8Rng) -> Vec<u8>,
    target: impl Fn(&[u8]),
) {
    let minutes: f64 =
        env::var("UQBENCH_FUZZ_MINUTES").ok().and_then(|text| text.parse().ok()).unwrap_or(0.2);
    let seed: u64 =
        env::var("UQBENCH_FUZZ_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    corpus.iter().for_each(|input| target(input));
    limit_memory();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (start, mut count) = (Instant::now(), 0_u64);
    // An abort leaves no message, so the last input is kept here.
    let last = env::temp_dir().join(format!("uqbench-fuzz-{}", name.replace(' ', "-")));
    println!("{name}: the input under way is kept in {}", last.display());
    while start.elapsed() < Duration::from_secs_f64(60.0 * minutes) {
        let input = mutant(corpus, &mut random);
        std::fs::write(&last, &input).unwrap();
        let began = Instant::now();
        let end = catch_unwind(AssertUnwindSafe(|| target(&input)));
        let took = began.elapsed();
        assert!(
            end.is_ok() && took < LONGEST,
            "{name}, seed {seed}, input {count}: {} after {took:?}\n{}",
            if end.is_ok() { "hung" } else { "panicked" },
            String::from_utf8_lossy(&input)
        );
        count += 1;
    }
    std::fs::remove_file(&last).unwrap();
    println!(
        "{name}: {count} inputs, seed {seed}, {:.1} min",
        start.elapsed().as_secs_f64() / 60.0
    );
}

/// Memory beyond the limit ends the process: an allocation that fails is a finding.
fn limit_memory() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmSize:")).unwrap();
    let kib: u64 = line.split_whitespace().next().unwrap().parse().unwrap();
    let hard = getrlimit(Resource::As).maximum;
    setrlimit(Resource::As, Rlimit { current: Some(kib * 1024 + MOST), maximum: hard }).unwrap();
}

#[test]
fn mutants_differ_from_their_corpus_and_are_the_same_for_a_seed() {
    let corpus = vec![b"a = 1\nb = [2, 3]\n".to_vec(), b"x = \"y\"\n".to_vec()];
    let draw = |seed| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        (0..100).map(|_| mutate::text(&corpus, &mut random)).collect::<Vec<_>>()
    };
    assert_eq!(draw(1), draw(1));
    assert!(draw(1).iter().filter(|mutant| !corpus.contains(mutant)).count() > 90);
    assert!(draw(1).iter().any(|mutant| mutant.len() > 25) && draw(1) != draw(2));
}
