"""Measures a checkpoint, with rounded weights, on the books that were held out.

Prints F1 of borders in layouts A, B, C, unpunctuated and punctuated; of all gaps and of those that are not in a stretch
of 12 characters that the training had too; calibration; how much of plain texts is taken for notes; and marks."""

import argparse
import collections

import numpy as np
import torch

from decode import decoded, has_notes, probabilities
from export import as_shipped
from layouts import borders, ends
from samples import ids_of
from texts import LINE, NOTES, PLAIN, PUNCTUATED, characters_and_gaps, echoes, held_out, read

GRAM = 12
SIZE = 9000
BINS = [0.99, 0.95, 0.9, 0.8, 0.7, 0.5, 0.0]


def hashes(codes):
    """A number for each run of GRAM characters."""
    found = np.zeros(max(0, len(codes) - GRAM + 1), np.uint64)
    for k in range(GRAM):
        found = found * np.uint64(1000003) + codes[k : k + len(found)].astype(np.uint64)
    return found


def shared(excerpts, training):
    """For each excerpt which of its characters are in a run that the training has too."""
    wanted = np.unique(np.concatenate([hashes(e["codes"]) for e in excerpts]))
    seen = np.zeros(len(wanted), bool)
    for c in training:
        own = np.unique(hashes(c["codes"]))
        at = np.minimum(np.searchsorted(wanted, own), len(wanted) - 1)
        seen[at[wanted[at] == own]] = True
    for e in excerpts:
        own = seen[np.searchsorted(wanted, hashes(e["codes"]))]
        covered = np.zeros(len(e["codes"]), bool)
        for k in range(GRAM):
            covered[k : k + len(own)] |= own
        e["shared"] = covered


def excerpts(chapters, kind, size, count):
    """Up to `count` stretches of each held-out book, from its longest chapters."""
    books = collections.defaultdict(list)
    for c in chapters:
        if c["kind"] == kind and len(c["codes"]) > 1500 and (kind == PLAIN or borders(c["layer"]).sum() > 20):
            books[c["book"]].append(c)
    for book, own in books.items():
        inner = own[1:-1] or own  # not the prefaces
        for c in sorted(inner, key=lambda c: -len(c["codes"]))[:count]:
            yield {**c, **{k: c[k][:size] for k in ("codes", "gaps", "layer")}}


class Count:
    def __init__(self):
        self.right = self.found = self.there = 0

    def add(self, found, there):
        self.right += int((found & there).sum())
        self.found += int(found.sum())
        self.there += int(there.sum())

    def f1(self):
        return 2 * self.right / max(1, self.found + self.there)


def layers(model, table, chosen, kept, fit):
    """F1 by layout; claims (layout, probability, right) for calibration."""
    books, claims = collections.defaultdict(list), []
    for e in chosen:
        ids, gold = table[e["codes"]], borders(e["layer"])
        marks = e["gaps"] & ~np.uint8(LINE) if kept else np.zeros_like(e["gaps"])
        for layout in "ABC":
            gaps = marks | np.where(ends(layout, e["layer"]), LINE, 0).astype(np.uint8)
            pairs, _ = probabilities(model, ids, gaps, echoes(ids))
            found, post, chosen_layout = decoded(pairs, gaps)
            own = borders(found)
            new = ~(e["shared"] & np.concatenate([[False], e["shared"][:-1]]))
            every, unseen = Count(), Count()
            every.add(own, gold)
            unseen.add(own & new, gold & new)
            books[e["book"], e["title"], layout].append((every.f1(), unseen.f1(), new.mean()))
            for n in np.flatnonzero(own):
                right = found[n] == e["layer"][n] and found[n - 1] == e["layer"][n - 1]
                claims.append((e["book"], layout, chosen_layout, post[n, found[n - 1] * 2 + found[n]], right))
    if not fit:
        report(books)
    return claims


def report(books):
    for title in dict.fromkeys((b, t) for b, t, _ in books):
        row = [np.mean(books[(*title, k)], 0) for k in "ABC"]
        print(f"{title[0]:9} {title[1][:8]:9}", " ".join(f"{k} {r[0]:.3f} {r[1]:.3f}" for k, r in zip("ABC", row)), f"new {row[0][2]:.2f}")
    for k in "ABC":
        all_books = [np.mean(v, 0) for (_, _, layout), v in books.items() if layout == k]
        mean = np.mean(all_books, 0)
        print(f"mean {k}: F1 {mean[0]:.3f}, without shared stretches {mean[1]:.3f}, {len(all_books)} books")


def logit(p):
    p = np.clip(p, 1e-9, 1 - 1e-9)
    return np.log(p / (1 - p))


def fitted(p, right):
    """Slope and offset of the log odds (Platt), by Newton's method."""
    x, y, w = np.stack([logit(p), np.ones_like(p)], 1), right.astype(float), np.array([1.0, 0.0])
    for _ in range(50):
        q = 1 / (1 + np.exp(-x @ w))
        hessian = (x * (q * (1 - q))[:, None]).T @ x + 1e-3 * np.eye(2)
        w = w + np.linalg.solve(hessian, x.T @ (y - q))
    return w


def calibration(claims):
    """Fits on half of the books, measures on the other half, and the other way round."""
    names = sorted({c[0] for c in claims})
    half = {b: n % 2 for n, b in enumerate(names)}
    given, right = [], []
    for layout in "ABPC":
        own = [c for c in claims if c[2] == layout]
        if len(own) < 50:
            continue
        p, r = np.array([c[3] for c in own]), np.array([c[4] for c in own])
        h = np.array([half[c[0]] for c in own])
        print(f"layout {layout}: {len(own)} claims, right {r.mean():.3f}, slope and offset {fitted(p, r).round(3)}")
        for k in (0, 1):
            if (h == k).any() and (h != k).sum() > 20:
                w = fitted(p[h != k], r[h != k])
                given.append(np.minimum(1 / (1 + np.exp(-(w[0] * logit(p[h == k]) + w[1]))), 0.999))
                right.append(r[h == k])
    given, right = np.concatenate(given), np.concatenate(right)
    print("bins", " ".join(f"{b}: {m.sum()} {right[m].mean():.3f}" for b, m in bins(given)))
    ece = sum(m.sum() * abs(given[m].mean() - right[m].mean()) for _, m in bins(given)) / len(given)
    print(f"ECE {ece:.3f}, {len(given)} claims")


def bins(given):
    above = 2.0
    for b in BINS:
        inside = (given >= b) & (given < above)
        above = b
        if inside.any():
            yield b, inside


def notes_in_plain(model, table, chosen, kept):
    """The share of plain texts that is taken for notes, in lines as they are and in layout C."""
    for layout in ("own lines", "C"):
        shares = []
        for e in chosen:
            ids = table[e["codes"]]
            lines = (e["gaps"] & LINE) if layout != "C" else np.where(ends("C", e["layer"]), LINE, 0).astype(np.uint8)
            gaps = lines | (e["gaps"] & ~np.uint8(LINE) if kept else 0)
            pairs, _ = probabilities(model, ids, gaps, echoes(ids))
            found, _, chosen_layout = decoded(pairs, gaps)
            shares.append((found.mean() if has_notes(pairs, found, chosen_layout) else 0, (pairs[:, 1] + pairs[:, 3]).mean(), e["title"] or e["book"]))
        taken = [s for s in shares if s[0] > 0]
        print(f"plain, marks {kept}, {layout}: {len(taken)} of {len(shares)} texts are taken to have notes:",
              ", ".join(f"{t} {a:.2f} ({b:.2f})" for a, b, t in sorted(taken, reverse=True)[:12]))


def marks(model, table, chosen):
    """Punctuation of texts from which it was taken."""
    for threshold in (0.3, 0.4, 0.5):
        every, end, named = Count(), Count(), [0, 0]
        for e in chosen:
            ids = table[e["codes"]]
            gaps = np.where(ends("C", e["layer"]), LINE, 0).astype(np.uint8)
            _, p = probabilities(model, ids, gaps, echoes(ids))
            gold = e["gaps"] & 15
            gold[gold == 8] = 0
            gold[0] = 0
            found = 1 - p[:, 0] > threshold
            found[0] = False
            kind = p[:, 1:].argmax(1) + 1
            every.add(found, gold > 0)
            end.add(p[:, 5:].sum(1) > threshold, gold >= 5)
            named[0] += int((found & (gold > 0) & (kind == gold)).sum())
            named[1] += int((found & (gold > 0)).sum())
        print(f"marks from {threshold}: any F1 {every.f1():.3f}, sentence end {end.f1():.3f}, named rightly "
              f"{named[0] / max(1, named[1]):.3f}, {every.there} marks of {len(chosen)} texts")


def canon(folder):
    """Plain classics, one text a file."""
    import pathlib

    for path in sorted(pathlib.Path(folder).glob("*.txt")):
        codes, gaps, _ = characters_and_gaps(path.read_text())
        if len(codes) > 300:
            yield dict(book=path.stem, title=path.stem, codes=codes[:SIZE], gaps=gaps[:SIZE], layer=np.zeros(min(SIZE, len(codes)), np.uint8))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("checkpoint")
    p.add_argument("--texts", default="../../../shared/training")
    p.add_argument("--canon", default="../../../shared/canon")
    p.add_argument("--each", type=int, default=2, help="stretches of a book")
    p.add_argument("--quick", action="store_true", help="only unpunctuated books")
    args = p.parse_args()
    torch.set_num_threads(1)
    model, vocabulary, _ = as_shipped(args.checkpoint)
    table = ids_of(vocabulary)
    chapters = list(read(args.texts, lambda book: True))
    mine = [c for c in chapters if held_out(c["book"])]
    training = [c for c in chapters if not held_out(c["book"])]
    chosen = {kind: list(excerpts(mine, kind, SIZE, args.each if kind == NOTES else 1)) for kind in (NOTES, PUNCTUATED, PLAIN)}
    chosen[PUNCTUATED] = chosen[PUNCTUATED][:20]
    shared(chosen[NOTES] + chosen[PUNCTUATED], training)
    print("unpunctuated")
    claims = layers(model, table, chosen[NOTES], False, False)
    calibration(claims)
    if args.quick:
        return
    print("punctuated")
    calibration(layers(model, table, chosen[PUNCTUATED], True, False))
    plain = [e for e in chosen[PLAIN] if e["plain"]]
    for kept in (False, True):
        notes_in_plain(model, table, plain, kept)
        notes_in_plain(model, table, list(canon(args.canon)), kept)
    marks(model, table, [{**e, "codes": e["codes"][:4000], "gaps": e["gaps"][:4000], "layer": e["layer"][:4000]} for e in chosen[PLAIN]])


if __name__ == "__main__":
    main()
