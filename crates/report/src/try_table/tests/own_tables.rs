use super::*;
use crate::document::Document;

#[test]
fn the_list_leads_to_each_table_and_tells_what_cannot_be_read() {
    let linear = of_rows("linear-gaussian", 1.0, 2.0, |row| row < 270);
    let reference = of_rows("unconditional-gaussian", 2.0, 4.0, |row| row % 10 > 0);
    let json =
        comparison(&evaluation(vec![reference, linear]), &["a column is constant".into()]).unwrap();
    let older = json.replace("\"format\": 2", "\"format\": 1");
    let all = [("a b<i>", &*json), ("gone", "{"), ("older", &*older)];
    let all = all.map(|(name, json)| (name.to_owned(), json.to_owned()));
    let Document { name, bytes, .. } = own_tables(&all);
    let page = String::from_utf8(bytes).unwrap();
    assert_eq!(name, "site/own-tables.html");
    for part in [
        "3 tables",
        "<a href=\"a%20b%3Ci%3E.html\">a b&lt;i&gt;</a>",
        "linear-gaussian",
        "90 % intervals",
        ">0.900<",
        ">300<",
        "gone-comparison.json",
        ": EOF",
        "older-comparison.json",
        ": found the format 1, expected 2",
    ] {
        assert!(page.contains(part), "no {part}: {page}");
    }
    assert_eq!(page.matches("<a href=\"a%20b").count(), 1);
    assert!(!page.contains("gone.html") && !page.contains("older.html"));
}
