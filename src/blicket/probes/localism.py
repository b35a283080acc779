"""Localism: an input asked whole, and unrolled: call by call, each with the respondent's own answers to those before.

Hupkes et al. 2020, section 4.4. Whatever can be asked is asked at once, for all rows together: a round has all calls
whose arguments are answered, so that there are as many rounds as functions are nested, and no more.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

from blicket.core.example import Example
from blicket.core.probe import Finding, Probe
from blicket.core.respondent import Answer, Request
from blicket.probes.agreement import Agreement

__all__ = ["Call", "Computation", "Localism"]


@final
@dataclass(frozen=True, slots=True)
class Call:
    """A step of an unrolled input: its text, and the steps, from 0, whose answers are to be filled in."""

    text: str
    after: tuple[int, ...]


@final
@dataclass(frozen=True, slots=True)
class Computation:
    """An input with the answer to it as a whole, and its calls as they were asked, each with its answer."""

    whole: str
    said: str
    steps: tuple[tuple[str, str], ...]

    @property
    def consistent(self) -> bool:
        """Whether the last call came to the same as the whole."""
        return bool(self.said.split()) and self.said.split() == self.steps[-1][1].split()


@final
@dataclass(frozen=True, eq=False)
class Localism(Probe):
    """Unrolls the rows of a split; the last call of a row is for the same as the whole row.

    Calls are numbered through all rows, and asked as rows of the split `asked_as`. `unroll` gives the calls of an
    input, `fill` puts answers into one, given all answers of the row so far, and `ask` makes a request.
    """

    agreement: Agreement
    asked_as: str
    unroll: Callable[[str], Sequence[Call]]
    fill: Callable[[str, Sequence[str]], str]
    ask: Callable[[str, tuple[str, ...]], Request]

    @property
    def name(self) -> str:  # type: ignore[override]
        """As its finding is called."""
        return self.agreement.name

    @cached_property
    def _rows(self) -> list[list[tuple[str, Call]]]:
        """For each row its calls under their ids."""
        rows, number = [], 0
        for example in self.agreement.split:
            calls = list(self.unroll(example.inputs[0]))
            rows.append([(f"{self.asked_as}/{number + at}", call) for at, call in enumerate(calls)])
            number += len(calls)
        return rows

    @cached_property
    def _wholes(self) -> list[Example]:
        return list(self.agreement.split)

    def requests(self, answers: Mapping[str, Answer]) -> Sequence[Request]:
        """All rows as wholes, and the calls whose arguments are known."""
        wanted = [self.ask(row.id, row.inputs) for row in self._wholes if row.id not in answers]
        for calls in self._rows:
            said = [answers.get(example) for example, _ in calls]
            if said[-1] is None:
                outputs = ["" if answer is None else answer.output for answer in said]
                for (example, call), answer in zip(calls, said, strict=True):
                    if answer is None and all(said[step] is not None for step in call.after):
                        wanted.append(self.ask(example, (self.fill(call.text, outputs),)))
        return wanted

    def computation(self, row: int, answers: Mapping[str, Answer]) -> Computation | None:
        """How a row was unrolled; None where an answer is missing."""
        example, calls = self._wholes[row], self._rows[row]
        said = [answers.get(name) for name in (example.id, *(name for name, _ in calls))]
        outputs = [answer.output for answer in said if answer is not None]
        if len(outputs) < len(said):
            return None
        asked = [self.fill(call.text, outputs[1:]) for _, call in calls]
        return Computation(example.inputs[0], outputs[0], tuple(zip(asked, outputs[1:], strict=True)))

    def finding(self, answers: Mapping[str, Answer]) -> Finding | None:
        """Consistency of the whole and the last call; None where no call is answered."""
        ours = [example for example in answers if example.startswith(f"{self.asked_as}/")]
        if not ours:
            return None
        whole = [answers.get(row.id) for row in self._wholes]
        last = [answers.get(calls[-1][0]) for calls in self._rows]
        steps = {example for calls in self._rows for example, _ in calls}
        return self.agreement.finding(whole, last, sum(example not in steps for example in ours))
