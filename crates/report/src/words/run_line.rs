//! Say where and when trials ran, and how many of them the shipped run has, too.

use std::collections::BTreeSet;

use uqbench_judge::evidence::machines::{AlsoShipped, Machines};

/// Programs, platforms and processors of trials, and their first and last day as dates.
pub fn machines(machines: &Machines, [first, last]: [&str; 2]) -> String {
    let Machines { programs, platforms, processors, .. } = machines;
    let days = if first == last { first.to_owned() } else { format!("{first} to {last}") };
    let listed =
        |names: &BTreeSet<String>| names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    format!(
        "Trials by {} on {}; {}; {days}.",
        listed(programs),
        listed(platforms),
        listed(processors)
    )
}

/// How many trials the shipped run has, too, and how many of these are equal; empty where it has
/// none.
pub fn shipped(AlsoShipped { equal, differing }: AlsoShipped) -> String {
    match equal + differing {
        0 => String::new(),
        count => format!(
            "{} also in the shipped run: {equal} equal, {differing} differ.",
            if count == 1 {
                "1 of its trials is".into()
            } else {
                format!("{count} of its trials are")
            },
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_listed_with_their_days() {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let all = Machines {
            programs: names(&["uqbench 0.1", "uqbench 0.2"]),
            platforms: names(&["linux x86_64"]),
            processors: names(&["P, 2 threads"]),
            days: Some((0, 59)),
        };
        insta::assert_snapshot!(machines(&all, ["1970-01-01", "1970-03-01"]), @"Trials by uqbench 0.1, uqbench 0.2 on linux x86_64; P, 2 threads; 1970-01-01 to 1970-03-01.");
        insta::assert_snapshot!(machines(&all, ["1970-01-01", "1970-01-01"]), @"Trials by uqbench 0.1, uqbench 0.2 on linux x86_64; P, 2 threads; 1970-01-01.");
    }

    #[test]
    fn trials_of_the_shipped_run_are_counted() {
        assert_eq!(shipped(AlsoShipped::default()), "");
        insta::assert_snapshot!(shipped(AlsoShipped { equal: 1, differing: 0 }), @"1 of its trials is also in the shipped run: 1 equal, 0 differ.");
        insta::assert_snapshot!(shipped(AlsoShipped { equal: 3, differing: 2 }), @"5 of its trials are also in the shipped run: 3 equal, 2 differ.");
    }
}
