import importlib.util
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import blicket
from blicket.core.graph import Arc, Node, SemanticGraph
from blicket.report.parsepicture import parse_picture, text_width
from blicket.report.parses import Parse

COGS = blicket.benchmark("cogs")
DOCS = Path(__file__).parents[2] / "docs"
SVG = "{http://www.w3.org/2000/svg}"
LONG = (
    "Emma said that Liam hoped that the girl beside the table in the house believed that a cat was given a cookie on "
    "the tray in the box on the bed beside the tree by the boy in a room ."
)
EVIL = "</text><script>alert(1)</script>\"'&"


def parse(sentence, **more):
    tokens = sentence.split()
    target = COGS.interpret((sentence,), "conjunctive")
    return Parse(tokens, COGS.notations["conjunctive"].read(tokens, target), **more)


def drawn(of, **more):
    return ElementTree.fromstring(str(parse_picture(of, **more)))


def classes(node):
    return (node.get("class") or "").split()


def texts(picture, *wanted):
    return [node for node in picture.iter("text") if set(wanted) <= set(classes(node))]


def tokens_of(picture):
    return [node for node in picture.iter("text") if {"token", "content"} & set(classes(node))]


def arcs(picture):
    """Fate, and the places of the feet, of each arc that rises from one token and comes down on another."""
    for group in picture.iter("g"):
        for path in group.findall("path"):
            found = re.match(r"M([\d.]+) [^H]+H", path.get("d"))
            if path.get("class") == "arc" and found:
                tip = group.find("path[@class='tip']").get("d")
                yield group.get("class"), float(found[1]), float(re.match(r"M([\d.]+)", tip)[1])


@pytest.mark.parametrize("sentence", [LONG, "Emma wanted to walk .", "A hedgehog gave the cat beside Liam a cookie ."])
def test_arcs_run_from_head_to_dependent(sentence):
    of = parse(sentence)
    picture = drawn(of)
    at = [float(node.get("x")) for node in tokens_of(picture)]
    assert [node.text for node in tokens_of(picture)] == sentence.split()
    nearest = [
        tuple(min(range(len(at)), key=lambda i, x=foot: abs(at[i] - x)) for foot in feet) for _, *feet in arcs(picture)
    ]
    assert nearest == [(arc.head, arc.dependent) for arc in of.graph.arcs]


@pytest.mark.parametrize("sentence", [LONG, "Emma wanted to walk .", "hedgehog", "touch"])
def test_no_two_labels_overlap_and_none_sticks_out(sentence):
    picture = drawn(parse(sentence))
    boxes = []
    for node in texts(picture, "over"):
        half = text_width(node.text, 12) / 2
        x, y = float(node.get("x")), float(node.get("y"))
        boxes.append((x - half, x + half, y - 12, y + 3))
    for i, a in enumerate(boxes):
        assert a[0] >= 0
        assert a[1] <= float(picture.get("width"))
        assert a[2] >= 0
        assert not [b for b in boxes[:i] if a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]]


def test_content_words_have_tag_and_predicate_and_the_root_a_mark():
    picture = drawn(parse("Emma said that the cake burned ."))
    assert [node.text for node in texts(picture, "content")] == ["Emma", "said", "cake", "burned"]
    read = [node.text for node in texts(picture, "read")]
    assert read == ["proper", "Emma", "verb", "say", "definite", "cake", "verb", "burn"]
    (root,) = (node for node in texts(picture, "over") if node.text == "root")
    said = texts(picture, "content")[1]
    assert abs(float(root.get("x")) - float(said.get("x"))) < text_width("said", 14) / 2


def test_slots_are_boxes_and_empty_ones_have_no_word():
    picture = drawn(parse("Emma said that the cake burned .", roles={"verb": ["agent", "ccomp", "theme", "xcomp"]}))
    slots = [node for node in picture.iter("g") if "slot" in classes(node)]
    said = [(classes(node)[1], *(text.text for text in node.iter("text"))) for node in slots]
    assert said == [
        ("same", "agent", "Emma"),
        ("same", "ccomp", "burned"),
        ("empty", "theme"),
        ("empty", "xcomp"),
        ("empty", "agent"),
        ("empty", "ccomp"),
        ("same", "theme", "cake"),
        ("empty", "xcomp"),
    ]
    assert all(node.find("rect") is not None for node in slots)


def test_what_differs_from_gold_says_so_in_words():
    nodes = (Node("proper", "Ava"), Node("verb", "see"), Node("proper", "Liam"))
    ours, gold = (SemanticGraph(nodes, (Arc(1, "agent", 0), Arc(1, label, 2))) for label in ("theme", "recipient"))
    picture = drawn(Parse(["Ava", "saw", "Liam"], ours, gold))
    labels = {(node.text, classes(node)[1]) for node in texts(picture, "over")}
    assert labels == {
        ("agent", "same"),
        ("root", "same"),
        ("wrong: theme", "wrong"),
        ("missing: recipient", "missing"),
    }
    assert [fate for fate, *_ in arcs(picture)] == ["same", "wrong", "missing"]
    assert picture.find("desc").text == (
        "agent of saw is Ava; wrong: theme of saw is Liam; missing: recipient of saw is Liam"
    )


def test_what_comes_from_data_is_text():
    nodes = (Node(EVIL, EVIL), Node("verb", "\x00\x1b"), None)
    of = Parse([EVIL, "\ud800", "]]>"], SemanticGraph(nodes, (Arc(1, EVIL, 0),)), roles={"verb": ["<b>"]})
    picture = drawn(of, alone=True)
    assert not [node for node in picture.iter() if node.tag in (f"{SVG}script", f"{SVG}b")]
    words = [node.text for node in picture.iter(f"{SVG}text")]
    cut = EVIL[:31] + "…" if len(EVIL) > 32 else EVIL
    assert words.count(cut) >= 3
    assert "��" in words
    assert "]]>" in words


def test_long_words_are_cut():
    picture = drawn(Parse(["w" * 400], SemanticGraph((None,))))
    assert [node.text for node in tokens_of(picture)] == ["w" * 31 + "…"]
    assert float(picture.get("width")) < 600


def test_a_head_of_itself_is_drawn():
    picture = drawn(Parse(["saw"], SemanticGraph((Node("verb", "see"),), (Arc(0, "agent", 0),))))
    assert [node.text for node in texts(picture, "over")] == ["agent of itself"]


def test_a_picture_alone_has_its_style_and_asks_for_nothing():
    of = parse("Emma said that the cake burned .")
    text = str(parse_picture(of, alone=True))
    assert "prefers-color-scheme: dark" in text
    assert not re.search(r"url\(|@import|href|https?://(?!www\.w3\.org/2000/svg)", text)
    assert ElementTree.fromstring(text).tag == f"{SVG}svg"
    assert "<style" not in parse_picture(of)


def test_the_pictures_of_the_docs_are_as_drawn():
    spec = importlib.util.spec_from_file_location("draw", DOCS / "draw.py")
    draw = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(draw)
    kept = {file.name: file.read_text("utf-8") for file in (DOCS / "pictures").iterdir()}
    assert kept == draw.pictures()
