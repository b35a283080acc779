"""Learners: what is fitted on a train and a dev split, a respondent a seed."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from blicket.core.errors import InputError
from blicket.core.example import Role, Split
from blicket.core.respondent import Answer, Request, Respondent

__all__ = ["Cohort", "Fitted", "Learner", "Observer", "Progress", "check_roles"]

Parameters = Mapping[str, NDArray[np.generic]]


@final
@dataclass(frozen=True, slots=True)
class Progress:
    """Where training is, told about once a second: a number a seed, updates a second, and seconds left at most.

    Dev is looked at now and then; in between, what is known of it is empty.
    """

    seeds: tuple[int, ...]
    update: int
    of: int
    train_loss: tuple[float, ...]
    per_second: float
    seconds: float
    dev_loss: tuple[float, ...] = ()
    dev_accuracy: tuple[float, ...] = ()
    stopped: tuple[int | None, ...] = ()
    failed: tuple[bool, ...] = ()


Observer = Callable[[int, "Cohort"], None]
"""Is shown the update and the networks of the moment; it watches, and nothing comes of it for training."""


class Cohort(ABC):
    """Fitted respondents, one a seed, that are asked together because that can be faster."""

    seeds: tuple[int, ...]

    @abstractmethod
    def answers(
        self, requests: Sequence[Request], progress: Callable[[int], None] = lambda done: None
    ) -> list[list[Answer]]:
        """For each seed its answers in the order of the requests; `progress` is told how many are done."""

    def vectors(self, words: Sequence[str]) -> Sequence[NDArray[np.float32]] | None:
        """For each seed the vectors (words, size) that words enter as; None where they do not enter as such."""
        return None

    @abstractmethod
    def respondents(self) -> Sequence[Respondent]:
        """Each by itself, named by its seed."""


@final
@dataclass(frozen=True)
class Fitted:
    """What training a seed came to.

    `curve` has an entry a validation; `best` is the update of the best one and `stopped` the update at which training
    stopped early, if it did. `checkpoints` holds the parameters `best` and `last`, and nothing for a seed that failed.
    """

    seed: int
    curve: Sequence[Mapping[str, Any]]
    best: int
    stopped: int | None
    failed: bool
    checkpoints: Mapping[str, Parameters]


class Learner(ABC):
    """Something to fit: subclass it and say how.

    Nothing a learner sees may depend on any split but train and dev, vocabularies included.
    """

    @property
    def together(self) -> bool:
        """Whether several seeds at once are faster here than one after another."""
        return False

    @property
    @abstractmethod
    def headline(self) -> str:
        """The checkpoint that counts, said beforehand: `best` on dev, or `last`."""

    @abstractmethod
    def fit(
        self,
        train: Split,
        dev: Split,
        seeds: Sequence[int],
        *,
        checkpoints: Path | None = None,
        observers: Sequence[Observer] = (),
        tell: Callable[[Progress], None] = lambda progress: None,
    ) -> Sequence[Fitted]:
        """Train each seed as if it were alone; `checkpoints` is a directory to resume from, if anything is there."""

    @abstractmethod
    def revived(self, train: Split, dev: Split, parameters: Mapping[int, Parameters]) -> Cohort:
        """The cohort with these parameters by seed; what else it knows it learned from train and dev."""


def check_roles(train: Split, dev: Split) -> None:
    """Refuse to fit on anything but a train and a dev split, which have rows."""
    for split, role in ((train, Role.TRAIN), (dev, Role.DEV)):
        if split.role != role:
            raise InputError(f"{split.name} is a {split.role} split, and a {role} split is wanted to fit on")
        if not len(split):
            raise InputError(f"{split.name} has no rows to fit on")
