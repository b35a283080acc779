"""The probes of PCFG SET, asked of respondents whose behaviour is known."""

from collections import Counter

import pytest

from blicket import Answer, Respondent
from blicket.benchmarks.pcfg_set.interpretation import interpret
from blicket.benchmarks.pcfg_set.unrolling import unrolled
from blicket.core.errors import Refusal
from blicket.core.predictions import write_predictions
from blicket.core.probe import over_seeds
from blicket.core.scoring import score
from blicket.probes import asked


@pytest.fixture(scope="module")
def dataset(pcfg_set):
    return pcfg_set.build(1, pcfg_set.options({"train": 800, "dev": 100, "test": 300}))


class Interpreter(Respondent):
    """Answers by the rules, but for what `slip` says."""

    def __init__(self, name="rules", slip=lambda text, said: said):
        self.name, self.slip, self.asked = name, slip, []

    def answer(self, requests):
        self.asked.append([request.inputs[0] for request in requests])
        return [Answer(self.slip(text, self._meaning(text))) for text in self.asked[-1]]

    def _meaning(self, text):
        try:
            return interpret(text)
        except Refusal:
            return "A1"


def findings(pcfg_set, dataset, respondent):
    probes = {probe.name: probe for probe in pcfg_set.probes(dataset)}
    rounds = list(asked(list(probes.values()), respondent))
    said = {example: Answer(out) for r in rounds for example, out in zip(r.ids, r.outputs, strict=True)}
    return {name: probe.finding(said) for name, probe in probes.items()}, rounds


def measures(finding):
    return {name: share.mean for name, share in finding.by["measure"].items()}


def test_the_rules_are_consistent_and_local(pcfg_set, dataset):
    found, rounds = findings(pcfg_set, dataset, Interpreter())
    assert set(found) == {"substitutivity", "localism"}
    for finding in found.values():
        assert measures(finding) == {
            "consistency": 1,
            "both_correct": 1,
            "consistent_wrong": 0,
            "exact": 1,
            "twin_exact": 1,
        }
        assert (finding.missing, finding.unknown) == (0, 0)
    assert len(rounds) == max(int(example.tags["depth"]) for example in dataset["localism_test"])


def test_every_call_is_asked_once_with_one_function(pcfg_set, dataset):
    (localism,) = (probe for probe in pcfg_set.probes(dataset) if probe.name == "localism")
    respondent = Interpreter()
    list(asked([localism], respondent))
    split = dataset["localism_test"]
    calls = [text for of_round in respondent.asked for text in of_round]
    assert len(calls) == len(split) + sum(len(unrolled(example.inputs[0])) for example in split)
    wholes = Counter(example.inputs[0] for example in split)
    rest = list((Counter(calls) - wholes).elements())
    assert {sum(word.islower() for word in text.replace("_", "").split()) for text in rest} == {1}


def test_a_wrong_call_is_carried_on_to_the_last(pcfg_set, dataset):
    """Who forgets to echo when echo stands alone, and not in the whole, is not local wherever there is an echo."""

    def slip(text, said):
        alone = text.startswith("echo ") and text.replace("_", "").count(" ") and not any(map(str.islower, text[5:]))
        return " ".join(said.split()[:-1]) if alone else said

    found, _ = findings(pcfg_set, dataset, Interpreter(slip=slip))
    said = measures(found["localism"])
    assert said["exact"] == 1
    assert said["consistency"] == said["twin_exact"] < 0.9
    by_hand = [local(example.inputs[0]) == example.targets["symbols"] for example in dataset["localism_test"]]
    assert said["consistency"] == pytest.approx(sum(by_hand) / len(by_hand))


def local(text):
    """The meaning where an echo does nothing, since every call is alone."""
    return interpret(text.replace("echo ", "copy "))


def test_a_synonym_that_is_not_known_shows(pcfg_set, dataset):
    def slip(text, said):
        return "A1 A1" if "append_twin" in text else said

    found, _ = findings(pcfg_set, dataset, Interpreter(slip=slip))
    by = found["substitutivity"].by
    assert by["case"]["substitutivity:append"].mean == 0
    assert by["case"]["substitutivity:repeat"].mean == 1
    assert measures(found["substitutivity"])["twin_exact"] == measures(found["substitutivity"])["consistency"] < 1


def test_what_was_published_stands_beside(pcfg_set, dataset):
    probes = {probe.name: probe for probe in pcfg_set.probes(dataset)}
    assert probes["localism"].agreement.beside == {"consistency": {"LSTM": 0.46, "Conv": 0.59, "Transf.": 0.54}}
    assert probes["substitutivity"].agreement.beside == {}  # which of two train sets it was is not known
    splits = {name: of for name, of in dataset.splits.items() if name != "substitutivity_equal_train"}
    (only, _) = pcfg_set.probes(type(dataset)(dataset.benchmark, dataset.version, splits, ("source",), {}))
    assert only.agreement.beside == {"consistency": {"LSTM": 0.6, "Conv": 0.58, "Transf.": 0.9}}


def test_a_file_with_the_answers_is_as_good_as_the_respondent(pcfg_set, dataset, tmp_path):
    files = []
    for name in ("one", "two"):
        found, rounds = findings(pcfg_set, dataset, Interpreter(name))
        write_predictions(tmp_path / f"{name}.parquet", rounds)
        files.append(tmp_path / f"{name}.parquet")
    scores = score(pcfg_set, files, "symbols", dataset)
    consistency = [over_seeds(of)["by"]["measure"]["consistency"]["mean"] for of in scores.probes.values()]
    assert (list(scores.probes), consistency) == (["substitutivity", "localism"], [1, 1])
    assert scores.as_dict()["by"]["split"].keys() == {"substitutivity_test", "substitutivity_twin", "localism_test"}
    assert found["localism"].n == len(dataset["localism_test"])
