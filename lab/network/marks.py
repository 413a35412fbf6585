"""Trains the small network for marks alone, which sees characters and ends of lines. See README.md; `python marks.py --help`.

It is `model.Network` without the distances to what comes again, and without its head for layers."""

import argparse
import datetime
import math
import pathlib
import time

import numpy as np
import torch
from torch.nn import functional as F

from export import as_shipped
from layouts import WIDTH
from model import Network, normed
from samples import ids_of
from texts import LINE, MARKS, NOTES, PLAIN, PUNCTUATED, UNKNOWN, held_out, read

LENGTH = 512
BATCH = 32
RATE = 3e-3
WARMUP = 150
AVERAGED = 300
CHANNELS = 104
DILATIONS = [1, 2, 4, 8, 16, 1, 2, 4]
VOCABULARY = 3900
# Texts with fewer or more marks than this share of their characters are not punctuated as others are.
DENSITY = (0.08, 0.35)
# The share of windows from medical books, how often lines end where they do, and how often a character is hidden.
MEDICAL, OWN_LINES, HIDDEN = 0.2, 0.35, 0.02
# A book counts by this power of its size.
POWER = 0.4
# The first so many characters of a text are measured.
MEASURED = 4000
STOP = MARKS.index("。")


def arguments():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--texts", default="../../../shared/training", help="folder of the lessons")
    p.add_argument("--out", required=True, type=pathlib.Path, help="folder for checkpoints")
    p.add_argument("--steps", type=int, default=6500, help=f"batches of {BATCH} windows of {LENGTH}")
    p.add_argument("--minutes", type=float, default=1e9, help="end earlier, with the rate brought down in time")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--measure", type=pathlib.Path, help="only measure this checkpoint")
    return p.parse_args()


def marks_of(chapter):
    """The number of the mark before each character."""
    marks = (chapter["gaps"] & 15).astype(np.int64)
    marks[marks >= len(MARKS)] = 0
    return marks


class Sampler:
    def __init__(self, chapters, seed):
        self.rng = np.random.default_rng(seed)
        self.of_kind = {}
        for kind in (PLAIN, PUNCTUATED):
            own = [c for c in chapters if c["kind"] == kind and DENSITY[0] < (c["marks"] > 0).mean() < DENSITY[1]]
            size = {}
            for c in own:
                size[c["book"]] = size.get(c["book"], 0) + len(c["ids"])
            # Collections of poems are too many.
            rarity = [0.5 if c["book"].startswith("KR4") else 1.0 for c in own]
            share = [len(c["ids"]) / size[c["book"]] ** POWER * r for c, r in zip(own, rarity)]
            self.of_kind[kind] = own, np.cumsum(share) / np.sum(share)

    def window(self):
        rng = self.rng
        own, shares = self.of_kind[PUNCTUATED if rng.random() < MEDICAL else PLAIN]
        ids, lines, marks = np.zeros(LENGTH, np.int64), np.zeros(LENGTH, np.int64), np.full(LENGTH, -1)
        at = 0
        while at < LENGTH:
            c = own[min(np.searchsorted(shares, rng.random()), len(own) - 1)]
            start = int(rng.integers(max(1, len(c["ids"]) - 64)))
            part = slice(start, min(len(c["ids"]), start + LENGTH - at))
            here = slice(at, at + part.stop - part.start)
            ids[here], marks[here] = c["ids"][part], c["marks"][part]
            if rng.random() < OWN_LINES:
                lines[here] = (c["gaps"][part] & LINE) > 0
            marks[at], lines[at] = -1, 1
            at = here.stop
        ids[rng.random(LENGTH) < HIDDEN] = UNKNOWN
        return ids, lines * LINE, marks

    def batch(self):
        return [torch.from_numpy(np.stack(a)) for a in zip(*(self.window() for _ in range(BATCH)))]


def logits(model, ids, gaps):
    after = F.pad(gaps[:, 1:], (0, 1))
    h = model.characters(ids) + model.gap_before(gaps) + model.gap_after(after)
    for n, block in enumerate(model.blocks):
        h = block(h)
        if str(n) in model.summaries:
            h = model.summaries[str(n)](h)
    return model.marks(normed(h))


def f1(found, there):
    return 2 * (found & there).sum() / max(1, found.sum() + there.sum())


def measure(model, table, chapters):
    """F1 of marks and ends of sentences on the texts that were held out, stripped of marks, in lines of WIDTH."""
    gold, all_p, own = [], [], []
    for c in chapters:
        ids = table[c["codes"][:MEASURED]].astype(np.int64)
        lines = np.zeros(len(ids), np.int64)
        lines[0] = lines[WIDTH::WIDTH] = LINE
        with torch.no_grad():
            p = torch.softmax(logits(model, torch.from_numpy(ids)[None], torch.from_numpy(lines)[None])[0].float(), -1)
        gold.append(c["marks"][1:MEASURED])
        all_p.append(p.numpy()[1:])
        own.append(f1(1 - all_p[-1][:, 0] > 0.4, gold[-1] > 0))
    g, p = np.concatenate(gold), np.concatenate(all_p)
    for least in (0.3, 0.35, 0.4, 0.45):
        found, kind = 1 - p[:, 0] > least, p[:, 1:].argmax(1) + 1
        named = (kind == g)[found & (g > 0)].mean()
        ends = f1(p[:, STOP:].sum(1) > least, g >= STOP)
        print(f"from {least}: any {f1(found, g > 0):.4f}, sentence end {ends:.4f}, named {named:.3f}", flush=True)
    found, best = 1 - p[:, 0] > 0.4, p[:, 1:].max(1)
    right = p[:, 1:].argmax(1) + 1 == g
    for low, high in ((0, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.97), (0.97, 1.01)):
        bin_ = found & (best >= low) & (best < high)
        if bin_.any():
            print(f"claimed {best[bin_].mean():.3f}: {bin_.sum()} marks, right {right[bin_].mean():.3f}")
    print(f"mean of texts {np.mean(own):.4f}, median {np.median(own):.4f}, lowest tenth {np.quantile(own, 0.1):.3f}, {len(own)} texts", flush=True)


def main():
    args = arguments()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    chapters = [c for c in read(args.texts, lambda book: True) if c["kind"] != NOTES]
    for c in chapters:
        c["marks"] = marks_of(c)
    training = [c for c in chapters if not held_out(c["book"])]
    tested = [c for c in chapters if held_out(c["book"]) and c["kind"] == PLAIN]
    if args.measure:
        model, known, _ = as_shipped(args.measure)
        return measure(model, ids_of(known), tested)
    counts = sum(np.bincount(c["codes"], minlength=0x110000) * (1 if c["kind"] == PUNCTUATED else 4) for c in training)
    known = np.sort(np.argsort(-counts, kind="stable")[: VOCABULARY - 2]).astype(np.uint32)
    table = ids_of(known)
    for c in training:
        c["ids"] = table[c["codes"]]
    sampler = Sampler(training, args.seed)
    model = Network(VOCABULARY, CHANNELS, DILATIONS)
    model.echo.weight.data.zero_()
    model.echo.weight.requires_grad_(False)
    mean = {k: v.clone() for k, v in model.state_dict().items()}
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, betas=(0.9, 0.98), weight_decay=0.01)
    began = time.time()
    for step in range(args.steps):
        gone = max(step / args.steps, (time.time() - began) / 60 / args.minutes)
        if gone >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / WARMUP) * (0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * gone)))
        ids, gaps, target = sampler.batch()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found = logits(model, ids, gaps)
        loss = F.cross_entropy(found.float().flatten(0, 1), target.flatten(), ignore_index=-1)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        with torch.no_grad():
            keep = min(1 - 1 / AVERAGED, (step + 1) / (step + 10))
            for k, v in model.state_dict().items():
                mean[k].lerp_(v, 1 - keep)
        if step % 50 == 49:
            print(step + 1, f"{loss.item():.4f} {time.time() - began:.0f} s", flush=True)
        if step % 300 == 299:
            save(args.out / f"{step + 1}.pt", mean, known, args, step + 1)
    save(args.out / "last.pt", mean, known, args, step + 1)


def save(path, weights, known, args, steps):
    about = dict(steps=steps, characters=steps * BATCH * LENGTH, seed=args.seed, channels=CHANNELS, dilations=DILATIONS,
                 echo=False, date=datetime.date.today().isoformat())
    torch.save(dict(model=weights, vocabulary=torch.from_numpy(known.astype(np.int64)), about=about), path)


if __name__ == "__main__":
    main()
