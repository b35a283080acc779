import json

import pytest

CAT = "cat ( x _ 1 ) AND run . agent ( x _ 2 , x _ 1 )"


def test_a_form_a_line(blicket):
    ran = blicket("interpret", "cogs", stdin="A cat ran .\nEmma\nThe boy slept .\n")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == f"{CAT}\nEmma\n* boy ( x _ 1 ) ; sleep . agent ( x _ 2 , x _ 1 )\n"


def test_the_variable_free_form(blicket):
    ran = blicket("interpret", "cogs", "--form", "variable-free", stdin="The boy needed to crawl .\n")
    assert ran.out == "need ( agent = * boy , xcomp = crawl ( agent = * boy ) )\n"


def test_refused_lines_are_left_empty_and_named(blicket):
    ran = blicket("interpret", "cogs", stdin="A cat ran .\nA cat ran\n\nThe moon ran .\nA cat ran .\n")
    assert ran.status == 2
    assert ran.out == f"{CAT}\n\n\n\n{CAT}\n"
    complaints = ran.err.splitlines()
    assert [complaint.partition(":")[0] for complaint in complaints] == ["line 2", "line 3", "line 4"]
    assert "' .'" in complaints[0]
    assert "'moon'" in complaints[2]
    assert "word 2" in complaints[2]


def test_every_line_is_one_object_with_json(blicket):
    ran = blicket("interpret", "cogs", "--json", stdin="A cat ran .\nA cat run .\n")
    good, bad = map(json.loads, ran.out.splitlines())
    assert good == {"line": 1, "meaning": CAT, "refused": None}
    assert (bad["line"], bad["meaning"]) == (2, None)
    assert ran.err == f"line 2: {bad['refused']}\n"
    assert ran.status == 2


@pytest.mark.parametrize("text", ["A cat ran .\r\n", "A cat ran .", "A cat ran .\n"])
def test_however_lines_end(blicket, text):
    assert blicket("interpret", "cogs", stdin=text).out == f"{CAT}\n"


def test_nothing_in_nothing_out(blicket):
    ran = blicket("interpret", "cogs")
    assert (ran.status, ran.out, ran.err) == (0, "", "")


def test_the_reference_gets_its_released_forms(blicket, request):
    path = request.config.rootpath.parent / "shared/reference/cogs/gen_sample.tsv"
    if not path.exists():
        pytest.skip("the reference data is not here")
    rows = [line.split("\t") for line in path.read_text().splitlines()][:1000]
    ran = blicket("interpret", "cogs", stdin="".join(f"{row[0]}\n" for row in rows))
    assert (ran.status, ran.out.splitlines()) == (0, [row[1] for row in rows])


def test_a_line_that_is_not_text_is_refused_like_any_other(blicket):
    ran = blicket("interpret", "cogs", stdin=b"A cat ran .\nA \xff ran .\nA cat ran .\n")
    assert ran.status == 2
    assert ran.out == f"{CAT}\n\n{CAT}\n"
    assert ran.err.count("\n") == 1
    assert "line 2: not UTF-8" in ran.err


def test_a_byte_order_mark_is_no_part_of_the_sentence(blicket):
    ran = blicket("interpret", "cogs", stdin=b"\xef\xbb\xbfA cat ran .\n")
    assert (ran.status, ran.out) == (0, f"{CAT}\n")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("A cat ran .\nA cat ran .\n\ufeffA cat ran .\n", "line 3: word 1: '\\ufeffA' is not a word"),
        ("A cat ran .\r\r\n", "line 1: word 4: "),
        ("A cat ran . \n", "line 1: word 4: a space follows '.', where the line should end"),
        ("A\tcat ran .\n", "line 1: word 1: 'A' is followed by a tab; one space is wanted"),
        ("A cat ran .\t\n", "line 1: word 4: a tab follows '.', where the line should end"),
    ],
    ids=ascii,
)
def test_only_the_end_of_a_line_and_the_first_byte_order_mark_are_stripped(blicket, text, says):
    ran = blicket("interpret", "cogs", stdin=text)
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert ran.out == f"{CAT}\n" * (text.count("\n") - 1) + "\n"
    assert ran.err.startswith(says)


def test_it_nests_without_limit(blicket):
    depth = 1200
    ran = blicket("interpret", "cogs", stdin="Emma said that " * depth + "a cat ran .\n")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.count("ccomp") == depth
