"""Reads a file of weights as `export.py` writes it, so that a training can go on from what ships."""

import struct

import numpy as np
import torch

from model import Network


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def numbers(self, kind, count):
        found = np.frombuffer(self.data, kind, count, self.at)
        self.at += found.nbytes
        return found

    def table(self, into):
        rows, columns = into.shape
        scale = self.numbers("<f4", rows)
        whole = self.numbers("i1", rows * columns).reshape(rows, columns)
        into.data = torch.from_numpy(whole.astype(np.float32) * scale[:, None])

    def matrix(self, linear):
        self.table(linear.weight)
        linear.bias.data = torch.from_numpy(self.numbers("<f4", len(linear.bias)).copy())


def read(path):
    """The network of a file, and its characters."""
    reader = Reader(path.read_bytes())
    assert reader.data[:8] == b"zhushu-1", path
    reader.at = 8
    characters, channels, blocks, _, _ = struct.unpack_from("<5H", reader.data, reader.at)
    reader.at += 10
    dilations = reader.numbers("u1", blocks).tolist()
    summed = reader.numbers("u1", blocks)
    vocabulary = reader.numbers("<u4", characters)
    model = Network(2 + characters, channels, dilations)
    for table in (model.characters, model.gap_before, model.gap_after, model.echo):
        reader.table(table.weight)
    for n, block in enumerate(model.blocks):
        reader.matrix(block.wide)
        reader.matrix(block.narrow)
        if summed[n]:
            reader.matrix(model.summaries[str(n)].inner)
            reader.matrix(model.summaries[str(n)].outer)
    reader.matrix(model.layers)
    reader.matrix(model.marks)
    assert reader.at == len(reader.data), path
    return model, vocabulary
