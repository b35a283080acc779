"""Learning rate schedules: a rate that the update says, and for some a share of it that falls as dev says.

Rates that depend on dev are each seed's own: its pace is a small state, which checkpoints keep.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, final

__all__ = ["Pace", "Schedule"]

IMPROVED = 1e-4
"""The share by which a dev loss has to be smaller to be an improvement, as torch.optim's ReduceLROnPlateau has it."""


class Pace(NamedTuple):
    """What the rate is multiplied with, the dev loss it is judged by, and whether it falls at every validation."""

    share: float = 1.0
    loss: float | None = None
    falling: bool = False


@final
@dataclass(frozen=True)
class Schedule:
    """The learning rate of an update, counted from 1; `noam` is that of Vaswani et al. (2017), section 5.3.

    `plateau` multiplies the rate by `factor` at each validation whose dev loss is no better than the best one. `decay`
    does so from validation `decay_from` on, or from the first one whose loss is worse than the one before.
    """

    kind: Literal["noam", "constant", "plateau", "decay"] = "noam"
    rate: float = 2.0
    warmup: int = 4_000
    width: int = 512
    factor: float = 0.5
    decay_from: int = 8

    def __call__(self, update: int) -> float:
        """The rate, but for what dev says."""
        if self.kind != "noam":
            return self.rate
        return float(self.rate * self.width**-0.5 * min(update**-0.5, update * self.warmup**-1.5))

    def after(self, pace: Pace, validation: int, loss: float) -> Pace:
        """The pace after a validation, counted from 1, with its loss on dev."""
        if self.kind == "plateau":
            if pace.loss is None or loss < pace.loss * (1.0 - IMPROVED):
                return pace._replace(loss=loss)
            return pace._replace(share=pace.share * self.factor)
        if self.kind == "decay":
            falling = pace.falling or validation >= self.decay_from or (pace.loss is not None and loss > pace.loss)
            return Pace(pace.share * (self.factor if falling else 1.0), loss, falling)
        return pace
