"""From the probabilities of gaps to the layers of characters: what src/passes/layers/unmarked does."""

import numpy as np

from texts import LINE

WINDOW, OVERLAP = 1024, 64
TINY = 1e-6


def windows(n):
    """Where windows begin and end, and which part of each counts."""
    start = 0
    while True:
        end = min(n, start + WINDOW)
        first = start + (OVERLAP if start else 0)
        last = end if end == n else end - OVERLAP
        yield start, end, first, last
        if end == n:
            return
        start = end - 2 * OVERLAP


def probabilities(model, ids, gaps, echo):
    """P of the pair of layers, and of the marks, for the gap before each character."""
    import torch

    layers, marks = np.zeros((len(ids), 4), np.float32), np.zeros((len(ids), 8), np.float32)
    with torch.no_grad():
        for start, end, first, last in windows(len(ids)):
            own = slice(start, end)
            two = model(*(torch.from_numpy(a[own].astype(np.int64))[None] for a in (ids, gaps, echo)))
            for into, logits in zip((layers, marks), two):
                into[first:last] = torch.softmax(logits[0].float(), -1).numpy()[first - start : last - start]
    return layers, marks


# As in src/passes/layers/unmarked/: how far single characters are trusted, what a border gains, what is against a
# layout while layouts are compared and when one is found, and what a border costs with a layout that demands it and else.
TRUST, BONUS = 0.05, 0.7
COST, FOUND_COST = 6.0, 12.0
BORDER_COSTS = (0.02, 0.2)
# A text has notes if this share of its characters is expected in notes.
MIN_NOTE_SHARES = (0.05, 0.18)


def chain(pairs):
    """Log weights of the pairs of layers at each gap, and of the layers of the first character."""
    p = np.maximum(pairs.astype(np.float64), TINY)
    border = pairs[:, 1] + pairs[:, 2]
    note = np.clip(pairs[:, 1] + pairs[:, 3], TINY, 1 - TINY)
    own = TRUST * np.stack([np.log(1 - note), np.log(note)], 1)
    log = np.zeros((len(p), 2, 2))
    stay = np.log(np.maximum(1 - border, TINY))
    log[:, 0, 0], log[:, 1, 1] = stay + own[:, 0], stay + own[:, 1]
    log[:, 0, 1] = np.log(p[:, 1]) + own[:, 1] + BONUS
    log[:, 1, 0] = np.log(p[:, 2]) + own[:, 0] + BONUS
    return log, own[0]


def against(gaps, layout):
    """1 for pairs that are against a layout: A apart, B pairs, P passages, C free."""
    cost, line = np.zeros((len(gaps), 2, 2)), (gaps & LINE) > 0
    if layout == "A":
        cost[~line, 0, 1] = cost[~line, 1, 0] = cost[line, 0, 0] = cost[line, 1, 1] = 1
    if layout in "BP":
        cost[line] = 1
        cost[line, 1, 0] = 0
    if layout == "B":
        cost[~line, 1, 0] = 1
    return cost


def log_total(log, first):
    a, b = map(float, first)
    for (p, q), (r, s) in log[1:].tolist():
        a, b = np.logaddexp(a + p, b + r), np.logaddexp(a + q, b + s)
    return float(np.logaddexp(a, b))


def layout_of(log, first, gaps):
    lines = int(((gaps[1:] & LINE) > 0).sum())
    if lines < 3:
        return "C"
    total = log_total(log, first)
    evidence = {k: (log_total(log - COST * against(gaps, k), first) - total) / lines for k in "ABP"}
    if max(evidence["A"], evidence["B"]) >= -1.0:
        return "A" if evidence["A"] > evidence["B"] else "B"
    return "P" if evidence["P"] >= -0.25 else "C"


def posterior(log, first):
    """Forward and backward: P of the pair of layers at each gap after the first."""
    n = len(log)
    forward = np.zeros((n, 2))
    forward[0] = first
    a, b = first
    L = log.tolist()
    out = [(a, b)]
    from math import exp, log1p

    def add(x, y):
        return x + log1p(exp(y - x)) if x > y else y + log1p(exp(x - y))

    for i in range(1, n):
        (p, q), (r, s) = L[i]
        a, b = add(a + p, b + r), add(a + q, b + s)
        m = max(a, b)
        a, b = a - m, b - m
        out.append((a, b))
    back = [(0.0, 0.0)] * n
    a = b = 0.0
    for i in range(n - 1, 0, -1):
        (p, q), (r, s) = L[i]
        a, b = add(p + a, q + b), add(r + a, s + b)
        m = max(a, b)
        a, b = a - m, b - m
        back[i - 1] = (a, b)
    f, k = np.array(out), np.array(back)
    joint = f[:-1, :, None] + log[1:] + k[1:, None, :]
    joint -= joint.max((1, 2), keepdims=True)
    joint = np.exp(joint)
    joint /= joint.sum((1, 2), keepdims=True)
    found = np.zeros((n, 4))
    found[1:] = joint.reshape(-1, 4)
    start = np.exp(f[0] + k[0] - (f[0] + k[0]).max())
    start /= start.sum()
    found[0] = [start[0], 0, 0, start[1]]
    return found


def best(post, cost, costs):
    """The layers whose borders have the greatest sum of probabilities, each minus a cost."""
    n = len(post)
    a, b = post[0, 0], post[0, 3]
    back = np.zeros((n, 2), np.uint8)
    to_note, to_text = (post[:, 1] - cost).tolist(), (post[:, 2] - cost).tolist()
    for i, ((p, q), (r, s)) in enumerate(costs.tolist()):
        if i == 0:
            continue
        stay_a, turn_a, stay_b, turn_b = a - p, b + to_text[i] - r, b - s, a + to_note[i] - q
        back[i] = turn_a > stay_a, turn_b <= stay_b
        a, b = max(stay_a, turn_a), max(stay_b, turn_b)
    state = int(b > a)
    layer = np.zeros(n, np.uint8)
    for i in range(n - 1, -1, -1):
        layer[i] = state
        state = back[i, state]
    return layer


def decoded(pairs, gaps):
    """The layer of each character, the probability of what is before each, and the layout."""
    log, first = chain(pairs)
    layout = layout_of(log, first, gaps)
    costs = FOUND_COST * against(gaps, layout)
    post = posterior(log - costs, first)
    return best(post, BORDER_COSTS[layout not in "AB"], costs), post, layout


def has_notes(pairs, found, layout):
    """Whether a text has notes at all: in a layout that demands borders, and elsewhere."""
    share = (pairs[:, 1] + pairs[:, 3]).mean()
    return bool((found != found[0]).any() and share >= MIN_NOTE_SHARES[layout not in "AB"])
