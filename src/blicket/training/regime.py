"""What a recipe says about training: how long, how fast, when to stop, and which checkpoint counts."""

from dataclasses import dataclass, field
from typing import Literal, final

from blicket.core.errors import InputError
from blicket.training.optimisation import Schedule

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
    patience: int | None = 5
    """Validations without improvement before a seed stops; None never stops early."""
    watch: Literal["loss", "accuracy"] = "loss"
    """What improvement is judged by, on dev; accuracy is that of whole targets."""
    headline: Literal["best", "last"] = "best"
    """The checkpoint whose predictions are the result: best on dev, or the last."""
    schedule: Schedule = field(default_factory=Schedule)
    betas: tuple[float, float] = (0.9, 0.998)
    clip: float | None = None
    smoothing: float = 0.1
    initialisation: Literal["glorot", "uniform", "embeddings-kaiming"] = "glorot"
    """Glorot everywhere; uniform in +-0.1 everywhere; or the library's own with Kaiming embeddings (Csordas et al.)."""
    groups: int = 6
    """How many groups of like length batches come from."""
    half: bool = True
    """Mixed precision on a GPU."""

    def __post_init__(self) -> None:
        for name in ("batch", "accumulate", "updates", "validate_every", "groups"):
            if getattr(self, name) < 1:
                raise InputError(f"training: {name} is {getattr(self, name)}, and has to be at least 1")
        if self.epochs is not None and self.epochs < 1:
            raise InputError(f"training: epochs is {self.epochs}, and has to be at least 1")
        if not 0.0 <= self.smoothing < 1.0:
            raise InputError(f"training: smoothing is {self.smoothing}, and has to be at least 0 and below 1")

    def updates_for(self, batches: int) -> int:
        """How many updates there are to be, of data that has so many batches an epoch."""
        return self.updates if self.epochs is None else -(-self.epochs * batches // self.accumulate)
