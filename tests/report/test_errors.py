from collections import Counter

import pytest

from blicket.core.errors import FormError
from blicket.report.errors import counts, shown_errors
from blicket.report.judged import judge_runs
from blicket.report.reading import read_runs


@pytest.fixture(scope="module")
def gen(transformer):
    return judge_runs(read_runs([transformer]))[-1]


def test_kinds_are_counted_as_in_the_scorecard(gen):
    by_place = {(count.seed, count.case, count.kind): count for count in counts(gen)}
    for seed, card in gen.run.scores["gen"].items():
        for kind in ("unparseable", "single_lexical", "early_end", "ill_formed"):
            count = by_place[seed, "", kind]
            assert count.as_dict()["of_rows"] == pytest.approx(card[kind])
            assert count.errors == round(420 * (1 - card["exact"]))
            in_case = by_place[seed, "cp_recursion", kind]
            assert in_case.as_dict()["of_rows"] == pytest.approx(card["by"]["case"]["cp_recursion"][kind])


def test_what_is_right_is_no_error_though_its_structure_matches(gen):
    (count,) = (c for c in counts(gen) if (c.seed, c.case, c.kind) == (1, "", "structure_match"))
    card = gen.run.scores["gen"][1]
    assert count.n == round(420 * (card["structure_match"] - card["exact"]))


def test_the_cases_of_a_seed_add_up(gen):
    whole = Counter({(c.seed, c.kind): c.n for c in counts(gen) if not c.case})
    summed = Counter()
    for count in counts(gen):
        if count.case:
            summed[count.seed, count.kind] += count.n
    assert +whole == +summed


def test_a_typical_error_is_of_the_commonest_kind_and_the_worst_is_farthest(gen):
    for of in shown_errors(gen):
        places = [(s, r) for s in gen.verdicts for r in gen.wrong(s) if gen.gold[r].case == of.case]
        far = sorted(gen.verdicts[s][r].measures["edit_distance"] for s, r in places)
        assert of.errors == len(places)
        assert of.answers == 60
        assert of.shown[-1].distance == far[-1]
        commonest = Counter(tuple(sorted(gen.kinds(s, r))) for s, r in places).most_common(1)[0]
        assert of.of_kinds == commonest[1]
        of_kind = sorted(
            gen.verdicts[s][r].measures["edit_distance"]
            for s, r in places
            if tuple(sorted(gen.kinds(s, r))) == of.kinds
        )
        assert len(of_kind) == of.of_kinds
        assert of.shown[0].distance == of_kind[(len(of_kind) - 1) // 2]


def test_cases_stand_in_the_order_of_the_benchmark(gen):
    assert [of.case for of in shown_errors(gen)] == [
        case for case in gen.run.benchmark.cases if case in {of.case for of in shown_errors(gen)}
    ]


def test_an_error_carries_its_row(gen):
    for of in shown_errors(gen):
        for error in of.shown:
            row = int(error.id.removeprefix("gen/"))
            assert (gen.gold[row].target, gen.outputs[error.seed][row]) == (error.gold, error.said)
            assert error.gold != error.said


def test_a_parse_is_there_where_gold_and_answer_can_be_read(gen):
    notation = gen.run.benchmark.notations["conjunctive"]
    found = {True: 0, False: 0}
    for of in shown_errors(gen):
        for error in of.shown:
            tokens = error.inputs[0].split()
            try:
                graphs = [notation.read(tokens, target) for target in (error.said, error.gold)]
            except FormError:
                graphs = None
            found[graphs is not None] += 1
            assert (error.parse and [error.parse.graph, error.parse.gold]) == graphs
    assert min(found.values()) > 5
