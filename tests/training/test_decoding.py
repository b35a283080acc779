"""Decoding against exhaustive search, against uncached greedy decoding, and seeds together against each alone."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.func import functional_call

from blicket.learners.lstm import Lstm, LstmShape
from blicket.learners.network import SequenceNetwork
from blicket.learners.transformer import Transformer, TransformerShape
from blicket.learners.vocabulary import BEGIN, END, PAD, UNKNOWN
from blicket.training import decoding
from blicket.training.decoding import Decoding, decoded
from blicket.training.stacking import stacked

CPU = torch.device("cpu")
WORDS = 8
MAKERS: dict[str, Callable[[], SequenceNetwork]] = {
    "transformer": lambda: Transformer(TransformerShape(layers=2, width=16, heads=2, hidden=16), WORDS, WORDS),
    "relative": lambda: Transformer(
        TransformerShape(layers=1, width=16, heads=2, hidden=16, positions="relative", norm="post"),
        WORDS,
        WORDS,
    ),
    "lstm": lambda: Lstm(LstmShape(2, 16, 8), WORDS, WORDS),
    "bilstm": lambda: Lstm(LstmShape(1, 16, 8, bidirectional=True), WORDS, WORDS),
}
every_network = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def networks(make: Callable[[], SequenceNetwork], seeds: int = 2, spread: float = 0.8) -> list[SequenceNetwork]:
    made = [make() for _ in range(seeds)]
    with torch.no_grad():
        for network in made:
            for parameter in network.parameters():
                parameter.copy_(torch.randn_like(parameter) * spread)
    return made


def sources(lengths: list[int]) -> np.ndarray:
    table = np.full((len(lengths), max(lengths)), PAD, np.int32)
    for row, length in zip(table, lengths, strict=True):
        row[:length] = torch.randint(4, WORDS, (length,)).numpy()
    return table


@torch.no_grad()
def scores(network: SequenceNetwork, source: np.ndarray, said: list[int]) -> Tensor:
    """Log probabilities of what follows each of <s> and what was said, without caches or padding."""
    source_row = torch.from_numpy(source[source != PAD].astype(np.int64))[None]
    target = torch.tensor([[BEGIN, *said]])
    return torch.log_softmax(network(source_row, target)[0], -1)


def greedy(network: SequenceNetwork, source: np.ndarray, longest: int) -> list[int]:
    said: list[int] = []
    while len(said) < longest:
        token = int(scores(network, source, said)[-1].argmax())
        if token == END:
            break
        said.append(token)
    return said


def spoken(tokens: list[int]) -> list[int]:
    return [token for token in tokens if token != PAD]


@every_network
def test_greedy_decoding_is_that_without_caches(make: Callable[[], SequenceNetwork]) -> None:
    made, table = networks(make, 8), sources([5, 1, 3, 7, 2, 4])
    found = decoded(made[0], stacked(made, CPU), table, Decoding(1, 11, batch=4), CPU)
    wanted = [[greedy(network, row, 11) for row in table] for network in made]
    assert [[spoken(said) for said in of_seed] for of_seed in found] == [list(map(spoken, w)) for w in wanted]
    assert any(0 < len(said) < 11 for of_seed in found for said in of_seed)


@every_network
def test_a_wide_beam_finds_what_is_likeliest_of_all(make: Callable[[], SequenceNetwork]) -> None:
    """A beam wider than all prefixes of up to two tokens misses nothing among outputs of three."""
    made, table = networks(make, 1, 0.3), sources([4, 2])
    # With so wide a beam nothing is lost before the end; the search stops when the best hypothesis of all is finished.
    found = decoded(made[0], stacked(made, CPU), table, Decoding(WORDS**2, 3), CPU)[0]
    for row, said in zip(table, found, strict=True):
        best = max(finished(made[0], row, 3), key=lambda pair: pair[1])
        assert said == best[0]


def finished(network: SequenceNetwork, source: np.ndarray, longest: int) -> list[tuple[list[int], float]]:
    """All outputs that end within so many tokens, with their log probabilities."""
    rest = [t for t in range(WORDS) if t != END]
    outputs = []
    for length in range(longest):
        for said in product(rest, repeat=length):
            logs = scores(network, source, list(said))
            total = sum(float(logs[i, t]) for i, t in enumerate([*said, END]))
            outputs.append((list(said), total))
    return outputs


@every_network
@pytest.mark.parametrize("beam", [1, 3])
def test_seeds_together_say_what_each_says_alone(make: Callable[[], SequenceNetwork], beam: int) -> None:
    made, table = networks(make, 3), sources([5, 1, 3, 7, 2, 2])
    how = Decoding(beam, 12, batch=4)
    together = decoded(made[0], stacked(made, CPU), table, how, CPU)
    alone = [decoded(made[0], stacked([network], CPU), table, how, CPU)[0] for network in made]
    assert together == alone


@every_network
def test_neither_batches_nor_room_matter(make: Callable[[], SequenceNetwork], monkeypatch: pytest.MonkeyPatch) -> None:
    """Outputs long enough that room doubles and finished sentences leave the batch."""
    made, table = networks(make, 2, 0.5), sources([5, 1, 3, 7, 2, 2, 6, 4])
    whole = decoded(made[0], stacked(made, CPU), table, Decoding(2, 40), CPU)
    monkeypatch.setattr(decoding, "FIRST_CAPACITY", 3)
    monkeypatch.setattr(decoding, "FIRST_LIMIT", 5)
    assert decoded(made[0], stacked(made, CPU), table, Decoding(2, 40, batch=1), CPU) == whole
    assert decoded(made[0], stacked(made, CPU), table, Decoding(2, 40, batch=5), CPU) == whole
    assert max(len(s) for of_seed in whole for s in of_seed) > 20


def test_what_does_not_fit_is_halved_until_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    made, table = networks(MAKERS["lstm"], 2), sources([5, 1, 3, 7, 2])
    wanted = decoded(made[0], stacked(made, CPU), table, Decoding(1, 9), CPU)
    sizes = []
    search = decoding._Search

    def small(network: object, stack: object, source: Tensor, how: Decoding) -> object:
        sizes.append(source.shape[1])
        if source.shape[1] > 1:
            raise torch.cuda.OutOfMemoryError
        return search(network, stack, source, how)  # type: ignore[arg-type]

    monkeypatch.setattr(decoding, "_Search", small)
    assert decoded(made[0], stacked(made, CPU), table, Decoding(1, 9, batch=4), CPU) == wanted
    assert sizes == [4, 2, 1, 1, 1, 1, 1]


class Mumbler(Transformer):
    """A Transformer that says unknown tokens only."""

    def _scored(self, x: Tensor) -> Tensor:
        return torch.nn.functional.one_hot(torch.full(x.shape[:-1], UNKNOWN), WORDS) * 9.0


@pytest.mark.parametrize("beam", [1, 3])
def test_an_unknown_token_is_the_word_attended_to_most(beam: int) -> None:
    """The first head of the last layer is made to attend to the word numbered 7, wherever it stands."""
    shape = TransformerShape(layers=2, width=16, heads=2, hidden=16, positions="scaled", norm="post")
    network = Mumbler(shape, WORDS, WORDS)
    table = sources([5, 4, 2])
    table[table == 7] = 6
    table[0, 3] = table[1, 0] = table[2, 1] = 7
    with torch.no_grad():
        network.source_embedding.weight[7] *= 100
        for layer in network.encoder:
            for part in (layer.self_attention.merge, layer.contract):  # the memory is the embeddings, normed
                part.weight.zero_()
                part.bias.zero_()
        head = network.decoder[1].memory_attention
        head.query.weight.zero_()
        head.key.weight.copy_(torch.eye(16))
        seven = torch.nn.functional.layer_norm(network.source_embedding.weight[7], (16,))
        head.query.bias.copy_(seven * 50)
    found = decoded(network, stacked([network], CPU), table, Decoding(beam, 2, replace_unknown=True), CPU)[0]
    assert [said[0] for said in found] == [-4, -1, -2]
    plain = decoded(network, stacked([network], CPU), table, Decoding(beam, 2), CPU)[0]
    assert [said[0] for said in plain] == [UNKNOWN] * 3


def test_the_lstm_says_what_it_attends_to() -> None:
    network, table = networks(MAKERS["lstm"], 1)[0], sources([6, 6])
    source = torch.from_numpy(table.astype(np.int64))
    with torch.no_grad():
        state = network.start(source, 8)
        _, state = network.step(state, torch.full((2,), BEGIN), torch.tensor(0))
        memory, top = state["memory"], state["h_1"]
    wanted = (memory @ top[:, :, None])[..., 0].argmax(-1)
    assert torch.equal(state["attended"], wanted)


def test_a_step_of_one_hypothesis_is_called_with_parameters() -> None:
    """A stack of one and functional calls with other parameters than the network's own."""
    first, second = networks(MAKERS["transformer"], 2)
    source = torch.from_numpy(sources([3]).astype(np.int64))
    said = decoded(first, stacked([second], CPU), source.numpy().astype(np.int32), Decoding(1, 5), CPU)[0][0]
    target = torch.tensor([[BEGIN, *said]])
    with torch.no_grad():
        logits = functional_call(first, dict(second.named_parameters()), (source, target))[0]
    assert logits.argmax(-1)[: len(said)].tolist() == said
