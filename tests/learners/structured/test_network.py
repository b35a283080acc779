"""The network looks two words to either side, and at nothing else but how far apart words are."""

import pytest
import torch

from blicket.learners.structured.network import HIDDEN, Dropout, Parser, ParserShape, Scores, agreed
from blicket.training.initialisation import initialised

ARTICLE = 19


def network(seed: int = 1, members: int = 1, **shape: object) -> Parser:
    sizes = {"width": 16, "spelling": 4, "arcs": 8, "labels": 4, "members": members}
    articles = torch.arange(20) == ARTICLE
    parser = Parser(ParserShape(**sizes, **shape), articles, 5, 3, 4)  # type: ignore[arg-type]
    initialised(parser, "glorot", seed)
    with torch.no_grad():
        for member in parser.each:
            member.distance.copy_(torch.tensor([0.5, -0.3]))
    return parser


def words(batch: int, length: int) -> torch.Tensor:
    """Any words but articles."""
    return torch.stack([torch.randint(0, limit, (batch, length)) for limit in (ARTICLE, 3, 5)], -1)


def test_shapes() -> None:
    scores = network()(words(2, 6))
    assert [tuple(each.shape) for each in scores] == [(2, 6, 3), (2, 6, 7), (2, 6, 6, 4), (2, 6, 4)]


@pytest.mark.parametrize(("layers", "reach"), [(1, 1), (2, 2), (3, 3)])
def test_a_word_sees_as_far_as_there_are_layers(layers: int, reach: int) -> None:
    parser, sentence = network(layers=layers), words(1, 11)
    changed = sentence.clone()
    changed[0, 5, 0] = (changed[0, 5, 0] + 1) % ARTICLE
    before, after = parser(sentence).tags[0], parser(changed).tags[0]
    differing = [i for i in range(11) if not torch.equal(before[i], after[i])]
    assert differing == list(range(5 - reach, 5 + reach + 1))


def test_the_bilstm_sees_everything() -> None:
    parser, sentence = network(encoder="bilstm"), words(1, 11)
    changed = sentence.clone()
    changed[0, 10, 0] = (changed[0, 10, 0] + 1) % ARTICLE
    assert not torch.equal(parser(sentence).tags[0, 0], parser(changed).tags[0, 0])


def test_a_sentence_scores_the_same_in_company() -> None:
    parser, sentences = network(), words(4, 7)
    for together, alone in zip(parser(sentences), parser(sentences[2:3]), strict=True):
        assert torch.allclose(together[2], alone[0], atol=1e-6)


def test_nothing_heads_itself() -> None:
    arcs = network()(words(1, 5)).arcs[0]
    assert all(arcs[i, i] <= HIDDEN for i in range(5))
    assert (arcs[:, :-1] > HIDDEN).sum() == 20


def test_the_same_pair_further_apart_scores_less() -> None:
    """Padding with equal words on all sides leaves nothing but the distance to differ, and it counts as a logarithm."""
    (parser,) = network().each
    sentence = torch.ones(1, 30, 3, dtype=torch.long)
    arcs = parser(sentence).arcs[0].detach()
    near, far, farther = (float(arcs[10, 10 + d]) for d in (1, 4, 16))
    assert near > far > farther
    assert near - far == pytest.approx(far - farther, abs=1e-4)


def test_weights_come_from_the_seed_alone() -> None:
    for shape in ({}, {"encoder": "bilstm"}):
        torch.manual_seed(1)
        first = network(7, **shape).state_dict()
        torch.manual_seed(2)
        second, other = network(7, **shape).state_dict(), network(8, **shape).state_dict()
        assert all(torch.equal(first[name], second[name]) for name in first)
        assert not torch.equal(first["members.0.tag.weight"], other["members.0.tag.weight"])


def test_dropout_keeps_the_sum_and_comes_from_its_generator() -> None:
    x = torch.ones(10_000)
    first, second = (Dropout(0.25, torch.Generator().manual_seed(3))(x) for _ in range(2))
    assert torch.equal(first, second)
    assert float((first == 0).float().mean()) == pytest.approx(0.25, abs=0.02)
    assert float(first.max()) == pytest.approx(4 / 3)


@pytest.mark.parametrize(("dependents", "same"), [("before", True), ("around", False)])
def test_what_follows_a_word_does_not_attach_it(dependents: str, same: bool) -> None:
    """Its own modifier, say; but what the word is to a head may depend on it."""
    parser, sentence = network(dependents=dependents), words(1, 12)
    changed = sentence.clone()
    changed[0, 8, 0] = (changed[0, 8, 0] + 1) % ARTICLE
    (member,) = parser.each
    before, after = member(sentence), member(changed)
    heads = slice(0, 5)  # which see nothing of the change themselves
    assert torch.equal(before.arcs[0, 7, heads], after.arcs[0, 7, heads]) is same
    assert not torch.equal(before.labels[0, 7, heads], after.labels[0, 7, heads])


def test_what_precedes_a_word_attaches_it() -> None:
    parser, sentence = network(), words(1, 12)
    changed = sentence.clone()
    changed[0, 6, 0] = (changed[0, 6, 0] + 1) % ARTICLE
    assert not torch.equal(parser(sentence).arcs[0, 7, :3], parser(changed).arcs[0, 7, :3])


@pytest.mark.parametrize(("roles", "same"), [("place", True), ("around", False)])
@pytest.mark.parametrize("dependents", ["before", "around"])
def test_a_word_does_not_say_itself_what_it_is_to_a_head(dependents: str, roles: str, same: bool) -> None:
    """Its place does, so that all words there are alike; the words beside it matter, in whatever way they are seen."""
    (member,) = network(dependents=dependents, roles=roles).each
    sentence, heads = words(1, 12), slice(0, 4)  # which see nothing of words 6 to 8
    of_seven = []
    for place in (6, 7, 8):
        changed = sentence.clone()
        changed[0, place] = (changed[0, place] + 1) % 3
        of_seven.append(torch.equal(member(sentence).labels[0, 7, heads], member(changed).labels[0, 7, heads]))
    assert of_seven == [False, same, False]


def test_articles_are_passed_over_where_places_are_told_apart() -> None:
    """`saw Emma there` and `saw the girl there`: behind an article a word is still in the same place."""
    place = network().each[0].place
    bare = torch.randn(1, 9, 16)
    dressed = torch.cat((bare[:, :4], torch.randn(1, 1, 16), bare[:, 4:]), 1)
    without = place(bare, torch.zeros(1, 9, dtype=torch.bool))[0]
    within = place(dressed, torch.arange(10)[None] == 4)[0]
    assert torch.allclose(without, within[[0, 1, 2, 3, 5, 6, 7, 8, 9]], atol=1e-6)
    unmarked = place(dressed, torch.zeros(1, 10, dtype=torch.bool))[0]
    assert not torch.allclose(without[4], unmarked[5], atol=1e-3)


def test_a_place_is_three_words_on_either_side() -> None:
    place, none = network().each[0].place, torch.zeros(1, 9, dtype=torch.bool)
    x = torch.randn(1, 9, 16)
    before = place(x, none)[0]
    x[0, 4] += 1
    moved = [not torch.equal(one, other) for one, other in zip(before, place(x, none)[0], strict=True)]
    assert [i for i, different in enumerate(moved) if different] == [1, 2, 3, 5, 6, 7]


def test_members_are_unlike_and_vote() -> None:
    """The mean of logarithms: the third choice of both wins over what one of them likes best."""
    parser, sentence = network(members=2), words(1, 6)
    one, other = (member(sentence) for member in parser.each)
    assert not torch.equal(one.tags, other.tags)
    together = parser(sentence)
    assert torch.allclose(together.arcs, (one.arcs.log_softmax(-1) + other.arcs.log_softmax(-1)) / 2)
    assert torch.allclose(together.slots, (one.slots + other.slots) / 2)
    likes = [torch.tensor([0.5, 0.0001, 0.4999]).log(), torch.tensor([0.0001, 0.5, 0.4999]).log()]
    assert int(agreed([Scores(tags, tags, tags, tags) for tags in likes]).tags.argmax()) == 2
