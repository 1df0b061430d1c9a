//! Ordinary files: separators, encodings, blank rows, repeated headers, rows of units.

use super::*;

fn topics(cells: &Cells) -> Vec<Topic> {
    cells
        .findings()
        .iter()
        .filter(|finding| finding.topic != Topic::Reading)
        .map(|finding| finding.topic)
        .collect()
}

fn read(text: &str, format: &FileFormat) -> Result<OwnTable, OwnError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.csv");
    std::fs::write(&path, text).unwrap();
    OwnTable::new(&Cells::read_as(&path, format)?, "y", &[])
}

#[test]
fn names_may_have_the_separators_of_other_files() {
    let plain = own(&small(|_, cells| cells)).unwrap().table;
    for (separator, other) in
        [(';', ','), ('\t', ','), ('\t', ';'), ('|', ','), ('|', ';'), (';', '|'), (',', '\t')]
    {
        for is_quoted in [false, true] {
            let quote = if is_quoted || separator == other { "\"" } else { "" };
            let names = ["x", "colour"]
                .map(|name| format!("{quote}{name}{other} m{other} s{other} t{quote}"));
            let text = small(|_, cells| cells)
                .replacen("x,colour,y", "HEADER", 1)
                .replace(',', &separator.to_string());
            let text = text.replacen(
                "HEADER",
                &format!("{}{separator}{}{separator}y", names[0], names[1]),
                1,
            );
            let found = own(&text)
                .unwrap_or_else(|error| panic!("{separator:?} {other:?} {is_quoted}: {error}"));
            assert_eq!(
                (&found.table.target, &found.table.features),
                (&plain.target, &plain.features)
            );
        }
    }
}

#[test]
fn decimal_commas_beside_commas_in_names_are_no_separators() {
    let lines: String =
        (0..20).map(|i| format!("{},5;{},25;{},75\n", i, i * 7 % 20, i * 3 % 20)).collect();
    let found = own(&format!("Wind, 10 m;Temp, C;y\n{lines}")).unwrap();
    assert_eq!(found.table.feature_names, ["Wind, 10 m", "Temp, C"]);
    assert_eq!(found.table.features.row(1).to_vec(), [1.5, 7.25]);
}

#[test]
fn a_separator_that_is_asked_for_is_taken() {
    let plain = own(&small(|_, cells| cells)).unwrap().table;
    let text = small(|_, cells| cells).replace(',', " ");
    for (text, separator) in [
        (text.replace(' ', ";"), Separator::Semicolon),
        (text.replace(' ', "|"), Separator::Bar),
        (text.replace(' ', "\t"), Separator::Tab),
        (text.replace(' ', ","), Separator::Comma),
        (text.replace(' ', "  "), Separator::Space),
    ] {
        let format = FileFormat { separator: Some(separator), ..FileFormat::default() };
        assert_eq!(read(&text, &format).unwrap().table, plain, "{separator:?}");
    }
    let wrong = FileFormat { separator: Some(Separator::Bar), ..FileFormat::default() };
    assert!(read(&text.replace(' ', ","), &wrong).is_err());
}

#[test]
fn blank_rows_are_left_out_of_a_table_and_counted() {
    let plain = own(&small(|_, cells| cells)).unwrap().table;
    for (blank, separator) in [
        (",,\n", ','),
        (";;\n", ';'),
        (" ; ; \n", ';'),
        ("\t\t\n", '\t'),
        (",\n", ','),
        (",,,,\n", ','),
    ] {
        let text = small(|_, cells| cells).replace(',', &separator.to_string());
        let (head, rest) = text.split_at(text.find("16").unwrap());
        let cells = parse(&format!("{head}{blank}{rest}{blank}{blank}")).unwrap();
        assert_eq!(topics(&cells), [Topic::BlankRows], "{blank:?}");
        assert!(cells.findings().iter().all(|finding| finding.severity == Severity::Note));
        assert_eq!(OwnTable::new(&cells, "y", &[]).unwrap().table, plain, "{blank:?}");
    }
}

#[test]
fn blank_new_rows_stay_where_they_are() {
    let encoding = own(&small(|_, cells| cells)).unwrap().encoding;
    let reasons = |text: &str, encoding: &Encoding| {
        let new = Cells::parse_new("new.csv", text.as_bytes(), &FileFormat::default()).unwrap();
        let found = encoding.new_features(&new).unwrap();
        (
            found.features.nrows(),
            found
                .reasons
                .into_iter()
                .map(|reason| reason.map(|error| stray(&error)))
                .collect::<Vec<_>>(),
        )
    };
    fn stray(error: &OwnError) -> Stray {
        if let OwnError::Stray { stray, .. } = error { *stray } else { panic!("{error}") }
    }
    let blank = Some(Stray::Blank);
    assert_eq!(
        reasons("x;colour\n1;red\n;\n;;;\n2;red\n", &encoding),
        (2, vec![None, blank, blank, None])
    );
    assert_eq!(
        reasons("x,colour\n1,red\n\n2,red\n", &encoding),
        (2, vec![None, None]),
        "an empty line is skipped"
    );
    assert_eq!(reasons("x,colour\n1,red\nx,colour\n2,red\n", &encoding).1[1], Some(Stray::Header));
    // A row that says of each cell that it is missing is one.
    assert_eq!(reasons("x,colour\nNA,NA\n1,\n", &encoding), (2, vec![None, None]));
    let of_one = own(&small(|_, [x, _, y]| [x, String::new(), y])).unwrap().encoding;
    for (text, expected) in [
        ("x\n1\n\n2\n", vec![None, blank, None]),
        ("x\r\n1\r\n\r\n   \r\n2\r\n\r\n", vec![None, blank, blank, None]),
        ("x\n\n1\n2", vec![blank, None, None]),
        ("x\n1\n2\n\n\n", vec![None, None]),
    ] {
        assert_eq!(reasons(text, &of_one).1, expected, "{text:?}");
    }
}

#[test]
fn skipped_lines_of_new_rows_are_counted() {
    let skipped = |text: &str| {
        Cells::parse_new("f", text.as_bytes(), &FileFormat::default()).unwrap().empty_lines()
    };
    assert_eq!(skipped("x,z\n1,2\n\n3,4\n").map(|finding| finding.topic), Some(Topic::BlankRows));
    assert_eq!(skipped("x,z\n1,2\n3,4\n\n"), None, "the end of a file");
    assert_eq!(skipped("x\n1\n\n3\n"), None, "these are rows");
}

#[test]
fn a_header_among_the_rows_and_units_below_it_are_no_rows() {
    let plain = own(&small(|_, cells| cells)).unwrap().table;
    let text = small(|_, cells| cells);
    let (head, rest) = text.split_at(text.find("16").unwrap());
    let joined = parse(&format!("{head}x,colour,y\n{rest}")).unwrap();
    assert_eq!(topics(&joined), [Topic::RepeatedHeader]);
    assert!(joined.findings()[0].text.to_string().contains("line 6"), "{:?}", joined.findings());
    assert_eq!(OwnTable::new(&joined, "y", &[]).unwrap().table, plain);
    for units in ["m/s,-,°C", "m/s,,kW", "[m],(text),[kWh]"] {
        let cells = parse(&text.replacen('\n', &format!("\n{units}\n"), 1)).unwrap();
        assert_eq!(topics(&cells), [Topic::Units], "{units}");
        assert_eq!(OwnTable::new(&cells, "y", &[]).unwrap().table, plain, "{units}");
    }
    assert!(topics(&parse(&text).unwrap()).is_empty());
    let wrong = error_message(&small(|i, [x, c, y]| [x, c, if i == 0 { "kW".into() } else { y }]));
    assert!(wrong.contains("line 2"), "a unit beside a number is a typing error: {wrong}");
}

#[test]
fn text_is_read_in_its_encoding() {
    let text = small(|_, cells| cells).replace("x,", "Größe,");
    let expected = own(&text).unwrap().table;
    let with = |bytes: &[u8], name: &str| {
        let format = FileFormat { encoding: name.parse().unwrap(), ..FileFormat::default() };
        OwnTable::new(&Cells::parse_new("f", bytes, &format)?, "y", &[])
    };
    let wide = |swap: bool| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(|unit| if swap { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    for bytes in [wide(false), wide(true), [b"\xef\xbb\xbf", text.as_bytes()].concat()] {
        assert_eq!(with(&bytes, "utf-8").unwrap().table, expected, "by its mark");
        assert_eq!(
            with(&bytes, "windows-1251").unwrap().table,
            expected,
            "which outweighs the option"
        );
    }
    for name in ["latin-1", "windows-1250", "gb18030", "windows-1257", "iso-8859-15"] {
        let (bytes, _, _) =
            encoding_rs::Encoding::for_label(name.replace("latin-1", "latin1").as_bytes())
                .unwrap()
                .encode(&text);
        if name != "gb18030" {
            assert_eq!(with(&bytes, name).unwrap().table, expected, "{name}");
        }
    }
    for (name, word) in [
        ("windows-1251", "Город"),
        ("koi8-r", "Город"),
        ("gbk", "温度"),
        ("gb18030", "温度"),
        ("shift_jis", "温度"),
        ("big5", "溫度"),
        ("euc-kr", "온도"),
        ("windows-1253", "πόλη"),
        ("windows-1250", "příkon"),
    ] {
        let text = small(|_, cells| cells).replacen("x,", &format!("{word},"), 1);
        let (bytes, _, _) =
            encoding_rs::Encoding::for_label(name.as_bytes()).unwrap().encode(&text);
        assert_eq!(with(&bytes, name).unwrap().table, own(&text).unwrap().table, "{name}");
        assert!(with(&bytes, "utf-8").is_err(), "{name} is not guessed");
    }
}
