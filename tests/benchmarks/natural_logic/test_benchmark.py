"""Natural logic as a benchmark: what the contract asks of it, and files read back."""

import pytest

from blicket import InputError, Rank, Role, UnknownName, benchmark_names, read_dataset, write_dataset
from blicket.benchmarks.natural_logic.options import COMPAT, NaturalLogicOptions

PAIR = ("all N1.1 V1.1", "some N1.1 V1.1")


def test_who_it_is(natural_logic):
    assert "natural-logic" in benchmark_names()
    assert (natural_logic.name, natural_logic.forms) == ("natural-logic", ("relation",))
    assert natural_logic.input_names == ("premise", "hypothesis")
    assert "Goodwin" in natural_logic.citation
    assert set(natural_logic.cases) == {
        "equivalence", "forward_entailment", "reverse_entailment", "negation", "alternation", "cover", "independence"
    }  # fmt: skip


def test_it_asks_for_a_choice(natural_logic):
    assert natural_logic.request("train/0", PAIR, "relation") == Rank("train/0", PAIR, tuple("=<>^|v#"))


def test_roles(natural_logic):
    assert natural_logic.role("holdout") is Role.TEST
    assert natural_logic.role("neighbours") is Role.PROBE
    with pytest.raises(UnknownName, match="'hold-out'; did you mean 'holdout'"):
        natural_logic.role("hold-out")


@pytest.mark.parametrize("inputs", [PAIR[0], PAIR[:1], (*PAIR, "x"), (1, 2)])
def test_inputs_are_two_texts(natural_logic, inputs):
    with pytest.raises(InputError, match="expected a tuple of premise and hypothesis"):
        natural_logic.interpret(inputs, "relation")


def test_there_is_one_form(natural_logic):
    for ask in (natural_logic.judge, lambda form: natural_logic.interpret(PAIR, form)):
        with pytest.raises(UnknownName, match="there is no form 'relations'; did you mean 'relation'"):
            ask("relations")


def test_groups_are_by_relation_and_block(natural_logic):
    assert natural_logic.groups("cover", {"block": 21}) == {"case": "cover", "block": "21"}
    assert natural_logic.groups("", {}) == {}


def test_the_card_has_every_option_flaw_and_split(natural_logic):
    card = natural_logic.card()
    options = set(NaturalLogicOptions.model_fields) - {"compat"}
    for name in (*options, *COMPAT, *natural_logic.roles):
        assert f"`{name}`" in card, name
    assert set(natural_logic.compat) == set(COMPAT)


@pytest.mark.parametrize("format_", ["tsv", "parquet"])
@pytest.mark.parametrize(
    "settings",
    [{}, {"words": "english"}, {"adjectives": ["big"], "quantifiers": ["no", "all"]}, {"compat": ["published"]}],
    ids=str,
)
def test_what_is_written_is_read_and_probed_as_it_was(natural_logic, build, tmp_path, format_, settings):
    data = build(**settings)
    write_dataset(data, tmp_path, format_, "relation")
    read = read_dataset(natural_logic, tmp_path, natural_logic.options({}))
    assert read.content_hash() == data.content_hash()
    assert read.options == data.options
    ours, theirs = (natural_logic.probes(dataset) for dataset in (data, read))
    for one, other in zip(ours, theirs, strict=True):
        assert list(one.items[:: len(one.items) // 50]) == list(other.items[:: len(other.items) // 50])


def test_symbols_of_any_block_are_read_without_a_manifest(natural_logic, build, tmp_path):
    data = build(blocks=60, levels=2)
    write_dataset(data, tmp_path, "tsv", "relation")
    (tmp_path / "dataset.json").unlink()
    read = read_dataset(natural_logic, tmp_path, natural_logic.options({}))
    assert read.content_hash() == data.content_hash()


def test_labels_of_files_are_kept_unless_those_of_2020_are_wanted(natural_logic):
    pairs, targets = [("some N1.1 V1.1", "all N1.1 not V1.2")] * 2, ["v", "#"]
    for settings, expected in (({}, ["v", "#"]), ({"compat": ["labels-2020"]}, ["^", "^"])):
        rows = natural_logic.rows(pairs, targets, ["", ""], "relation", natural_logic.options(settings))
        assert [rows.columns([row], "relation").targets[0] for row in range(2)] == expected


@pytest.mark.parametrize(
    ("pair", "target", "says"),
    [
        (("all N1.1 V1.1", "all dogs V1.1"), "=", "line 1: word 2: 'dogs' in the hypothesis is no word"),
        (PAIR, "entailment", "line 1: the target is 'entailment'; expected one of = < > ^ | v #"),
        (("all N1.13 V1.1", "all N1.1 V1.1"), "=", "line 1: data has at most 20,000 blocks of 12 levels"),
        (("all N90000.1 V90000.1",) * 2, "=", "line 1: data has at most 20,000 blocks"),
    ],
)
def test_bad_rows_are_named_with_their_line(natural_logic, pair, target, says):
    with pytest.raises(InputError) as error:
        natural_logic.rows([pair], [target], [""], "relation", natural_logic.options({}), lambda row: f"line {row + 1}")
    assert str(error.value).startswith(says)
