"""The LSTM of Kim & Linzen (2020): two layers, global dot attention, input feeding (Luong et al. 2015)."""

from dataclasses import dataclass
from typing import final

import torch
from torch import Tensor, nn

from blicket.learners.network import SequenceNetwork, State, dropped, masked, padding
from blicket.learners.noise import Noise

__all__ = ["Lstm", "LstmShape"]


@final
@dataclass(frozen=True)
class LstmShape:
    """The sizes of an LSTM; with `bidirectional`, each direction of the encoder has half the width."""

    layers: int = 2
    width: int = 512
    embedding: int = 512
    dropout: float = 0.1
    bidirectional: bool = False


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
        self.combine = nn.Linear(2 * shape.width, shape.width, bias=False)
        self.output = nn.Linear(shape.width, target_size)

    def forward(self, source: Tensor, target: Tensor, noise: Noise | None = None) -> Tensor:
        """Scores of the next token after each of `target`."""
        memory, states = self._encode(source, noise)
        hidden = padding(source)
        fed = torch.zeros_like(memory[:, 0])
        embedded = self.target_embedding(target)  # (batch, target, embedding)
        attentional = []
        for position in range(target.shape[1]):
            fed, states = self._advance(embedded[:, position], fed, states, memory, hidden, noise)
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

    def _advance(
        self,
        embedded: Tensor,
        fed: Tensor,
        states: list[tuple[Tensor, Tensor]],
        memory: Tensor,
        hidden: Tensor,
        noise: Noise | None,
    ) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
        """One token further: the attentional state (batch, width), which is fed to the next, and the layers' states."""
        x = torch.cat((embedded, fed), dim=-1)
        new = []
        for i, (cell, (h, c)) in enumerate(zip(self.decoder, states, strict=True)):
            h, c = cell(x if i == 0 else dropped(x, self.shape.dropout, noise), h, c)
            new.append((h, c))
            x = h
        scores = masked((memory @ x[..., None])[..., 0], hidden)  # (batch, source)
        context = (torch.softmax(scores, -1).to(memory.dtype)[:, None] @ memory)[:, 0]
        fed = torch.tanh(self.combine(torch.cat((context, x), dim=-1)))
        return dropped(fed, self.shape.dropout, noise), new

    def start(self, source: Tensor, capacity: int) -> State:
        """The memory and the encoder's last states; an LSTM needs no room for what was said."""
        memory, states = self._encode(source, None)
        state: State = {"memory": memory, "hidden": padding(source), "fed": torch.zeros_like(memory[:, 0])}
        for i, (h, c) in enumerate(states):
            state[f"h_{i}"], state[f"c_{i}"] = h, c
        return state

    def step(self, state: State, token: Tensor, position: Tensor) -> tuple[Tensor, State]:
        """One token further."""
        states = [(state[f"h_{i}"], state[f"c_{i}"]) for i in range(self.shape.layers)]
        embedded = self.target_embedding(token)
        fed, states = self._advance(embedded, state["fed"], states, state["memory"], state["hidden"], None)
        new = {**state, "fed": fed}
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

    def forward(self, x: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        """The new hidden and cell states (batch, width)."""
        return self.gated(self.read(x), h, c)

    def gated(self, read: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        """The same where the input has been read already; cell states add up in single precision."""
        i, f, g, o = (read + self.recur(h)).float().chunk(4, dim=-1)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        return (o.sigmoid() * c.tanh()).to(h.dtype), c


def _run(cell: nn.Module, x: Tensor, pad: Tensor, positions: range) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """Outputs (batch, length, width) and the last states; padding leaves states as they are and gives zeros."""
    assert isinstance(cell, Cell)
    read = cell.read(x)  # (batch, length, 4 * width)
    h = torch.zeros_like(read[:, 0, : read.shape[-1] // 4])
    c = h.float()
    outputs: dict[int, Tensor] = {}
    for position in positions:
        skip = pad[:, position, None]
        new_h, new_c = cell.gated(read[:, position], h, c)
        h, c = torch.where(skip, h, new_h), torch.where(skip, c, new_c)
        outputs[position] = new_h.masked_fill(skip, 0.0)
    return torch.stack([outputs[position] for position in sorted(outputs)], dim=1), (h, c)
