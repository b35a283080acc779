"""Pairs of sentences through the commands: made, interpreted, scored, probed."""

import json

import pytest

SMALL = "--set blocks=2 --set jabberwocky=2 --set levels=3".split()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    from blicket.cli import main

    directory = tmp_path_factory.mktemp("natural-logic")
    for name, more in (("plain", []), ("probes", ["--set", "probes=true"])):
        with pytest.raises(SystemExit) as ended:
            main(["generate", "natural-logic", "-o", str(directory / name), "--json", *SMALL, *more])
        assert ended.value.code == 0
    return directory


def answers(made, names, change=lambda row, target: target):
    lines = ["id\tprediction"]
    for name in names:
        for row, line in enumerate((made / f"probes/{name}.tsv").read_text().splitlines()):
            lines.append(f"{name}/{row}\t{change(row, line.split(chr(9))[2])}")
    return "\n".join(lines) + "\n"


ALL = ("holdout", "jabberwocky", "neighbours", "reversed", "identical")


def test_generate_writes_pairs_and_on_request_those_of_probes(made):
    rows = [line.split("\t") for line in (made / "plain/holdout.tsv").read_text().splitlines()]
    assert len(rows) == 2 * 3**4
    assert {len(row) for row in rows} == {4}
    assert not (made / "plain/identical.tsv").exists()
    assert len((made / "probes/identical.tsv").read_text().splitlines()) == 2 * 36 * 36 * 3
    assert (made / "plain/train.tsv").read_bytes() == (made / "probes/train.tsv").read_bytes()


def test_interpret_prints_a_symbol_a_line(blicket):
    pairs = "all red N1.3 that hum not V1.2\tsome N1.4 V1.2\n"
    pairs += "all N1.1 V1.1\tall N1.2 V1.1\nall N1.1 V1.1\tsome N1.1 not V1.1\n"
    ran = blicket("interpret", "natural-logic", stdin=pairs)
    assert (ran.status, ran.out, ran.err) == (0, "#\n<\n^\n", "")


GOOD = "all N1.1 V1.1"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (f"{GOOD}\tall dogs V1.1", "line 2: word 2: 'dogs' in the hypothesis is no word of the language"),
        (
            f"al N1.1 V1.1\t{GOOD}",
            "line 2: word 1: 'al' in the premise is no word of the language; did you mean 'all'?",
        ),
        (f"all V1.1 N1.1\t{GOOD}", "line 2: word 2: 'V1.1' in the premise cannot stand here"),
        (f"{GOOD} {GOOD}", "line 2: 1 inputs, expected premise and hypothesis with a tab between"),
        (f"{GOOD}\t{GOOD}\t=", "line 2: 3 inputs, expected premise and hypothesis with a tab between"),
        (f"{GOOD}\tall N1.1 V2.1", "line 2: word 3: 'V2.1' in the hypothesis is of block 2"),
        (f"{GOOD}\tall N2.1 V2.1", "line 2: word 2: 'N2.1' in the hypothesis is of block 2"),
        (f"{GOOD}\t", "line 2: word 1: the hypothesis is empty"),
        ("", "line 2: 1 inputs"),
    ],
    ids=str,
)
def test_what_cannot_be_interpreted_is_refused_with_line_and_word(blicket, line, says):
    ran = blicket("interpret", "natural-logic", stdin=f"{GOOD}\t{GOOD}\n{line}\n")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "=\n\n", 1)
    assert ran.err.startswith(says)


@pytest.mark.parametrize("data", ["plain", "probes"])
def test_perfect_answers_pass_every_probe(blicket, made, tmp_path, data):
    """Also where the pairs of probes are not written out: they are derived again."""
    (tmp_path / "said.tsv").write_text(answers(made, ALL))
    ran = blicket("score", "natural-logic", tmp_path / "said.tsv", "--data", made / data, "--json")
    assert (ran.status, ran.err) == (0, "")
    scores = json.loads(ran.out)
    assert (scores["n"], scores["exact"]) == (4 * 3**4, 1.0)
    assert set(scores["by"]["split"]) == {"holdout", "jabberwocky"}
    assert set(scores["by"]["block"]) == set("1234")
    assert list(scores["probes"]) == ["holdout", "jabberwocky", "perturbation", "identical", "consistency"]
    for probe in scores["probes"].values():
        assert (probe["missing"], probe["unknown"]) == ([0], [0])
        assert {group["mean"] for kind in probe["by"].values() for group in kind.values()} == {1.0}


def test_faults_show_in_the_table(blicket, made, tmp_path):
    (tmp_path / "said.tsv").write_text(answers(made, ALL, lambda row, target: "#" if row % 2 else target))
    ran = blicket("score", "natural-logic", tmp_path / "said.tsv", "--data", made / "plain")
    assert (ran.status, ran.err) == (0, "")
    for title in (
        "By split",
        "Hold-out pairs",
        "Known-word",
        "insertion",
        "worst of",
        "Identical open-class",
        "Consist",
    ):
        assert title in ran.out
    assert max(map(len, ran.out.splitlines())) <= 100


def test_several_seeds_are_spread(blicket, made, tmp_path):
    (tmp_path / "a.tsv").write_text(answers(made, ALL))
    (tmp_path / "b.tsv").write_text(answers(made, ALL, lambda row, target: "#"))
    ran = blicket("score", "natural-logic", tmp_path / "a.tsv", tmp_path / "b.tsv", "--data", made / "plain", "--json")
    negation = json.loads(ran.out)["probes"]["identical"]["by"]["relation"]["negation"]
    assert [seed["mean"] for seed in negation["seeds"]] == [1.0, 0.0]
    assert (negation["mean"], negation["sd_over_seeds"]) == (0.5, pytest.approx(0.5**0.5))
    table = blicket("score", "natural-logic", tmp_path / "a.tsv", tmp_path / "b.tsv", "--data", made / "plain")
    assert "0.500±0.707" in table.out


def test_missing_and_unknown_answers_of_probes_are_said(blicket, made, tmp_path):
    said, said_file = answers(made, ("jabberwocky", "reversed")), tmp_path / "said.tsv"
    said_file.write_text(said.replace("reversed/0\t", "reversed/999999\t"))
    ran = blicket("score", "natural-logic", tmp_path / "said.tsv", "--data", made / "plain")
    assert ran.status == 0
    assert f"{said_file}: consistency: 1 of 162 items have no answer, counted as incorrect\n" in ran.err
    assert f"{said_file}: consistency: 1 answers are to items that are not there, left out\n" in ran.err
    assert "Known-word" not in ran.out


def test_answers_to_probes_alone_are_enough(blicket, made, tmp_path):
    (tmp_path / "said.tsv").write_text(answers(made, ("identical",)))
    ran = blicket("score", "natural-logic", tmp_path / "said.tsv", "--data", made / "plain", "--json")
    assert (ran.status, ran.err) == (0, "")
    scores = json.loads(ran.out)
    assert (scores["n"], list(scores["probes"])) == (0, ["identical"])
    assert blicket("score", "natural-logic", tmp_path / "said.tsv", "--data", made / "plain").status == 0


def test_a_file_of_ones_own_pairs_is_scored_without_data(blicket, tmp_path):
    (tmp_path / "own.csv").write_text("premise,hypothesis,target,prediction\nall N1.1 V1.1,some N1.1 V1.1,<,<\n")
    scores = json.loads(blicket("score", "natural-logic", tmp_path / "own.csv", "--json").out)
    assert (scores["n"], scores["exact"]) == (1, 1.0)
    assert "probes" not in scores


def test_a_gold_that_is_no_relation_is_one_clear_line(blicket, tmp_path):
    (tmp_path / "own.tsv").write_text("premise\thypothesis\ttarget\tprediction\na\tb\tneutral\t#\n")
    ran = blicket("score", "natural-logic", tmp_path / "own.tsv")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "own.tsv, line 2: the target is no relation form: 'neutral'; expected one of = < > ^ | v #" in ran.err


def test_it_is_shown_and_listed(blicket):
    shown = json.loads(blicket("show", "natural-logic", "--json").out)
    assert shown["splits"]["neighbours"] == "probe"
    assert "labels-2020" in shown["compat"]
    assert len(shown["published"]) == 124
    assert "natural-logic" in blicket("list").out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--set", "block=3"), "natural-logic has no option 'block'; did you mean 'blocks'?"),
        (("--set", "quantifiers=[all]"), "option quantifiers: expected a list such as ['all', 'some'], got '[all]'"),
        (("--compat", "label-2020"), "there is no compat 'label-2020'; did you mean 'labels-2020'?"),
        (("--form", "label"), "there is no form 'label'"),
    ],
)
def test_bad_options_are_one_clear_line(blicket, tmp_path, words, says):
    ran = blicket("generate", "natural-logic", "-o", tmp_path / "out", *words)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert says in ran.err
    assert not (tmp_path / "out").exists()
