"""The probes on data: what they ask, by which groups they tell, and what they find in respondents of known faults."""

import numpy as np
import pytest

from blicket import Answer, Rank, Respondent
from blicket.benchmarks.natural_logic.probing import beside
from blicket.probes import asked

NAMES = ["holdout", "jabberwocky", "perturbation", "identical", "consistency"]


class Knowing(Respondent):
    """Knows the language, but for a fault: what it says where `fault` holds of a pair."""

    name = "knowing"

    def __init__(self, natural_logic, fault=lambda premise, hypothesis: False, says="#"):
        self.language, self.fault, self.says = natural_logic, fault, says
        self.requests = []

    def answer(self, requests):
        self.requests += requests
        return [Answer(self._said(request), (0.1,) * 7) for request in requests]

    def _said(self, request):
        wrong = self.fault(*request.inputs)
        return self.says if wrong else self.language.interpret(request.inputs, "relation")


@pytest.fixture(scope="module")
def data(build):
    return build(probes=True)


@pytest.fixture(scope="module")
def probes(natural_logic, data):
    return natural_logic.probes(data)


def findings(probes, respondent):
    answers = {}
    for said in asked(probes, respondent):
        answers |= dict(zip(said.ids, map(Answer, said.outputs), strict=True))
    return {probe.name: probe.finding(answers) for probe in probes}, answers


def test_who_knows_the_language_passes(natural_logic, probes, data):
    respondent = Knowing(natural_logic)
    found, answers = findings(probes, respondent)
    assert list(found) == NAMES
    for finding in found.values():
        assert {(over.mean, over.deviation) for kind in finding.by.values() for over in kind.values()} <= {
            (1.0, 0.0),
            (1.0, None),
        }
        assert finding.missing == finding.unknown == 0
    assert [finding.n for finding in found.values()] == [
        len(data[name]) for name in ("holdout", "jabberwocky", "neighbours", "identical", "reversed")
    ]
    assert len(respondent.requests) == len(answers) == len({r.example for r in respondent.requests})
    assert all(type(r) is Rank and r.candidates == natural_logic.choices["relation"] for r in respondent.requests)


def test_what_is_asked_are_the_rows_that_generate_writes(natural_logic, probes, data):
    respondent = Knowing(natural_logic)
    list(asked(probes, respondent))
    written = {e.id: e.inputs for name in data.splits if name not in ("train", "dev") for e in data[name]}
    assert {request.example: request.inputs for request in respondent.requests} == written


def test_only_follow_ups_of_correct_answers_are_asked(natural_logic, probes, data):
    def wrong(premise, hypothesis):
        return premise.startswith("all red")

    respondent = Knowing(natural_logic, wrong, "?")
    found, answers = findings(probes, respondent)
    right = {i for i, e in enumerate(data["jabberwocky"]) if not e.inputs[0].startswith("all red")}
    for split, name in (("neighbours", "perturbation"), ("reversed", "consistency")):
        rows = {row for row, e in enumerate(data[split]) if e.tags["of"] in right}
        assert {int(id_.partition("/")[2]) for id_ in answers if id_.startswith(split)} == rows
        assert found[name].n == len(rows)
    reversals = [e for e in data["reversed"] if e.tags["of"] in right]
    share = sum(not e.inputs[0].startswith("all red") for e in reversals) / len(reversals)
    assert found["consistency"].by["all"]["all"].mean == pytest.approx(share, abs=0.01)


def test_a_block_that_fails_shows_as_deviation(natural_logic, probes):
    respondent = Knowing(natural_logic, lambda premise, hypothesis: "N5." in premise, "?")
    found, _ = findings(probes, respondent)
    everything = found["identical"].by["all"]["all"]
    assert (everything.mean, everything.blocks, everything.n) == (0.5, 2, 2 * 7776)
    assert everything.deviation == pytest.approx(0.5**0.5)
    assert found["consistency"].by["all"]["all"].blocks == 1


def test_negation_alone_fails_by_relation(natural_logic, probes):
    negation = natural_logic.interpret
    respondent = Knowing(natural_logic, lambda *pair: negation(pair, "relation") == "^", "v")
    found, _ = findings(probes, respondent)
    relations = found["identical"].by["relation"]
    assert {name: over.mean for name, over in relations.items() if over.mean < 1} == {"negation": 0.0}
    assert "negation" not in found["consistency"].by["relation"]
    failing = {name for name, over in found["perturbation"].by["type"].items() if over.mean < 1}
    assert failing
    assert all(name.endswith("-> ^") for name in failing)


def test_perturbation_types_name_side_words_and_relations(natural_logic, probes, data):
    """Each type as the paper has it, worked out from the sentences of each item."""
    perturbation = next(probe for probe in probes if probe.name == "perturbation")
    types, edits = perturbation.groups["type"], perturbation.groups["edit"]
    base = list(data["jabberwocky"])
    for row, example in list(enumerate(data["neighbours"]))[::37]:
        before = base[example.tags["of"]]
        side = 0 if example.inputs[0] != before.inputs[0] else 1
        gone, come = (_closed_class(before.inputs[side]), _closed_class(example.inputs[side]))
        words = f"{_one(gone - come)} -> {_one(come - gone)}"
        relations = f"{before.targets['relation']} -> {example.targets['relation']}"
        assert types.names[types.of[row]] == f"{('premise', 'hypothesis')[side]} {words}, {relations}"
        kind = "insertion" if words[0] == "_" else "deletion" if words[-1] == "_" else "substitution"
        assert edits.names[edits.of[row]] == kind


def _closed_class(text):
    words = text.replace("that ", "that-").split()
    return {word.replace("-", " ") for word in words if word[0] not in "NV"}


def _one(words):
    assert len(words) <= 1
    return next(iter(words), "_")


def test_consistency_is_by_the_relation_before_reversal(probes, data):
    consistency = next(probe for probe in probes if probe.name == "consistency")
    groups = consistency.groups["relation"]
    before = [example.case for example in data["jabberwocky"]]
    assert [groups.names[group] for group in groups.of.tolist()] == before


def test_all_neighbours_change_the_relation(data):
    base = [e.targets["relation"] for e in data["jabberwocky"]]
    assert all(e.targets["relation"] != base[e.tags["of"]] for e in data["neighbours"])


def test_published_means_stand_beside(natural_logic, probes):
    published = natural_logic.published()
    assert all(not probe.beside for probe in probes)  # three blocks are neither condition
    assert beside(published, "holdout", "large")["all"]["INFS"] == 0.9617
    assert beside(published, "identical", "small")["negation"] == {
        "BGRU": 0.5568, "CONV": 0.7329, "SATT": 0.2371, "INFS": 0.9067
    }  # fmt: skip
    assert beside(published, "consistency", "") == {}


def test_the_conditions_are_told_by_their_blocks(natural_logic, default):
    by_name = {probe.name: probe for probe in natural_logic.probes(default)}
    assert by_name["consistency"].beside["negation"]["SATT"] == 0.6692
    assert by_name["jabberwocky"].beside == {}
    assert np.unique(by_name["identical"].blocks).size == 20


def test_without_pairs_there_are_no_probes(natural_logic, build):
    assert [probe.name for probe in natural_logic.probes(build(jabberwocky=0))] == ["holdout"]
