//! Predictions come back in their own order, in every format, from one process or from a server.

use ndarray::{Array1, array};
use uq_core::predictive::{Form, Gaussian};

use super::super::command::Limited;
use super::{Asked, MOMENTS, has, lines, script};

/// The feature as the mean, and its number of the row in `X_test` as the variance.
const ECHO: &str = r#"
cp X_test.csv mean.csv
awk '{ print NR }' X_test.csv > variance.csv
echo '{"contract": 1, "form": "gaussian", "mean": "mean.csv", "variance": "variance.csv"}' > response.json
"#;

#[test]
fn rows_are_sent_shuffled_and_come_back_in_their_own_order() {
    let found = Asked::script(&script(super::DESCRIPTION, ECHO)).predict().unwrap();
    let Form::Gaussian(Gaussian { mean, variance }) = &found.form else { panic!("{found:?}") };
    assert_eq!(mean, array![0.0, 1.0, 2.0, 3.0, 4.0], "each row has its own answer");
    assert_ne!(variance, array![1.0, 2.0, 3.0, 4.0, 5.0], "the rows were sent in another order");
    assert_eq!(variance.sum(), 15.0);
}

#[test]
fn a_script_that_is_executable_needs_no_interpreter_in_the_command() {
    use std::os::unix::fs::PermissionsExt;
    let mut asked = Asked::command(&["./method.sh"], &script(super::DESCRIPTION, MOMENTS));
    std::fs::set_permissions(asked.path("method.sh"), std::fs::Permissions::from_mode(0o755))
        .unwrap();
    let found = asked.predict().unwrap();
    // The training targets are 0, 2, …, 38.
    assert_eq!(found.means(), Some(Array1::from_elem(5, 19.0)));
}

#[test]
fn a_server_is_started_once_for_many_requests() {
    let text = r#"#!/bin/sh
case "$1" in
describe) echo '{"contract": 1, "name": "server", "deterministic": true, "server": true, "arrays": "csv"}' ;;
serve)
  echo start >> "STARTS"
  while read -r line; do
    folder=$(printf '%s' "$line" | sed 's/.*"folder":"\([^"]*\)".*/\1/')
    cut -d, -f1 "$folder/X_test.csv" > "$folder/mean.csv"
    awk '{ print 1 }' "$folder/X_test.csv" > "$folder/variance.csv"
    echo '{"contract": 1, "form": "gaussian", "mean": "mean.csv", "variance": "variance.csv"}'
  done ;;
esac
"#;
    let dir = super::super::command::Dir::new();
    let starts = dir.path("starts");
    dir.write("method.sh", &text.replace("STARTS", &starts.to_string_lossy()));
    let ended = dir
        .command("run dtb-figure-2 --profile smoke --splits 3 --jobs 1 --methods external")
        .args(["--with", "sh method.sh"])
        .ended();
    let err = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{err}");
    assert_eq!(lines(&starts), 1, "{err}");
}

#[test]
fn numpy_arrays_are_read_and_written_by_a_program_without_numpy() {
    if !has("python3", "numpy_arrays_are_read_and_written_by_a_program_without_numpy") {
        return;
    }
    // The format by hand: magic, version, length of the header, header, little-endian doubles.
    let text = r#"
import json, re, struct, sys
if sys.argv[1] == "describe":
    print(json.dumps({"contract": 1, "name": "npy"}))
else:
    request = json.load(open("request.json"))
    data = open("X_test.npy", "rb").read()
    length = struct.unpack("<H", data[8:10])[0]
    header = data[10:10 + length].decode()
    assert data[:8] == b"\x93NUMPY\x01\x00" and "'<f8'" in header and "'fortran_order': False" in header, header
    rows, columns = map(int, re.search(r"\((\d+), (\d+)\)", header).groups())
    assert (rows, columns) == (request["test_rows"], len(request["columns"]))
    body = data[10 + length:]
    out = "{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }" % rows
    out = out.ljust(117) + "\n"
    open("mean.npy", "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(out)) + out.encode() + body)
    json.dump({"contract": 1, "form": "gaussian", "mean": "mean.npy", "variance": [1.0] * rows}, open("response.json", "w"))
"#;
    let found = Asked::command(&["python3", "method.sh"], text).predict().unwrap();
    assert_eq!(found.means(), Some(array![0.0, 1.0, 2.0, 3.0, 4.0]));
}
