//! Named output files are written whole, and only regular files are replaced.

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::process::{Command, Stdio};

use crate::command::{Dir, Limited};

#[test]
fn a_device_a_pipe_and_a_link_are_written_into_and_not_replaced() {
    let dir = Dir::new();
    dir.run("data export yacht plain.csv").code(0);
    let expected = fs::read_to_string(dir.path("plain.csv")).unwrap();

    fs::write(dir.path("target.csv"), "old").unwrap();
    symlink("target.csv", dir.path("link.csv")).unwrap();
    dir.run("data export yacht link.csv").code(0);
    assert!(fs::symlink_metadata(dir.path("link.csv")).unwrap().is_symlink(), "the link stays");
    assert_eq!(fs::read_to_string(dir.path("target.csv")).unwrap(), expected);

    assert!(Command::new("mkfifo").arg(dir.path("pipe")).status().unwrap().success());
    let reader = Command::new("cat").arg(dir.path("pipe")).stdout(Stdio::piped()).spawn().unwrap();
    dir.run("data export yacht pipe").code(0);
    assert_eq!(String::from_utf8(reader.ended().stdout).unwrap(), expected);
    assert!(fs::symlink_metadata(dir.path("pipe")).unwrap().file_type().is_fifo());

    dir.run("data export yacht /dev/null").code(0);
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    dir.run("data export yacht /dev/full").code(1).says("/dev/full");

    symlink("nowhere", dir.path("dangling.csv")).unwrap();
    dir.run("data export yacht dangling.csv").code(1).says("a link that leads to no file");
    fs::create_dir(dir.path("folder")).unwrap();
    dir.run("data export yacht folder").code(1).says("it is a folder, expected a file");
}

#[test]
fn predictions_are_written_into_devices_and_pipes() {
    let dir = Dir::new();
    dir.run("data export motorcycle-94 my.csv").code(0);
    let header = fs::read_to_string(dir.path("my.csv")).unwrap().lines().next().unwrap().to_owned();
    let target = header.split(',').next_back().unwrap().to_owned();
    fs::write(dir.path("target.csv"), "old").unwrap();
    symlink("target.csv", dir.path("pred.csv")).unwrap();
    let mut command = dir.command(
        "try --verbose my.csv --methods linear-gaussian --predict my.csv --predict-with linear-gaussian \
         --out pred.csv --target",
    );
    let output = command.arg(target).ended();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(fs::symlink_metadata(dir.path("pred.csv")).unwrap().is_symlink());
    assert!(
        fs::read_to_string(dir.path("target.csv")).unwrap().starts_with("row,mean,lower,upper")
    );
}
