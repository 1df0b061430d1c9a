//! Read what is stated of code: all mistakes at once, and no path that leads elsewhere.

use super::*;

fn filled() -> String {
    let mut text = blank_code("league-standard");
    for (key, value) in [("name", "mine"), ("licence", "MIT"), ("description", "A mean.")] {
        text = text.replace(&format!("\n{key} = \"\"\n"), &format!("\n{key} = \"{value}\"\n"));
    }
    text.replace("authors = [\"\"]", "authors = [\"A. Author\"]")
}

#[test]
fn a_filled_file_is_read_and_a_blank_one_says_what_is_missing() {
    let code = Code::parse(&filled()).unwrap();
    assert_eq!((code.heading().as_str(), code.kind), ("mine 1", Kind::Model));
    assert_eq!((code.command.join(" "), code.files.join(" ")), words("python3 mine.py", "mine.py"));
    let given = code.given();
    assert_eq!((given.name.as_str(), given.files), ("mine 1", code.files));
    let mistakes = Code::parse(&blank_code("b")).unwrap_err().0;
    let keys: Vec<&str> =
        mistakes.iter().map(|mistake| mistake.split('`').nth(1).unwrap()).collect();
    assert_eq!(keys, ["name", "authors", "licence", "description"]);
}

fn words(command: &str, files: &str) -> (String, String) {
    (command.into(), files.into())
}

#[test]
fn commands_and_paths_that_cannot_be_are_told() {
    let with = |from: &str, to: &str| {
        let text = filled();
        assert!(text.contains(from), "{from}");
        Code::parse(&text.replace(from, to)).map_err(|error| error.to_string())
    };
    let files = "files = [\"mine.py\"]";
    let good = with(files, "files = [\"mine.py\", \"sub/net.py\", \"a b.txt\"]").unwrap();
    assert_eq!(good.files, ["mine.py", "sub/net.py", "a b.txt"]);
    let command = "command = \"python3 mine.py\"";
    for wrong in ["", "python3 'mine.py", "''", "python3 \\u0007"] {
        let message = with(command, &format!("command = \"{wrong}\"")).unwrap_err();
        assert!(message.contains("`command`: found") && !message.contains('\u{7}'), "{message}");
    }
    for wrong in ["", "/etc/hosts", "../mine.py", "./mine.py", "a/../b", "a//b", "a\\\\b", "."] {
        let message = with(files, &format!("files = [\"{wrong}\"]")).unwrap_err();
        assert!(message.contains("expected a path below the folder"), "{wrong}: {message}");
    }
    let message = with(files, "files = [\"a\", \"a\"]").unwrap_err();
    assert_eq!(message, "`files`: \"a\" is there twice");
    assert!(with(files, "files = []").unwrap_err().contains("a list of 1 to 1000 texts"));
    let message = with("data_seen", "hardware = \"x\"\ndata_seen").unwrap_err();
    assert!(message.contains("there is no key `hardware`"), "{message}");
}
