//! Comments that look like rows.

use super::ordinary::{column, says};
use super::*;

#[test]
fn a_comment_with_as_many_cells_as_the_header_has_text_where_rows_have_numbers() {
    let plain = small(|_, cells| cells);
    let with = |line: &str| own(&(plain.clone() + line + "\n"));
    for line in ["# a,b,c", "#1,red,2", "# checked, by hand, in May", "%,,"] {
        let found = with(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(found.table, own(&plain).unwrap().table, "{line}");
        assert!(says(&found, "1 comment line that begins with # or % left out"), "{line}: {:?}", found.findings);
    }
    let named = |name: fn(usize) -> String| small(|i, [x, _, y]| [name(i), x, y]);
    // A name may begin with a mark where no row has a number.
    let found = own(&named(|i| ["#red", "blue"][i % 2].into())).unwrap();
    assert_eq!((found.table.rows(), column(&found, "x=blue")[1]), (20, 1.0));
    let found = own(&(named(|i| ["red", "blue"][i % 2].into()) + "#red,1,2\n#red,one,two\n")).unwrap();
    assert_eq!(found.table.rows(), 21, "the second one has text in place of numbers");
    let error = told(&(plain + "a,b,c\n"));
    assert!(error.contains("line 22, column \"x\": found \"a\", expected a number"), "{error}");
}
