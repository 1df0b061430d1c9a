//! Group the commands in `--help` by what a person wants.

use clap::Command;
use clap::builder::Styles;

/// What a person wants, and the commands for it. A test holds the list to the commands that help
/// shows.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Reproduce papers", &["reproduce", "run", "report", "status", "show", "rerun", "audit-table"]),
    ("Compare methods", &["compare", "league", "baselines", "check", "export"]),
    ("Your own table", &["audit", "try", "predict", "watch", "recalibrate", "score"]),
    ("Your own method or benchmark", &["new", "method"]),
    ("Several machines", &["plan", "submit", "store"]),
    ("Look up", &["list", "data", "cite", "man", "completions", "dev", "help"]),
];

/// Columns of the longest name of a command, and of the blanks around it.
const INDENT: usize = 15;

/// The command with its subcommands in groups. Texts are at most `width` columns wide.
pub fn grouped(command: Command, width: usize) -> Command {
    let mut built = command.clone();
    built.build();
    let about = |name: &&str| {
        let found = built.find_subcommand(name)?;
        Some((found.get_name().to_owned(), found.get_about()?.to_string()))
    };
    let heading = *Styles::styled().get_header();
    let mut text = String::new();
    for (wish, names) in GROUPS {
        text += &format!("{heading}{wish}:{heading:#}\n");
        for (name, about) in names.iter().filter_map(about) {
            text += &format!("  {name:<13}{}\n", wrapped(&about, width));
        }
        text.push('\n');
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{text}{heading}Options:{heading:#}\n\
         {{options}}{{after-help}}"
    ))
}

/// A sentence in lines of at most `width` columns with the indent of the texts of commands.
fn wrapped(sentence: &str, width: usize) -> String {
    let mut text = String::new();
    let mut column = INDENT;
    for word in sentence.split_whitespace() {
        let letters = word.chars().count();
        if column > INDENT && column + 1 + letters > width {
            text += &format!("\n{:INDENT$}", "");
            column = INDENT;
        } else if column > INDENT {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += letters;
    }
    text
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Arguments;

    #[test]
    fn every_command_that_help_shows_is_in_one_group() {
        let mut command = Arguments::command();
        command.build();
        let mut shown: Vec<&str> = command
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(Command::get_name)
            .collect();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        assert!(listed.iter().all(|name| name.len() + 2 < INDENT), "{listed:?}");
        shown.sort_unstable();
        listed.sort_unstable();
        assert_eq!(listed, shown);
    }

    #[test]
    fn lines_have_at_most_the_width() {
        let text = wrapped("one two three four five six seven", INDENT + 11);
        let lines = ["one two", "three four", "five six", "seven"];
        assert_eq!(text, lines.join(&format!("\n{:INDENT$}", "")));
    }
}
