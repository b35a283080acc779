"""Decoding with all seeds at once: greedy and beam search over cached states.

Sources are decoded in batches of like length. Room for what was said doubles when it is used up, sentences that every
seed has finished leave the batch, and those that go on for long are decoded again together.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from blicket.learners.network import SequenceNetwork, State
from blicket.learners.vocabulary import BEGIN, END, PAD, UNKNOWN
from blicket.training.device import within_memory
from blicket.training.stacking import Stack, starts, steps

__all__ = ["Decoding", "decoded"]

FIRST_CAPACITY = 64
FIRST_LIMIT = 128
STATIC = ("memory", "hidden")
"""State that is the same for all hypotheses of a sentence, and at every position."""

DEAD = -1e30


@final
@dataclass(frozen=True)
class Decoding:
    """How to decode: `beam` hypotheses, 1 being greedy, of at most `longest` tokens, `batch` sentences at once.

    With `replace_unknown` an unknown token becomes the word of the source that was attended to most.
    """

    beam: int = 1
    longest: int = 500
    batch: int = 1024
    replace_unknown: bool = False


@torch.inference_mode()
def decoded(
    network: SequenceNetwork,
    stack: Stack,
    sources: NDArray[np.int32],
    how: Decoding,
    device: torch.device,
    *,
    progress: Callable[[int], None] = lambda done: None,
) -> list[list[list[int]]]:
    """For each seed and source the tokens that follow <s>, up to </s> and without it.

    An unknown token that is to be replaced is a number below zero: -1 for the first word of the source, and so on.
    """
    seeds = next(iter(stack.values())).shape[0]
    lengths = (sources != PAD).sum(1)
    results: list[list[list[int]]] = [[[] for _ in range(len(sources))] for _ in range(seeds)]

    def decode(rows: NDArray[np.intp], longest: int, unfinished: list[int]) -> None:
        source = torch.from_numpy(sources[rows, : max(1, lengths[rows].max())].astype(np.int64)).to(device)
        search = _Search(network, stack, source.expand(seeds, -1, -1), replace(how, longest=longest))
        said, done = search.run()
        for of_seed, tokens in zip(results, said.cpu().tolist(), strict=True):
            for row, sequence in zip(rows.tolist(), tokens, strict=True):
                of_seed[row] = sequence[: sequence.index(END)] if END in sequence else [t for t in sequence if t != PAD]
        if longest < how.longest:
            unfinished.extend(rows[~done.cpu().numpy()].tolist())

    waiting, size = np.argsort(lengths, kind="stable"), how.batch
    for longest in _limits(how.longest):
        at, unfinished = 0, list[int]()
        while at < len(waiting):
            rows = waiting[at : at + size]
            if size == 1:
                decode(rows, longest, unfinished)
            elif not within_memory(partial(decode, rows, longest, unfinished)):
                size //= 2
                continue
            at += len(rows)
            progress(len(sources) - len(waiting) + at - len(unfinished))
        waiting = np.array(unfinished, np.intp)
    return results


def _limits(longest: int) -> list[int]:
    """How far to decode at first, and then how far what was not finished is decoded anew.

    A sentence takes its whole batch along to where it ends; so the few that are long, or never end, are put together.
    """
    limits = [FIRST_LIMIT]
    while limits[-1] < longest:
        limits.append(4 * limits[-1])
    return [*limits[:-1], longest]


class _Search:
    """Beam search over one batch: tensors are (seeds, sentences, hypotheses, ...); greedy is a beam of one."""

    def __init__(self, network: SequenceNetwork, stack: Stack, source: Tensor, how: Decoding) -> None:
        self.network, self.stack, self.how = network, stack, how
        self.seeds, self.sentences, _ = source.shape
        self.capacity = min(FIRST_CAPACITY, how.longest)
        self.state: State = starts(network, self.capacity)(stack, source)
        self.state = {name: self._repeated(tensor) for name, tensor in self.state.items()}
        shape = (self.seeds, self.sentences, how.beam)
        self.said = torch.full((*shape, how.longest), PAD, dtype=torch.int16, device=source.device)
        self.scores = torch.full(shape, DEAD, device=source.device)
        self.scores[..., 0] = 0.0
        self.done = torch.zeros(shape[:2], dtype=torch.bool, device=source.device)
        self.best = torch.full(shape[:2], DEAD, device=source.device)
        self.best_said = self.said[:, :, 0].clone()
        self.here = torch.arange(self.sentences, device=source.device)  # the sentences that are still in the batch
        self.found = self.best_said.clone()

    def _repeated(self, tensor: Tensor) -> Tensor:
        """A row for each hypothesis."""
        return tensor.repeat_interleave(self.how.beam, dim=1) if self.how.beam > 1 else tensor

    def run(self) -> tuple[Tensor, Tensor]:
        """The best tokens (seeds, sentences, longest), and whether every seed has finished a sentence (sentences)."""
        step = steps(self.network)
        token = torch.full((self.seeds, self.sentences * self.how.beam), BEGIN, device=self.done.device)
        for position in range(self.how.longest):
            if position == self.capacity:
                self.capacity = min(2 * self.capacity, self.how.longest)
                self.state = self.network.grown(self.state, self.capacity)
            where = torch.tensor(position, device=token.device)
            logits, self.state = step(self.stack, self.state, token, where)
            token = self._extended(logits, position)
            if position % 8 == 7:  # asking the device is slow, so it is not asked every time
                unfinished = int((~self.done).any(0).sum())
                if unfinished == 0:
                    break
                if unfinished <= len(self.here) // 2:
                    token = self._narrowed(token)
        finished = torch.ones(self.sentences, dtype=torch.bool, device=self.done.device)
        finished[self.here] = self.done.all(0)
        self._keep_unfinished()
        self.found[:, self.here] = self.best_said
        return self.found, finished

    def _extended(self, logits: Tensor, position: int) -> Tensor:
        """Choose the best continuations; the result is the token of each hypothesis (seeds, sentences * beam)."""
        beam, size = self.how.beam, logits.shape[-1]
        logarithms = torch.log_softmax(logits.float(), dim=-1).reshape(*self.scores.shape, size)
        totals = (self.scores[..., None] + logarithms).flatten(2)  # (seeds, sentences, beam * vocabulary)
        self.scores, chosen = totals.topk(beam, dim=-1)
        parent, token = chosen // size, chosen % size
        if beam > 1:
            self.said = self.said.gather(2, parent[..., None].expand_as(self.said))
            self._follow(parent)
        self.said[..., position] = self._shown(token).to(self.said.dtype)
        self._finish(token == END)
        return token.flatten(1)

    def _shown(self, token: Tensor) -> Tensor:
        """The tokens, and for unknown ones, if they are to be replaced, where the source was attended to."""
        if not self.how.replace_unknown:
            return token
        return torch.where(token == UNKNOWN, -1 - self.state["attended"].view_as(token), token)

    def _follow(self, parent: Tensor) -> None:
        """Let the states of hypotheses follow those they continue."""
        beam = self.how.beam
        base = torch.arange(parent.shape[1], device=parent.device)[:, None] * beam
        rows = (parent + base).flatten(1)  # (seeds, sentences * beam)
        for name, tensor in self.state.items():
            if not name.startswith(STATIC):
                index = rows.view(*rows.shape, *(1,) * (tensor.dim() - 2)).expand_as(tensor)
                self.state[name] = tensor.gather(1, index)

    def _finish(self, ended: Tensor) -> None:
        """Take note of finished hypotheses; a sentence is done when its best hypothesis of the moment is finished."""
        scores, first = self.scores.masked_fill(~ended, DEAD).max(-1)
        better = (scores > self.best) & ~self.done
        self.best = torch.where(better, scores, self.best)
        index = first[..., None, None].expand(-1, -1, 1, self.said.shape[-1])
        candidates = self.said.gather(2, index)[:, :, 0]
        self.best_said = torch.where(better[..., None], candidates, self.best_said)
        self.done = self.done | ended[..., 0]
        self.scores = self.scores.masked_fill(ended, DEAD)

    def _narrowed(self, token: Tensor) -> Tensor:
        """Leave out the sentences that every seed has finished."""
        beam = self.how.beam
        keep = torch.nonzero((~self.done).any(0))[:, 0]
        rows = (keep[:, None] * beam + torch.arange(beam, device=keep.device)).flatten()
        self.found[:, self.here] = self.best_said
        self.here = self.here[keep]
        self.state = {name: tensor.index_select(1, rows) for name, tensor in self.state.items()}
        self.said, self.scores = self.said[:, keep], self.scores[:, keep]
        self.done, self.best, self.best_said = self.done[:, keep], self.best[:, keep], self.best_said[:, keep]
        return token.index_select(1, rows)

    def _keep_unfinished(self) -> None:
        """Where nothing was finished within the limit, what there is of the best hypothesis is the answer."""
        none = self.best <= DEAD
        self.best_said = torch.where(none[..., None], self.said[:, :, 0], self.best_said)
