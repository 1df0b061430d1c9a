//! Predict new rows that are written otherwise than the table, and audit tables of codes and of
//! points of thousands.

use super::command::Dir;

const METHODS: &str =
    "--methods linear-gaussian,unconditional-gaussian --predict-with linear-gaussian --jobs 1";

/// A target without a trend from row to row.
fn noise(i: usize) -> f64 {
    ((i * 37) % 101) as f64 / 101.0
}

/// A folder with `my.model`, saved of 120 rows of this feature, and a target that depends on it.
fn saved(feature: impl Fn(usize) -> (String, f64)) -> Dir {
    let dir = Dir::new();
    let line = |i: usize| {
        let (cell, effect) = feature(i);
        format!("{},{cell},{}\n", (i * 53) % 97, effect + noise(i))
    };
    dir.write("my.csv", &format!("x,v,y\n{}", (0..120).map(line).collect::<String>()));
    dir.run(&format!("try --verbose my.csv --target y {METHODS} --save my.model")).code(0);
    dir
}

/// The predictions of two new rows with these cells.
fn predicted(dir: &Dir, cells: [&str; 2]) -> String {
    dir.write("new.csv", &format!("x,v\n5,{}\n6,{}\n", cells[0], cells[1]));
    dir.run("predict my.model new.csv").code(0).out
}

#[test]
fn new_rows_in_other_words_have_the_predictions_of_the_same_rows() {
    let flags = saved(|i| (["True", "False"][i % 3 % 2].to_owned(), [15.0, 0.0][i % 3 % 2]));
    let expected = predicted(&flags, ["True", "False"]);
    for cells in [["TRUE", "FALSE"], ["true", "false"], ["1", "0"], ["yes", "no"]] {
        assert_eq!(predicted(&flags, cells), expected, "{cells:?}");
    }
    let days = saved(|i| (format!("{:02}/{:02}/2022", 1 + i / 28, 1 + i % 28), i as f64 / 7.0));
    let expected = predicted(&days, ["03/01/2022", "03/13/2022"]);
    for cells in
        [["01/03/2022", "13/03/2022"], ["2022-03-01", "2022-03-13"], ["01.03.22", "13.03.22"]]
    {
        assert_eq!(predicted(&days, cells), expected, "{cells:?}");
    }
}

#[test]
fn an_audit_ends_with_3_for_codes_and_points_of_thousands_and_with_0_for_numbers() {
    let dir = Dir::new();
    let audit = |cell: &dyn Fn(usize) -> String, code: i32| {
        let line = |i: usize| format!("{},{}\n", cell(i), (i * 53) % 97 * 3);
        dir.write("my.csv", &format!("v,y\n{}", (0..120).map(line).collect::<String>()));
        dir.run("audit my.csv --target y").code(code);
    };
    audit(&|i| if i == 119 { "07".into() } else { (i * 11 % 97).to_string() }, 3);
    audit(
        &|i| {
            if i % 9 == 0 {
                (700 + i).to_string()
            } else {
                format!("{}.{:03}", 1 + i % 8, i * 373 % 1000)
            }
        },
        3,
    );
    audit(&|i| format!("{}.{}", i * 7 % 13, ["5", "50", "25"][i % 3]), 0);
    audit(&|i| format!("{}.{:03}", 2 + i * 7 % 13, 1 + i * 373 % 999), 0);
}
