#!/usr/bin/env python3
"""What a gap is worth on the 83 gap splits of Foong et al.: skill and coverage in real gaps and in splits that are none.

    uqbench export reports/packs/foong-gap.pack gaps.csv foong-gap --profile full
    python3 reports/laboratory/gaps.py gaps.csv

Prints, for each dataset and kind of split, the median over nine methods of the mean CRPS skill against the unconditional normal
distribution and of the mean coverage of 95 % intervals. Kinds are those of Foong et al. 1: (a) every tested value of the feature is also a
training value, (b) that of a tenth or more of the test rows is, (c) fewer.
"""
import collections
import csv
import statistics
import sys

# Numbers of the splits, in the order of the features.
NO_GAP = {"boston": [1, 3], "concrete": [7], "energy": [3, 4, 5, 6], "naval": [8, 11], "yacht": [0, 2]}
PART = {"boston": [2, 8, 9, 10], "concrete": [1, 2, 4], "energy": [2, 7], "wine-red": [3, 4, 5], "yacht": [1, 3, 4, 5]}
REFERENCES = ("unconditional-gaussian", "unconditional-quantiles", "linear-gaussian")


def kind(dataset, split):
    return "a" if split in NO_GAP.get(dataset, []) else "b" if split in PART.get(dataset, []) else "c"


scores = collections.defaultdict(dict)
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        if row["score"] and row["seed"] == "0" and not row["variant"]:
            scores[row["dataset"], row["method"], row["metric"]][int(row["split"])] = float(row["score"])

methods = sorted({method for _, method, _ in scores if method not in REFERENCES})
print("dataset,kind,splits,skill,coverage")
for dataset in sorted({dataset for dataset, _, _ in scores}):
    reference = scores[dataset, "unconditional-gaussian", "crps"]
    for of_kind in "abc":
        splits = [split for split in reference if kind(dataset, split) == of_kind]
        if not splits:
            continue
        skills, coverages = [], []
        for method in methods:
            crps, coverage = scores[dataset, method, "crps"], scores[dataset, method, "picp(level=0.95)"]
            skills.append(statistics.mean(1 - crps[split] / reference[split] for split in splits))
            coverages.append(statistics.mean(coverage[split] for split in splits))
        print(f"{dataset},{of_kind},{len(splits)},{statistics.median(skills):.2f},{statistics.median(coverages):.2f}")
