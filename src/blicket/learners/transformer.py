"""The Transformer (Vaswani et al. 2017) and the variants that the papers train.

`norm = "pre"` is the order of the toolkit of Kim & Linzen (2020), with a last norm after each stack; `"post"` that of
Vaswani et al. Positions: sinusoidal beside embeddings scaled by sqrt(d); `"scaled"`, sinusoidal scaled by 1/sqrt(d)
beside plain embeddings (Csordas et al. 2021, section 3.2); `"relative"` (Dai et al. 2019, as Csordas et al. use it).
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import log, sqrt
from typing import Literal, final

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from blicket.learners.network import SequenceNetwork, State, dropped, masked, padding
from blicket.learners.noise import Noise

__all__ = ["Transformer", "TransformerShape"]


@final
@dataclass(frozen=True)
class TransformerShape:
    """The sizes and variants of a Transformer."""

    layers: int = 2
    width: int = 512
    heads: int = 4
    hidden: int = 512
    dropout: float = 0.1
    norm: Literal["pre", "post"] = "pre"
    positions: Literal["sinusoidal", "scaled", "relative"] = "sinusoidal"
    tied: bool = False
    """One embedding for source, target and output, over one vocabulary."""
    shared_layers: bool = False
    """All layers of a stack have the same parameters."""


@final
class Transformer(SequenceNetwork):
    """An encoder and a decoder of attention layers."""

    def __init__(self, shape: TransformerShape, source_size: int, target_size: int) -> None:
        super().__init__()
        self.shape = shape
        self.source_embedding = nn.Embedding(source_size, shape.width)
        # What is tied is registered once, and shared where it is used: functional_call unties what is registered twice.
        self.target_embedding = None if shape.tied else nn.Embedding(target_size, shape.width)
        distinct = 1 if shape.shared_layers else shape.layers
        self.encoder = nn.ModuleList(Layer(shape, decodes=False) for _ in range(distinct))
        self.decoder = nn.ModuleList(Layer(shape, decodes=True) for _ in range(distinct))
        pre = shape.norm == "pre"
        self.encoder_norm = nn.LayerNorm(shape.width) if pre else nn.Identity()
        self.decoder_norm = nn.LayerNorm(shape.width) if pre else nn.Identity()
        self.output = None if shape.tied else nn.Linear(shape.width, target_size)
        self.output_bias = nn.Parameter(torch.zeros(target_size)) if shape.tied else None

    def forward(self, source: Tensor, target: Tensor, noise: Noise | None = None) -> Tensor:
        """Scores of the next token after each of `target`."""
        memory, hidden = self._encode(source, noise)
        length = target.shape[1]
        future = torch.ones(length, length, dtype=torch.bool, device=target.device).triu(1)
        x = self._embed(self._targets, target, 0, noise)  # (batch, target, width)
        for i in range(self.shape.layers):
            x = _layer(self.decoder, i)(x, future, noise, memory, hidden)
        return self._scored(x)

    def _scored(self, x: Tensor) -> Tensor:
        x = self.decoder_norm(x).to(self._precision)
        if self.output is None:
            return F.linear(x, self.source_embedding.weight, self.output_bias)
        scores: Tensor = self.output(x)
        return scores

    @property
    def _targets(self) -> nn.Embedding:
        return self.source_embedding if self.target_embedding is None else self.target_embedding

    @property
    def _precision(self) -> torch.dtype:
        """What matrices are multiplied in; norms and residuals may be more precise."""
        return self.source_embedding.weight.dtype

    def _encode(self, source: Tensor, noise: Noise | None) -> tuple[Tensor, Tensor]:
        """The memory (batch, source, width), and which of it is padding (batch, 1, 1, source)."""
        hidden = padding(source)[:, None, None, :]
        x = self._embed(self.source_embedding, source, 0, noise)
        for i in range(self.shape.layers):
            x = _layer(self.encoder, i)(x, hidden, noise)
        return self.encoder_norm(x).to(self._precision), hidden

    def _embed(self, embedding: nn.Module, tokens: Tensor, start: int | Tensor, noise: Noise | None) -> Tensor:
        """Embeddings with positions from `start`, unless those are relative."""
        width = self.shape.width
        x = embedding(tokens)
        if self.shape.positions == "sinusoidal":
            x = x * sqrt(width)
        if self.shape.positions != "relative":
            where = torch.arange(tokens.shape[1], device=tokens.device) + start
            waves = sinusoids(where, width)
            x = x + (waves / sqrt(width) if self.shape.positions == "scaled" else waves)
        return dropped(x, self.shape.dropout, noise)

    def start(self, source: Tensor, capacity: int) -> State:
        """The encoder's keys and values for each layer, and room for the decoder's own."""
        memory, hidden = self._encode(source, None)
        state: State = {"hidden": hidden, "attended": torch.zeros_like(source[:, 0])}
        for i in range(self.shape.layers):
            layer = _layer(self.decoder, i)
            state[f"memory_keys_{i}"], state[f"memory_values_{i}"] = layer.memory_attention.keys_values(memory)
            keys = state[f"memory_keys_{i}"]
            room = torch.zeros_like(keys[:, :, :1]).expand(-1, -1, capacity, -1)
            state[f"keys_{i}"], state[f"values_{i}"] = room.clone(), room.clone()
        return state

    def grown(self, state: State, capacity: int) -> State:
        """More room for the decoder's own keys and values."""
        more = {
            name: F.pad(tensor, (0, 0, 0, capacity - tensor.shape[-2]))
            for name, tensor in state.items()
            if name.startswith(("keys", "values"))
        }
        return {**state, **more}

    def step(self, state: State, token: Tensor, position: Tensor) -> tuple[Tensor, State]:
        """One token further; `position` is a number, the same for the whole batch."""
        x = self._embed(self._targets, token[:, None], position, None)  # (batch, 1, width)
        new = dict(state)
        for i in range(self.shape.layers):
            layer = _layer(self.decoder, i)
            x, new[f"keys_{i}"], new[f"values_{i}"], attention = layer.step(
                x,
                position,
                (state[f"keys_{i}"], state[f"values_{i}"]),
                (state[f"memory_keys_{i}"], state[f"memory_values_{i}"]),
                state["hidden"],
            )
        new["attended"] = attention[:, 0, 0].argmax(-1)  # the first head of the last layer, as the toolkit has it
        return self._scored(x)[:, 0], new


@final
class Layer(nn.Module):
    """Self-attention, attention to the memory if it decodes, and a feed-forward network, each with a residual."""

    def __init__(self, shape: TransformerShape, *, decodes: bool) -> None:
        super().__init__()
        self.shape = shape
        relative = shape.positions == "relative"
        self.self_attention = Attention(shape, relative=relative)
        self.self_norm = nn.LayerNorm(shape.width)
        if decodes:
            self.memory_attention = Attention(shape, relative=False)
            self.memory_norm = nn.LayerNorm(shape.width)
        self.expand = nn.Linear(shape.width, shape.hidden)
        self.contract = nn.Linear(shape.hidden, shape.width)
        self.feed_norm = nn.LayerNorm(shape.width)

    def forward(
        self,
        x: Tensor,
        unseen: Tensor,
        noise: Noise | None,
        memory: Tensor | None = None,
        hidden: Tensor | None = None,
    ) -> Tensor:
        """`unseen` are the positions that each position may not attend to, `hidden` those of the memory."""
        p = self.shape.dropout

        def attend(y: Tensor) -> Tensor:
            return dropped(self.self_attention(y, y, unseen, noise), p, noise)

        x = self._residual(x, self.self_norm, attend)
        if memory is not None and hidden is not None:

            def recall(y: Tensor) -> Tensor:
                return dropped(self.memory_attention(y, memory, hidden, noise), p, noise)

            x = self._residual(x, self.memory_norm, recall)
        return self._residual(x, self.feed_norm, lambda y: self._feed(y, noise))

    def step(
        self,
        x: Tensor,
        position: Tensor,
        own: tuple[Tensor, Tensor],
        memory: tuple[Tensor, Tensor],
        hidden: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The layer at one position, with the keys and values of those before it.

        Behind its output are the new keys and values, and the attention to the memory (batch, heads, 1, source).
        """
        keys, values = own
        attention = hidden

        def attend(y: Tensor) -> Tensor:
            nonlocal keys, values
            answer, keys, values = self.self_attention.step(y, position, keys, values)
            return answer

        def recall(y: Tensor) -> Tensor:
            nonlocal attention
            answer, attention = self.memory_attention.recall(y, *memory, hidden)
            return answer

        x = self._residual(x, self.self_norm, attend)
        x = self._residual(x, self.memory_norm, recall)
        return self._residual(x, self.feed_norm, lambda y: self._feed(y, None)), keys, values, attention

    def _residual(self, x: Tensor, norm: nn.Module, part: Callable[[Tensor], Tensor]) -> Tensor:
        """A part with its residual, which adds up in single precision even where the part does not."""
        precision = self.expand.weight.dtype
        if self.shape.norm == "pre":
            return x + part(norm(x).to(precision))
        normed: Tensor = norm(x + part(x.to(precision)))
        return normed

    def _feed(self, x: Tensor, noise: Noise | None) -> Tensor:
        p = self.shape.dropout
        return dropped(self.contract(dropped(F.relu(self.expand(x)), p, noise)), p, noise)


@final
class Attention(nn.Module):
    """Attention of several heads; with relative positions, keys are also met by their distance (Dai et al. 2019)."""

    def __init__(self, shape: TransformerShape, *, relative: bool) -> None:
        super().__init__()
        self.heads, self.dropout, self.relative = shape.heads, shape.dropout, relative
        width = shape.width
        self.query, self.key, self.value, self.merge = (nn.Linear(width, width) for _ in range(4))
        if relative:
            self.distance = nn.Linear(width, width, bias=False)
            self.content_bias = nn.Parameter(torch.zeros(shape.heads, width // shape.heads))
            self.distance_bias = nn.Parameter(torch.zeros(shape.heads, width // shape.heads))

    def forward(self, x: Tensor, memory: Tensor, unseen: Tensor, noise: Noise | None) -> Tensor:
        """From each position of `x` to those of `memory` that are not `unseen`."""
        keys, values = self.keys_values(memory)
        queries = self._split(self.query(x))  # (batch, heads, positions, part)
        places = torch.arange(x.shape[1], device=x.device)
        weights = torch.softmax(masked(self._scores(queries, keys, places), unseen), dim=-1).to(values.dtype)
        return self._merged(dropped(weights, self.dropout, noise) @ values)

    def keys_values(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """The keys and values of a memory, (batch, heads, positions, part) each."""
        return self._split(self.key(memory)), self._split(self.value(memory))

    def recall(self, x: Tensor, keys: Tensor, values: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """From one position to a memory whose keys and values are known; the attention is the second result."""
        attention = torch.softmax(masked(self._scores(self._split(self.query(x)), keys, None), hidden), dim=-1)
        return self._merged(attention.to(values.dtype) @ values), attention

    def step(self, x: Tensor, position: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """From one position to itself and those before it, whose keys and values are kept."""
        key, value = self.keys_values(x)  # (batch, heads, 1, part)
        places = torch.arange(keys.shape[2], device=x.device)
        keys[:, :, position], values[:, :, position] = key[:, :, 0], value[:, :, 0]  # in place: no cache is copied
        scores = self._scores(self._split(self.query(x)), keys, position[None])
        weights = torch.softmax(masked(scores, places > position), dim=-1).to(values.dtype)
        return self._merged(weights @ values), keys, values

    def _scores(self, queries: Tensor, keys: Tensor, places: Tensor | None) -> Tensor:
        """Scores (batch, heads, queries, keys); `places` are the queries' positions, wanted where distance counts."""
        scale = 1.0 / sqrt(keys.shape[-1])
        if not self.relative or places is None:
            return (queries * scale) @ keys.transpose(-1, -2)
        content = (queries + self.content_bias[:, None]) @ keys.transpose(-1, -2)
        distances = places[:, None] - torch.arange(keys.shape[2], device=keys.device)[None, :]  # (queries, keys)
        waves = self.distance(sinusoids(distances, self.heads * keys.shape[-1]).to(keys.dtype))
        waves = waves.view(*waves.shape[:-1], self.heads, -1)  # (queries, keys, heads, part)
        by_distance = torch.einsum("bhqd,qkhd->bhqk", queries + self.distance_bias[:, None], waves)
        return (content + by_distance) * scale

    def _split(self, x: Tensor) -> Tensor:
        return x.view(*x.shape[:-1], self.heads, -1).transpose(1, 2)

    def _merged(self, x: Tensor) -> Tensor:
        merged: Tensor = self.merge(x.transpose(1, 2).flatten(2))
        return merged


def _layer(layers: nn.ModuleList, i: int) -> Layer:
    """The i-th layer of a stack, where shared layers are one."""
    layer = layers[i % len(layers)]
    assert isinstance(layer, Layer)
    return layer


def sinusoids(positions: Tensor, width: int) -> Tensor:
    """Sines and cosines of positions (any shape), interleaved along a new last dimension (Vaswani et al., 3.5)."""
    rates = torch.exp(torch.arange(0, width, 2, device=positions.device) * (-log(10_000.0) / width))
    angles = positions[..., None].float() * rates
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
