"""Choose the datasets of the league's boards `modern` and `beyond` by their descriptions alone.

Written and committed before any of these sets had a score. `python3 choose.py` prints the choice, which the tests compare with the boards, and `python3 choose.py keys` the sets that are free.
"""

import csv
import hashlib
import pathlib
import sys

HERE = pathlib.Path(__file__).parent


def descriptions():
    """Reads the descriptions, a dict a set."""
    with open(HERE / "descriptions.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def is_free(entry):
    """Whether the licence allows copies, also for sale."""
    return entry["free"] == "free"


def is_modern(entry):
    """Whether a set may be on the board `modern`: free, measured, 500 to 54 000 rows, divided at random by its gatherers, with a target
    of 100 values or more of which none has half of the rows, and with twins (rows of equal features) for fewer than half of its rows."""
    return (
        is_free(entry)
        and entry["made_by"] == "measurement"
        and 500 <= int(entry["rows"]) <= 54_000
        and entry["random_division"] == "yes"
        and int(entry["target_values"]) >= 100
        and float(entry["target_mode_share"]) < 0.5
        and float(entry["twins"]) < 0.5
    )


def stratum(entry):
    """The kind of difficulty that a set stands for, the first that applies."""
    if int(entry["missing_cells"]) > 0:
        return "missing cells"
    if abs(float(entry["target_skewness"])) > 3:
        return "heavy tail"
    if int(entry["text_columns"]) > 0:
        return "categories"
    return "numbers"


def lot(entry):
    """A draw that nobody can choose: the hash of the key."""
    return hashlib.sha256(f"uqbench league: {entry['key']}".encode()).hexdigest()


def modern():
    """Three sets of each kind: the largest and the smallest candidate of all, and then by lot."""
    candidates = [entry for entry in descriptions() if is_modern(entry)]
    by_rows = sorted(candidates, key=lambda entry: int(entry["rows"]))
    ends = {by_rows[0]["key"], by_rows[-1]["key"]}
    chosen = []
    for kind in ["missing cells", "heavy tail", "categories", "numbers"]:
        of_kind = [entry for entry in candidates if stratum(entry) == kind]
        of_kind.sort(key=lambda entry: (entry["key"] not in ends, lot(entry)))
        chosen += [entry["key"] for entry in of_kind[:3]]
    return sorted(chosen)


def beyond(column):
    """Every free, measured set with ten groups or more (`number_of_groups`) or ten times or more (`number_of_times`): five folds of whole
    groups, and five blocks in the later half of the times, need as many."""
    return sorted(
        entry["key"]
        for entry in descriptions()
        if is_free(entry) and entry["made_by"] == "measurement" and int(entry[column] or 0) >= 10
    )


if __name__ == "__main__" and sys.argv[1:] == ["keys"]:
    print(*(entry["key"] for entry in descriptions() if is_free(entry) and entry["made_by"] == "measurement"))
elif __name__ == "__main__":
    print("modern:", *modern())
    print("beyond, time:", *beyond("number_of_times"))
    print("beyond, groups:", *beyond("number_of_groups"))
