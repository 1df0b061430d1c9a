#!/usr/bin/env bash
# Make a wheel for Linux that needs no newer C library than manylinux2014's, with the manual and completions beside the program.
# Needs Rust, Python with venv, and pip's packages, Zig's compiler among them. `wheel.sh FOLDER` writes the wheel there.
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p "$1"
out=$(cd "$1" && pwd)
[ -d target/packing ] || python3 -m venv target/packing
export PATH="$PWD/target/packing/bin:$PATH"
pip install --quiet "maturin>=1.8,<2" "ziglang>=0.13,<0.17" "wheel>=0.45"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd python && maturin build --profile dist --locked --zig --compatibility manylinux2014 --out "$work")
plain=$(ls "$work"/*.whl)
wheel unpack --dest "$work" "$plain"
folder=$(ls -d "$work"/uqbench-*/)
program=$(ls "$folder"uqbench-*.data/scripts/uqbench)
share=$(dirname "$program")/../data/share
mkdir -p "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
"$program" man --out "$share/man/man1"
"$program" completions bash >"$share/bash-completion/completions/uqbench"
"$program" completions zsh >"$share/zsh/site-functions/_uqbench"
"$program" completions fish >"$share/fish/vendor_completions.d/uqbench.fish"
wheel pack --dest-dir "$out" "$folder"
size=$(stat -c %s "$out/$(basename "$plain")")
echo "$out/$(basename "$plain"): $size bytes"
[ "$size" -le 35000000 ] || { echo "error: a wheel of more than 35 MB: see what made the program larger" >&2; exit 1; }
