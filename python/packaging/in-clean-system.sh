#!/usr/bin/env bash
# What clean-system.sh runs inside.
set -euo pipefail
cd /try
ldd --version | sed -n 1p
python3 --version
python3 -m venv env
started=$(date +%s%N)
since() { echo "$1: $((($(date +%s%N) - started) / 1000000)) ms"; }
env/bin/pip install --quiet ./*.whl
since "installed"
export PATH="/try/env/bin:$PATH"
uqbench data export yacht yacht.csv
uqbench try yacht.csv --target "$(sed -n '1s/.*,//p' yacht.csv)" >tried.md
grep -m 1 'Recommended' tried.md
since "from pip install to the result of try"
started=$(date +%s%N)
uqbench report baselines-standard --from baselines-standard --profile full --out pages >/dev/null
since "to the page of the standard baselines"
[ -f env/share/man/man1/uqbench.1 ] && [ -f env/share/bash-completion/completions/uqbench ]
started=$(date +%s%N)
# The cheapest trial of every method, again.
mkdir -p reports/packs
mv ./*.pack reports/packs/
uqbench store merge reports/packs/*.pack --into all >/dev/null
uqbench export all trials.csv --profile full >/dev/null
python3 - >keys <<'PY'
import csv

cheapest = {}
for row in csv.DictReader(open("trials.csv", encoding="utf-8")):
    # Experiments that ask for one point after another take as many fits as points.
    if row["outcome"] == "ok" and row["fit_seconds"] and not row["dataset"].startswith("objective:"):
        seconds = float(row["fit_seconds"]) + float(row["predict_seconds"] or 0)
        cheapest[row["method"]] = min((seconds, row["trial"]), cheapest.get(row["method"], (float("inf"), "")))
for _, trial in cheapest.values():
    print(trial)
PY
echo "$(wc -l <keys) methods"
# A number of `combined` has another last digit with an older library (docs/understand/determinism.md); every other byte is equal.
uqbench rerun --out again $(cat keys) >again.txt || true
grep -E "ran again|relative difference" again.txt
since "the trials again"
if grep "relative difference" again.txt | grep -vq '^- `combined`'; then
  echo "error: a trial of another method than combined differs" >&2
  exit 1
fi
