//! Know what programs write below the names of columns: their types, and dashes.

use csv::StringRecord;

/// Words for types, in small letters, without sizes.
const TYPES: [&str; 48] = [
    "int",
    "integer",
    "bigint",
    "smallint",
    "tinyint",
    "long",
    "short",
    "uint",
    "float",
    "double",
    "real",
    "numeric",
    "number",
    "decimal",
    "dbl",
    "num",
    "str",
    "string",
    "text",
    "char",
    "character",
    "varchar",
    "nvarchar",
    "chr",
    "varchar2",
    "object",
    "bool",
    "boolean",
    "logical",
    "lgl",
    "factor",
    "fct",
    "category",
    "categorical",
    "date",
    "datetime",
    "timestamp",
    "time",
    "dttm",
    "bit",
    "money",
    "double precision",
    "utf8",
    "i64",
    "f64",
    "i32",
    "f32",
    "nominal",
];

/// Whether a cell names a type, such as `int64`, `varchar(20)` or `<dbl>`.
pub(super) fn is_type(cell: &str) -> bool {
    let word = cell.trim_matches(['<', '>', '[', ']', '(', ')', ' ']).to_lowercase();
    let without_length = word.split(['(', '[']).next().unwrap_or_default().trim_end();
    TYPES.contains(&without_length)
        || TYPES.contains(&without_length.trim_end_matches(|c: char| c.is_ascii_digit()))
}

/// Whether a line has types alone, and columns without one.
pub(super) fn are_types(cells: &StringRecord) -> bool {
    let mut given = cells.iter().filter(|cell| !cell.is_empty()).peekable();
    given.peek().is_some() && given.all(is_type)
}

/// Whether a line has dashes alone, three or more in some cell.
pub(super) fn is_rule(cells: &StringRecord) -> bool {
    let is_dashes = |cell: &str| cell.chars().all(|c| "-=:_+\u{2500}\u{2013}\u{2014}".contains(c));
    let is_long =
        |cell: &str| cell.chars().count() >= 3 && !cell.contains(|c: char| c.is_alphanumeric());
    cells.iter().all(is_dashes) && cells.iter().any(is_long)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(line: &str) -> StringRecord {
        line.split(',').collect()
    }

    #[test]
    fn types_and_dashes_are_known() {
        for line in [
            "int,float,str",
            "int64,float32,object",
            "<dbl>,<chr>,<int>",
            "VARCHAR(20),NUMERIC(10),",
            "numeric,numeric,factor",
        ] {
            assert!(are_types(&record(line)), "{line}");
        }
        for line in ["int,red", "1,2", ",", "integers,int"] {
            assert!(!are_types(&record(line)), "{line}");
        }
        for line in ["---,---", "-----,--,---", "===,===", ":---,---:", ",---,"] {
            assert!(is_rule(&record(line)), "{line}");
        }
        for line in ["-,-", "--,--", ",", "---,1", "-1,---"] {
            assert!(!is_rule(&record(line)), "{line}");
        }
    }
}
