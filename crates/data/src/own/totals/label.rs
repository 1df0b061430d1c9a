//! Know words that label a line of totals, and cells that it alone leaves empty.

use std::collections::HashSet;

use crate::own::cells::Cells;
use crate::own::missing::is_missing_level;

/// Words that label totals and means, in small letters, in languages of spreadsheets.
const WORDS: [&str; 49] = [
    "total",
    "totals",
    "subtotal",
    "subtotals",
    "sum",
    "sums",
    "overall",
    "all",
    "mean",
    "average",
    "avg",
    "gesamt",
    "insgesamt",
    "summe",
    "alle",
    "mittelwert",
    "mittel",
    "durchschnitt",
    "somme",
    "totaux",
    "ensemble",
    "moyenne",
    "totale",
    "totali",
    "somma",
    "media",
    "suma",
    "promedio",
    "totales",
    "soma",
    "média",
    "totais",
    "totaal",
    "som",
    "gemiddelde",
    "summa",
    "yhteensä",
    "razem",
    "ogółem",
    "średnia",
    "celkem",
    "součet",
    "összesen",
    "итого",
    "всего",
    "сумма",
    "σύνολο",
    "toplam",
    "jumlah",
];
/// Parts of words that do, in languages that write words together or without blanks.
const PARTS: [&str; 7] = ["sous-total", "sous total", "合计", "总计", "合計", "小計", "小计"];
/// Most rows of a hundred that leave a cell empty, for one that does to be told by it.
const PERCENT: usize = 2;

/// For each of these rows whether a cell labels it as a total, or is empty as in hardly another
/// row; columns of these names are numbers that say nothing of it.
pub(super) fn labels(cells: &Cells, numbers: &HashSet<&str>, rows: &[usize]) -> Vec<bool> {
    let mut labelled = vec![false; rows.len()];
    for place in
        (0..cells.names.len()).filter(|place| !numbers.contains(cells.names[*place].as_str()))
    {
        let is_empty = |row: &usize| {
            cells.text(*row, place).is_empty() || is_missing_level(cells.text(*row, place))
        };
        let empty = rows.iter().filter(|row| is_empty(row)).count();
        let tells = empty * 100 <= rows.len() * PERCENT + 100;
        for (labelled, row) in labelled.iter_mut().zip(rows) {
            *labelled |= (tells && is_empty(row)) || is_label(cells.text(*row, place));
        }
    }
    labelled
}

/// Whether a text says that its row is a total.
fn is_label(text: &str) -> bool {
    // Numbers, which are most cells, are no words.
    if text.len() > 200 || text.parse::<f64>().is_ok() {
        return false;
    }
    let text = text.to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphabetic());
    let is_word =
        |word: &str| WORDS.contains(&word) || word.ends_with("summe") || word.starts_with("gesamt");
    words.any(is_word) || PARTS.iter().any(|part| text.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_totals_are_known_in_many_languages() {
        for text in [
            "Total",
            "Grand Total",
            "SUBTOTAL:",
            "Zwischensumme Nord",
            "Gesamt",
            "Итого",
            "合计",
            "Total général",
            "Suma",
            "All regions",
        ] {
            assert!(is_label(text), "{text}");
        }
        for text in ["North", "Summer", "12.5", "", "Allen", "Meander", "totally"] {
            assert!(!is_label(text), "{text}");
        }
    }
}
