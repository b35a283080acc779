"""The nearest sentence: answers with the form of the training sentence that takes the fewest edits of words.

A baseline that copies and never composes: what it gets right needs no generalization.
"""

from collections.abc import Sequence
from itertools import chain
from typing import final

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from blicket.core.errors import BlicketError
from blicket.core.example import Split
from blicket.core.respondent import Answer, Produce, Request, Respondent

__all__ = ["NearestSentence"]

CHUNK = 256  # questions compared at once: 256 x 24,000 distances of one byte are six megabytes
FIRST_CHARACTER = 0xE000  # words become single characters, beginning where nothing is assigned


@final
class NearestSentence(Respondent):
    """Fitted on a train split by keeping it; of several nearest sentences the first counts."""

    name = "nearest"

    def __init__(self, train: Split, form: str) -> None:
        columns = train.rows.columns(np.arange(len(train)), form)
        self._form = form
        self._targets = columns.targets
        self._letters: dict[str, str] = {}
        self._sentences = [self._spelled(inputs) for inputs in columns.inputs]

    def _spelled(self, inputs: tuple[str, ...]) -> str:
        """The inputs with a character for each word, which makes comparing them fast."""
        words = chain.from_iterable(text.split() for text in inputs)
        return "".join([self._letters.setdefault(w, chr(FIRST_CHARACTER + len(self._letters))) for w in words])

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """The targets of the nearest sentences."""
        questions = []
        for request in requests:
            if not isinstance(request, Produce) or request.form != self._form:
                raise BlicketError(f"the nearest sentence was fitted to produce {self._form} forms and nothing else")
            questions.append(self._spelled(request.inputs))
        answers: list[Answer] = []
        for start in range(0, len(questions), CHUNK):
            chunk = questions[start : start + CHUNK]
            distances = cdist(chunk, self._sentences, scorer=Levenshtein.distance, dtype=np.uint16, workers=-1)
            answers.extend(Answer(self._targets[row]) for row in distances.argmin(axis=1).tolist())
        return answers
