import json
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from blicket.core.dataset import Dataset
from blicket.core.errors import InputError
from blicket.core.example import ListedRows, Role, Split
from blicket.core.predictions import (
    Gold,
    Prediction,
    Predictions,
    align,
    gold_rows,
    read_predictions,
    write_predictions,
)


def no_tags(case, target):
    return {}


def dataset():
    rows = ListedRows([("a",), ("b",)], {"f": ["A", "B"]}, ["x", "y"], [{"depth": 1}, {}])
    splits = {"dev": Split("dev", Role.DEV, rows), "gen": Split("gen", Role.GENERALIZATION, rows)}
    return Dataset("toy", "1", splits, ("source",), {})


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "p.parquet"
    first = Predictions("seed 1", ["gen/0", "gen/1"], ["A", ""], [[0.5], [0.25]])
    write_predictions(path, [first, Predictions("seed 2", ["gen/1"], ["tab\tand\nline"])])
    assert read_predictions(path, ("source",)) == {
        f"{path}:seed 1": [Prediction("A", "gen/0"), Prediction("", "gen/1")],
        f"{path}:seed 2": [Prediction("tab\tand\nline", "gen/1")],
    }
    assert [p.name for p in tmp_path.iterdir()] == ["p.parquet"]


def test_predictions_that_do_not_fit_are_not_written(tmp_path):
    with pytest.raises(Exception, match=r"length|lengths"):
        write_predictions(tmp_path / "p.parquet", [Predictions("seed", ["gen/0", "gen/1"], ["A"])])
    assert list(tmp_path.iterdir()) == []


def test_one_respondent_is_one_file(tmp_path):
    path = tmp_path / "p.parquet"
    write_predictions(path, [Predictions("seed 1", ["gen/0"], ["A"])])
    assert list(read_predictions(path, ("source",))) == [str(path)]


def test_ids_go_before_inputs(tmp_path):
    path = tmp_path / "p.tsv"
    path.write_text("source\tid\ttarget\tprediction\na\tgen/0\tA\tB\n")
    (found,) = read_predictions(path, ("source",))[str(path)]
    assert found == Prediction("B", "gen/0", ("a",), "A")
    assert found.key == "gen/0"


@pytest.mark.parametrize("header", ["id\tprediction\ttarget", "id\tprediction\tcase"])
def test_beside_an_id_a_part_of_a_row_is_not_looked_at(tmp_path, header):
    path = tmp_path / "p.tsv"
    path.write_text(f"{header}\ngen/0\tB\ta\n")
    assert read_predictions(path, ("source",)) == {str(path): [Prediction("B", "gen/0")]}


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_respondents_may_be_numbers(tmp_path, ending):
    path = tmp_path / f"p.{ending}"
    rows = [{"id": "gen/0", "respondent": seed, "prediction": "A"} for seed in (1, 20)]
    if ending == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        pq.write_table(pa.Table.from_pylist(rows), path)
    assert list(read_predictions(path, ("source",))) == [f"{path}:1", f"{path}:20"]


def test_two_inputs_tell_rows_apart(tmp_path):
    path = tmp_path / "p.tsv"
    path.write_text("hypothesis\tprediction\tpremise\ttarget\nh\tA\tp\tB\n")
    found = read_predictions(path, ("premise", "hypothesis"))[str(path)]
    assert found == [Prediction("A", None, ("p", "h"), "B", "")]
    with pytest.raises(
        InputError, match="there is no column 'context'; there is hypothesis, prediction, premise, target"
    ):
        read_predictions(path, ("premise", "context"))


def test_gold_are_all_rows_of_the_splits_that_are_named():
    said = [Prediction("A", "gen/1"), Prediction("A", "nowhere/3")]
    gold = gold_rows({"s": said}, dataset(), "f", no_tags)
    assert gold == [Gold("gen/0", ("a",), "A", "x", {"depth": 1}), Gold("gen/1", ("b",), "B", "y", {})]


def test_gold_are_the_rows_of_all_files_once():
    first = [Prediction("?", None, ("a",), "A", "x"), Prediction("?", None, ("a",), "A", "x")]
    second = [Prediction("!", None, ("b",), "B"), Prediction("!", None, ("a",), "A", "x")]
    gold = gold_rows({"1": first, "2": second}, None, "f", lambda case, target: {"depth": 7})
    assert gold == [Gold(None, ("a",), "A", "x", {"depth": 7}), Gold(None, ("b",), "B", "", {"depth": 7})]


def test_without_data_rows_that_are_all_there_are_gold_whatever_their_ids():
    first = [Prediction("?", "gen/7", ("a",), "A"), Prediction("?", "gen/9", ("a",), "A", "x")]
    second = [Prediction("!", "gen/9", ("a",), "A", "x"), Prediction("!", "gen/7", ("a",), "A", "x", "later")]
    gold = gold_rows({"1": first, "2": second}, None, "f", lambda case, target: {"depth": 7} if case else {})
    expected = [Gold("gen/7", ("a",), "A", "x", {"depth": 7}), Gold("gen/9", ("a",), "A", "x", {"depth": 7})]
    assert gold == expected
    assert align("1", [*first, first[0]], gold).outputs == ["?", "?"]
    assert align("1", [*first, first[0]], gold).duplicates == ["gen/7"]
    with pytest.raises(InputError, match="there: 'gen/7' is another row than in here"):
        gold_rows(
            {"1": [Prediction("?", "gen/7", ("a",), "A", "", "here")],
             "2": [Prediction("?", "gen/7", ("a",), "B", "", "there")]},
            None, "f", no_tags,
        )  # fmt: skip
    # With data the id decides.
    assert gold_rows({"1": first}, dataset(), "f", no_tags)[0].target == "A"
    assert len(gold_rows({"1": first}, dataset(), "f", no_tags)) == 2


def test_gold_of_files_says_where_it_stands():
    where = "gen.tsv, line {}".format
    rows = ListedRows([("a",), ("b",)], {"f": ["A", "B"]}, ["x", "y"], where=where)
    made = replace(dataset(), splits={"gen": Split("gen", Role.GENERALIZATION, rows)})
    assert [row.where for row in gold_rows({"s": [Prediction("", "gen/0")]}, made, "f", no_tags)] == [
        where(0),
        where(1),
    ]
    assert [row.where for row in gold_rows({"s": [Prediction("", "gen/0")]}, dataset(), "f", no_tags)] == ["", ""]


def test_ids_want_data():
    with pytest.raises(InputError, match="--data"):
        gold_rows({"s": [Prediction("A", "gen/0")]}, None, "f", no_tags)
    with pytest.raises(InputError, match="dev, gen"):
        gold_rows({"s": [Prediction("A", "train/0")]}, dataset(), "f", no_tags)


def test_alignment():
    gold = gold_rows({"s": [Prediction("", "gen/0"), Prediction("", "dev/0")]}, dataset(), "f", no_tags)
    said = [
        Prediction("late", "dev/1"),
        Prediction("A", "gen/0"),
        Prediction("again", "gen/0"),
        Prediction("?", "gen/2"),
    ]
    aligned = align("seed", said, gold)
    assert aligned.outputs == ["A", None, None, "late"]
    assert (aligned.missing, aligned.duplicates, aligned.unknown) == (["gen/1", "dev/0"], ["gen/0"], ["gen/2"])
    assert aligned.remarks() == [
        "seed: 2 missing, counted as incorrect: gen/1, dev/0",
        "seed: 1 given more than once, the first counts: gen/0",
        "seed: 1 unknown, left out: gen/2",
    ]


@pytest.mark.parametrize("target", ["A", "another form", None])
def test_an_id_and_inputs_that_contradict_each_other_are_refused(target):
    rows = ListedRows([("a b",), ("c",)], {"f": ["A", "B"]}, ["x", "y"], where="gen.tsv, line {}".format)
    read = replace(dataset(), splits={"gen": Split("gen", Role.GENERALIZATION, rows)})
    said = [
        Prediction("A", "gen/0", (" a  b ",), target),
        Prediction("A", "gen/1", ("d",), target, where="p.tsv, line 3"),
    ]
    gold = gold_rows({"s": said}, read, "f", no_tags)
    assert align("s", said[:1], gold).outputs == ["A", None]  # only spaces differ, and targets are the data's
    with pytest.raises(InputError) as refused:
        align("s", said, gold)
    assert str(refused.value) == (
        "p.tsv, line 3: 'gen/1' is 'd' here, but 'c' in the data (gen.tsv, line 1); "
        "the predictions are probably of other data (another seed or version)"
    )
    with pytest.raises(InputError, match=r"but 'c' in the data; the"):
        align("s", said, [replace(row, where="") for row in gold])


def test_inputs_beside_ids_are_read_without_targets_too(tmp_path):
    path = tmp_path / "p.tsv"
    path.write_text("source\tid\tprediction\na\tgen/0\tB\n")
    said = read_predictions(path, ("source",))
    assert said == {str(path): [Prediction("B", "gen/0", ("a",))]}
    with pytest.raises(InputError, match="--data"):
        gold_rows(said, None, "f", no_tags)


def test_an_empty_prediction_is_there():
    gold = [Gold("gen/0", ("a",), "A", "")]
    assert align("s", [Prediction("", "gen/0"), Prediction("A", "gen/0")], gold).duplicates == ["gen/0"]


def test_rows_with_the_same_words_and_other_targets_are_two():
    said = [Prediction("1", None, ("a",), "A"), Prediction("2", None, ("a",), "B")]
    assert align("s", said, gold_rows({"s": said}, None, "f", no_tags)).outputs == ["1", "2"]


def test_many_remarks_are_cut_short():
    gold = [Gold(f"gen/{i}", ("a",), "A", "") for i in range(1500)]
    (remark,) = align("s", [], gold).remarks()
    assert remark == "s: 1,500 missing, counted as incorrect: gen/0, gen/1, gen/2, and 1,497 more"
