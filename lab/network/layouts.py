"""Lays text out as people have it, for training and for measuring: A each note a line, B a passage with its note, C every 700 characters, and others."""

import numpy as np

from texts import LINE

WIDTH = 700


def borders(layer):
    """For each character whether a border is in the gap before it."""
    found = np.zeros(len(layer), dtype=bool)
    found[1:] = layer[1:] != layer[:-1]
    return found


def ends(layout, layer, phase=0):
    """For each character whether a line begins with it, in layout A, B or C."""
    border = borders(layer)
    if layout == "A":
        return border
    if layout == "B":
        return border & (layer == 0)
    found = np.zeros(len(layer), dtype=bool)
    found[(WIDTH - phase) % WIDTH :: WIDTH] = True
    found[0] = False
    return found


def random_ends(rng, layer, gaps, has_notes):
    """The line ends of a random layout. `gaps` has those of headings, and marks."""
    n = len(layer)
    natural = (gaps & LINE) > 0
    kind = rng.random()
    if not has_notes:
        stops = np.isin(gaps & 15, (5, 6, 7))
        if kind < 0.3:
            return natural
        if kind < 0.5:  # sentences
            return natural | (stops & (rng.random(n) < rng.choice([0.1, 0.3, 1.0])))
        if kind < 0.85:
            return ends("C", layer, rng.integers(WIDTH))
        if kind < 0.95:
            return rng.random(n) < 1 / rng.choice([15, 30, 60, 150])
        return np.zeros(n, dtype=bool)
    keep = natural if rng.random() < 0.6 else np.zeros(n, dtype=bool)
    if kind < 0.2:
        return keep | ends("A", layer)
    if kind < 0.50:
        return keep | ends("B", layer)
    if kind < 0.78:
        return ends("C", layer, rng.integers(WIDTH))
    if kind < 0.88:  # several notes on a line
        return keep | (ends("B", layer) & (rng.random(n) < rng.choice([0.15, 0.4, 0.7])))
    if kind < 0.94:  # runs are cut further
        some = np.isin(gaps & 15, (5, 6, 7)) & (rng.random(n) < 0.5)
        if not some.any():
            some = rng.random(n) < 1 / rng.choice([20, 60, 150])
        return keep | ends(rng.choice(["A", "B"]), layer) | some
    return np.zeros(n, dtype=bool)
