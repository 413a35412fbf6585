"""Trains the network. See README.md; `python train.py --help`."""

import argparse
import datetime
import json
import math
import pathlib
import time

import numpy as np
import torch
from torch.nn import functional as F

import shipped
from export import loaded
from model import CHANNELS, DILATIONS, Network
from samples import LENGTH, SHARES, Sampler, ids_of, vocabulary, with_own_marks
from texts import held_out, read

BATCH = 16
RATE = 2.5e-3
WARMUP = 150
# Weights are averaged over about this many steps.
AVERAGED = 300
MARKS_WEIGHT = 0.7
# Marks of the network's own are shown from this share of the training on.
OWN_FROM = 0.35


def arguments():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--texts", default="../../../shared/training", help="folder of the lessons")
    p.add_argument("--out", required=True, help="folder for checkpoints")
    p.add_argument("--steps", type=int, default=2400, help=f"batches of {BATCH} windows of {LENGTH}")
    p.add_argument("--seed", type=int, default=55)
    p.add_argument("--vocabulary", type=int, default=7500)
    p.add_argument("--channels", type=int, default=CHANNELS)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--minutes", type=float, default=1e9, help="end earlier, with the rate brought down in time")
    p.add_argument("--no-echo", action="store_true", help="without what comes again (to compare)")
    p.add_argument("--from", dest="start", type=pathlib.Path, help="a checkpoint or weights.bin to go on from")
    p.add_argument("--tasks", default="layers", choices=SHARES, help="what most windows teach")
    p.add_argument("--rate", type=float, default=RATE)
    return p.parse_args()


def start_of(path):
    """The network that a training goes on from, a checkpoint or a file that ships, and its characters."""
    if not path:
        return None, None
    model, known = shipped.read(path) if path.suffix == ".bin" else loaded(path)[:2]
    return model.train(), known


def prepared(folder, size, known):
    chapters = list(read(folder, lambda book: not held_out(book)))
    known = vocabulary(chapters, size) if known is None else known
    table = ids_of(known)
    for c in chapters:
        c["ids"] = table[c.pop("codes")]
    return chapters, known


def losses(model, batch):
    ids, gaps, echo, pairs, target = batch
    with torch.autocast("cpu", dtype=torch.bfloat16):
        layers, marks = model(ids, gaps, echo)
    count = lambda t: (t >= 0).sum().clamp(min=1)
    one = F.cross_entropy(layers.float().flatten(0, 1), pairs.flatten(), ignore_index=-1, reduction="sum")
    two = F.cross_entropy(marks.float().flatten(0, 1), target.flatten(), ignore_index=-1, reduction="sum")
    return one / count(pairs), two / count(target)


def main():
    args = arguments()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    start, known = start_of(args.start)
    chapters, known = prepared(args.texts, args.vocabulary, known)
    sampler = Sampler(chapters, args.seed, args.tasks)
    model = start or Network(2 + len(known), args.channels, DILATIONS)
    mean = {k: v.clone() for k, v in model.state_dict().items()}
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.rate, betas=(0.9, 0.98), weight_decay=0.01)
    print(sum(p.numel() for p in model.parameters()), "weights;", len(known), "characters", flush=True)
    began, sums = time.time(), [0.0, 0.0]
    for step in range(args.steps):
        gone = max(step / args.steps, (time.time() - began) / 60 / args.minutes)
        if gone >= 1:
            break
        rate = args.rate * min(1, (step + 1) / WARMUP) * (0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * gone)))
        for group in optimizer.param_groups:
            group["lr"] = rate
        names, arrays = sampler.batch(BATCH)
        if args.no_echo:
            arrays[2][:] = 0
        own = [n for n, name in enumerate(names) if name == "own"]
        if own and (args.start or gone > OWN_FROM):
            with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
                expected = model(*(torch.from_numpy(a[own]) for a in arrays[:3]))[1]
            expected = torch.softmax(expected.float(), -1).numpy()
            arrays[1][own] = with_own_marks(sampler.rng, arrays[1][own], arrays[3][own], expected)
        one, two = losses(model, [torch.from_numpy(a) for a in arrays])
        optimizer.zero_grad(set_to_none=True)
        (one + MARKS_WEIGHT * two).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        with torch.no_grad():
            keep = min(1 - 1 / AVERAGED, (step + 1) / (step + 10))
            for k, v in model.state_dict().items():
                mean[k].lerp_(v, 1 - keep)
        sums = [0.98 * s + 0.02 * x.item() for s, x in zip(sums, (one, two))]
        if step % 25 == 24:
            due = 1 - 0.98 ** (step + 1)
            seconds = time.time() - began
            print(f"{step + 1} layers {sums[0] / due:.4f} marks {sums[1] / due:.4f} {seconds:.0f} s", flush=True)
        if step % 300 == 299:
            save(out / f"{step + 1}.pt", mean, known, args, step + 1)
    save(out / "last.pt", mean, known, args, step + 1)


def save(path, weights, known, args, steps):
    about = dict(steps=steps, characters=steps * BATCH * LENGTH, seed=args.seed, channels=args.channels,
                 echo=not args.no_echo, date=datetime.date.today().isoformat())
    torch.save(dict(model=weights, vocabulary=torch.from_numpy(known.astype(np.int64)), about=about), path)
    (path.parent / "about.json").write_text(json.dumps(about))


if __name__ == "__main__":
    main()
