//! Files as other programs write them: separators, blank rows, encodings, and where outputs go.

use std::fs;

use super::command::Dir;

/// 80 rows of a feature and a target, as cells.
fn rows() -> Vec<[f64; 2]> {
    (0..80)
        .map(|i| [f64::from(i % 17) + 0.5, f64::from(i % 17) * 3.0 + f64::from(i * 7 % 11) * 0.125])
        .collect()
}

fn table(separator: &str, comma: bool) -> String {
    let shown = |x: f64| if comma { x.to_string().replace('.', ",") } else { x.to_string() };
    let line = |row: &[f64; 2]| format!("{}{separator}{}\n", shown(row[0]), shown(row[1]));
    rows().iter().map(line).collect()
}

/// The words of a quick comparison that saves a model.
fn saved(dir: &Dir, table: &str, model: &str) {
    let words = format!(
        "try --verbose {table} --target y --jobs 1 --methods linear-gaussian --predict-with linear-gaussian \
         --figures f --save {model}"
    );
    dir.run(&words).code(0);
}

/// The lines of predictions below their header: the column `row` and whether there is a mean.
fn predicted(text: &str) -> Vec<(String, bool)> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mean = reader.headers().unwrap().iter().position(|name| name == "mean").unwrap();
    reader
        .records()
        .map(|row| row.unwrap())
        .map(|row| (row[0].to_owned(), !row[mean].is_empty()))
        .collect()
}

#[test]
fn commas_in_names_do_not_separate() {
    let dir = Dir::new();
    dir.write("semicolon.csv", &format!("Wind, 10 m, m/s;y\n{}", table(";", true)));
    dir.write("tab.csv", &format!("Wind, 10 m, m/s\ty\n{}", table("\t", false)));
    dir.write("bar.csv", &format!("Wind; 10 m; m/s|y\n{}", table("|", false)));
    dir.write("plain.csv", &format!("Wind,y\n{}", table(",", false)));
    let hash = |words: &str| {
        let out = dir.run(&format!("data describe {words} --target y")).code(0).out;
        out.lines().find(|line| line.contains("SHA-256")).unwrap().to_owned()
    };
    let expected = hash("plain.csv");
    for file in [
        "semicolon.csv",
        "tab.csv",
        "bar.csv",
        "semicolon.csv --separator ;",
        "tab.csv --separator tab",
    ] {
        assert_eq!(hash(file), expected, "{file}");
    }
    dir.run("audit plain.csv --target y --separator x").code(2);
}

#[test]
fn predictions_have_a_line_for_each_line() {
    let dir = Dir::new();
    dir.write("one.csv", &format!("x,y\n{}", table(",", false)));
    saved(&dir, "one.csv", "one.model");
    dir.write("new.csv", "x\n1\n\n2\n3\n");
    let found = predicted(&dir.run("predict one.model new.csv").code(0).out);
    assert_eq!(
        found,
        [("1", true), ("2", false), ("3", true), ("4", true)].map(|(row, is)| (row.to_owned(), is))
    );
    let wide: String =
        rows().iter().enumerate().map(|(i, [x, y])| format!("{x};{};{y}\n", i * i % 7)).collect();
    dir.write("wide.csv", &format!("x;z;y\n{wide};;\n;;\n"));
    saved(&dir, "wide.csv", "wide.model");
    dir.write("wide-new.csv", "x;z\n1;2\n;\n;\n");
    let found = predicted(&dir.run("predict wide.model wide-new.csv").code(0).out);
    assert_eq!(
        found,
        [("1", true), ("2", false), ("3", false)].map(|(row, is)| (row.to_owned(), is))
    );
}

#[test]
fn utf_16_is_read_by_its_mark_and_other_encodings_by_name() {
    let dir = Dir::new();
    let text = format!("Größe,y\n{}", table(",", false));
    let wide: Vec<u8> =
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    fs::write(dir.path("wide.csv"), wide).unwrap();
    dir.run("audit wide.csv --target y").code(0);
    let cyrillic = [b"\xc3\xee\xf0\xee\xe4,y\n", table(",", false).as_bytes()].concat();
    fs::write(dir.path("cyrillic.csv"), cyrillic).unwrap();
    let told = dir.run("audit cyrillic.csv --target y").code(1);
    assert!(told.err.contains("windows-1251") && !told.err.contains("latin-1"), "{}", told.err);
    for name in ["windows-1251", "CP1251", "koi8-r", "latin-1"] {
        dir.run(&format!("audit cyrillic.csv --target y --encoding {name}")).code(0);
    }
    dir.run("audit cyrillic.csv --target y --encoding cp437").code(2);
}

#[test]
fn outputs_are_made_room_for_before_the_first_fit() {
    let dir = Dir::new();
    dir.write("t.csv", &format!("x,y\n{}", table(",", false)));
    dir.write("new.csv", "x\n1\n2\n");
    let words = "try --verbose t.csv --target y --jobs 1 --methods linear-gaussian --predict-with linear-gaussian";
    dir.run(&format!(
        "{words} --predict new.csv --out results/deep/p.csv --save models/m.model --figures f/g"
    ))
    .code(0);
    assert!(dir.path("results/deep/p.csv").is_file() && dir.path("models/m.model").is_file());
    dir.run("predict models/m.model new.csv --out other/p.csv").code(0);
    assert!(dir.path("other/p.csv").is_file());
    // Nothing is fitted where a path cannot be written: no page stands in the folder of figures.
    for (number, wrong) in
        ["--predict new.csv --out f", "--save f", "--save t.csv/m.model", "--save f/new/"]
            .iter()
            .enumerate()
    {
        dir.run(&format!("{words} {wrong} --figures none{number}")).code(1);
        assert!(!dir.path(&format!("none{number}")).exists(), "{wrong}");
    }
    dir.run("try --verbose t.csv --target y --jobs 1 --methods linear-gaussian --figures t.csv")
        .code(1);
    if cfg!(target_os = "linux") {
        dir.run(&format!("{words} --save /proc/m.model --figures none")).code(1);
        assert!(!dir.path("none").exists());
    }
    dir.run("predict models/m.model new.csv --out f").code(1);
    dir.run("plan dtb-table-1 --profile smoke --shards 2 --out plans/new/plan.json").code(0);
    assert!(dir.path("plans/new/plan.json").is_file());
    dir.write("scores.csv", "y,mean,sd\n1.5,1,1\n2.5,2,1\n3.25,3,1\n");
    dir.run("score scores.csv --out t.csv").code(1);
    dir.run("score scores.csv --out a/b").code(0);
}

#[test]
fn a_target_of_many_zeros_is_told_with_the_coverage_of_both_parts() {
    let dir = Dir::new();
    let line = |i: u32| {
        let y = if i % 5 < 2 {
            0.0
        } else {
            f64::from(i % 17) * 3.0 + f64::from(i * 7 % 11) * 0.125 + 0.25
        };
        format!("{},{y}\n", f64::from(i % 17) + 0.5)
    };
    dir.write("rain.csv", &format!("x,rain\n{}", (0..200).map(line).collect::<String>()));
    dir.run("try --verbose rain.csv --target rain --jobs 1 --methods linear-gaussian --figures f")
        .code(0);
    let page = fs::read_to_string(dir.path("f/site/rain.html")).unwrap();
    assert!(
        page.contains("rain = 0") && (page.contains("rain &gt; 0") || page.contains("rain > 0"))
    );
    let two = |i: u32| format!("{},{}\n", i * i % 37, i % 3 / 2);
    dir.write("two.csv", &format!("x,y\n{}", (0..200).map(two).collect::<String>()));
    dir.run("audit two.csv --target y").code(3);
}
