# Recipes for people; CI and README call cargo directly.

# What is compared of the full run: the methods of DTB, and those of JCM's Tables 2 to 5.
compared_dtb := '--profile full --benchmarks dtb-table-1 --metrics "crps,picp(level=0.95)"'
compared_jcm := 'JCM SGP DGP BNN-VI NN-Ens MC-Dropout Combined "Conditional Gaussian" SQR "Quantile Forest" "Linear Gaussian" "Unconditional quantiles" --profile full --benchmarks jcm-table-2,jcm-table-3,jcm-table-4,jcm-table-5 --datasets boston,energy,concrete,kin8nm,power,wine-red --metrics "crps,rmse,picp(level=0.95),log-likelihood"'

# Run every benchmark and write every table and figure (quick profile, bundled data where no other is at hand).
reproduce *ARGS:
    cargo run --release --locked -- reproduce {{ARGS}}

# Costs come first, one trial at a time in a fresh process, so that time and memory are theirs; comparisons read the store.

# The papers' own repetitions; writes the committed reports. MIRROR is a folder or address laid out as KEY/FILE.
full MIRROR:
    cargo run --release --locked -- run jcm-cost jcm-cost-components jcm-cost-sgp jcm-cost-sgp-points --profile full --jobs 1 --out reports --formats md,csv,svg,html
    cargo run --release --locked -- reproduce --profile full --mirror {{MIRROR}} --out reports --formats md,csv,svg,html
    cargo run --release --locked -- compare {{compared_dtb}} --out reports/comparison --formats md,csv,svg
    cargo run --release --locked -- compare {{compared_jcm}} --out reports/comparison-jcm --formats md,csv,svg

# Write the site of the committed full run and its two comparisons, from the packs, into FOLDER; nothing runs.
site FOLDER="target/site":
    cargo build --release --locked
    rm -rf target/site-store
    target/release/uqbench store merge reports/packs/*.pack --into target/site-store
    target/release/uqbench compare {{compared_dtb}} --store target/site-store --out {{FOLDER}}/comparison
    target/release/uqbench compare {{compared_jcm}} --store target/site-store --out {{FOLDER}}/comparison-jcm
    target/release/uqbench report --profile full --store target/site-store --out {{FOLDER}}

# Whether the smoke profile's scores got worse than the blessed ones; `just gate --bless --reason TEXT` renews them.
gate *ARGS:
    cargo run --release --locked -- reproduce --profile smoke
    cargo run --release --locked -- check --against benchmarks/baselines/smoke.toml {{ARGS}}

# Every test.
test:
    cargo test --release --locked

# The unit tests whose names contain FILTER, after an edit: only what changed is compiled, with few optimisations. The numbers
# are the same; the tests take longer, so name a family.
unit FILTER:
    cargo test --profile unit --locked --lib -- {{FILTER}}

# Hit a running smoke profile with random kills, signals and read errors for so many minutes; it must end like one that nothing hit.
soak MINUTES:
    UQBENCH_SOAK_MINUTES={{MINUTES}} cargo test --release --locked --test it -- --ignored --nocapture soak::

# Time and memory of `plan`, `status`, `report` and `store pack` on so many generated trials, in a temporary folder.
scale TRIALS:
    UQBENCH_SCALE_TRIALS={{TRIALS}} cargo test --release --locked --test it -- --ignored --nocapture --exact scale::the_commands_that_read_a_store

# The same where each shard's store was packed where it ran, and the packs are joined.
scale-shards TRIALS:
    UQBENCH_SCALE_TRIALS={{TRIALS}} cargo test --release --locked --test it -- --ignored --nocapture --exact scale::shards_that_are_packed_where_they_ran

# Time and memory of `try` on 200 000 rows of 30 features, 2 000 rows of 3 000, and ten million cells, each with a budget of 5 minutes.
scale-of-try:
    cargo test --release --locked --test it -- --ignored --nocapture --exact scale_of_try::tables_at_the_limits_end_within_the_budget

# Simulate so many tables of each kind, and count how often the interval that `try` states contains the coverage of the model: the
# table of docs/understand/coverage-of-try.md.
coverage-of-try REPLICATIONS="500":
    UQBENCH_REPLICATIONS={{REPLICATIONS}} cargo test --release --locked --test it -- --ignored --nocapture --exact coverage_of_try::simulated_tables_by_scenario

# Measure fits of every method of `try` at six sizes beside what its budget expects of them. Takes a quarter of an hour, alone on the machine.
costs-of-try:
    cargo test --release --locked --test it -- --ignored --nocapture --exact costs_of_try::seconds_of_fits_beside_what_is_expected

# Feed malformed inputs to every reader, so many minutes each.
fuzz MINUTES:
    #!/usr/bin/env bash
    set -euo pipefail
    for target in benchmark_files manifests own_tables records messages_of_workers cached_scores packs models responses_of_external_methods; do
      UQBENCH_FUZZ_MINUTES={{MINUTES}} cargo test --release --locked --test it -- --ignored --nocapture --exact fuzz::targets::$target
    done

# Check the wrappers of other packages in an environment of their own, compare them, and write docs/do/wrappers.md. Needs Python 3.11
# or later, 6 GB, and for ranger Debian's r-base-core, r-cran-ranger and r-cran-jsonlite. NAMES: check only these.
wrappers *NAMES:
    #!/usr/bin/env bash
    set -euo pipefail
    cargo build --release --locked
    [ -d target/wrappers/env ] || python3 -m venv target/wrappers/env
    export UQBENCH="$PWD/target/release/uqbench" PYTHONPATH="$PWD/python" PATH="$PWD/target/wrappers/env/bin:$PATH"
    pip install --quiet -r python/wrappers/requirements.txt -r python/wrappers/requirements-torch.txt
    python python/wrappers/table.py {{NAMES}}

# Run methods of this program and their peers, after `just wrappers`, and write reports/laboratory/peers.md. ARGS choose, such as
# `--datasets boston --splits 3`.
peers *ARGS:
    #!/usr/bin/env bash
    set -euo pipefail
    export UQBENCH="$PWD/target/release/uqbench" PYTHONPATH="$PWD/python" PATH="$PWD/target/wrappers/env/bin:$PATH"
    folders="--store target/wrappers/peers --out target/wrappers/peers-report"
    "$UQBENCH" run python/wrappers/peers.toml --allow-external --jobs 1 --profile full $folders {{ARGS}}
    python python/wrappers/peers.py

# Measure what a server saves, over N trials of three methods, after `just wrappers`, and write it into docs/do/external-methods.md.
server-gain N="10":
    #!/usr/bin/env bash
    set -euo pipefail
    export UQBENCH="$PWD/target/release/uqbench" PYTHONPATH="$PWD/python" PATH="$PWD/target/wrappers/env/bin:$PATH"
    python python/wrappers/gain.py {{N}}

# Compare `try` with other packages, after `just wrappers`. SET: packages (reports/laboratory/package-tables.md; needs R with MASS) or judging
# (reports/laboratory/tables-boosting.md; --data DIR). ARGS: --limit SECONDS, --write.
peer-tables SET *ARGS:
    #!/usr/bin/env bash
    set -euo pipefail
    export UQBENCH="$PWD/target/release/uqbench" PYTHONPATH="$PWD/python" PATH="$PWD/target/wrappers/env/bin:$PATH" OMP_NUM_THREADS=1
    pip install --quiet statsmodels==0.15.0 vega-datasets==0.9.0 pandas
    python python/wrappers/peer_tables.py {{SET}} {{ARGS}}

# Open every page of sites in Chromium: widths, colours, keyboard, accessibility. Needs node, npm and a Chromium.
browser *SITES="uqbench-report/quick/site":
    npm install --prefix target/browser --no-save --no-audit --no-fund puppeteer-core@24 axe-core@4
    node tests/browser/check.mjs {{SITES}} target/browser

# Run plans on a real Slurm with two nodes: kill, drain, requeue, time limit. Needs root and Debian's slurmctld, slurmd,
# slurm-client, munge, parallel and snakemake.
slurm-test:
    cargo build --release --locked
    tests/slurm/run.sh target/release/uqbench

# Make a book of docs in the folder `book`; `mdbook` is installed by `cargo install mdbook`.
book:
    #!/usr/bin/env bash
    set -euo pipefail
    if ! command -v mdbook >/dev/null; then
      echo "error: there is no mdbook: install it with \`cargo install mdbook\`" >&2
      exit 1
    fi
    mdbook build
    # mdbook makes `.html` of `.md` in every link, also in those that lead out of the book, to pages that stay Markdown.
    find book -mindepth 2 -name '*.html' -exec sed -i -E 's!(href="\.\./\.\./[^"#]*)\.html!\1.md!g' {} +
    find book -maxdepth 1 -name '*.html' -exec sed -i -E 's!(href="\.\./[^"#]*)\.html!\1.md!g' {} +
    echo "file://$PWD/book/index.html"

# Format, lints, documentation.
check:
    cargo fmt --all --check
    cargo clippy --release --all-targets --locked -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --release --no-deps --locked

# Time learners, games, runner and store.
bench *ARGS:
    cargo bench --locked {{ARGS}}

# Accept changed snapshots after reading them.
accept:
    INSTA_UPDATE=always cargo test --release --locked

# Write the hashes of the shipped run's trials, which `reproduce` compares with, from its packs.
shipped-trials:
    cargo run --release --locked -- dev index reports/packs/*.pack > target/shipped-trials.txt
    mv target/shipped-trials.txt benchmarks/shipped-trials.txt

# Make a wheel for Linux in FOLDER, with the manual and completions.
wheel FOLDER="target/wheel":
    python/packaging/wheel.sh {{FOLDER}}

# Try the wheel in a Debian 11 with Python 3.9 and nothing else. Needs root and mmdebstrap.
clean-system:
    python/packaging/clean-system.sh target/wheel/uqbench-*.whl

# Write the numbers of paper/paper.md from the committed reports.
paper:
    python3 paper/numbers.py

# List the public interface of the crates that others build on, or compare with the listing: `just public-api --check`. Needs
# cargo-public-api and a nightly toolchain.
public-api *ARGS:
    .ci/public-api/list {{ARGS}}

# What a release must pass, or these of its STEPS. About an hour. Needs cargo-deny and cargo-public-api.
release-check *STEPS:
    .ci/release-check {{STEPS}}

# Set the address of the repository, here and in the files that state it.
address URL:
    #!/usr/bin/env bash
    set -euo pipefail
    sed -i -E 's!^repository = ".*"!repository = "{{URL}}"!' Cargo.toml
    sed -i -E 's!"codeRepository": ".*"!"codeRepository": "{{URL}}"!' codemeta.json
    sed -i -E 's!^repository-code: ".*"!repository-code: "{{URL}}"!' CITATION.cff
    path=$(echo '{{URL}}' | sed -E 's!^https?://[^/]+/!!')
    sed -i -E "s!uses: [^ ]+/uqbench@!uses: $path@!" docs/do/gate.md examples/gate/.github/workflows/gate.yml

# How often the gate of examples/gate is wrong, over N runs of each kind; N = 30 takes five minutes.
gate-errors N="30":
    cargo build --release --locked
    [ -d target/gate ] || python3 -m venv target/gate
    target/gate/bin/pip install --quiet numpy
    UQBENCH="$PWD/target/release/uqbench" PYTHONPATH="$PWD/python" PATH="$PWD/target/gate/bin:$PATH" python3 examples/gate/measure.py {{N}}

# Pack the data files of the league's free sets, which no crate and no wheel has; MIRROR is a folder that holds them.
league-data MIRROR:
    cargo run --release --locked -- data pack data/league-data.zip --mirror {{MIRROR}} $(python3 benchmarks/league/choose.py keys)
