//! Change inputs: bytes, lines, numbers, words, and values inside JSON.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

/// Numbers at the limits of their types.
const NUMBERS: [&str; 18] = [
    "0",
    "-1",
    "1",
    "2",
    "255",
    "65536",
    "4294967295",
    "4294967296",
    "2147483648",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "1e308",
    "1e-320",
    "0.0",
    "inf",
    "nan",
];

/// Words that readers know, and some that they do not.
const WORDS: [&str; 12] = [
    "\"\"",
    "\"rmse\"",
    "[]",
    "{}",
    "true",
    "\"..\"",
    "\"\u{202e}\"",
    "[[",
    "]]",
    "\"simulated:x-sin-x\"",
    "\"mock\"",
    "\"boston\"",
];

fn pick<'a, T>(all: &'a [T], random: &mut ChaCha8Rng) -> &'a T {
    &all[random.random_range(0..all.len())]
}

/// A few changes to one of the inputs.
pub fn text(corpus: &[Vec<u8>], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = pick(corpus, random).clone();
    for _ in 0..random.random_range(1..=4) {
        bytes = change(bytes, corpus, random);
        bytes.truncate(1 << 20);
    }
    bytes
}

fn change(mut bytes: Vec<u8>, corpus: &[Vec<u8>], random: &mut ChaCha8Rng) -> Vec<u8> {
    if bytes.is_empty() {
        return b"\n".to_vec();
    }
    let at = random.random_range(0..bytes.len());
    let length = random.random_range(1..=40.min(bytes.len() - at));
    match random.random_range(0..9) {
        0 => bytes[at] = random.random(),
        1 => bytes[at] ^= 1 << random.random_range(0..8),
        2 => drop(bytes.drain(at..at + length)),
        3 => {
            let part = bytes[at..at + length].to_vec();
            let times = *pick(&[1, 2, 50, 3000], random);
            bytes.splice(at..at, part.repeat(times));
        }
        4 => {
            let other = pick(corpus, random);
            let from = random.random_range(0..other.len());
            let until = (from + random.random_range(1..200)).min(other.len());
            bytes.splice(at..at, other[from..until].iter().copied());
        }
        5 => {
            // A line is removed or repeated.
            let start = bytes[..at].iter().rposition(|b| *b == b'\n').map_or(0, |end| end + 1);
            let end = bytes[at..]
                .iter()
                .position(|b| *b == b'\n')
                .map_or(bytes.len(), |end| at + end + 1);
            let line = bytes[start..end].to_vec();
            if random.random() {
                bytes.drain(start..end);
            } else {
                bytes.splice(start..start, line);
            }
        }
        6 | 7 => {
            // A number becomes another one.
            let is_digit = |b: &u8| b.is_ascii_digit() || b".-+".contains(b);
            if let Some(start) =
                bytes[at..].iter().position(|b| b.is_ascii_digit()).map(|start| at + start)
            {
                let end = start + bytes[start..].iter().take_while(|b| is_digit(b)).count();
                bytes.splice(start..end, pick(&NUMBERS, random).bytes());
            }
        }
        _ => {
            // The text after an equals sign is replaced.
            if let Some(start) =
                bytes[at..].iter().position(|b| *b == b'=').map(|start| at + start + 1)
            {
                let end =
                    start + bytes[start..].iter().take_while(|b| !b",\n}]".contains(b)).count();
                let word =
                    if random.random() { *pick(&WORDS, random) } else { *pick(&NUMBERS, random) };
                bytes.splice(start..end, word.bytes());
            }
        }
    }
    bytes
}

/// A few changes inside JSON: it stays JSON.
pub fn json(corpus: &[Vec<u8>], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut value: Value = serde_json::from_slice(pick::<Vec<u8>>(corpus, random)).unwrap();
    for _ in 0..random.random_range(1..=3) {
        let count = nodes(&value);
        let mut at = random.random_range(0..count);
        visit(&mut value, &mut at, &mut |value| *value = other(value, random));
    }
    serde_json::to_vec(&value).unwrap()
}

fn nodes(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(nodes).sum(),
        Value::Object(map) => map.values().map(nodes).sum(),
        _ => 0,
    }
}

fn visit(value: &mut Value, at: &mut usize, change: &mut dyn FnMut(&mut Value)) -> bool {
    if *at == 0 {
        change(value);
        return true;
    }
    *at -= 1;
    match value {
        Value::Array(items) => items.iter_mut().any(|item| visit(item, at, change)),
        Value::Object(map) => map.values_mut().any(|item| visit(item, at, change)),
        _ => false,
    }
}

fn other(value: &Value, random: &mut ChaCha8Rng) -> Value {
    let number = pick(&NUMBERS, random).parse::<f64>().ok().filter(|x| x.is_finite());
    let whole = [0_u64, 1, 7, 1 << 20, 1 << 32, u64::MAX];
    match (value, random.random_range(0..6)) {
        (Value::Array(items), 0..=2) if !items.is_empty() => {
            let mut items = items.clone();
            let at = random.random_range(0..items.len());
            if random.random() {
                items.remove(at);
            } else {
                let twice = items[at].clone();
                items.insert(at, twice);
            }
            items.into()
        }
        (Value::Object(map), 0..=2) if !map.is_empty() => {
            let mut map = map.clone();
            let key = map.keys().nth(random.random_range(0..map.len())).unwrap().clone();
            map.remove(&key);
            map.into()
        }
        (_, 3) => Value::Null,
        (Value::Number(_), _) if random.random() => (*pick(&whole, random)).into(),
        (Value::Number(_), _) => number.map_or(Value::Null, Value::from),
        (Value::String(_), _) => (*pick(&["", "main", "../../x", "gaussian", "ok"], random)).into(),
        (_, 4) => serde_json::json!([[]]),
        _ => number.map_or(Value::Bool(true), Value::from),
    }
}
