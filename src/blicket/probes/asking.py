"""Asking a respondent what probes want to know, round by round."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count

from blicket.core.predictions import Predictions
from blicket.core.probe import Probe
from blicket.core.respondent import Answer, Respondent

__all__ = ["asked"]


def asked(
    probes: Sequence[Probe], respondent: Respondent, progress: Callable[[int, int], None] = lambda done, asked: None
) -> Iterator[Predictions]:
    """The answers of a respondent to all that some probes ask, a round at a time; what several ask is asked once.

    `progress` is told how many questions are answered, and how many there are so far.
    """
    answers: dict[str, Answer] = {}
    for number in count():
        requests = {request.example: request for probe in probes for request in probe.requests(answers)}
        if not requests:
            return
        progress(len(answers), len(answers) + len(requests))
        said = respondent.answer(list(requests.values()))
        answers.update(zip(requests, said, strict=True))
        progress(len(answers), len(answers))
        outputs, scores = [answer.output for answer in said], [answer.scores for answer in said]
        yield Predictions(respondent.name, list(requests), outputs, scores, number)
