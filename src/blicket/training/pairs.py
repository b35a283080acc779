"""The pairs of a split as numbers on a device."""

from dataclasses import dataclass
from typing import final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from blicket.core.example import Split
from blicket.learners.vocabulary import BEGIN, PAD, Vocabulary

__all__ = ["Pairs", "texts"]


@final
@dataclass(frozen=True)
class Pairs:
    """Sources and gold targets, a row each; row -1 is empty."""

    source: Tensor
    gold: Tensor
    source_lengths: NDArray[np.int64]
    gold_lengths: NDArray[np.int64]

    @classmethod
    def of(cls, split: Split, form: str, words: Vocabulary, labels: Vocabulary, device: torch.device) -> "Pairs":
        """The pairs of a split."""
        sources, targets = texts(split, form)
        source, gold = words.matrix(sources, ended=False), labels.matrix(targets, ended=True)
        lengths = [(table != PAD).sum(1).astype(np.int64) for table in (source, gold)]

        def on_device(table: NDArray[np.int32]) -> Tensor:
            # One empty row, and room for lengths that are rounded up.
            return torch.from_numpy(np.pad(table, ((0, 1), (0, 8))).astype(np.int64)).to(device)

        return cls(on_device(source), on_device(gold), *lengths)

    def __len__(self) -> int:
        return len(self.source_lengths)

    def batch(self, rows: NDArray[np.int64], source_length: int, target_length: int) -> tuple[Tensor, Tensor, Tensor]:
        """Source, target (which begins with <s>) and gold of these rows (seeds, batch), each (seeds, batch, length)."""
        at = torch.from_numpy(rows).to(self.source.device)
        source, gold = self.source[at][..., :source_length], self.gold[at][..., :target_length]
        target = torch.cat((torch.full_like(gold[..., :1], BEGIN), gold[..., :-1]), dim=-1)
        return source, target, gold


def texts(split: Split, form: str) -> tuple[list[str], list[str]]:
    """The sources and targets of a split; several inputs are one text."""
    columns = split.rows.columns(np.arange(len(split)), form)
    return [" ".join(inputs) for inputs in columns.inputs], columns.targets
