"""Verdicts against plain reimplementations of the papers' definitions, on corrupted forms and the papers' examples."""

import re
from collections import Counter
from functools import cache
from itertools import permutations

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from blicket.benchmarks.cogs import Cogs
from blicket.benchmarks.cogs.scoring import CogsJudge
from blicket.core.errors import FormError
from blicket.core.verdict import Outcome, Verdict

CONJUNCTIVE, FREE = FORMS = ("conjunctive", "variable-free")
THEMATIC = {"agent", "theme", "recipient", "ccomp", "xcomp", "nmod", "on", "in", "beside"}
PUNCTUATION = "(),.;*=_"
ALONE = PUNCTUATION + "[]"

# --- the reimplementations: slow, and in other words


def tokens_of(text):
    """Punctuation stands alone, `[...]` is one token, the rest are runs; but `)ANDeat` and `LAMBDAa.` are three."""
    tokens, i = [], 0
    while i < len(text):
        if text[i].isspace():
            i += 1
            continue
        end = i + 1
        closing = text.find("]", i)
        inner = text[i + 1 : closing] if text[i] == "[" and closing > i + 1 else ""
        if inner and not any(c.isspace() or c in "[(),.;*=" for c in inner):
            end = closing + 1
        elif text[i] not in ALONE:
            while end < len(text) and not text[end].isspace() and text[end] not in ALONE:
                end += 1
            run, before, after = text[i:end], text[:i][-1:], text[end : end + 1]
            if run.startswith("AND") and before == ")":
                end = i + 3
            elif run[:-1] == "LAMBDA" and "a" <= run[-1] <= "z" and after == "." and before.strip() in {"", "."}:
                end = i + 6
        tokens.append(text[i:end])
        i = end
    return tokens


def kind(token):
    """Footnote 20: lexical meanings, thematic roles, indices; everything else is structure and must be the same."""
    if token.isdigit():
        return "index"
    if token in THEMATIC:
        return "role"
    if token in {"AND", "LAMBDA", "x", "a", "b", "e"} or token in PUNCTUATION:
        return token
    return "word"


def structure_matches(gold, said):
    return [kind(t) for t in gold] == [kind(t) for t in said]


def wrong_kinds(gold, said):
    return {kind(a) for a, b in zip(gold, said, strict=True) if a != b}


def input_words(gold):
    """For each token of a conjunctive gold form, the input word that it renders: x_i for predicates, or the name."""
    owners, conjunct = [], []
    for token in [*gold, "AND"]:
        if token in ("AND", ";"):
            index = next(
                (conjunct[i + 3] for i in range(len(conjunct) - 3) if conjunct[i : i + 3] == ["(", "x", "_"]), ""
            )
            opening = conjunct.index("(") if "(" in conjunct else 0
            owners += [f"{index}" if i < opening and index else t for i, t in enumerate(conjunct)]
            owners.append("")
            conjunct = []
        else:
            conjunct.append(token)
    return owners[: len(gold)]


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (left != right))
    return row[-1]


def is_word(token):
    return (
        token not in ("AND", "LAMBDA")
        and not re.fullmatch("[0-9]+", token)
        and (re.fullmatch(r"\[[^\s\[\](),.;*=]+\]", token) is not None or not set(token) & set(PUNCTUATION))
    )


class Wrong(Exception):
    pass


class Tokens:
    def __init__(self, tokens):
        self.left = list(tokens)

    def peek(self):
        return self.left[0] if self.left else ""

    def take(self, *wanted):
        if not self.left or (wanted and self.left[0] not in wanted):
            raise Wrong
        return self.left.pop(0)

    def word(self):
        if not self.left or not is_word(self.left[0]):
            raise Wrong
        return self.left.pop(0)

    def binders(self):
        found = []
        while self.peek() == "LAMBDA":
            self.take()
            found.append(self.word())
            self.take(".")
        return found

    def name(self):
        return len(self.left) == 1 and is_word(self.left[0]) and (self.left[0][0].isupper() or self.left[0][0] == "[")


def read_conjunctive(tokens):
    """(binders, [(starred, predicate, arguments)]), or Wrong; a name stands for itself."""
    rest = Tokens(tokens)
    if rest.name():
        return tokens[0]
    binders, conjuncts = rest.binders(), []
    while True:
        starred = rest.peek() == "*"
        if starred:
            if any(not star for star, _, _ in conjuncts):
                raise Wrong
            rest.take()
        predicate = [rest.word()]
        while rest.peek() == "." and len(predicate) < 3:
            rest.take()
            predicate.append(rest.word())
        rest.take("(")
        arguments = [argument(rest)]
        if rest.peek() == ",":
            rest.take()
            arguments.append(argument(rest))
        rest.take(")")
        conjuncts.append((starred, tuple(predicate), tuple(arguments)))
        if not starred and not rest.left:
            return binders, conjuncts
        rest.take(";" if starred else "AND")


def argument(rest):
    if rest.left[:2] == ["x", "_"]:
        del rest.left[:2]
        if not re.fullmatch("0|[1-9][0-9]{0,8}", rest.peek()):
            raise Wrong
        return int(rest.take())
    return rest.word()


def read_free(tokens):
    """(binders, term), terms as (word, starred, ((role, term), ...)); or Wrong."""
    rest = Tokens(tokens)
    if rest.name():
        return tokens[0]
    binders = rest.binders()

    def term(top):
        starred = rest.peek() == "*"
        if starred:
            rest.take()
        word, arguments = rest.word(), []
        if top and rest.peek() != "(":
            raise Wrong
        if rest.peek() == "(":
            rest.take()
            if top and binders and rest.left[1:2] == [")"]:
                arguments = [("", (rest.word(), False, ()))]
                rest.take(")")
                return word, starred, tuple(arguments)
            while True:
                role = rest.word()
                if rest.peek() == ".":
                    rest.take()
                    role += f".{rest.word()}"
                rest.take("=")
                arguments.append((role, term(False)))
                if rest.take(",", ")") == ")":
                    break
        return word, starred, tuple(arguments)

    whole = term(True)
    if rest.left:
        raise Wrong
    return binders, whole


def same_conjuncts(first, second):
    """By trying all bijections of the variables."""
    if isinstance(first, str) or isinstance(second, str) or len(first[0]) != len(second[0]):
        return first == second

    def bound(form):
        rank = {word: f"LAMBDA {i}" for i, word in enumerate(form[0])}
        return [(s, p, tuple(rank.get(a, a) for a in args)) for s, p, args in form[1]]

    ours, theirs = bound(first), bound(second)
    mine, yours = (sorted({a for _, _, args in form for a in args if isinstance(a, int)}) for form in (ours, theirs))
    if len(mine) != len(yours) or len(ours) != len(theirs):
        return False
    wanted = Counter(theirs)
    for image in permutations(yours):
        name = dict(zip(mine, image, strict=True))
        if Counter((s, p, tuple(name.get(a, a) for a in args)) for s, p, args in ours) == wanted:
            return True
    return False


def same_terms(first, second):
    def sorted_term(form):
        rank = {word: f"LAMBDA {i}" for i, word in enumerate(form[0])}

        def normal(term, top=False):
            word, starred, arguments = term
            leaf = not arguments and not starred and not top
            inner = sorted((role, normal(filler)) for role, filler in arguments)
            return (rank.get(word, word) if leaf else word, starred, tuple(inner))

        return len(form[0]), normal(form[1], True)

    if isinstance(first, str) or isinstance(second, str):
        return first == second
    return sorted_term(first) == sorted_term(second)


def naive(form, target, prediction):
    gold, said = tokens_of(target), tokens_of(prediction)
    read, same = (read_conjunctive, same_conjuncts) if form == CONJUNCTIVE else (read_free, same_terms)
    try:
        outcome = Outcome.CORRECT if same(read(gold), read(said)) else Outcome.INCORRECT
    except Wrong:
        outcome = Outcome.UNPARSEABLE
    marks = set()
    if structure_matches(gold, said):
        marks.add("structure_match")
        wrong = wrong_kinds(gold, said)
        if wrong == {"index"}:
            marks.add("index_only")
        if wrong == {"word"} and form == CONJUNCTIVE:
            owners = {owner for owner, a, b in zip(input_words(gold), gold, said, strict=True) if a != b}
            marks |= {"single_lexical"} if len(owners) == 1 else set()
    if said != gold and "".join(f"{t} " for t in gold).startswith("".join(f"{t} " for t in said)):
        marks.add("early_end")
    if len(said) > 1000:
        marks.add("too_long")
    if target.rstrip().endswith(")") and not prediction.rstrip().endswith(")"):
        marks.add("ill_formed")
    return outcome, gold == said, marks, edit_distance(gold, said)


def agree(form, target, prediction):
    verdict = CogsJudge(form).verdict(("",), target, prediction)
    outcome, exact, marks, distance = naive(form, target, prediction)
    assert verdict.exact == exact
    assert verdict.outcome == outcome
    ours = set(verdict.marks) - ({"single_lexical"} if form == FREE else set())
    assert ours == marks
    assert dict(verdict.measures) == {"edit_distance": distance}
    return verdict


# --- corruptions

SENTENCES = [
    "Emma ate a cake .",
    "The cat shipped Emma the donut .",
    "A girl wanted to crawl .",
    "Emma needed to sleep .",
    "The tool was blessed by the girl .",
    "A rose was blessed by the baby .",
    "The book in a box was seen .",
    "Ava hoped that the cat rolled .",
    "Liam said that Emma said that a dog slept .",
    "A cake on the table beside a box was given to Paula by Charlie .",
    "The cat liked a cat .",
    "A cat saw a cat .",
    "touch",
    "roll",
    "shark",
    "Paula",
    "[w_0]",
    "[w_5] drew Natalie .",
    "A [w_0] [w_19] Emma the donut .",
]
TOKENS = (
    "eat cat Emma [w_3] agent theme recipient nmod on in x _ 1 2 3 7 01 ( ) , . ; * = AND LAMBDA a b e cat2".split()
)


@cache
def golds(form):
    return [Cogs().interpret((sentence,), form) for sentence in SENTENCES]


def renamed(draw, tokens):
    numbers = sorted({t for t in tokens if t.isdigit()}, key=int)
    image = draw(st.permutations(numbers)) if draw(st.booleans()) else [str(int(n) + 30) for n in numbers]
    name = dict(zip(numbers, image, strict=True))
    return [name.get(t, t) for t in tokens]


def shuffled(draw, tokens):
    """Conjuncts of a conjunctive form in another order, starred ones among themselves; a term is left alone."""
    text = " ".join(tokens)
    if "LAMBDA" in text:
        head, _, body = text.rpartition(" . LAMBDA e . ")
        parts = body.split(" AND ")
        return f"{head} . LAMBDA e . {' AND '.join(draw(st.permutations(parts)))}".split() if head else tokens
    *stars, body = text.split(" ; ")
    return " ; ".join([*draw(st.permutations(stars)), " AND ".join(draw(st.permutations(body.split(" AND "))))]).split()


@st.composite
def corrupted(draw, form):
    target = draw(st.sampled_from(golds(form)))
    tokens = target.split()
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, max(0, len(tokens) - 1)))
        match draw(st.integers(0, 9)):
            case 0 if tokens:
                tokens[at] = draw(st.sampled_from(TOKENS))
            case 1 if tokens:
                del tokens[at]
            case 2 if tokens:
                tokens.insert(at, tokens[at])
            case 3:
                roles = [i for i, t in enumerate(tokens) if t in THEMATIC]
                if len(roles) > 1:
                    i, j = draw(st.sampled_from(roles)), draw(st.sampled_from(roles))
                    tokens[i], tokens[j] = tokens[j], tokens[i]
            case 4:
                numbers = [i for i, t in enumerate(tokens) if t.isdigit()]
                if numbers:
                    tokens[draw(st.sampled_from(numbers))] = str(draw(st.integers(0, 12)))
            case 5 if form == CONJUNCTIVE and tokens:
                tokens = shuffled(draw, tokens)
            case 6:
                tokens = renamed(draw, tokens)
            case 7:
                tokens = tokens[:at]
            case 8:
                words = [i for i, t in enumerate(tokens) if kind(t) == "word"]
                if words:
                    old, new = (
                        tokens[draw(st.sampled_from(words))],
                        draw(st.sampled_from(["eat", "Emma", "[w_3]", "bed"])),
                    )
                    everywhere = draw(st.booleans())
                    first = tokens.index(old)
                    tokens = [new if t == old and (everywhere or i == first) else t for i, t in enumerate(tokens)]
            case _:
                words = [i for i, t in enumerate(tokens) if kind(t) == "word"]
                if words:
                    tokens[draw(st.sampled_from(words))] = draw(st.sampled_from(["see", "dog", "Noah"]))
    said = [" ".join(tokens), squeezed(tokens), "".join(tokens), "  ".join(tokens) + " "]
    return target, draw(st.sampled_from(said))


def squeezed(tokens):
    """As a model without spaces around punctuation would print it: `eat.agent(x_1,Emma) AND ...`."""
    text = " ".join(tokens)
    return re.sub(r" ?([(),.;*=_]) ?", r"\1", text)


@pytest.mark.parametrize("form", FORMS)
def test_verdicts_agree_with_plain_reimplementations(form):
    seen = Counter()

    @settings(max_examples=700, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(corrupted(form))
    def check(pair):
        verdict = agree(form, *pair)
        event(verdict.outcome)
        seen[verdict.outcome] += 1
        seen.update(verdict.marks)
        seen["correct, not exact"] += verdict.outcome is Outcome.CORRECT and not verdict.exact

    check()
    wanted = [Outcome.CORRECT, Outcome.INCORRECT, Outcome.UNPARSEABLE, "structure_match", "single_lexical", "early_end"]
    wanted += ["ill_formed", *["correct, not exact", "index_only"] * (form == CONJUNCTIVE)]
    assert {name: seen[name] for name in wanted if seen[name] < 5} == {}


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(range(len(SENTENCES))), st.data())
def test_renaming_and_reordering_keep_the_meaning(number, data):
    target = golds(CONJUNCTIVE)[number]
    tokens = renamed(data.draw, shuffled(data.draw, target.split()))
    verdict = agree(CONJUNCTIVE, target, " ".join(tokens))
    assert verdict.outcome is Outcome.CORRECT


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=25), st.sampled_from(FORMS), st.sampled_from(range(len(SENTENCES))))
def test_word_salad_agrees_too(tokens, form, number):
    agree(form, golds(form)[number], " ".join(tokens))


def test_swapped_arguments_of_a_term_keep_the_meaning():
    verdict = agree(FREE, "eat ( agent = Emma , theme = * cake )", "eat(theme=*cake,agent=Emma)")
    assert (verdict.outcome, verdict.exact) == (Outcome.CORRECT, False)


def test_what_lambda_binds_is_never_permuted():
    gold = "LAMBDA a . LAMBDA b . LAMBDA e . touch . agent ( e , b ) AND touch . theme ( e , a )"
    papers = "LAMBDA a . LAMBDA b . LAMBDA e . touch . agent ( e , a ) AND touch . theme ( e , b )"
    assert agree(CONJUNCTIVE, gold, papers).outcome is Outcome.INCORRECT
    other = "LAMBDA c . LAMBDA d . LAMBDA f . touch . theme ( f , c ) AND touch . agent ( f , d )"
    assert agree(CONJUNCTIVE, gold, other).outcome is Outcome.CORRECT


# --- the papers' examples; COGS appendix G prints (6) to (12) what the dissertation prints as (22) to (25), (17), (18)

EXAMPLES = {
    "20": (
        "shark(x_1) AND burn.agent(x_2, x_1) AND burn.theme(x_2, Sophia)",
        "director(x_1) AND burn.agent(x_2, x_1) AND burn.theme(x_2, Sophia)",
        {"structure_match", "single_lexical"},
        1,
    ),
    "21-c": (
        "*cat(x_1); *donut(x_5); ship.agent(x_2, x_1) AND ship.recipient(x_2, Emma) AND ship.theme(x_2, x_5)",
        "*cat(x_1); *donut(x_5); admire.agent(x_2, x_1) AND admire.recipient(x_2, Emma) AND admire.theme(x_2, x_5)",
        {"structure_match", "single_lexical"},
        3,
    ),
    "21-d": (
        "*cat(x_1); *donut(x_5); ship.agent(x_2, x_1) AND ship.recipient(x_2, Emma) AND ship.theme(x_2, x_5)",
        "*cat(x_1); *donut(x_5); ship.agent(x_2, x_1) AND ship.recipient(x_2, Emma) AND admire.theme(x_2, x_5)",
        {"structure_match", "single_lexical"},
        1,
    ),
    "22": (
        "balloon(x_1) AND bless.theme(x_3,x_1)",
        "balloon(x_1) AND inflate.theme(x_3,x_1)",
        {"structure_match", "single_lexical"},
        1,
    ),
    "23": (
        "*book(x_1); bless.theme(x_3, x_1) AND bless.agent(x_3, x_6) AND girl(x_6)",
        "*book(x_1); bless.theme(x_3, x_1) AND send.recipient(x_3, x_6) AND girl(x_6)",
        {"structure_match"},
        2,
    ),
    "24": (
        "*baby(x_6); rose(x_1) AND bless.theme(x_3, x_1) AND bless.agent(x_3, x_6)",
        "*baby(x_5); rose(x_1) AND bless.theme(x_3, x_1) AND bless.agent(x_3, x_6)",
        {"structure_match", "index_only"},
        1,
    ),
    "25": (
        "*tool(x_1); *girl(x_6); bless.theme(x_3, x_1) AND bless.agent(x_3, x_6)",
        "*tool(x_1); *girl(x_6); tool(x_3, x_1) AND bless.theme(x_3, x_6)",
        set(),
        None,
    ),
    "5: 12-c": (
        "draw.agent(x_1, [w_5]) AND draw.theme(x_1, Natalie)",
        "draw.agent(x_1, [w_5])",
        {"early_end"},
        11,
    ),
    "5: 12-d": (
        "draw.agent(x_1, [w_5]) AND draw.theme(x_1, Natalie)",
        "draw.agent(x_1, [w_3]) AND draw.theme(x_1, Natalie)",
        {"structure_match", "single_lexical"},
        1,
    ),
    "5: 13-c": (
        "*cat(x_1); *donut(x_5); [w_20].agent(x_2, x_1) AND [w_20].recipient(x_2, Emma) AND [w_20].theme(x_2, x_5)",
        "*cat(x_1); *donut(x_5); [w_20].agent(x_2, x_1) AND [w_20].theme(x_2, Emma)",
        set(),
        None,
    ),
    "5: 13-d": (
        "*cat(x_1); *donut(x_5); [w_20].agent(x_2, x_1) AND [w_20].recipient(x_2, Emma) AND [w_20].theme(x_2, x_5)",
        "*cat(x_1); *donut(x_5); [w_18].agent(x_2, x_1) AND [w_18].recipient(x_2, Emma) AND [w_18].theme(x_2, x_5)",
        {"structure_match", "single_lexical"},
        3,
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_errors_that_the_papers_show(name):
    gold, said, marks, distance = EXAMPLES[name]
    verdict = agree(CONJUNCTIVE, gold, said)
    assert verdict.outcome is Outcome.INCORRECT
    assert verdict.marks == marks
    if distance is not None:
        assert verdict.measures["edit_distance"] == distance


@pytest.mark.parametrize(
    ("gold", "said"),
    [
        ("pack.agent(x_1 , Paula)", "pack.agent(x_1 , Paula"),
        ("*hedgehog(x_3); appreciate.agent(x_1, Emma) AND appreciate.theme(x_1, x_3)", "*"),
        ("*hedgehog(x_3); appreciate.agent(x_1, Emma) AND appreciate.theme(x_1, x_3)", ""),
    ],
)
def test_ill_formed_outputs_that_the_papers_show(gold, said):
    """(17) and (18): no closing parenthesis at the end."""
    verdict = agree(CONJUNCTIVE, gold, said)
    assert verdict.outcome is Outcome.UNPARSEABLE
    assert verdict.marks == {"ill_formed", "early_end"}


def test_the_by_phrase_is_an_early_end():
    """(26): without the by-phrase the form is a proper prefix, well formed and wrong."""
    long = "*book(x_1); see.theme(x_3, x_1) AND see.agent(x_3, Emma)"
    verdict = agree(CONJUNCTIVE, long, "*book(x_1); see.theme(x_3, x_1)")
    assert (verdict.outcome, verdict.marks) == (Outcome.INCORRECT, {"early_end"})
    assert not agree(CONJUNCTIVE, "*book(x_1); see.theme(x_3, x_1)", long).marks


# --- edges


def test_exact_predictions():
    for form in FORMS:
        for gold in golds(form):
            for said in (gold, squeezed(gold.split()), f"\t{gold}  "):
                expected = Verdict(Outcome.CORRECT, True, frozenset({"structure_match"}), {"edit_distance": 0.0})
                assert CogsJudge(form).verdict(("",), gold, said) == expected


def test_more_than_a_thousand_tokens_are_too_long():
    gold = "eat . agent ( x _ 1 , Emma )"
    said = gold + " AND cat ( x _ 1 )" * 141
    for extra in range(9):
        prediction = said + " )" * extra
        verdict = CogsJudge(CONJUNCTIVE).verdict(("",), gold, prediction)
        assert ("too_long" in verdict.marks) == (len(tokens_of(prediction)) > 1000)
    assert len(tokens_of(said)) <= 1000 < len(tokens_of(said)) + 8


def test_wrong_roles_alone_keep_the_structure():
    gold, said = "eat . agent ( x _ 1 , Emma )", "eat . theme ( x _ 1 , Emma )"
    assert agree(CONJUNCTIVE, gold, said).marks == {"structure_match"}


@pytest.mark.parametrize(
    "said",
    [
        "eat . Emma ( x _ 1 , Emma )",  # a word for a role
        "agent . agent ( x _ 1 , Emma )",  # a role for a word
        "eat . agent ( x _ Emma , Emma )",  # a word for an index
        "eat . agent ( x _ 1 , 3 )",  # an index for a word
        "eat . agent ( x _ 1 ; Emma )",
        "eat . agent ( y _ 1 , Emma )",
    ],
)
def test_cross_category_errors_break_the_structure(said):
    assert not agree(CONJUNCTIVE, "eat . agent ( x _ 1 , Emma )", said).marks - {"ill_formed"}


def test_two_input_words_wrong_are_no_single_lexical_error():
    gold = "cat ( x _ 1 ) AND like . agent ( x _ 2 , x _ 1 ) AND like . theme ( x _ 2 , Emma )"
    assert agree(CONJUNCTIVE, gold, gold.replace("cat", "dog").replace("Emma", "Liam")).marks == {"structure_match"}
    twice = "say . agent ( x _ 1 , Emma ) AND say . ccomp ( x _ 1 , x _ 4 ) AND say . agent ( x _ 4 , Liam )"
    assert agree(CONJUNCTIVE, twice, twice.replace("say", "hope")).marks == {"structure_match"}
    first = "hope . agent ( x _ 1 , Emma ) AND hope . ccomp ( x _ 1 , x _ 4 ) AND say . agent ( x _ 4 , Liam )"
    assert "single_lexical" in agree(CONJUNCTIVE, twice, first).marks


def test_a_modified_noun_and_a_controlled_name_are_one_input_word():
    gold = "* cat ( x _ 1 ) ; cat . nmod . on ( x _ 1 , x _ 4 ) AND bed ( x _ 4 ) AND sleep . agent ( x _ 5 , x _ 1 )"
    assert "single_lexical" in agree(CONJUNCTIVE, gold, gold.replace("cat", "dog")).marks
    gold = "want . agent ( x _ 1 , Emma ) AND want . xcomp ( x _ 1 , x _ 3 ) AND run . agent ( x _ 3 , Emma )"
    assert "single_lexical" in agree(CONJUNCTIVE, gold, gold.replace("Emma", "Liam")).marks


@pytest.mark.parametrize("form", FORMS)
def test_single_lexical_errors_in_a_term(form):
    if form == FREE:
        gold = "want ( agent = * cat ( nmod . on = bed ) , xcomp = sleep ( agent = * cat ( nmod . on = bed ) ) )"
        verdict = CogsJudge(FREE).verdict(("",), gold, gold.replace("cat", "dog"))
        assert verdict.marks == {"structure_match", "single_lexical"}
        verdict = CogsJudge(FREE).verdict(("",), gold, gold.replace("cat", "dog").replace("bed", "car"))
        assert verdict.marks == {"structure_match"}


def test_one_lemma_twice_in_a_term_is_two_input_words():
    gold = "say ( agent = Emma , ccomp = say ( agent = Liam , ccomp = sleep ( agent = Ava ) ) )"
    said = gold.replace("say", "hope")
    assert "single_lexical" not in CogsJudge(FREE).verdict(("",), gold, said).marks


def test_unbound_variables_and_strange_roles_are_merely_incorrect():
    gold = "eat . agent ( x _ 1 , Emma )"
    for said in (
        "eat . agent ( x _ 9 , x _ 4 )",
        "eat . boss ( x _ 1 , Emma )",
        "zork ( x _ 1 )",
        "eat ( y )",
        "Paula",
    ):
        assert agree(CONJUNCTIVE, gold, said).outcome is Outcome.INCORRECT
    for said in ("eat ( boss = Emma )", "zork ( agent = zork ( agent = zork ) )", "Paula"):
        assert agree(FREE, "eat ( agent = Emma )", said).outcome is Outcome.INCORRECT


def test_the_other_form_is_unparseable():
    for conjunctive, free in zip(golds(CONJUNCTIVE), golds(FREE), strict=True):
        if " . agent" in conjunctive or " . theme" in conjunctive:
            assert agree(CONJUNCTIVE, conjunctive, free).outcome is Outcome.UNPARSEABLE
            assert agree(FREE, free, conjunctive).outcome is Outcome.UNPARSEABLE


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("target", ["", "eat . agent ( x _ 1 , Emma", "eat ( agent = Emma", "( )"])
def test_gold_outside_the_form_is_refused(form, target):
    """A file of predictions may bring gold of its own."""
    with pytest.raises(FormError):
        CogsJudge(form).check(target)


@pytest.mark.parametrize("form", FORMS)
def test_gold_in_the_form_is_taken(form):
    for target in golds(form):
        CogsJudge(form).check(target)


def test_marks_and_measures_are_announced():
    judge = Cogs().judge(CONJUNCTIVE)
    assert set(judge.marks) == {
        "structure_match", "single_lexical", "index_only", "early_end", "too_long", "ill_formed",
    }  # fmt: skip
    assert judge.measures == ("edit_distance",)
