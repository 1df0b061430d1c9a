//! The files that this program carries: benchmarks, printed numbers, the manifest, bundled data,
//! errata, the shipped run's scorecard and the pack of one benchmark.

// `FILES`, as the build script finds them.
include!(concat!(env!("OUT_DIR"), "/carried.rs"));

/// Hands them down to the crates that read them.
pub fn hand_down() {
    uqbench_system::carried::carry(FILES);
}

#[cfg(test)]
mod tests {
    use uqbench_system::carried::of_checkout;

    use super::FILES;

    #[test]
    fn the_program_carries_what_its_crates_read_in_a_checkout() {
        let found = of_checkout(std::path::Path::new(env!("CARGO_MANIFEST_DIR")));
        let paths: Vec<&str> = found.iter().map(|(path, _)| *path).collect();
        assert_eq!(FILES.iter().map(|(path, _)| *path).collect::<Vec<_>>(), paths);
        assert!(FILES.iter().zip(&found).all(|(own, other)| own.1 == other.1));
    }
}
