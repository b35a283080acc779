"""The convolutional network of Gehring et al. (2017): gated convolutions, and attention in every layer of the decoder.

Sections, equations and figures in comments are theirs. What the paper leaves open is as in their toolkit: learned
positions, a projection before and behind each stack, one before the scores, and padding that is zero in every layer.
"""

from dataclasses import dataclass
from math import sqrt
from typing import final

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from blicket.learners.network import SequenceNetwork, State, dropped, masked, padding
from blicket.learners.noise import Noise

__all__ = ["ConvS2S", "ConvS2SShape", "Normed"]

HALF = sqrt(0.5)
"""Sums of two are scaled by it, so that they vary as much as each (section 3.4)."""

Stack = tuple[tuple[int, int, int], ...]


@final
@dataclass(frozen=True)
class ConvS2SShape:
    """The sizes of a convolutional network; `stack` says of its layers: channels, width of the kernel, how many."""

    stack: Stack = ((512, 3, 9), (1024, 3, 4), (2048, 1, 2))
    embedding: int = 512
    output: int = 512
    """The width of what is scored."""
    dropout: float = 0.1
    positions: int = 1024
    """How many positions have embeddings of their own; those farther on share the last."""

    @property
    def layers(self) -> list[tuple[int, int, int]]:
        """Each layer's channels in, channels out, and width of the kernel."""
        each = [(channels, kernel) for channels, kernel, many in self.stack for _ in range(many)]
        before = [self.stack[0][0], *(channels for channels, _ in each)]
        return [(inputs, *layer) for inputs, layer in zip(before, each, strict=False)]


@final
class ConvS2S(SequenceNetwork):
    """An encoder that sees to both sides and a decoder that sees back, both of convolutions."""

    def __init__(self, shape: ConvS2SShape, source_size: int, target_size: int) -> None:
        super().__init__()
        self.shape = shape
        width, (first, last) = shape.embedding, (shape.stack[0][0], shape.stack[-1][0])
        self.source_embedding = nn.Embedding(source_size, width)
        self.target_embedding = nn.Embedding(target_size, width)
        self.source_position_embedding = nn.Embedding(shape.positions, width)
        self.target_position_embedding = nn.Embedding(shape.positions, width)
        self.encoder = nn.ModuleList(Layer(shape, *sizes, decodes=False) for sizes in shape.layers)
        self.decoder = nn.ModuleList(Layer(shape, *sizes, decodes=True) for sizes in shape.layers)
        self.encoder_in, self.decoder_in = (Normed(width, first, 1.0 - shape.dropout) for _ in range(2))
        self.encoder_out = Normed(last, width)
        self.decoder_out = Normed(last, shape.output)
        self.output = Normed(shape.output, target_size, 1.0 - shape.dropout)

    def forward(self, source: Tensor, target: Tensor, noise: Noise | None = None) -> Tensor:
        """Scores of the next token after each of `target`."""
        memory = self._encode(source, noise)
        embedded = self._embed(target, self.target_embedding, self.target_position_embedding, 0, noise)
        x = self.decoder_in(embedded)
        for layer in _layers(self.decoder):
            x, _ = layer(before(x, layer.kernel - 1), x, noise, embedded, memory)
        return self._scored(x, noise)

    def _scored(self, x: Tensor, noise: Noise | None) -> Tensor:
        scores: Tensor = self.output(dropped(self.decoder_out(x), self.shape.dropout, noise))
        return scores

    def _encode(self, source: Tensor, noise: Noise | None) -> tuple[Tensor, Tensor, Tensor]:
        """Keys and values (batch, source, embedding), and which of them are padding (batch, source)."""
        pad = padding(source)
        embedded = self._embed(source, self.source_embedding, self.source_position_embedding, 0, noise)
        x = self.encoder_in(embedded)
        for layer in _layers(self.encoder):
            x = x.masked_fill(pad[..., None], 0.0)
            x, _ = layer(around(x, layer.kernel), x, noise)
        keys = self.encoder_out(x).masked_fill(pad[..., None], 0.0)
        keys = lessened(keys, 1.0 / (2 * len(self.decoder)))  # section 3.5: by how often it is attended to
        return keys, (keys + embedded) * HALF, pad

    def _embed(
        self, tokens: Tensor, embedding: nn.Module, places: nn.Module, start: int | Tensor, noise: Noise | None
    ) -> Tensor:
        """Embeddings of tokens (batch, length) and of their positions from `start` (section 3.1)."""
        at = torch.arange(tokens.shape[1], device=tokens.device) + start
        return dropped(embedding(tokens) + places(at.clamp(max=self.shape.positions - 1)), self.shape.dropout, noise)

    def start(self, source: Tensor, capacity: int) -> State:
        """The memory, and for each layer as many inputs as its kernel sees back; there is nothing to grow."""
        keys, values, hidden = self._encode(source, None)
        state: State = {"memory_keys": keys, "memory_values": values, "hidden": hidden}
        state["attended"] = torch.zeros_like(source[:, 0])
        for i, layer in enumerate(_layers(self.decoder)):
            seen = torch.zeros_like(keys[:, :1, :1])
            state[f"seen_{i}"] = seen.expand(-1, layer.kernel - 1, layer.inputs).clone()
        return state

    def step(self, state: State, token: Tensor, position: Tensor) -> tuple[Tensor, State]:
        """One token further; `position` is a number, the same for the whole batch."""
        memory = state["memory_keys"], state["memory_values"], state["hidden"]
        embedded = self._embed(token[:, None], self.target_embedding, self.target_position_embedding, position, None)
        x, new = self.decoder_in(embedded), dict(state)
        attention = state["memory_keys"][:, None, :, 0]
        for i, layer in enumerate(_layers(self.decoder)):
            seen = torch.cat((state[f"seen_{i}"], x), dim=1)
            new[f"seen_{i}"] = seen[:, 1:]
            x, attention = layer(seen, x, None, embedded, memory)
        new["attended"] = attention[:, 0].argmax(-1)
        return self._scored(x, None)[:, 0], new


@final
class Layer(nn.Module):
    """A convolution with gated linear units, behind it attention if it decodes, and a residual (section 3.2)."""

    def __init__(self, shape: ConvS2SShape, inputs: int, channels: int, kernel: int, *, decodes: bool) -> None:
        super().__init__()
        self.inputs, self.kernel, self.dropout = inputs, kernel, shape.dropout
        self.convolve = Normed(kernel * inputs, 2 * channels, 4.0 * (1.0 - shape.dropout))
        self.bridge = Normed(inputs, channels) if inputs != channels else None
        self.ask = Normed(channels, shape.embedding) if decodes else None
        self.answer = Normed(shape.embedding, channels) if decodes else None

    def forward(
        self,
        seen: Tensor,
        x: Tensor,
        noise: Noise | None,
        embedded: Tensor | None = None,
        memory: tuple[Tensor, Tensor, Tensor] | None = None,
    ) -> tuple[Tensor, Tensor]:
        """From `x` (batch, length, inputs), and what is `seen` around it, to (batch, length, channels).

        `embedded` are the embeddings of the target; behind the output stands the attention (batch, length, source).
        """
        y = F.glu(self.convolve(windows(dropped(seen, self.dropout, noise), self.kernel)), dim=-1)
        attention = y
        if embedded is not None and memory is not None:
            recalled, attention = self._recall(y, embedded, memory)
            y = (recalled + y) * HALF
        residual = x if self.bridge is None else self.bridge(x)
        return (y + residual) * HALF, attention

    def _recall(self, y: Tensor, embedded: Tensor, memory: tuple[Tensor, Tensor, Tensor]) -> tuple[Tensor, Tensor]:
        """Section 3.3, equations 1 and 2: `y` and the last word ask; keys and their embeddings answer."""
        assert self.ask is not None
        assert self.answer is not None
        keys, values, pad = memory
        query = (self.ask(y) + embedded) * HALF
        attention = torch.softmax(masked(query @ keys.transpose(-1, -2), pad[:, None, :]), dim=-1)
        words = (~pad).sum(-1).to(values.dtype)[:, None, None]
        context = (attention.to(values.dtype) @ values) * words.sqrt()  # section 3.4: m * sqrt(1 / m)
        return self.answer(context), attention


@final
class Normed(nn.Module):
    """A linear map whose rows have lengths of their own: weight normalisation (Salimans & Kingma 2016).

    Its first weights have a variance of `gain` over the number of inputs: 1, four before gated units, and times the
    share that dropout leaves of the inputs (section 3.5 and appendix A).
    """

    def __init__(self, inputs: int, outputs: int, gain: float = 1.0) -> None:
        super().__init__()
        self.gain = gain
        self.direction = nn.Parameter(torch.empty(outputs, inputs))
        self.norm = nn.Parameter(torch.empty(outputs))
        self.bias = nn.Parameter(torch.empty(outputs))
        self.reset_parameters()

    @torch.no_grad()
    def reset_parameters(self) -> None:
        """Draw the weights, with the lengths that they come to."""
        nn.init.normal_(self.direction, std=sqrt(self.gain / self.direction.shape[1]))
        self.norm.copy_(self.direction.norm(dim=1))
        nn.init.zeros_(self.bias)

    def forward(self, x: Tensor) -> Tensor:
        """The map along the last dimension."""
        rows = self.direction.float()
        weight = rows * (self.norm / rows.norm(dim=1))[:, None]
        return F.linear(x, weight.to(x.dtype), self.bias)


def windows(x: Tensor, kernel: int) -> Tensor:
    """Every `kernel` neighbours (batch, length, channels) as one: (batch, length - kernel + 1, kernel * channels)."""
    last = x.shape[1] - kernel + 1
    return x if kernel == 1 else torch.cat([x[:, at : at + last] for at in range(kernel)], dim=-1)


def before(x: Tensor, number: int) -> Tensor:
    """So many zeros before the first position."""
    return F.pad(x, (0, 0, number, 0))


def around(x: Tensor, kernel: int) -> Tensor:
    """As many zeros at both ends as a kernel sees to either side."""
    return F.pad(x, (0, 0, (kernel - 1) // 2, kernel // 2))


def lessened(x: Tensor, share: float) -> Tensor:
    """The same numbers, to which only a share of the gradient comes back."""
    return x * share + (x * (1.0 - share)).detach()


def _layers(stack: nn.ModuleList) -> list[Layer]:
    found = [layer for layer in stack if isinstance(layer, Layer)]
    assert len(found) == len(stack)
    return found
