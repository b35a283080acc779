"""The LSTM of the papers: an encoder and a decoder, global attention, input feeding (Luong et al. 2015).

Kim & Linzen (2020) have `dot` attention; `general`, with a matrix between, is the default of Hupkes et al.'s toolkit.
"""

from dataclasses import dataclass
from typing import Literal, final

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from blicket.learners.fused import fused
from blicket.learners.network import SequenceNetwork, State, dropped, masked, padding
from blicket.learners.noise import Noise

__all__ = ["Lstm", "LstmShape"]

BUNDLE = 8  # steps whose gradients of the weights are added up first: sums of sums lose less in half precision


@final
@dataclass(frozen=True)
class LstmShape:
    """The sizes of an LSTM; with `bidirectional`, each direction of the encoder has half the width."""

    layers: int = 2
    width: int = 512
    embedding: int = 512
    dropout: float = 0.1
    bidirectional: bool = False
    attention: Literal["dot", "general"] = "dot"


@final
class Lstm(SequenceNetwork):
    """An encoder and a decoder of LSTM layers, with attention from the decoder's top layer to the encoder's."""

    unrolled = True

    def __init__(self, shape: LstmShape, source_size: int, target_size: int) -> None:
        super().__init__()
        self.shape = shape
        directions = 2 if shape.bidirectional else 1
        part = shape.width // directions
        self.source_embedding = nn.Embedding(source_size, shape.embedding)
        self.target_embedding = nn.Embedding(target_size, shape.embedding)
        inputs = [shape.embedding] + [shape.width] * (shape.layers - 1)
        self.forwards = nn.ModuleList(Cell(size, part) for size in inputs)
        self.backwards = nn.ModuleList(Cell(size, part) for size in inputs) if shape.bidirectional else None
        fed = [shape.embedding + shape.width] + [shape.width] * (shape.layers - 1)
        self.decoder = nn.ModuleList(Cell(size, shape.width) for size in fed)
        self.ask = nn.Linear(shape.width, shape.width, bias=False) if shape.attention == "general" else None
        self.combine = nn.Linear(2 * shape.width, shape.width, bias=False)
        self.output = nn.Linear(shape.width, target_size)

    def forward(self, source: Tensor, target: Tensor, noise: Noise | None = None) -> Tensor:
        """Scores of the next token after each of `target`."""
        memory, states = self._encode(source, noise)
        hidden = padding(source)
        fed = torch.zeros_like(memory[:, 0])
        read = self._read(self.target_embedding(target))  # (batch, target, 4 * width)
        weights = self._weights()
        attentional = []
        for position in range(target.shape[1]):
            if position % BUNDLE == 0:
                bundle = [(weight.view_as(weight), bias.view_as(bias)) for weight, bias in weights]
            fed, states, _ = self._advance(read[:, position], fed, states, memory, hidden, noise, bundle)
            attentional.append(fed)
        scores: Tensor = self.output(torch.stack(attentional, dim=1))
        return scores

    def _encode(self, source: Tensor, noise: Noise | None) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
        """The top layer's outputs (batch, source, width), and for each layer the last hidden and cell states."""
        x = self.source_embedding(source)
        pad = padding(source)
        states = []
        for i, cell in enumerate(self.forwards):
            x_in = x if i == 0 else dropped(x, self.shape.dropout, noise)
            x, state = _run(cell, x_in, pad, range(x_in.shape[1]))
            if self.backwards is not None:
                back, back_state = _run(self.backwards[i], x_in, pad, range(x_in.shape[1] - 1, -1, -1))
                x = torch.cat((x, back), dim=-1)
                state = torch.cat((state[0], back_state[0]), -1), torch.cat((state[1], back_state[1]), -1)
            states.append(state)
        return x, states

    def _read(self, embedded: Tensor) -> Tensor:
        """What the first layer of the decoder reads of embeddings (..., 4 * width), which needs no state."""
        first = self.decoder[0]
        assert isinstance(first, Cell)
        return F.linear(embedded, first.read.weight[:, : self.shape.embedding], first.bias)

    def _weights(self) -> list[tuple[Tensor, Tensor]]:
        """For each layer of the decoder the weights of what it reads and recalls at every step, and the bias."""
        weights = []
        for i, cell in enumerate(self.decoder):
            assert isinstance(cell, Cell)
            read = cell.read.weight[:, self.shape.embedding :] if i == 0 else cell.read.weight
            weights.append((torch.cat((read, cell.recur.weight), dim=1), cell.bias))
        return weights

    def _advance(
        self,
        read: Tensor,
        fed: Tensor,
        states: list[tuple[Tensor, Tensor]],
        memory: Tensor,
        hidden: Tensor,
        noise: Noise | None,
        weights: list[tuple[Tensor, Tensor]],
    ) -> tuple[Tensor, list[tuple[Tensor, Tensor]], Tensor]:
        """One token further: the attentional state (batch, width), which is fed to the next, and the layers' states.

        `read` is what the first layer makes of the embedding; the last result is the attention (batch, source).
        """
        x, new = fed, []
        for i, ((weight, bias), (h, c)) in enumerate(zip(weights, states, strict=True)):
            x_in = x if i == 0 else dropped(x, self.shape.dropout, noise)
            h, c = gated(torch.cat((x_in, h), dim=-1) @ weight.T, read if i == 0 else bias, c)
            new.append((h, c))
            x = h
        query = x if self.ask is None else self.ask(x)
        attention = attended_to((memory @ query[..., None])[..., 0], hidden)  # (batch, source)
        context = (attention[:, None] @ memory)[:, 0]
        fed = torch.tanh(self.combine(torch.cat((context, x), dim=-1)))
        return dropped(fed, self.shape.dropout, noise), new, attention

    def start(self, source: Tensor, capacity: int) -> State:
        """The memory and the encoder's last states; an LSTM needs no room for what was said."""
        memory, states = self._encode(source, None)
        state: State = {"memory": memory, "hidden": padding(source), "fed": torch.zeros_like(memory[:, 0])}
        state["attended"] = torch.zeros_like(source[:, 0])
        for i, (h, c) in enumerate(states):
            state[f"h_{i}"], state[f"c_{i}"] = h, c
        return state

    def step(self, state: State, token: Tensor, position: Tensor) -> tuple[Tensor, State]:
        """One token further."""
        states = [(state[f"h_{i}"], state[f"c_{i}"]) for i in range(self.shape.layers)]
        read = self._read(self.target_embedding(token))
        memory, hidden = state["memory"], state["hidden"]
        fed, states, attention = self._advance(read, state["fed"], states, memory, hidden, None, self._weights())
        new = {**state, "fed": fed, "attended": attention.argmax(-1)}
        for i, (h, c) in enumerate(states):
            new[f"h_{i}"], new[f"c_{i}"] = h, c
        return self.output(fed), new


@final
class Cell(nn.Module):
    """One step of an LSTM layer; gates in the order input, forget, cell, output, as torch.nn.LSTM has them."""

    def __init__(self, inputs: int, width: int) -> None:
        super().__init__()
        self.read = nn.Linear(inputs, 4 * width)
        self.recur = nn.Linear(width, 4 * width)

    @property
    def bias(self) -> Tensor:
        """The sum of both biases; two, because torch.nn.LSTM has them and they are drawn and moved apart."""
        return self.read.bias + self.recur.bias

    def forward(self, x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        """The new hidden and cell states (batch, width)."""
        new: tuple[Tensor, Tensor] = gated(self.read(x), self.recur(h), c)
        return new


@fused
def gated(read: Tensor, recalled: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
    """The new hidden and cell states, of the sum of what was read and recalled; cell states are in single precision."""
    i, f, g, o = (read + recalled).float().chunk(4, dim=-1)
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return (o.sigmoid() * c.tanh()).to(read.dtype), c


@fused
def gated_unless(skip: Tensor, read: Tensor, recalled: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The output and the new states; where there is padding to skip, zeros, and the states as they were."""
    i, f, g, o = (read + recalled).float().chunk(4, dim=-1)
    new_c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    new_h = (o.sigmoid() * new_c.tanh()).to(h.dtype)
    return new_h.masked_fill(skip, 0.0), torch.where(skip, h, new_h), torch.where(skip, c, new_c)


@fused
def attended_to(scores: Tensor, hidden: Tensor) -> Tensor:
    """The attention that scores come to."""
    return torch.softmax(masked(scores, hidden), dim=-1).to(scores.dtype)


def _run(cell: nn.Module, x: Tensor, pad: Tensor, positions: range) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """Outputs (batch, length, width) and the last states; padding leaves states as they are and gives zeros."""
    assert isinstance(cell, Cell)
    read = F.linear(x, cell.read.weight, cell.bias)  # (batch, length, 4 * width)
    h = torch.zeros_like(read[:, 0, : read.shape[-1] // 4])
    c = h.float()
    outputs: dict[int, Tensor] = {}
    for position in positions:
        recalled = h @ cell.recur.weight.T
        outputs[position], h, c = gated_unless(pad[:, position, None], read[:, position], recalled, h, c)
    return torch.stack([outputs[position] for position in sorted(outputs)], dim=1), (h, c)
