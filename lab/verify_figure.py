"""How often `zhushu verify` is right: quotations drawn from a built corpus, as they are, changed,
or said to be from another chapter, and invented ones; then pages of prose.

    python3 lab/verify_figure.py ZHUSHU OUT [N] [SEED]

OUT is the folder of a build of any texts (we use eight whole books and the plain classics). The invented
quotations are in lab/verify/invented.txt, the pages in lab/verify/pages/, each with the verdicts
that are expected of its quotations in its first line.
"""

import collections
import json
import pathlib
import random
import re
import subprocess
import sys

# What stands after the title of a work for words of a layer: a title alone means the classic.
LAYERS = {"jing": "", "zhuan": "", "zhu": "注", "shu": "疏"}

HERE = pathlib.Path(__file__).parent / "verify"
PLAIN = re.compile(r"[^\u3400-\u9fff\U00020000-\U0003ffff]")


def check(program, out, text):
    """The report on a text."""
    run = [program, "--no-library", "--quiet", "verify", "-", "--in", out, "--to", "json"]
    done = subprocess.run(run, input=text, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def passages(program, out):
    """All units of the index: work, chapter, layer, words."""
    run = [program, "--quiet", "search", "*", "--index", out, "--to", "json"]
    for line in subprocess.run(run, capture_output=True, text=True, check=True).stdout.splitlines():
        hit = json.loads(line)
        yield hit["work"], hit["chapter"], hit["layer"], hit["hit"].replace("‖", "")


def drawn(rng, words):
    """Some clauses of a passage, or None."""
    clauses = re.split(r"(?<=[，。；：？！,;:?!])", words)
    if len(clauses) < 2:
        return None
    start = rng.randrange(len(clauses))
    quote = ""
    want = rng.randint(6, 30)
    for clause in clauses[start:]:
        quote += clause
        if len(PLAIN.sub("", quote)) >= want:
            break
    quote = quote.strip("，。；：？！,;:?! ")
    plain = len(PLAIN.sub("", quote))
    # Neither marks of quotations nor characters that are in no standard.
    fits = 6 <= plain <= 40 and re.fullmatch(r"[\u3400-\u9fff\U00020000-\U0003ffff，。；：？！,;:?!]+", quote)
    return quote if fits else None


def changed(rng, quote, letters):
    """The quotation with one or two other characters."""
    chars = list(quote)
    places = [i for i, c in enumerate(chars) if not PLAIN.match(c)]
    for at in rng.sample(places, 1 if len(places) < 8 else rng.randint(1, 2)):
        chars[at] = rng.choice([c for c in rng.sample(letters, 20) if c != chars[at]])
    return "".join(chars)


def quotations(rng, units, n):
    """Kind, chapter named, what the layer is called, words."""
    by_chapter = collections.defaultdict(list)
    for work, chapter, layer, words in units:
        if work and chapter and layer in LAYERS:
            by_chapter[work, chapter].append((layer, words))
    chapters = sorted(by_chapter)
    texts = {c: PLAIN.sub("", "".join(w for _, w in by_chapter[c])) for c in chapters}
    letters = list("".join(texts.values()))
    invented = (HERE / "invented.txt").read_text().splitlines()
    kinds = ["changed"] * (n // 3) + ["moved"] * (n // 3) + ["invented"] * (n // 6)
    kinds += ["right"] * (n - len(kinds))
    for number, kind in enumerate(kinds):
        if kind == "invented":
            yield kind, rng.choice(chapters), "", invented[number % len(invented)]
            continue
        quote = None
        while quote is None:
            own = rng.choice(chapters)
            layer, words = rng.choice(by_chapter[own])
            quote = drawn(rng, words)
        if kind == "changed":
            quote = changed(rng, quote, letters)
        if kind == "moved":
            plain = PLAIN.sub("", quote)
            own = rng.choice([c for c in chapters if plain not in texts[c]])
        yield kind, own, LAYERS[layer], quote


def table(rows):
    """Prints how often each kind had each verdict."""
    verdicts = sorted({v for _, v in rows})
    print("\t".join(["", *verdicts]))
    for kind in dict.fromkeys(k for k, _ in rows):
        counts = collections.Counter(v for k, v in rows if k == kind)
        print("\t".join([kind, *(str(counts[v]) for v in verdicts)]))


def main(program, out, n=300, seed=1):
    """Prints both tables."""
    rng = random.Random(int(seed))
    all_ = list(quotations(rng, list(passages(program, out)), int(n)))
    lines = [f"《{work}{layer}·{chapter}》：「{quote}」" for _, (work, chapter), layer, quote in all_]
    report = check(program, out, "\n\n".join(lines))
    by_line = {item["line"]: item for item in report["items"] if item["kind"] == "quotation"}
    none = {"verdict": "none", "places": []}
    items = [by_line.get(2 * n + 1, none) for n in range(len(all_))]
    right = {"changed": "differs", "moved": "elsewhere", "invented": "not-found", "right": "verbatim"}
    rows = [(kind, item["verdict"]) for (kind, *_), item in zip(all_, items)]
    table(rows)
    good = sum(verdict == right[kind] for kind, verdict in rows)
    print(f"right: {good} of {len(rows)}, {good / len(rows):.3f}")
    for (kind, place, layer, quote), item in zip(all_, items):
        if item["verdict"] != right[kind]:
            found = item["places"][0]["hit"] if item["places"] else ""
            print(f"  {kind}\t{item['verdict']}\t{place}{layer}\t{quote}\t{found}")
    rows = []
    for page in sorted((HERE / "pages").glob("*.md")):
        expected, text = page.read_text().split("\n", 1)
        items = [i for i in check(program, out, text)["items"] if i["kind"] == "quotation"]
        got, want = [i["verdict"] for i in items], expected.strip("<!- >").split()
        if len(got) != len(want):
            print(f"  {page.name}: {len(got)} quotations, {len(want)} expected", got)
            continue
        rows += list(zip(want, got))
        for want_, item in zip(want, items):
            if want_ != item["verdict"]:
                print(f"  {page.name}:{item['line']}\t{want_}\t{item['verdict']}\t{item['words']}")
    table(rows)
    print(f"right: {sum(a == b for a, b in rows)} of {len(rows)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
