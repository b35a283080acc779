"""Asking a respondent what probes want to know, round by round."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from types import MappingProxyType

from blicket.core.predictions import Predictions
from blicket.core.probe import Probe
from blicket.core.respondent import Answer, Respondent

__all__ = ["asked"]


def asked(
    probes: Sequence[Probe],
    respondent: Respondent,
    progress: Callable[[int, int], None] = lambda done, asked: None,
    known: Mapping[str, Answer] = MappingProxyType({}),
) -> Iterator[Predictions]:
    """The answers of a respondent to all that some probes ask, a round at a time; what several ask is asked once.

    What is `known`, by the id of the example, because the respondent has said it before, is not asked again. `progress`
    is told how many questions are answered, and how many there are so far.
    """
    answers: dict[str, Answer] = {}
    for number in count():
        requests = {request.example: request for probe in probes for request in probe.requests(answers)}
        if not requests:
            return
        progress(len(answers), len(answers) + len(requests))
        unknown = [request for example, request in requests.items() if example not in known]
        heard = respondent.answer(unknown) if unknown else []
        new = {request.example: answer for request, answer in zip(unknown, heard, strict=True)}
        said = [known[example] if example in known else new[example] for example in requests]
        answers.update(zip(requests, said, strict=True))
        progress(len(answers), len(answers))
        outputs, scores = [answer.output for answer in said], [answer.scores for answer in said]
        yield Predictions(respondent.name, list(requests), outputs, scores, number)
