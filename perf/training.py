"""Speed of training on a GPU: updates of 512 COGS sentences a seed, several seeds at once, beside a toolkit's way.

The baseline is the same network of torch.nn.Transformer in single precision with plain padding.
"""

import argparse
import json
import time
from collections.abc import Callable

import numpy as np
import torch
from torch import nn

import blicket
from blicket.learners.lstm import Lstm, LstmShape
from blicket.learners.network import SequenceNetwork
from blicket.learners.noise import noise_key
from blicket.learners.transformer import Transformer, TransformerShape, sinusoids
from blicket.learners.vocabulary import BEGIN, PAD, Vocabulary
from blicket.training.backward import Backward
from blicket.training.batches import BatchPlan
from blicket.training.optimisation import Adam
from blicket.training.stacking import smoothed_loss, stacked

FORM = "conjunctive"
ACCUMULATE = 4


def timed(update: Callable[[int], None], updates: int, warm: int) -> float:
    """Milliseconds an update."""
    for number in range(warm):
        update(number)
    torch.cuda.synchronize()
    start = time.perf_counter()
    for number in range(warm, warm + updates):
        update(number)
    torch.cuda.synchronize()
    return 1000 * (time.perf_counter() - start) / updates


class Data:
    """The train split on the device."""

    def __init__(self, device: torch.device) -> None:
        columns = next(iter(blicket.benchmark("cogs").build(seed=1)["train"].batches(FORM, 1 << 20)))[1]
        self.words = Vocabulary.of(text for (text,) in columns.inputs)
        self.labels = Vocabulary.of(columns.targets)
        source = self.words.matrix([text for (text,) in columns.inputs], ended=False)
        gold = self.labels.matrix(columns.targets, ended=True)
        self.lengths = (source != PAD).sum(1), (gold != PAD).sum(1)

        def with_empty_row(table: np.ndarray) -> torch.Tensor:
            return torch.from_numpy(np.pad(table, ((0, 1), (0, 8))).astype(np.int64)).to(device)

        self.source, self.gold = with_empty_row(source), with_empty_row(gold)


def ours(
    network: SequenceNetwork,
    data: Data,
    seeds: int,
    size: int,
    accumulate: int,
    groups: int,
    updates: int,
    device: torch.device,
) -> float:
    plan = BatchPlan(*data.lengths, size, groups, list(range(seeds)))
    stack = stacked([network] * seeds, device)
    backward = Backward(network, stack, 0.1, half=True, plain=False)
    backward.zero()
    adam = Adam(list(stack.values()), (0.9, 0.998), 5.0 if network.unrolled else None)

    def update(number: int) -> None:
        for part in range(accumulate):
            batch = plan.batch(number * accumulate + part)
            rows = torch.from_numpy(batch.rows).to(device)
            source = data.source[rows][..., : batch.source_length]
            gold = data.gold[rows][..., : batch.target_length]
            target = torch.cat((torch.full_like(gold[..., :1], BEGIN), gold[..., :-1]), -1)
            keys = torch.tensor([noise_key(s, number, part) for s in range(seeds)], dtype=torch.int32, device=device)
            backward(source, target, gold, keys)
        adam.update(number + 1, 1e-4, size * accumulate)

    start = time.perf_counter()
    per_epoch = -(-plan.per_epoch // accumulate)
    took = timed(update, updates, warm=per_epoch + 1)
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
        rows = chance.permutation(len(data.source) - 1)[:512]
        for part in np.array_split(rows, ACCUMULATE):
            source, gold = data.source[part], data.gold[part]
            source = source[:, : int((source != PAD).sum(1).max())]
            gold = gold[:, : int((gold != PAD).sum(1).max())]
            target = torch.cat((torch.full_like(gold[:, :1], BEGIN), gold[:, :-1]), -1)
            (smoothed_loss(network(source, target), gold, 0.1).sum() / 512).backward()
        adam.step()

    return timed(update, updates, warm=5)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--networks", default="transformer,lstm")
    options.add_argument("--seeds", default="1,5")
    options.add_argument("--updates", type=int, default=100)
    options.add_argument("--groups", type=int, default=6)
    options.add_argument("--lstm-batches", default="128x4")
    options.add_argument("--json")
    chosen = options.parse_args()
    device = torch.device("cuda")
    torch.set_float32_matmul_precision("high")
    data = Data(device)
    results: dict[str, float] = {}
    for name in chosen.networks.split(","):
        for seeds in map(int, chosen.seeds.split(",")):
            for sizes in chosen.lstm_batches.split(",") if name == "lstm" else ["128x4"]:
                size, accumulate = map(int, sizes.split("x"))
                torch.manual_seed(0)
                make = {"transformer": (Transformer, TransformerShape()), "lstm": (Lstm, LstmShape())}[name]
                network = make[0](make[1], len(data.words), len(data.labels)).to(device)
                torch.cuda.reset_peak_memory_stats()
                took = ours(network, data, seeds, size, accumulate, chosen.groups, chosen.updates, device)
                peak = torch.cuda.max_memory_allocated() / 2**30
                results[f"{name} x {seeds} {sizes}"] = took
                print(f"{name}, {seeds} seeds, {sizes}: {took:.1f} ms an update, {peak:.1f} GiB", flush=True)
                torch._dynamo.reset()
                torch.cuda.empty_cache()
    if "transformer" in chosen.networks:
        torch.set_float32_matmul_precision("highest")
        results["torch.nn.Transformer, float32"] = toolkit(data, chosen.updates // 2, device)
        print(
            f"torch.nn.Transformer, float32, plain padding, 1 seed: {results['torch.nn.Transformer, float32']:.1f} ms"
        )
    if chosen.json:
        with open(chosen.json, "w") as file:
            json.dump(results, file, indent=2)


if __name__ == "__main__":
    main()
