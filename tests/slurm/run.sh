#!/usr/bin/env bash
# Run plans on a real Slurm with two nodes on this machine: tasks are killed, queued again, drained, lost with their node and stopped
# at their time limit, and two arrays write one store at the same time. Every report must have the bytes of a report of one machine, but for times and hosts.
#
# Usage: tests/slurm/run.sh PROGRAM. It needs Debian's packages slurmctld, slurmd, slurm-client, munge, parallel and snakemake, and
# the rights of root. All files are in a temporary folder, and every process that it starts ends with it.
set -euo pipefail
program=$(realpath "$1")
docs=$(realpath "$(dirname "$0")/../../docs/do/clusters.md")
work=$(mktemp -d)
started=$SECONDS
step() { printf '== %s (%d s)\n' "$*" $((SECONDS - started)); }
fail() { echo "error: $*"; tail -n 20 "$work"/slurm/*.log "$work"/uqbench-logs/* 2>/dev/null; exit 1; }

for name in slurmctld slurmd sbatch munged parallel snakemake; do
  command -v $name >/dev/null \
    || { echo "error: $name is missing: apt-get install slurmctld slurmd slurm-client munge parallel snakemake"; exit 1; }
done

# A Slurm of two nodes of one processor each.
slurm=$work/slurm
host=$(hostname -s)
mkdir -p "$slurm/state"
dd if=/dev/urandom of="$slurm/munge.key" bs=1 count=1024 status=none
chmod 700 "$slurm"
chmod 400 "$slurm/munge.key"
munged --force --key-file="$slurm/munge.key" --socket="$slurm/munge.sock" --pid-file="$slurm/munged.pid" \
  --log-file="$slurm/munged.log" --seed-file="$slurm/munged.seed" 2>"$slurm/munged.err"
cat > "$slurm/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=17100
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.sock
CredType=cred/munge
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool-%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd-%n.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2
KillWait=5
SlurmdTimeout=10
ReturnToService=2
MpiDefault=none
SwitchType=switch/none
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=17101 CPUs=1 RealMemory=4000
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=17102 CPUs=1 RealMemory=4000
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$slurm/slurm.conf
ended() {
  scontrol shutdown >/dev/null 2>&1 || true
  sleep 1
  for name in slurmctld slurmd-n1 slurmd-n2 munged; do
    [ ! -f "$slurm/$name.pid" ] || kill "$(cat "$slurm/$name.pid")" 2>/dev/null || true
  done
  rm -rf "$work"
}
trap ended EXIT
slurmctld
slurmd -N n1
slurmd -N n2
for _ in $(seq 150); do
  [ "$(sinfo -h -o '%T %D' 2>/dev/null)" = "idle 2" ] && break
  sleep 0.2
done
[ "$(sinfo -h -o '%T %D')" = "idle 2" ] || fail "the nodes did not start: $(sinfo -h -o '%T %D')"
step "$(sinfo --version), two nodes"

# Trials that sleep for a second each; the argument is their number.
cd "$work"
benchmark() {
  printf '%s\n' 'id = "mocks"' 'paper = "none"' 'artefact = "Table 0"' 'title = "Mocks"' 'protocol_source = "printed"' \
    'protocol = { holdout = { test = { fraction = 0.2 } } }' 'datasets = [{ key = "motorcycle-94", heading = "Data" }]' \
    'metrics = [{ id = "rmse", heading = "RMSE" }]' '[[methods]]' 'id = "mock"' \
    'parameters = { behaviour = "answer", sleep_ms = 1000 }' 'columns = [{ heading = "Mock", labels = { mock = "a" } }]' \
    '[profiles.smoke]' 'splits = 2' '[profiles.quick]' "splits = $1" '[profiles.full]' "splits = $1"
}
benchmark 48 > mocks.toml
uqbench() { "$program" "$@"; }
# Pages of a store, without the files that state times and hosts.
same_pages() {
  uqbench report mocks.toml --store whole --out whole-pages > report.log 2>&1 || fail "$(cat report.log)"
  diff -r -x 'trial-*' -x index.html -x 'provenance*' whole-pages "$1" || fail "$1 differs from the pages of one machine"
}
submit() { # PLAN STORE OUT OPTIONS: prints the numbers of the array and of the report
  uqbench submit "$1" --slurm --store "$2" --out "$3" --offline "${@:4}" > submitted || fail "$(cat submitted)"
  sed -n 's/^cancel: scancel //p' submitted
}
wait_for() { while [ -n "$(squeue -h -j "$(echo "$@" | tr ' ' ,)" 2>/dev/null)" ]; do sleep 1; done; }
until_true() { for _ in $(seq 240); do eval "$1" && return; sleep 0.5; done; fail "never: $1"; }
state() { scontrol show job "$1" | sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p' | sort | uniq -c | xargs; }
# Processes of a task of an array of this Slurm.
pids_of() {
  for process in /proc/[0-9]*; do
    { tr '\0' '\n' < "$process/environ" > environ; } 2>/dev/null || continue # it has ended
    if grep -qx "SLURM_CONF=$SLURM_CONF" environ && grep -qx "SLURM_ARRAY_JOB_ID=$1" environ \
      && grep -qx "SLURM_ARRAY_TASK_ID=$2" environ; then echo "${process#/proc/}"; fi
  done
}
trials() { find "$1/trials" -name provenance.json | wc -l; }

uqbench run mocks.toml --store whole --out unused --jobs 4 --offline > run.log 2>&1 || fail "$(cat run.log)"
step "one machine: $(trials whole) trials"

uqbench plan mocks.toml --shards 3 --out three.json --store two >/dev/null
uqbench plan mocks.toml --shards 4 --out four.json --store two >/dev/null
one=$(submit three.json two pages-three --at-once 1)
other=$(submit four.json two pages-four --at-once 1)
running() { squeue -h -j "${1% *}" -t RUNNING -o %K; }
until_true '[ -n "$(running "$one")" ] && [ -n "$(running "$other")" ]'
wait_for $one $other
uqbench status --plan three.json --store two >/dev/null || fail "two arrays on one store left trials out"
same_pages pages-three
same_pages pages-four
step "two arrays on one store: $(state "${one% *}"); $(state "${other% *}")"

uqbench plan mocks.toml --shards 8 --out eight.json --store faults >/dev/null
jobs=$(submit eight.json faults pages-eight --at-once 2)
array=${jobs% *}
until_true '[ -d faults/trials ] && [ "$(trials faults)" -ge 2 ]'
pids=$(pids_of "$array" 1)
[ -n "$pids" ] || fail "task 1 has no process"
kill -9 $pids
step "killed the processes of a task"
scontrol update NodeName=n2 State=DRAIN Reason=test
until_true 'sinfo -h -n n2 -o %T | grep -q drained'
before=$(trials faults)
until_true '[ "$(trials faults)" -ge $((before + 2)) ]' # the array goes on with the other node
scontrol update NodeName=n2 State=RESUME
step "drained and resumed a node: $(state "$array")"
until_true '[ "$(squeue -h -j "$array" -t RUNNING -o %K | wc -l)" -ge 2 ]'
# The task that started last has most of its six trials before it.
number=$(squeue -h -j "$array" -t RUNNING -o %K | sort -n | tail -n 1)
log=uqbench-logs/task-${array}_$number.log
until_true 'grep -Eq ": [1-5]/6 trials" "$log"'
scontrol requeue "${array}_$number"
step "queued task $number again; Slurm starts it after 120 s"
until_true '[ -n "$(squeue -h -w n2 -t RUNNING -o %K)" ]'
lost=$(squeue -h -w n2 -t RUNNING -o %K | head -n 1)
kill -9 "$(cat "$slurm/slurmd-n2.pid")"
kill -9 $(pids_of "$array" "$lost")
until_true 'sinfo -h -n n2 -o %T | grep -q down'
step "lost a node with task $lost"
slurmd -N n2
until_true 'sinfo -h -n n2 -o %T | grep -Eq "idle|mixed|allocated"'
wait_for "$array"
grep -q '([1-9][0-9]* reused, [1-9][0-9]* run)' "$log" || fail "the task that was queued again did not continue: $(cat "$log")"
step "it continued: $(tail -n 1 "$log")"
wait_for $jobs
uqbench status --plan eight.json --store faults > status || true
step "after a kill, a drain, a requeue and a lost node: $(tail -n 1 status)"
jobs=$(submit eight.json faults pages-eight)
wait_for $jobs
uqbench status --plan eight.json --store faults >/dev/null || fail "the second submission left trials out"
same_pages pages-eight
step "the same command again completed the plan: $(state "${jobs% *}")"

# Slurm looks every half a minute whether a limit is reached: the trials take longer.
benchmark 110 > mocks.toml
uqbench plan mocks.toml --shards 1 --out one.json --store limit >/dev/null
jobs=$(submit one.json limit pages-one --minutes 1)
wait_for $jobs
[ "$(state "${jobs% *}")" = "1 TIMEOUT" ] || fail "the task did not reach its time limit: $(state "${jobs% *}")"
stopped=$(trials limit)
grep -q 'interrupted: ' uqbench-logs/task-"${jobs% *}"_1.log || fail "the task was not asked to stop"
[ -f pages-one/mocks.md ] || fail "no report was written after the time limit"
step "a time limit: $stopped of 110 trials, and a report of them"
jobs=$(submit one.json limit pages-one --minutes 5)
wait_for $jobs
grep -q "110 of 110 expected trials finished ($stopped reused, $((110 - stopped)) run)" uqbench-logs/task-"${jobs% *}"_1.log \
  || fail "the task did not continue after its time limit"
uqbench run mocks.toml --store whole --out unused --jobs 4 --offline > run.log 2>&1 || fail "$(cat run.log)"
same_pages pages-one
step "continued after the time limit"

# The lines of docs/do/clusters.md for other engines.
benchmark 6 > mocks.toml
PATH=$(dirname "$program"):$PATH
uqbench run mocks.toml --store whole --out unused --jobs 4 --offline > run.log 2>&1 || fail "$(cat run.log)"
# The code block of a language whose text has a word.
block() { awk -v language="$1" -v word="$2" '
  /^```/ { if (inside && text ~ word) { printf "%s", text; exit } inside = ($0 == "```" language); text = ""; next }
  inside { text = text $0 "\n" }' "$docs"; }
uqbench plan mocks.toml --shards 3 --out plan.json --store parallel >/dev/null
block sh parallel | sed 's/STORE/parallel/' > line.sh
grep -q '^parallel ' line.sh || fail "docs/do/clusters.md has no line for GNU parallel"
bash -euo pipefail line.sh > parallel.log 2>&1 || fail "$(cat parallel.log)"
uqbench status --plan plan.json --store parallel >/dev/null || fail "GNU parallel left trials out"
uqbench report mocks.toml --store parallel --out pages-parallel > report.log 2>&1 || fail "$(cat report.log)"
same_pages pages-parallel
step "GNU parallel: $(cat line.sh)"
block python 'rule all' | sed 's/STORE/snakemake/' > Snakefile
grep -q '^rule shard:' Snakefile || fail "docs/do/clusters.md has no rule for Snakemake"
snakemake --cores 2 --quiet > snakemake.log 2>&1 || fail "$(cat snakemake.log)"
uqbench status --plan plan.json --store snakemake >/dev/null || fail "Snakemake left trials out"
uqbench report mocks.toml --store snakemake --out pages-snakemake > report.log 2>&1 || fail "$(cat report.log)"
same_pages pages-snakemake
step "Snakemake $(snakemake --version)"
step "done"
