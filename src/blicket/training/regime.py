"""What a recipe says about training: how long, how fast, when to stop, and which checkpoint counts."""

from dataclasses import dataclass, field
from typing import Literal, final

from blicket.core.errors import InputError
from blicket.training.schedules import Schedule

__all__ = ["Regime"]


@final
@dataclass(frozen=True)
class Regime:
    """A training regime; an update sees `batch * accumulate` sentences."""

    batch: int = 128
    accumulate: int = 4
    updates: int = 30_000
    epochs: int | None = None
    """How often every example is met, instead of a number of updates."""
    validate_every: int = 500
    validate_each_epoch: bool = False
    """Look at dev after each epoch, instead of after so many updates."""
    patience: int | None = 5
    """Validations without improvement before a seed stops; None never stops early."""
    watch: Literal["loss", "accuracy"] = "loss"
    """What improvement is judged by, on dev; accuracy is that of whole targets."""
    headline: Literal["best", "last"] = "best"
    """The checkpoint whose predictions are the result: best on dev, or the last."""
    optimiser: Literal["adam", "sgd"] = "adam"
    schedule: Schedule = field(default_factory=Schedule)
    betas: tuple[float, float] = (0.9, 0.998)
    """Of Adam."""
    momentum: float = 0.0
    """Of SGD, and Nesterov's; 0 is none."""
    clip: float | None = None
    mean: Literal["sentences", "tokens"] = "sentences"
    """What the gradient of an update is the mean over."""
    smoothing: float = 0.1
    initialisation: Literal["glorot", "uniform", "embeddings-kaiming", "embeddings-tenth"] = "glorot"
    """Glorot everywhere; uniform in +-0.1 everywhere; or the network's own, with Kaiming embeddings (Csordas et al.) or
    with embeddings of a deviation of 0.1 (Gehring et al.)."""
    groups: int = 6
    """How many groups of like length batches come from."""
    half: bool = True
    """Mixed precision on a GPU."""
    compiled: Literal["whole", "parts"] = "whole"
    """What is compiled on a GPU: a whole network, which takes minutes for each group, or its small operations alone."""

    def __post_init__(self) -> None:
        for name in ("batch", "accumulate", "updates", "validate_every", "groups"):
            if getattr(self, name) < 1:
                raise InputError(f"training: {name} is {getattr(self, name)}, and has to be at least 1")
        if self.epochs is not None and self.epochs < 1:
            raise InputError(f"training: epochs is {self.epochs}, and has to be at least 1")
        if not 0.0 <= self.smoothing < 1.0:
            raise InputError(f"training: smoothing is {self.smoothing}, and has to be at least 0 and below 1")

    def validates(self, update: int, batches: int) -> bool:
        """Whether dev is looked at after an update, of data that has so many batches an epoch."""
        if not self.validate_each_epoch:
            return update % self.validate_every == 0
        return update * self.accumulate // batches > (update - 1) * self.accumulate // batches

    def updates_for(self, batches: int) -> int:
        """How many updates there are to be, of data that has so many batches an epoch."""
        return self.updates if self.epochs is None else -(-self.epochs * batches // self.accumulate)
