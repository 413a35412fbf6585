"""Writes a checkpoint as src/network/weights.bin, and prints what the test of the program expects.

The form of the file is described in src/network/weights.rs."""

import argparse
import pathlib
import struct

import numpy as np
import torch

from decode import probabilities
from model import DILATIONS, SUMMARY, SUMMED_UP, Network
from samples import ids_of
from texts import DISTANCES, LINE, ROOT, characters_and_gaps, echoes

PLACE = ROOT / "src/network/weights.bin"
# A made-up text; a test of the program has the same.
PROBE = "甲氏曰學而時習之。不亦悅乎\n甲氏未詳也習音襲反覆溫習之意\n學而不厭"


def quantised(weight):
    """Whole numbers and the scale of each row."""
    weight = weight.numpy().astype(np.float32)
    scale = np.maximum(np.abs(weight).max(1), 1e-12).astype(np.float32) / 127
    return np.clip(np.rint(weight / scale[:, None]), -127, 127).astype(np.int8), scale


class Writer:
    """Writes a network; what it wrote is put back into the model, to measure what ships."""

    def __init__(self, model):
        self.out = bytearray()
        self.model = model

    def table(self, weight):
        whole, scale = quantised(weight.data)
        weight.data = torch.from_numpy(whole.astype(np.float32) * scale[:, None])
        self.out += scale.astype("<f4").tobytes() + whole.tobytes()

    def matrix(self, linear):
        self.table(linear.weight)
        self.out += linear.bias.detach().numpy().astype("<f4").tobytes()

    def network(self, vocabulary):
        m = self.model
        channels = m.characters.weight.shape[1]
        self.out += b"zhushu-1"
        dilations = [block.dilation for block in m.blocks]
        self.out += struct.pack("<5H", len(vocabulary), channels, len(dilations), SUMMARY, 4 * DISTANCES)
        self.out += bytes(dilations)
        self.out += bytes(int(n in SUMMED_UP) for n in range(len(dilations)))
        self.out += np.asarray(vocabulary).astype("<u4").tobytes()
        for table in (m.characters, m.gap_before, m.gap_after, m.echo):
            self.table(table.weight)
        for n, block in enumerate(m.blocks):
            self.matrix(block.wide)
            self.matrix(block.narrow)
            if n in SUMMED_UP:
                self.matrix(m.summaries[str(n)].inner)
                self.matrix(m.summaries[str(n)].outer)
        self.matrix(m.layers)
        self.matrix(m.marks)


def loaded(path):
    """The network of a checkpoint, and its characters."""
    checkpoint = torch.load(path)
    vocabulary = checkpoint["vocabulary"].numpy().astype(np.uint32)
    about = checkpoint["about"]
    model = Network(2 + len(vocabulary), about["channels"], about.get("dilations", DILATIONS))
    model.load_state_dict(checkpoint["model"])
    return model.eval(), vocabulary, checkpoint["about"]


def as_shipped(path):
    """The same with rounded weights, and the file."""
    model, vocabulary, about = loaded(path)
    writer = Writer(model)
    writer.network(vocabulary)
    return model, vocabulary, bytes(writer.out)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("checkpoint")
    p.add_argument("--out", type=pathlib.Path, default=PLACE, help="marks.bin beside it for the network for marks")
    args = p.parse_args()
    model, vocabulary, file = as_shipped(args.checkpoint)
    args.out.write_bytes(file)
    codes, gaps, _ = characters_and_gaps(PROBE)
    ids = ids_of(vocabulary)[codes]
    layers, marks = probabilities(model, ids, gaps, echoes(ids))
    print(len(file), "bytes")
    for n in (6, 12, 20, len(ids) - 1):
        print(f"({n}, {layers[n, 1] + layers[n, 2]:.4f}, {layers[n, 1] + layers[n, 3]:.4f}, {1 - marks[n, 0]:.4f}),")


if __name__ == "__main__":
    main()
