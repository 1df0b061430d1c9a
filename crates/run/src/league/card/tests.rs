//! Read cards: all mistakes at once, and nothing hostile in any text.

use proptest::prelude::{any, prop_assert, proptest};

use super::*;

fn filled() -> String {
    let mut text = blank_card("league-standard", false);
    for (key, value) in [
        ("name", "\"mine\""),
        ("authors", "[\"A. Author\"]"),
        ("licence", "\"CC0-1.0\""),
        ("hardware", "\"one processor\""),
        ("description", "\"\"\"\nA line,\nand another.\n\"\"\""),
    ] {
        let empty = if key == "authors" { "[\"\"]" } else { "\"\"" };
        text = text.replace(&format!("\n{key} = {empty}\n"), &format!("\n{key} = {value}\n"));
    }
    text
}

#[test]
fn a_filled_card_is_read_and_written_in_one_way() {
    let card = Card::parse(&filled()).unwrap();
    assert_eq!((card.heading().as_str(), card.kind), ("mine 1", Kind::Model));
    assert_eq!(card.description, "A line, and another.");
    assert!(!card.part && card.failed.is_empty() && card.seconds.is_none());
    let whole = filled().replace("# seconds = 0.0", "seconds = 12").replace("# ", "");
    let whole = whole.lines().filter(|line| line.contains('=') || line.starts_with("[["));
    let whole: String = whole.map(|line| format!("{line}\n")).collect();
    let whole = whole.replace("dataset = \"\"", "dataset = \"yacht\"");
    let whole = whole.replace("why = \"\"", "why = \"no memory\"");
    let whole = whole.replace("\"https://\"", "\"https://example.org/a?b=c#d\"");
    let description = "description = \"\"\"";
    let whole = whole.replace(description, "description = \"a\"");
    let card = Card::parse(&whole).unwrap();
    assert_eq!((card.seconds, card.level, card.part), (Some(12.0), Some(0.9), true));
    assert_eq!(card.failure("yacht", 0).unwrap().why, "no memory");
    assert!(card.failure("yacht", 1).is_none());
    let again = Card::parse(&card.to_toml()).unwrap();
    assert_eq!((&again, again.to_toml()), (&card, card.to_toml()));
    assert_eq!(again.sha256(), card.sha256());
    let other = Card { version: "2".into(), ..card.clone() };
    assert_ne!(other.sha256(), card.sha256());
}

#[test]
fn a_blank_card_says_what_is_to_be_filled_in() {
    let mistakes = Card::parse(&blank_card("b", false)).unwrap_err().0;
    let keys: Vec<&str> =
        mistakes.iter().map(|mistake| mistake.split('`').nth(1).unwrap()).collect();
    assert_eq!(keys, ["name", "authors", "licence", "hardware", "description"]);
    assert!(blank_card("b", true).contains("\npart = true\n"));
}

#[test]
fn all_mistakes_are_told_at_once() {
    let text = "board = 3\nname = \"Über\"\nversion = \"\"\nauthors = [\"a\", 1]\nlicense = \"x\"\n\
                address = \"javascript:alert(1)\"\nkind = \"modell\"\nseconds = -1\n\
                data_seen = \"none\"\nused_test_features = \"no\"\nlevel = 1\n\
                description = \"a\\u0007\\u001b[31m\"\nsearched = \"\\u202eevil\"\n\
                failed = [{ dataset = \"yacht\", split = -1 }]\n";
    let error = Card::parse(text).unwrap_err().to_string();
    for expected in [
        "`board`: found 3, expected a text between quotation marks",
        "`name`: found \"Über\", expected 1 to 40 lower-case letters",
        "`version`: found \"\", expected 1 to 20 printable ASCII",
        "`authors`: found 1, expected a text",
        "there is no key `license`, did you mean `licence`?",
        "`licence`: missing; add this key",
        "`address`: found \"javascript:alert(1)\", expected an address that begins with https://",
        "`kind`: found \"modell\", expected one of \"model\", \"system\", did you mean `model`?",
        "`seconds`: found -1, expected a number of 0 or more",
        "`data_seen`: found \"none\", expected one of \"documented free of these sets\"",
        "`used_test_features`: found \"no\", expected true or false",
        "`level`: found 1, expected a number between 0 and 1",
        "`description`: found the control character U+0007",
        "`searched`: found the control character U+202E",
        "`failed`, entry 1: `split`: found -1, expected a whole number of 0 or more",
        "`failed`, entry 1: `why`: missing",
    ] {
        assert!(error.contains(expected), "{expected} in\n{error}");
    }
    assert!(!error.contains(['\u{7}', '\u{1b}', '\u{202e}']));
}

#[test]
fn what_is_no_card_is_told() {
    let error = Card::parse("a = 1\nb\n").unwrap_err().to_string();
    assert!(error.starts_with("line 2: "), "{error}");
    assert!(Card::parse(&format!("a = {}1{}", "[".repeat(5000), "]".repeat(5000))).is_err());
    let long = filled().replace("\"one processor\"", &format!("\"{}\"", "x".repeat(301)));
    let error = Card::parse(&long).unwrap_err().to_string();
    assert_eq!(error, "`hardware`: found 301 characters, expected at most 300");
}

proptest! {
    #[test]
    fn any_text_is_a_card_or_an_error(text in "\\PC{0,80}", at in any::<proptest::sample::Index>()) {
        let _ = Card::parse(&text);
        let whole = filled();
        let mut place = at.index(whole.len());
        while !whole.is_char_boundary(place) {
            place -= 1;
        }
        if let Ok(card) = Card::parse(&format!("{}{text}{}", &whole[..place], &whole[place..])) {
            let written = card.to_toml();
            prop_assert!(!written.contains(|c: char| c.is_control() && c != '\n'));
        }
    }
}
