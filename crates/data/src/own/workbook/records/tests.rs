use super::*;
use crate::own::workbook::read;

fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    [&kind.to_le_bytes()[..], &u16::try_from(data.len()).unwrap().to_le_bytes(), data].concat()
}

/// A text of the list of texts, in the parts into which it is divided: of one byte a character.
fn text(letter: u8, count: u16) -> Vec<u8> {
    [&count.to_le_bytes()[..], &[0], &vec![letter; count.into()]].concat()
}

fn begin(kind: u16) -> Vec<u8> {
    record(BEGIN, &[&[0, 6][..], &kind.to_le_bytes(), &[0; 12]].concat())
}

fn texts(all: &[Vec<u8>]) -> Vec<u8> {
    let count = u32::try_from(all.len()).unwrap().to_le_bytes();
    let whole = [&count[..], &count, &all.concat()].concat();
    // Parts of a record have at most 8224 bytes; one within characters begins with their width.
    let mut parts = vec![record(TEXTS, &whole[..whole.len().min(8224)])];
    let rest = &whole[whole.len().min(8224)..];
    parts.extend(rest.chunks(8000).map(|part| record(CONTINUE, &[&[0], part].concat())));
    parts.concat()
}

fn cell(row: u16, column: u16, number: u32) -> Vec<u8> {
    record(
        TEXT_BY_NUMBER,
        &[&row.to_le_bytes()[..], &column.to_le_bytes(), &[0, 0], &number.to_le_bytes()].concat(),
    )
}

fn number(row: u16, column: u16, number: f64) -> Vec<u8> {
    record(
        0x0203,
        &[&row.to_le_bytes()[..], &column.to_le_bytes(), &[0, 0], &number.to_le_bytes()].concat(),
    )
}

/// A workbook with one sheet of these records.
fn workbook(strings: &[Vec<u8>], cells: &[Vec<u8>]) -> Vec<u8> {
    let name = [&[0, 0, 1, 0][..], b"s"].concat();
    let globals = |start: u32| {
        [
            begin(5),
            record(SHEET, &[&start.to_le_bytes()[..], &name].concat()),
            texts(strings),
            record(END, &[]),
        ]
        .concat()
    };
    let start = u32::try_from(globals(0).len()).unwrap();
    container(&[globals(start), begin(16), cells.concat(), record(END, &[])].concat())
}

/// A compound file with one stream, in sectors of 512 bytes.
fn container(stream: &[u8]) -> Vec<u8> {
    let mut stream = stream.to_vec();
    stream.resize(stream.len().max(4096).next_multiple_of(512), 0);
    let sectors = stream.len() / 512;
    let lists = (sectors + 200).div_ceil(127);
    let mut next: Vec<u32> = (1..=u32::try_from(sectors).unwrap()).collect();
    next[sectors - 1] = 0xffff_fffe;
    next.push(0xffff_fffe); // the folder
    next.resize(sectors + 1 + lists, 0xffff_fffd);
    next.resize(lists * 128, 0xffff_ffff);
    let mut header = vec![0; 512];
    header[..8].copy_from_slice(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1");
    header[26..34].copy_from_slice(&[3, 0, 0xfe, 0xff, 9, 0, 6, 0]);
    header[44..48].copy_from_slice(&u32::try_from(lists).unwrap().to_le_bytes());
    header[48..52].copy_from_slice(&u32::try_from(sectors).unwrap().to_le_bytes());
    header[56..60].copy_from_slice(&4096_u32.to_le_bytes());
    header[60..64].copy_from_slice(&0xffff_fffe_u32.to_le_bytes());
    header[68..72].copy_from_slice(&0xffff_fffe_u32.to_le_bytes());
    header[76..].fill(0xff);
    assert!(lists <= 109, "a stream of at most 7 MB");
    for list in 0..lists {
        let id = u32::try_from(sectors + 1 + list).unwrap();
        header[76 + 4 * list..80 + 4 * list].copy_from_slice(&id.to_le_bytes());
    }
    let entry = |name: &str, kind: u8, start: u32, length: usize| {
        let mut entry = vec![0; 128];
        name.encode_utf16()
            .enumerate()
            .for_each(|(i, unit)| entry[2 * i..2 * i + 2].copy_from_slice(&unit.to_le_bytes()));
        entry[64] = u8::try_from(2 * name.len() + 2).unwrap();
        entry[66] = kind;
        entry[68..80].fill(0xff);
        entry[116..120].copy_from_slice(&start.to_le_bytes());
        entry[120..124].copy_from_slice(&u32::try_from(length).unwrap().to_le_bytes());
        entry
    };
    let mut folder =
        [entry("Root Entry", 5, 0xffff_fffe, 0), entry("Workbook", 2, 0, stream.len())].concat();
    folder.resize(512, 0);
    let next: Vec<u8> = next.iter().flat_map(|next| next.to_le_bytes()).collect();
    [header, stream, folder, next].concat()
}

fn head() -> Vec<Vec<u8>> {
    vec![text(b'x', 1), text(b'y', 1)]
}

#[test]
fn a_text_counts_once_for_each_cell_that_has_it() {
    let strings = [head(), vec![text(b'a', 20_000)]].concat();
    let mut cells = vec![cell(0, 0, 0), cell(0, 1, 1)];
    (1..=40).for_each(|row| cells.extend([cell(row, 0, 2), number(row, 1, f64::from(row))]));
    let file = workbook(&strings, &cells);
    assert_eq!(needed(&file), Some(Needed { cells: 82, largest: 82, text: 2 + 40 * 20_000 }));
    let sheet = read("f.xls", &file, None).unwrap();
    assert_eq!(
        (sheet.lines.len(), sheet.lines[7].cells[0].len(), &sheet.lines[7].cells[1]),
        (40, 20_000, "8")
    );
}

#[test]
fn a_small_file_of_long_texts_is_refused_before_they_are_read() {
    let strings = [head(), vec![text(b'a', 60_000)]].concat();
    let mut cells = vec![cell(0, 0, 0), cell(0, 1, 1)];
    (1..=50_000).for_each(|row| cells.extend([cell(row, 0, 2), number(row, 1, f64::from(row))]));
    let file = workbook(&strings, &cells);
    assert_eq!(needed(&file).unwrap().text, 2 + 50_000 * 60_000);
    assert!(file.len() < 2_000_000 && read("f.xls", &file, None).is_err());
}

#[test]
fn a_cell_far_away_and_a_claim_make_no_room() {
    let few = |far: Vec<u8>| {
        workbook(
            &head(),
            &[cell(0, 0, 0), cell(0, 1, 1), number(1, 0, 1.0), number(1, 1, 2.0), far],
        )
    };
    let far = few(number(65_000, 60_000, 1.0));
    assert_eq!(needed(&far).unwrap().largest, 65_001 * 60_001);
    let claim =
        [0_u32.to_le_bytes(), 4_000_000_000_u32.to_le_bytes(), [0, 0, 0, 1], [0; 4]].concat();
    let claimed = few(record(EXTENT, &claim[..14]));
    assert_eq!(needed(&claimed).unwrap().largest, 4_000_000_000 * 256);
    for file in [far, claimed] {
        assert!(read("f.xls", &file, None).is_err());
    }
    assert!(read("f.xls", &few(number(2, 1, 1.0)), None).is_ok());
}

#[test]
fn what_cannot_be_followed_is_no_panic() {
    let file =
        workbook(&head(), &[cell(0, 0, 0), cell(0, 1, 1), number(1, 0, 1.0), number(1, 1, 2.0)]);
    for end in (0..file.len()).step_by(7) {
        let _ = needed(&file[..end]);
        let mut garbled = file.clone();
        garbled[end] ^= 0xff;
        let _ = needed(&garbled);
    }
    assert_eq!(needed(b"\xd0\xcf\x11\xe0"), None);
}
