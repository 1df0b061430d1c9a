//! One table under several names is one dataset.

use std::fmt::Write;

use super::command::Dir;

const HEAD: &str = r#"
id = "own"
title = "Own"
protocol = { k-fold = { folds = 3, repeats = 1 } }
[[methods]]
id = "linear-gaussian"
columns = [{ heading = "Lin", labels = { method = "Lin" } }]
[[methods]]
id = "unconditional-gaussian"
columns = [{ heading = "Unc", labels = { method = "Unc" } }]
[[metrics]]
id = "crps"
heading = "CRPS"
[profiles.smoke]
splits = 3
[profiles.quick]
splits = 3
[profiles.full]
splits = 3
"#;

/// Rows of two features and a target between these marks.
fn rows(seed: u32, separator: char) -> String {
    let row = |i: u32| {
        let [a, b] = [f64::from(i * (7 + seed) % 31), f64::from(i * 17 % (23 + seed))];
        let y = a - 0.5 * b + 5.0 * (f64::from(i) + f64::from(seed)).sin();
        format!("{a}{separator}{b}{separator}{y:.4}\n")
    };
    (0..60).map(row).collect()
}

#[test]
fn a_table_of_several_names_is_told_and_counted_once() {
    let dir = Dir::new();
    for seed in 0..3 {
        dir.write(&format!("d{seed}.csv"), &format!("a,b,y\n{}", rows(seed, ',')));
    }
    dir.write("other.csv", &format!("u;v;y\n{}", rows(0, ';')));
    dir.write("pasted.csv", &format!("a,b,y\n{}{}", rows(0, ','), rows(0, ',')));
    let wide: String =
        rows(0, ',').lines().enumerate().fold(String::new(), |mut text, (i, line)| {
            writeln!(text, "{},{line}", (i * i) % 13).unwrap();
            text
        });
    dir.write("wide.csv", &format!("c,a,b,y\n{wide}"));
    let benchmark = |keys: &[&str]| {
        keys.iter().fold(HEAD.to_owned(), |text, key| {
            format!(
                "{text}[[datasets]]\nkey = \"{key}\"\nheading = \"{}\"\nfile = \
                 \"{key}.csv\"\ntarget = \"y\"\n",
                key.to_uppercase()
            )
        })
    };
    dir.write("apart.toml", &benchmark(&["d0", "d1", "d2"]));
    dir.write("own.toml", &benchmark(&["d0", "d1", "d2", "other", "pasted", "wide"]));
    assert!(!dir.run("run apart.toml").code(0).err.contains("warning: "));
    let warned = dir.run("run own.toml").code(0).err;
    let warnings: Vec<&str> = warned
        .lines()
        .filter(|line| line.starts_with("warning: ") && line.contains("\"d0\""))
        .collect();
    let [warning] = warnings[..] else { panic!("{warned}") };
    for name in ["\"d0\"", "\"other\"", "\"pasted\"", "\"wide\""] {
        assert!(warning.contains(name), "{name} in {warning}");
    }
    assert!(!warning.contains("\"d1\""), "{warning}");
    let pairs = |benchmark: &str| {
        let ended = dir
            .run(&format!(
                "compare Lin Unc --benchmarks {benchmark} --metrics crps --out {benchmark}-out"
            ))
            .code(0);
        let row = ended
            .out
            .lines()
            .find(|line| line.contains("| Unc ") && line.matches('|').count() == 9)
            .map(str::to_owned);
        (row.unwrap_or_else(|| panic!("{}", ended.out)), ended.err.contains("warning: "))
    };
    let (alone, several) = (pairs("apart.toml"), pairs("own.toml"));
    assert_eq!(alone.0, several.0, "the signed-rank test counts each table once");
    assert_eq!((alone.1, several.1), (false, true));
}
