"""Speed of decoding on this machine's cores: COGS's gen with a small Transformer, beside decoding without caches.

The baseline computes the network on the whole prefix for every token, in the same batches by length, greedily, and
leaves out the sentences that are finished. It is timed on a sample of the rows that ours decodes.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file

import blicket
from blicket.core.example import Split
from blicket.learners.transformer import Transformer, TransformerShape
from blicket.learners.vocabulary import BEGIN, END, PAD, Vocabulary
from blicket.runs.directory import RunDirectory
from blicket.training.decoding import Decoding, decoded
from blicket.training.initialisation import initialised
from blicket.training.pairs import texts
from blicket.training.stacking import stacked

FORM = "conjunctive"
SMALL = TransformerShape(layers=2, width=128, heads=4, hidden=256)
BATCH = 256


def prepared(run: Path | None, train: Split) -> tuple[Transformer, Vocabulary]:
    """The first network of a run of `recipes/cogs-transformer-quick.toml`, or a fresh one, which never ends."""
    if run is not None:
        train = RunDirectory.existing(run).dataset()["train"]
    words, labels = map(Vocabulary.of, texts(train, FORM))
    network = Transformer(SMALL, len(words), len(labels))
    initialised(network, "glorot", 1)
    if run is not None:
        directory = RunDirectory.existing(run)
        network.load_state_dict(load_file(directory.network(directory.seeds()[0], "last")))
    return network.eval(), words


@torch.inference_mode()
def uncached(network: Transformer, sources: NDArray[np.int32], longest: int) -> list[list[int]]:
    said: list[list[int]] = [[] for _ in sources]
    lengths = (sources != PAD).sum(1)
    order = np.argsort(lengths, kind="stable")
    for at in range(0, len(order), BATCH):
        rows = order[at : at + BATCH]
        source = torch.from_numpy(sources[rows, : lengths[rows].max()].astype(np.int64))
        target = torch.full((len(rows), 1), BEGIN)
        for _ in range(longest):
            token = network(source, target)[:, -1].argmax(-1)
            target = torch.cat((target, token[:, None]), 1)
            for row, number in zip(rows.tolist(), token.tolist(), strict=True):
                said[row].append(number)
            keep = token != END
            if not keep.any():
                break
            source, target, rows = source[keep], target[keep], rows[keep.numpy()]
    return [tokens[:-1] if tokens[-1:] == [END] else tokens for tokens in said]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--run", type=Path, help="a run of the quick recipe, for a network that knows when to end")
    options.add_argument("--sample", type=int, default=420, help="rows that the baseline decodes")
    options.add_argument("--longest", type=int, default=480)
    chosen = options.parse_args()
    data = blicket.benchmark("cogs").build(seed=1)
    network, words = prepared(chosen.run, data["train"])
    sources = words.matrix(texts(data["gen"], FORM)[0], ended=False)
    start = time.perf_counter()
    ours = decoded(
        network, stacked([network], torch.device("cpu")), sources, Decoding(1, chosen.longest, 512), torch.device("cpu")
    )[0]
    took = time.perf_counter() - start
    tokens = sum(map(len, ours))
    print(f"cached: {len(sources):,} rows in {took:.1f} s, {len(sources) / took:.0f} rows/s, {tokens:,} tokens")
    rows = np.random.default_rng(0).choice(len(sources), chosen.sample, replace=False)
    start = time.perf_counter()
    theirs = uncached(network, sources[rows], chosen.longest)
    slow = time.perf_counter() - start
    same = np.mean([ours[row] == said for row, said in zip(rows, theirs, strict=True)])
    print(
        f"uncached: {len(rows):,} rows in {slow:.1f} s, {len(rows) / slow:.0f} rows/s; the same output for {same:.1%}"
    )
    ratio = slow / len(rows) / (took / len(sources))
    print(f"cached decoding is {ratio:.1f} times as fast; {torch.get_num_threads()} threads")


if __name__ == "__main__":
    main()
