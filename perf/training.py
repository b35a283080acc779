"""Speed of training on a GPU: updates of 512 COGS sentences a seed, several seeds at once, beside a toolkit's way.

The baseline is the same network of torch.nn.Transformer in single precision with plain padding.
"""

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile

import blicket
from blicket.learners.lstm import Lstm, LstmShape
from blicket.learners.network import SequenceNetwork
from blicket.learners.noise import noise_key
from blicket.learners.transformer import Transformer, TransformerShape, sinusoids
from blicket.learners.vocabulary import BEGIN, PAD, Vocabulary
from blicket.training.backward import Backward
from blicket.training.batches import BatchPlan
from blicket.training.optimisation import Adam
from blicket.training.pairs import Pairs, texts
from blicket.training.stacking import smoothed_loss, stacked

FORM = "conjunctive"
ACCUMULATE = 4


def timed(update: Callable[[int], None], updates: int, warm: int, profiled: int = 0) -> float:
    """Milliseconds an update; of some more, if they are to be profiled, the kernels that took longest."""
    for number in range(warm):
        update(number)
    torch.cuda.synchronize()
    start = time.perf_counter()
    for number in range(warm, warm + updates):
        update(number)
    torch.cuda.synchronize()
    took = 1000 * (time.perf_counter() - start) / updates
    if profiled:
        with profile(activities=[ProfilerActivity.CUDA]) as kernels:
            for number in range(warm + updates, warm + updates + profiled):
                update(number)
            torch.cuda.synchronize()
        print(kernels.key_averages().table(sort_by="cuda_time_total", row_limit=14, max_name_column_width=60))
    return took


@dataclass(frozen=True)
class Data:
    """The train split of COGS on the device."""

    words: Vocabulary
    labels: Vocabulary
    pairs: Pairs

    @classmethod
    def on(cls, device: torch.device) -> "Data":
        split = blicket.benchmark("cogs").build(seed=1)["train"]
        words, labels = map(Vocabulary.of, texts(split, FORM))
        return cls(words, labels, Pairs.of(split, FORM, words, labels, device))


def ours(
    network: SequenceNetwork, data: Data, seeds: int, batch: tuple[int, int], groups: int, updates: int, profiled: int
) -> float:
    """Milliseconds an update of so many seeds, on batches of (size, how many are accumulated)."""
    size, accumulate = batch
    device = data.pairs.source.device
    plan = BatchPlan(data.pairs.source_lengths, data.pairs.gold_lengths, size, groups, list(range(seeds)))
    stack = stacked([network] * seeds, device)
    backward = Backward(network, stack, 0.1, half=True)
    backward.zero()
    adam = Adam(list(stack.values()), (0.9, 0.998), 5.0 if network.unrolled else None)

    def update(number: int) -> None:
        for part in range(accumulate):
            rows = plan.batch(number * accumulate + part)
            keys = torch.tensor([noise_key(s, number, part) for s in range(seeds)], dtype=torch.int32, device=device)
            backward(*data.pairs.batch(rows.rows, rows.source_length, rows.target_length), keys)
        adam.update(number + 1, [1e-4] * seeds, [size * accumulate] * seeds)

    start = time.perf_counter()
    per_epoch = -(-plan.per_epoch // accumulate)
    took = timed(update, updates, warm=per_epoch + 1, profiled=profiled)
    print(f"   (shapes {plan.shapes}; {time.perf_counter() - start:.0f} s with compilation)", flush=True)
    return took


class Toolkit(nn.Module):
    """The COGS Transformer from torch.nn's parts."""

    def __init__(self, words: int, labels: int) -> None:
        super().__init__()
        self.source, self.target = nn.Embedding(words, 512), nn.Embedding(labels, 512)
        self.body = nn.Transformer(512, 4, 2, 2, 512, 0.1, batch_first=True, norm_first=True)
        self.output = nn.Linear(512, labels)

    def forward(self, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        def embedded(table: nn.Embedding, tokens: torch.Tensor) -> torch.Tensor:
            return table(tokens) * 512**0.5 + sinusoids(torch.arange(tokens.shape[1], device=tokens.device), 512)

        mask = self.body.generate_square_subsequent_mask(target.shape[1], device=target.device)
        hidden = source == PAD
        out = self.body(
            embedded(self.source, source),
            embedded(self.target, target),
            tgt_mask=mask,
            src_key_padding_mask=hidden,
            memory_key_padding_mask=hidden,
        )
        return self.output(out)


def toolkit(data: Data, updates: int, device: torch.device) -> float:
    network = Toolkit(len(data.words), len(data.labels)).to(device).train()
    adam = torch.optim.Adam(network.parameters(), 1e-4, (0.9, 0.998))
    chance = np.random.default_rng(0)

    def update(_: int) -> None:
        adam.zero_grad()
        rows = chance.permutation(len(data.pairs))[:512]
        for part in np.array_split(rows, ACCUMULATE):
            source, gold = data.pairs.source[part], data.pairs.gold[part]
            source = source[:, : int((source != PAD).sum(1).max())]
            gold = gold[:, : int((gold != PAD).sum(1).max())]
            target = torch.cat((torch.full_like(gold[:, :1], BEGIN), gold[:, :-1]), -1)
            (smoothed_loss(network(source, target), gold, 0.1).sum() / 512).backward()
        adam.step()

    return timed(update, updates, warm=5)


NETWORKS: dict[str, tuple[Callable[[int, int], SequenceNetwork], tuple[int, int]]] = {
    "transformer": (partial(Transformer, TransformerShape()), (128, 4)),
    "lstm": (partial(Lstm, LstmShape()), (512, 1)),
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--plan", default="transformer:5,transformer:1,lstm:5,lstm:1,toolkit:1", help="NETWORK:SEEDS,..."
    )
    options.add_argument("--updates", type=int, default=100)
    options.add_argument("--groups", type=int, default=6)
    options.add_argument("--profile", type=int, default=0, help="updates to profile")
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    device = torch.device("cuda")
    data = Data.on(device)
    results: dict[str, float] = {}
    for name, seeds in (item.split(":") for item in chosen.plan.split(",")):
        torch.cuda.reset_peak_memory_stats()
        if name == "toolkit":
            took = toolkit(data, chosen.updates // 2, device)
        else:
            make, batch = NETWORKS[name]
            network = make(len(data.words), len(data.labels)).to(device)
            took = ours(network, data, int(seeds), batch, chosen.groups, chosen.updates, chosen.profile)
        results[f"{name}, seeds: {seeds}"] = took
        peak = torch.cuda.max_memory_allocated() / 2**30
        print(f"{name}, {seeds} at once: {took:.1f} ms an update, {peak:.1f} GiB", flush=True)
        if chosen.json:
            chosen.json.write_text(json.dumps(results, indent=2))
        torch._dynamo.reset()
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
