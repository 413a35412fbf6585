#!/usr/bin/env python3
"""Checks references against the lists made by hand, and fits their certainties to them.

    fit_certainties.py FOLDER [--write]

FOLDER has what `zhushu convert TEXT --with OTHERS --to json -o FOLDER/NAME.json` writes of the texts of the lists of ../shared
(seeds 000 and 004 with the seeds; samples/other/lunyu_01.txt and the two texts of references-drawn.tsv with canon/), NAME being the
name of the text without its ending. Lists that lack their JSON are left out. It prints how many of the references drawn at random
are as they should be, by kind, with Wilson's interval; and the expected calibration error of the certainties, as they are and as
fitted with each list left out in turn. With --write the fit to all lists goes to
src/passes/links/references/data/certainty.tsv.

The fit is logistic: a base, a slope over the logit of what the rule said, and an offset for each kind and status, held back by a
Gaussian prior. What the rule said is computed back from the certainty by the figures of the table at hand.
"""
import json, math, os, sys

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = os.path.join(HERE, "..", "..", "shared")
TABLE = os.path.join(HERE, "..", "src", "passes", "links", "references", "data", "certainty.tsv")
DRAWN = os.path.join(HERE, "..", "tests", "gold", "references-drawn.tsv")
sys.path.insert(0, os.path.join(SHARED, "tools"))
import score_links as hand

LISTS = {"links_000.json": "000_50c925086f8404be", "links_004.json": "004_7ee0d6e89c856fd3", "links_lunyu_01.json": "lunyu_01"}
logit = lambda p: math.log(p / (1 - p))
sigmoid = lambda x: 1 / (1 + math.exp(-x))
of = lambda link: (link["kind"], link["status"])


def table():
    rows = [r.rstrip("\n").split("\t") for r in open(TABLE, encoding="utf8") if not r.startswith("#")]
    return {(kind, status): float(value) for kind, status, value in rows}


def said(link, fit):
    """the logit of what the rule said, before the table"""
    p = min(max(link["cert"], 0.001), 0.999)
    return (logit(p) - fit[("all", "base")] - fit.get(of(link), 0)) / fit[("all", "slope")]


def links_of(folder, name):
    path = os.path.join(folder, name + ".json")
    if not os.path.exists(path):
        return None
    return [p for p in json.load(open(path, encoding="utf8"))["links"] if p["kind"] not in ("lemma", "parallel")]


def hits(gold, link):
    here, name = hand.span(link["target"]), os.path.basename(link["target"]["path"])
    for want in [gold.get("target")] + gold.get("also", []):
        if want and name == os.path.basename(want["path"]):
            there = hand.span(want)
            wide = gold["text"].startswith("自此") or gold.get("match") in ("range", "scope")
            short = hand.size(here) <= max(4 * hand.size(there), hand.size(there) + 40)
            if (wide or short) and hand.over(here, there) * 2 >= min(hand.size(here), hand.size(there)):
                return True
    return False


def judged(gold, links):
    """links of a list, each with whether it is right"""
    covered = gold.get("covered")
    for link in links:
        if covered and not any(a <= link["start"] < b for a, b in covered):
            continue
        fit, n = max((hand.fit(g, link), -i) for i, g in enumerate(gold["links"]))
        entry = gold["links"][-n]
        if fit == 0:
            yield link, False
        elif link["target"]:
            yield link, hits(entry, link) if entry.get("target") or entry.get("why") else True
        else:
            named = entry["kind"] == "internal" or link["kind"] != "citation" or not entry.get("work") or entry.get("implicit")
            yield link, not entry.get("target") and bool(named or hand.same_work(entry, link))


def drawn():
    rows = [r.rstrip("\n").split("\t") for r in open(DRAWN, encoding="utf8") if not r.startswith("#")]
    for text, start, end, kind, verdict, meant, where, a, b in rows:
        yield text, int(start), int(end), kind, verdict == "right", meant, where, (int(a), int(b)) if a != "-" else None


def as_meant(row, link):
    text, _, _, _, verdict, meant, where, place = row
    if link["kind"] != meant or (place is None) != (link["target"] is None):
        return False
    if place is None:
        return verdict or meant != "quotation"
    name = text + ".txt" if where == "own" else where
    here = hand.span(link["target"])
    return os.path.basename(link["target"]["path"]) == name and hand.over(here, place) * 2 >= min(hand.size(here), hand.size(place))


def wilson(k, n, z=1.96):
    p, d = k / n, 1 + z * z / n
    middle, half = (p + z * z / 2 / n) / d, z * math.sqrt(p * (1 - p) / n + z * z / 4 / n / n) / d
    return "%d of %d, %.2f–%.2f" % (k, n, middle - half, middle + half)


def ece(examples, bins=10):
    of_bin = {}
    for certainty, right in examples:
        of_bin.setdefault(min(int(certainty * bins), bins - 1), []).append((certainty, right))
    return sum(abs(sum(c for c, _ in b) - sum(r for _, r in b)) for b in of_bin.values()) / max(1, sum(map(len, of_bin.values())))


def fitted(examples, prior=1.0, rounds=3000, rate=0.05):
    base, slope, offsets = 0.5, 0.7, {}
    for _ in range(rounds):
        of_base, of_slope, of_offset = 0.0, 0.0, {}
        for kind, x, right in examples:
            error = right - sigmoid(base + slope * x + offsets.get(kind, 0))
            of_base += error
            of_slope += error * x
            of_offset[kind] = of_offset.get(kind, 0) + error
        base += rate * 4 * of_base / len(examples)
        slope += rate * (of_slope - 2 * (slope - 1)) / len(examples)
        for kind, error in of_offset.items():
            offsets[kind] = offsets.get(kind, 0) + rate * (error - prior * offsets.get(kind, 0)) / 10
    return {("all", "base"): base, ("all", "slope"): slope, **dict(sorted(offsets.items()))}


def apply(fit, kind, x):
    return sigmoid(fit[("all", "base")] + fit[("all", "slope")] * x + fit.get(kind, 0))


def main(folder, write):
    now, lists = table(), {}
    for gold, name in LISTS.items():
        links = links_of(folder, name)
        if links is not None:
            lists[name] = list(judged(json.load(open(os.path.join(SHARED, "gold", gold), encoding="utf8")), links))
    rows, by_text, counts = list(drawn()), {}, {}
    lists["drawn"] = []
    for row in rows:
        links = by_text.setdefault(row[0], links_of(folder, row[0]))
        if links is None:
            continue
        near = [p for p in links if hand.over(hand.span(p), row[1:3]) * 2 >= min(hand.size(hand.span(p)), row[2] - row[1])]
        best = max(near, key=lambda p: (hand.over(hand.span(p), row[1:3]), as_meant(row, p)), default=None)
        right = best is not None and as_meant(row, best)
        counts.setdefault(row[3], []).append(right)
        if best is not None:
            lists["drawn"].append((best, right))
    for kind in sorted(counts):
        print("drawn at random, now as meant, %s: %s" % (kind, wilson(sum(counts[kind]), len(counts[kind]))))
    lists = {k: [(of(p), said(p, now), r, p["cert"]) for p, r in v] for k, v in lists.items() if v}
    every = [x for v in lists.values() for x in v]
    print("calibration error as it is: %.3f" % ece([(c, r) for _, _, r, c in every]))
    left_out = []
    for name in lists:
        fit = fitted([x[:3] for other, v in lists.items() if other != name for x in v])
        left_out += [(apply(fit, k, x), r) for k, x, r, _ in lists[name]]
    print("with each list left out of the fit: %.3f" % ece(left_out))
    if write:
        fit = fitted([x[:3] for x in every])
        with open(TABLE, "w", encoding="utf8") as out:
            out.write("# kind\tstatus\toffset of the logit; fitted by lab/fit_certainties.py\n")
            out.writelines("%s\t%s\t%.3f\n" % (*k, v) for k, v in fit.items())


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], "--write" in sys.argv)
