"""The network: embeddings, residual blocks of dilated convolutions, and two heads for each gap."""

import torch
from torch import nn
from torch.nn import functional as F

from texts import DISTANCES, GAPS, MARKS

CHANNELS = 128
DILATIONS = [1, 2, 4, 8, 16, 32, 1, 4]
# After these blocks the mean over the window is given back to each character.
SUMMED_UP = (1, 5)
SUMMARY = 64
# The layers of the characters before and after a gap: text text, text note, note text, note note.
LAYER_PAIRS = 4


def normed(x):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6)


class Block(nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.dilation = dilation
        self.wide = nn.Linear(3 * channels, channels)
        self.narrow = nn.Linear(channels, channels)
        nn.init.normal_(self.narrow.weight, std=0.3 / channels**0.5)

    def forward(self, h):
        x, d = normed(h), self.dilation
        if torch.is_autocast_enabled("cpu"):
            x = x.bfloat16()  # half of the memory to move
        padded = F.pad(x, (0, 0, d, d))
        n = x.shape[1]
        three = torch.cat([padded[:, :n], x, padded[:, 2 * d : 2 * d + n]], -1)
        return h + self.narrow(F.relu(self.wide(three)))


class Summary(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.inner = nn.Linear(channels, SUMMARY)
        self.outer = nn.Linear(SUMMARY, channels)

    def forward(self, h):
        mean = F.relu(self.inner(normed(h))).mean(1, keepdim=True)
        return h + self.outer(mean)


class Network(nn.Module):
    def __init__(self, vocabulary, channels=CHANNELS, dilations=DILATIONS):
        super().__init__()
        self.characters = nn.Embedding(vocabulary, channels)
        self.gap_before = nn.Embedding(GAPS, channels)
        self.gap_after = nn.Embedding(GAPS, channels)
        self.echo = nn.Embedding(4 * DISTANCES, channels)
        for table in (self.characters, self.gap_before, self.gap_after, self.echo):
            nn.init.normal_(table.weight, std=0.3)
        self.blocks = nn.ModuleList(Block(channels, d) for d in dilations)
        self.summaries = nn.ModuleDict({str(n): Summary(channels) for n in SUMMED_UP})
        self.layers = nn.Linear(channels, LAYER_PAIRS)
        self.marks = nn.Linear(channels, len(MARKS))

    def forward(self, ids, gaps, echo):
        """ids, gaps: (windows, length); echo: (windows, length, 4). Logits for the gap before each."""
        after = F.pad(gaps[:, 1:], (0, 1))
        offsets = torch.arange(4, device=ids.device) * DISTANCES
        h = self.characters(ids) + self.gap_before(gaps) + self.gap_after(after)
        h = h + self.echo(echo + offsets).sum(2)
        for n, block in enumerate(self.blocks):
            h = block(h)
            if str(n) in self.summaries:
                h = self.summaries[str(n)](h)
        x = normed(h)
        return self.layers(x), self.marks(x)
