#!/usr/bin/env python3
"""Fits the weights that decide about places of citations to the lists made by hand.

    fit_references.py FOLDER [--write]

FOLDER has, for every text of tests/gold/links-*.tsv (NAME with its ending), what
    ZHUSHU_WEIGHED=FOLDER/NAME.weighed zhushu convert TEXT --with CANON… --to json -o FOLDER/NAME.json
writes, with the texts of ../shared: the links, and every place that was weighed with its features. The weights are a logistic
function held back by a Gaussian prior. It prints, for citations that no rule places, how many places each least probability would
give and how many of them are right, with each list left out of the fit in turn. With --write the fit to all lists goes to
src/passes/links/references/data/weights.tsv.

Lists that nobody had looked into when the weights were fitted (UNSEEN) are not in the fit.

A place is right if it is where the list has it. Where the list says that the text is not at hand, all places are wrong; where it
is doubtful, or says nothing about the place, they count little.
"""
import glob, json, math, os, re, sys

HERE = os.path.dirname(os.path.abspath(__file__))
GOLD = os.path.join(HERE, "..", "tests", "gold")
SHARED = os.path.join(HERE, "..", "..", "shared")
TABLE = os.path.join(HERE, "..", "src", "passes", "links", "references", "data", "weights.tsv")
sys.path.insert(0, os.path.join(SHARED, "tools"))
import score_links as hand

PRIOR = 2.0
# What a place counts of a citation that a rule places, of a doubtful entry, of an entry without a place, of no entry.
KNOWN, DOUBTFUL, UNSAID, STRAY = 0.3, 0.3, 0.3, 0.5
SHOWN = (0.3, 0.4, 0.5, 0.55, 0.6, 0.7)
# Lists that were not looked into when the weights were fitted.
UNSEEN = {
    "mengzi-tengwen", "zhouli-xiaguan", "zhouyi-jie", "zuozhuan-yin-c",
    "zhouli-chunguan-x", "lunyu-yaoyue-x", "yili-06-z", "lunyu-zizhang-z", "zhouyi-jin-z", "zuozhuan-xuan-z",
    "lunyu-bayi-2", "zhouyi-jin-2", "lunyu-yaoyue-2", "yili-06-b2", "lunyu-zizhang-2", "liji-quli-b2",
}


def read_list(path):
    """name of the text, the stretch, entries"""
    rows = open(path, encoding="utf8").read().splitlines()
    text, first, last = re.search(r"Text: (.*); characters (\d+) to (\d+)", rows[0]).groups()
    own, entries = os.path.basename(text), []
    for row in rows:
        if row.startswith("#"):
            continue
        c = row.split("\t")
        number = lambda s: int(s) if s.isdigit() else None
        place = c[7].isdigit() and {"path": own if c[6] == "own" else c[6], "start": int(c[7]), "end": int(c[8])} or None
        if entries and (entries[-1]["start"], entries[-1]["end"]) == (int(c[0]), int(c[1])):
            entries[-1]["places"] += [place] if place else []
            continue
        entries.append({"start": int(c[0]), "end": int(c[1]), "quoted": [number(c[2]), number(c[3])] if c[2].isdigit() else None,
                        "places": [place] if place else [], "flags": c[9]})
    return own, (int(first), int(last)), entries


def hits(entry, path, span):
    for want in entry["places"]:
        there = hand.span(want)
        short = hand.size(span) <= max(4 * hand.size(there), hand.size(there) + 40)
        if path == want["path"] and (short or "w" in entry["flags"]) and hand.over(span, there) * 2 >= min(hand.size(span), hand.size(there)):
            return True
    return False


def match(entries, link):
    """how well the entry of a link fits it, and its number, negative: by the citation itself, else by what it quotes"""
    for words in [dict(link, quoted=None), link] if link else []:
        best = max((hand.fit(e, words), -i) for i, e in enumerate(entries))
        if best[0]:
            return best
    return 0, 0


def weighed(folder, own, model):
    """the places that were weighed: their words, file and span, and features"""
    for row in open(os.path.join(folder, own + ".weighed"), encoding="utf8"):
        sort, start, end, known, file, a, b, _, features = row.rstrip("\n").split("\t")
        if sort == model:
            features = {n: float(v) for n, v in (x.rsplit("=", 1) for x in features.split(" ") if x)}
            yield (int(start), int(end)), known == "1", file, (int(a), int(b)), features


def judged(folder, path):
    """the citations of a list: places with features, whether they are right, and what they count"""
    own, (first, last), entries = read_list(path)
    links = json.load(open(os.path.join(folder, own + ".json"), encoding="utf8"))["links"]
    by_span = {(p["start"], p["end"]): p for p in links if p["kind"] not in ("lemma", "parallel")}
    groups = {}
    for span, known, file, there, features in weighed(folder, own, "guess"):
        if not first <= span[0] < last:
            continue
        link = by_span.get(span)
        fit, n = match(entries, link)
        entry, counts = (entries[-n], 1.0) if fit else (None, STRAY)
        if entry:
            counts = (1.0 if entry["places"] or "n" in entry["flags"] else UNSAID) * (DOUBTFUL if "d" in entry["flags"] else 1.0)
        right = bool(entry) and hits(entry, file, there)
        groups.setdefault((*span, known), []).append((features, right, counts * (KNOWN if known else 1.0), entry))
    return groups


def solve(matrix, vector):
    """Gaussian elimination with pivots"""
    n = len(vector)
    rows = [row[:] + [v] for row, v in zip(matrix, vector)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            if factor:
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i])]
    out = [0.0] * n
    for i in reversed(range(n)):
        out[i] = (rows[i][n] - sum(rows[i][k] * out[k] for k in range(i + 1, n))) / rows[i][i]
    return out


def probability(weights, features):
    x = weights["base"] + sum(weights.get(n, 0.0) * v for n, v in features.items())
    return 1 / (1 + math.exp(-max(-40.0, min(40.0, x))))


def fitted(examples, rounds=30):
    """weights, by the method of Newton"""
    names = ["base"] + sorted({n for features, *_ in examples for n in features})
    index = {n: i for i, n in enumerate(names)}
    rows = [([(0, 1.0)] + [(index[n], v) for n, v in f.items()], y, w) for f, y, w, _ in examples]
    weights = [0.0] * len(names)
    for _ in range(rounds):
        held = [0.01 if i == 0 else PRIOR for i in range(len(names))]
        slope = [h * b for h, b in zip(held, weights)]
        curve = [[held[i] if i == k else 0.0 for k in range(len(names))] for i in range(len(names))]
        for x, y, w in rows:
            p = 1 / (1 + math.exp(-max(-40.0, min(40.0, sum(weights[i] * v for i, v in x)))))
            for i, v in x:
                slope[i] += w * (p - y) * v
                for k, u in x:
                    curve[i][k] += w * p * (1 - p) * v * u
        step = solve(curve, slope)
        weights = [b - s for b, s in zip(weights, step)]
        if max(map(abs, step)) < 1e-5:
            break
    return dict(zip(names, weights))


def decides(features):
    """what is around the title has been aligned by the rules; it is weighed for the fit only"""
    return "aligned" not in features or "aligned-passage" in features or "aligned-note" in features


def main(folder, write):
    paths = {os.path.basename(p)[6:-4]: p for p in sorted(glob.glob(os.path.join(GOLD, "links-*.tsv")))}
    lists = {name: judged(folder, path) for name, path in paths.items() if name not in UNSEEN}
    every = {name: [x for group in groups.values() for x in group] for name, groups in lists.items()}
    best = []
    for name, groups in lists.items():
        weights = fitted([x for other, xs in every.items() if other != name for x in xs])
        for (_, _, known), group in groups.items():
            if not known:
                weighed = [(probability(weights, x[0]), x[1], x[3]) for x in group if decides(x[0])]
                best += sorted(weighed, key=lambda b: -b[0])[:1]
    counted = [b for b in best if b[2] is None or "d" not in b[2]["flags"] and (b[2]["places"] or "n" in b[2]["flags"])]
    for least in SHOWN:
        given = [b for b in counted if b[0] >= least]
        print("each list left out, from %.2f on: %d places that count, %d right" % (least, len(given), sum(b[1] for b in given)))
    if write:
        weights = fitted([x for xs in every.values() for x in xs])
        with open(TABLE, "w", encoding="utf8") as out:
            out.write("# model\tfeature\tweight; fitted by lab/fit_references.py\n")
            out.writelines("guess\t%s\t%.3f\n" % row for row in weights.items())


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], "--write" in sys.argv)
