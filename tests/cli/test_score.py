import json
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from blicket import benchmark

EAT = ("Emma ate .", "eat . agent ( x _ 1 , Emma )")


def write(path, header, rows):
    path.write_text("\n".join(["\t".join(header), *("\t".join(row) for row in rows)]) + "\n", "utf-8")
    return path


def scores(ran):
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


@pytest.fixture
def own(blicket, tmp_path):
    """Scores predictions that come with their rows."""

    def score(*predictions, source=EAT[0], target=EAT[1]):
        rows = [(f"{source}", target, prediction) for prediction in predictions]
        return blicket("score", "cogs", write(tmp_path / "own.tsv", ("source", "target", "prediction"), rows), "--json")

    return score


@pytest.fixture
def by_id(blicket, tmp_path, data, gold):
    """Scores predictions of gen by id, all right but for what is changed."""

    def score(name="p.tsv", *words, changed=(), extra=()):
        answers = {f"gen/{i}": target for i, (_, target, _) in enumerate(gold)} | dict(changed)
        rows = [(id_, answer) for id_, answer in answers.items() if answer is not None]
        path = write(tmp_path / name, ("id", "prediction"), [*rows, *extra])
        return blicket("score", "cogs", path, "--data", data, "--json", *words)

    return score


def test_gold_scores_as_perfect(by_id):
    ran = by_id()
    said = scores(ran)
    assert ran.err == ""
    assert (said["benchmark"], said["form"], said["n"]) == ("cogs", "conjunctive", 210)
    assert [said[name] for name in ("exact", "meaning", "structure_match", "unparseable")] == [1, 1, 1, 0]


def test_the_groups_are_those_of_the_papers(by_id):
    by = scores(by_id())["by"]
    assert {case: group["n"] for case, group in by["case"].items()} == dict.fromkeys(by["case"], 10)
    assert len(by["case"]) == 21
    assert {kind: group["n"] for kind, group in by["kind"].items()} == {"lexical": 180, "structural": 30}
    assert {depth: group["n"] for depth, group in by["depth"].items()} == {str(depth): 2 for depth in range(3, 13)}
    assert len(by["case_depth"]) == 20
    assert by["case_depth"]["cp_recursion/12"]["n"] == 1
    for kind in by.values():
        for group in kind.values():
            assert {"n", "exact", "meaning", "structure_match", "unparseable"} <= set(group)


def test_errors_are_counted_where_they_are(by_id, gold):
    deep = next(i for i, (_, target, case) in enumerate(gold) if case == "pp_recursion" and target.count("nmod") == 7)
    said = scores(by_id(changed={f"gen/{deep}": "nonsense ("}))
    assert said["exact"] == said["meaning"] == 209 / 210
    assert said["unparseable"] == 1 / 210
    by = said["by"]
    assert by["case"]["pp_recursion"]["exact"] == 0.9
    assert by["case"]["cp_recursion"]["exact"] == 1
    assert by["kind"]["structural"]["unparseable"] == 1 / 30
    assert by["depth"]["7"]["exact"] == 0.5
    assert by["case_depth"]["pp_recursion/7"]["exact"] == 0


def test_missing_duplicate_and_unknown_rows_are_counted_and_named(by_id):
    ran = by_id(
        changed={"gen/3": None, "gen/4": None, "gen/5": "wrong"},
        extra=[("gen/5", "too late"), ("gen/999", "x"), ("dev/0", "x"), ("nowhere/1", "x"), ("gen", "x"), ("", "x")],
    )
    said = scores(ran)
    lines = ran.err.splitlines()
    assert (said["n"], said["exact"]) == (214, 207 / 214)  # dev has four rows, three of them missing
    (file,) = said["files"]
    assert (file["missing"], file["duplicates"], file["unknown"]) == (5, 1, 4)
    assert file["missing_rows"] == ["gen/3", "gen/4", "dev/1", "dev/2", "dev/3"]
    assert (file["duplicate_rows"], file["unknown_rows"]) == (["gen/5"], ["gen/999", "nowhere/1", "gen", ""])
    assert "5 missing, counted as incorrect: gen/3, gen/4, dev/1, and 2 more" in lines[0]
    assert "1 given more than once, the first counts: gen/5" in lines[1]
    assert "4 unknown, left out: gen/999, nowhere/1, gen, and 1 more" in lines[2]
    assert len(lines) == 3


def test_the_first_of_several_predictions_counts(by_id, gold):
    assert scores(by_id(extra=[("gen/0", "wrong")]))["exact"] == 1
    assert scores(by_id(changed={"gen/0": "wrong"}, extra=[("gen/0", gold[0][1])]))["exact"] == 209 / 210


@pytest.mark.parametrize(
    "prediction",
    [
        "eat . agent ( x _ 1 , Emma )",
        "eat.agent(x_1,Emma)",
        "eat.agent ( x_1, Emma )",
        "  eat . agent  ( x _ 1 , Emma ) ",
    ],
)
def test_spacing_does_not_matter(own, prediction):
    said = scores(own(prediction))
    assert (said["exact"], said["meaning"]) == (1, 1)


@pytest.mark.parametrize(
    ("prediction", "expected"),
    [
        ("eat . agent ( x _ 9 , Emma )", {"exact": 0, "meaning": 1, "structure_match": 1, "unparseable": 0}),
        ("eat . agent ( x _ 1 , Liam )", {"exact": 0, "meaning": 0, "structure_match": 1, "unparseable": 0}),
        ("eat . theme ( x _ 1 , Emma )", {"exact": 0, "meaning": 0, "unparseable": 0}),
        ("eat . agent ( x _ 1 , x _ 2 )", {"exact": 0, "meaning": 0, "unparseable": 0}),
        ("eat . strange ( x _ 1 , Emma )", {"exact": 0, "meaning": 0, "unparseable": 0}),
        ("eat . agent ( x _ 1 , Emma", {"exact": 0, "meaning": 0, "unparseable": 1, "early_end": 1}),
        ("", {"exact": 0, "meaning": 0, "unparseable": 1}),
        ("   ", {"exact": 0, "meaning": 0, "unparseable": 1}),
        ("🙂", {"exact": 0, "meaning": 0}),
        ("eat . agent ( x _ 1 , Emma ) " * 101, {"exact": 0, "meaning": 0, "too_long": 1}),
    ],
)
def test_verdicts(own, prediction, expected):
    said = scores(own(prediction))
    assert {name: said[name] for name in expected} == expected


def test_order_does_not_matter_to_meaning(own):
    gold, said = "run . agent ( x _ 2 , x _ 1 ) AND cat ( x _ 1 )", "cat ( x _ 1 ) AND run . agent ( x _ 2 , x _ 1 )"
    numbers = scores(own(said, source="A cat ran .", target=gold))
    assert (numbers["exact"], numbers["meaning"]) == (0, 1)


def test_rows_of_ones_own_have_cases_and_depths(blicket, tmp_path, gold):
    header = ("source", "target", "case", "prediction")
    path = write(tmp_path / "own.tsv", header, [(*row, row[1]) for row in gold])
    said = scores(blicket("score", "cogs", path, "--json"))
    assert (said["n"], said["exact"]) == (210, 1)
    assert said["by"]["kind"]["lexical"]["n"] == 180
    assert set(said["by"]["depth"]) == {str(depth) for depth in range(3, 13)}


def test_without_cases_there_are_no_groups(own):
    assert scores(own(EAT[1]))["by"].get("case", {}) == {}


def test_a_case_of_data_that_is_not_the_papers_stands_by_itself(blicket, tmp_path):
    (tmp_path / "data").mkdir()
    write(tmp_path / "data/gen.tsv", (*EAT, "my[/case]"), [])
    path = write(tmp_path / "p.tsv", ("id", "prediction"), [("gen/0", EAT[1])])
    assert list(scores(blicket("score", "cogs", path, "--data", tmp_path / "data", "--json"))["by"]["case"]) == [
        "my[/case]"
    ]
    ran = blicket("score", "cogs", path, "--data", tmp_path / "data")
    assert ran.status == 0
    assert "my[/case]" in ran.out


def test_files_are_seeds(by_id, blicket, tmp_path, data):
    by_id("a.tsv")
    by_id("b.tsv", changed={f"gen/{i}": "x" for i in range(21)})
    ran = blicket("score", "cogs", tmp_path / "a.tsv", tmp_path / "b.tsv", "--data", data, "--json")
    said = scores(ran)
    assert said["n"] == 210
    assert said["exact"] == pytest.approx(0.95)
    assert said["sd"]["exact"] == pytest.approx(0.05 * 2**0.5)
    assert [(s["file"].rpartition("/")[2], s["exact"]) for s in said["seeds"]] == [("a.tsv", 1), ("b.tsv", 0.9)]
    assert "sd" in said["by"]["kind"]["lexical"]
    table = blicket("score", "cogs", tmp_path / "a.tsv", tmp_path / "b.tsv", "--data", data)
    assert table.status == 0
    assert "2 seeds: mean and sd" in table.out
    assert "0.950±0.071" in table.out


def test_respondents_in_one_file_are_seeds(blicket, tmp_path, data):
    header = ("id", "respondent", "prediction")
    rows = [("dev/0", "seed 1", "x"), ("dev/0", "seed 2", "y"), ("dev/1", "seed 2", "z")]
    ran = blicket("score", "cogs", write(tmp_path / "r.tsv", header, rows), "--data", data, "--json")
    said = scores(ran)
    assert [seed["file"].rpartition("r.tsv")[2] for seed in said["seeds"]] == [":seed 1", ":seed 2"]
    assert [file["missing"] for file in said["files"]] == [3, 2]
    assert [file["duplicates"] for file in said["files"]] == [0, 0]


def test_a_case_known_to_one_file_only_does_not_double_the_rows(blicket, tmp_path):
    a = write(tmp_path / "a.tsv", ("source", "target", "case", "prediction"), [(*EAT, "cp_recursion", EAT[1])])
    b = write(tmp_path / "b.tsv", ("source", "target", "prediction"), [(*EAT, EAT[1])])
    for files in ([a, b], [b, a]):
        said = scores(blicket("score", "cogs", *files, "--json"))
        assert (said["n"], said["exact"]) == (1, 1)


@pytest.mark.parametrize("words", [("-", "--data"), ("--data", "-")], ids=["before", "after"])
@pytest.mark.parametrize("text", ["id\tprediction\ndev/0\tx\n", '{"id": "dev/0", "prediction": "x"}\n'])
def test_a_dash_is_standard_input(blicket, data, words, text):
    words = [word for word in words for word in ((word, data) if word == "--data" else (word,))]
    ran = blicket("score", "cogs", *words, "--json", stdin=text)
    assert scores(ran)["n"] == 4


@pytest.mark.parametrize("ending", ["tsv", "csv", "jsonl", "parquet"])
def test_files_of_every_format(blicket, tmp_path, data, gold, ending):
    ids, answers = [f"gen/{i}" for i in range(len(gold))], [row[1] for row in gold]
    path = tmp_path / f"p.{ending}"
    if ending == "parquet":
        pq.write_table(pa.table({"extra": list(range(210)), "id": ids, "prediction": answers}), path)
    elif ending == "jsonl":
        rows = zip(ids, answers, strict=True)
        path.write_text("".join(json.dumps({"prediction": a, "id": i, "scores": [1]}) + "\n" for i, a in rows))
    elif ending == "csv":
        path.write_text("id,prediction\n" + "".join(f'{i},"{a}"\n' for i, a in zip(ids, answers, strict=True)))
    else:
        write(path, ("id", "prediction"), zip(ids, answers, strict=True))
    assert scores(blicket("score", "cogs", path, "--data", data, "--json"))["exact"] == 1


@pytest.mark.parametrize("character", ["\u2028", "\x85", "\x0b", "\x0c", "\x1c", "\r", '"'])
def test_only_a_line_feed_ends_a_row(blicket, tmp_path, data, character):
    path = tmp_path / "p.tsv"
    path.write_bytes(f"id\tprediction\ndev/0\tone{character}two\ndev/1\tx\n".encode())
    said = scores(blicket("score", "cogs", path, "--data", data, "--json"))
    (file,) = said["files"]
    assert (file["missing"], file["duplicates"], file["unknown"]) == (2, 0, 0)


def test_carriage_returns_and_a_byte_order_mark_do_no_harm(blicket, tmp_path, data, gold):
    path = tmp_path / "p.tsv"
    text = "".join(f"gen/{i}\t{target}\r\n" for i, (_, target, _) in enumerate(gold))
    path.write_bytes(b"\xef\xbb\xbf" + ("id\tprediction\r\n" + text).encode())
    ran = blicket("score", "cogs", path, "--data", data, "--json")
    assert (scores(ran)["exact"], ran.err) == (1, "")


def test_the_variable_free_form(blicket, tmp_path, data):
    sources = [line.split("\t")[0] for line in (data / "test.tsv").read_text().splitlines()]
    free = blicket("interpret", "cogs", "--form", "variable-free", stdin="\n".join(sources)).out.splitlines()
    path = write(tmp_path / "p.tsv", ("id", "prediction"), [(f"test/{i}", form) for i, form in enumerate(free)])
    said = scores(blicket("score", "cogs", path, "--data", data, "--form", "variable-free", "--json"))
    assert (said["form"], said["exact"]) == ("variable-free", 1)
    assert scores(blicket("score", "cogs", path, "--data", data, "--json"))["exact"] == 0


def test_familiar_rows_are_told_apart(by_id, gold, data):
    said = scores(by_id())["familiar"]
    train = [line.split("\t") for line in (data / "train.tsv").read_text().splitlines()]
    words = {word for source, _, _ in train for word in source.split()}
    labels = {token for _, target, _ in train for token in target.split()}
    of_words = [set(source.split()) <= words for source, _, _ in gold]
    of_labels = [set(target.split()) <= labels for _, target, _ in gold]
    assert said["words"]["n"] == sum(of_words)
    assert said["labels"]["n"] == sum(of_labels)
    assert said["words_and_labels"]["n"] == sum(a and b for a, b in zip(of_words, of_labels, strict=True))


def test_the_table_fits_and_has_the_published_numbers(by_id, blicket, tmp_path, data):
    by_id()
    ran = blicket("score", "cogs", tmp_path / "p.tsv", "--data", data)
    assert ran.status == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "Transf." in ran.out
    assert "Subject to object (common noun)" in " ".join(ran.out.split())


@pytest.mark.parametrize("seeds", [1, 3, 5])
@pytest.mark.parametrize("wrong", [0, 1, 3])
def test_every_published_number_stands_whole_in_80_columns(blicket, tmp_path, data, gold, seeds, wrong):
    files = []
    for seed in range(seeds):
        rows = [(f"gen/{i}", "x" if (i + seed) % 3 < wrong else target) for i, (_, target, _) in enumerate(gold)]
        files.append(write(tmp_path / f"{seed}.tsv", ("id", "prediction"), rows))
    ran = blicket("score", "cogs", *files, "--data", data)
    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= 80
    shown = [numbers for line in lines if len(numbers := re.findall(r" ([01]\.\d\d)(?= |$)", line)) == 3]
    cogs = benchmark("cogs")
    groups = [("split", "gen"), *(("case", case) for case in cogs.cases), ("depth_band", "3-5"), ("depth_band", "6-12")]
    assert shown == [[f"{value:.2f}" for value in cogs.beside(*group).values()] for group in groups]


@pytest.mark.parametrize("option", ["--data", "--official"])
@pytest.mark.parametrize("columns", [("id", "source", "prediction"), ("id", "source", "target", "case", "prediction")])
def test_predictions_of_other_data_are_refused(blicket, tmp_path, data, gold, option, columns):
    rows = [
        {"id": f"gen/{i}", "source": gold[other][0], "target": "?", "case": "", "prediction": ""}
        for i, other in ((3, 3), (4, 5))
    ]
    path = write(tmp_path / "p.tsv", columns, [[row[name] for name in columns] for row in rows])
    ran = blicket("score", "cogs", path, option, data)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    place = f"{data / 'gen.tsv'}, line 5"
    assert f"{path}, line 3: 'gen/4' is {gold[5][0]!r} here, but {gold[4][0]!r} in the data ({place})" in ran.err
    assert "other data" in ran.err


def test_official_files_are_gold_too(blicket, tmp_path, data):
    path = write(tmp_path / "p.tsv", ("id", "prediction"), [("dev/0", "x")])
    assert scores(blicket("score", "cogs", path, "--official", data, "--json"))["n"] == 4
