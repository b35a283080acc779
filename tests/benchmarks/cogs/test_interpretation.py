"""Interpretation against the released rows and against a recursive-descent reader written from the facts alone."""

import random
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blicket.benchmarks.cogs.cases import CASES, EXPOSURES, recursion
from blicket.benchmarks.cogs.composition import compose, written
from blicket.benchmarks.cogs.grammar import cogs_grammar, language
from blicket.benchmarks.cogs.interpretation import Interpreter, interpreter, primitive_graph
from blicket.benchmarks.cogs.lexicon import nonce_lexicon, nonce_words, plain_lexicon
from blicket.core.errors import Refusal
from blicket.core.randomness import Stream
from blicket.grammar import Parser, Sampler
from blicket.meaning import SemanticGraph, conjunctive, to_form, to_graph, variable_free

CONJUNCTIVE, FREE = FORMS = ("conjunctive", "variable-free")
END = "."
PREPOSITIONS = ("on", "in", "beside")

# Nominals, by the facts: (position, word, article or None, preposition, inner nominal or None).
# Clauses: (position, lemma, [(role, nominal or clause, surface position)]), the controlled subject repeated.


@cache
def lists():
    """The word lists as data; `exposed` adds each item to the classes that GRAMMAR.md names."""
    read = tomllib.loads(files("blicket.benchmarks.cogs").joinpath("lexicon.toml").read_text("utf-8"))
    nouns = {w for name in ("animate", "inanimate", "on", "in", "beside") for w in read["nouns"][name].split()}
    verbs = {name: dict(pair.split("/") for pair in text.split()) for name, text in read["verbs"].items()}
    for item, classes in {
        "baked/bake": ("omissible", "omissible_participle"),
        "blessed/bless": ("transitive", "transitive_participle"),
        "squeezed/squeeze": ("transitive", "transitive_participle"),
        "shattered/shatter": ("unaccusative", "unaccusative_participle"),
        "shipped/ship": ("dative", "dative_participle"),
        "teleported/teleport": ("dative", "dative_participle"),
        "crawled/crawl": ("unergative",),
        "crawl/crawl": ("infinitive",),
    }.items():
        for name in classes:
            verbs[name] |= [item.split("/")]
    names = set(read["nouns"]["proper"].split()) | {"Lina", "Charlie", "Paula"}
    return nouns | {"hippo", "hedgehog", "cockroach", "cobra", "shark"}, names, verbs


class Reader:
    """Reads a sentence every way the facts allow, and remembers how far any way came."""

    def __init__(self, words):
        self.words = words
        self.furthest = 0
        self.nouns, self.names, self.verbs = lists()

    def at(self, place, accepted):
        self.furthest = max(self.furthest, place)
        return place < len(self.words) and self.words[place] in accepted

    def sentences(self):
        for place, clause in self.clause(0):
            self.furthest = max(self.furthest, place)
            if place == len(self.words):
                yield clause

    def nominal(self, place):
        if self.at(place, self.names):
            yield place + 1, (place, self.words[place], None, None, None)
        if self.at(place, ("the", "a")) and self.at(place + 1, self.nouns):
            plain = (place + 1, self.words[place + 1], self.words[place])
            yield place + 2, (*plain, None, None)
            if self.at(place + 2, PREPOSITIONS):
                for after, inner in self.nominal(place + 3):
                    yield after, (*plain, self.words[place + 2], inner)

    def clause(self, place) -> Iterator:
        for verb, subject in self.nominal(place):
            yield from self.active(verb, subject)
            if self.at(verb, ("was",)):
                yield from self.passive(verb + 1, subject)

    def verb(self, place, name):
        return self.at(place, self.verbs[name])

    def active(self, at, subject):
        agent = ("agent", subject)
        for name, bare, with_object in (
            ("unergative", "agent", False),
            ("omissible", "agent", True),
            ("transitive", None, True),
            ("unaccusative", "theme", True),
        ):
            if self.verb(at, name):
                if bare:
                    yield at + 1, (at, self.verbs[name][self.words[at]], [(bare, subject)])
                if with_object:
                    for after, thing in self.nominal(at + 1):
                        yield after, (at, self.verbs[name][self.words[at]], [agent, ("theme", thing)])
        if self.verb(at, "control") and self.at(at + 1, ("to",)) and self.verb(at + 2, "infinitive"):
            inner = (at + 2, self.verbs["infinitive"][self.words[at + 2]], [agent])
            yield at + 3, (at, self.verbs["control"][self.words[at]], [agent, ("xcomp", inner)])
        if self.verb(at, "clausal") and self.at(at + 1, ("that",)):
            for after, inner in self.clause(at + 2):
                yield after, (at, self.verbs["clausal"][self.words[at]], [agent, ("ccomp", inner)])
        if self.verb(at, "dative"):
            lemma = self.verbs["dative"][self.words[at]]
            for middle, first in self.nominal(at + 1):
                if self.at(middle, ("to",)):
                    for after, second in self.nominal(middle + 1):
                        yield after, (at, lemma, [agent, ("theme", first), ("recipient", second)])
                for after, second in self.nominal(middle):
                    yield after, (at, lemma, [agent, ("recipient", first), ("theme", second)])

    def passive(self, at, subject):
        for name in ("transitive", "omissible", "unaccusative"):
            if self.verb(at, f"{name}_participle"):
                lemma = self.verbs[f"{name}_participle"][self.words[at]]
                yield from self.by(at + 1, (at, lemma, [("theme", subject)]))
        if self.verb(at, "dative_participle"):
            lemma = self.verbs["dative_participle"][self.words[at]]
            if self.at(at + 1, ("to",)):
                for after, goal in self.nominal(at + 2):
                    yield from self.by(after, (at, lemma, [("theme", subject), ("recipient", goal)]))
            for after, theme in self.nominal(at + 1):
                yield from self.by(after, (at, lemma, [("recipient", subject), ("theme", theme)]))

    def by(self, place, clause):
        yield place, clause
        if self.at(place, ("by",)):
            for after, agent in self.nominal(place + 1):
                yield after, (*clause[:2], [*clause[2], ("agent", agent)])


def spelled(word):
    return {"TV": "tv"}.get(word, word)


def conjunctive_of(clause):
    """Rules 1 to 5 of the facts: definites first, the rest by first argument, the noun before its relations."""
    starred, body = {}, {}

    def nominal(thing):
        place, word, article, preposition, inner = thing
        if article is None:
            return place, word
        said = starred if article == "the" else body
        said[place, -1] = f"{'* ' * (article == 'the')}{spelled(word)} ( x _ {place} )"
        if inner:
            where, filler = nominal(inner)
            body[place, where] = f"{spelled(word)} . nmod . {preposition} ( x _ {place} , {filler} )"
        return place, f"x _ {place}"

    agenda = [clause]
    while agenda:
        verb, lemma, arguments = agenda.pop()
        for role, filler in arguments:
            if role in ("ccomp", "xcomp"):
                agenda.append(filler)
                where, text = filler[0], f"x _ {filler[0]}"
            else:
                where, text = nominal(filler)
            body[verb, where] = f"{lemma} . {role} ( x _ {verb} , {text} )"
    return " ; ".join([*(starred[k] for k in sorted(starred)), " AND ".join(body[k] for k in sorted(body))])


def free_of(clause):
    """The variable-free form: arguments in the order of the conjuncts, which is that of the surface."""

    def nominal(thing):
        _, word, article, preposition, inner = thing
        rest = f" ( nmod . {preposition} = {nominal(inner)} )" if inner else ""
        return "* " * (article == "the") + (spelled(word) if article else word) + rest

    _, lemma, arguments = clause
    said = [
        f"{role} = {free_of(filler) if role in ('ccomp', 'xcomp') else nominal(filler)}"
        for role, filler in sorted(arguments, key=lambda argument: argument[1][0])
    ]
    return f"{lemma} ( {' , '.join(said)} )"


def oracle(sentence):
    """Both forms of a sentence, or the word, from 1, at which it leaves the language; it is never read two ways."""
    words = sentence.split()
    if not words:
        return 1
    if words[-1] != END:
        return len(words)
    words = words[:-1]
    if words and words[0] in ("the", "a"):
        return 1
    if words and words[0] in ("The", "A"):
        words[0] = words[0].lower()
    reader = Reader(words)
    ways = list(reader.sentences())
    assert len(ways) <= 1, f"{sentence!r} is ambiguous"
    return (conjunctive_of(ways[0]), free_of(ways[0])) if ways else reader.furthest + 1


def answer(sentence):
    """What the package says, in the shape of `oracle`."""
    try:
        return tuple(interpreter().interpret(sentence, form) for form in FORMS)
    except Refusal as refusal:
        said, word = str(refusal), refusal.word
    assert said.startswith(f"word {word}: ")
    assert "\n" not in said
    return word


class Writer:
    """Writes sentences of the language, all words alike likely and PPs and clauses wherever they may stand."""

    def __init__(self, seed, pps=0.25, clauses=0.2):
        self.random = random.Random(seed)
        self.pps, self.clauses = pps, clauses
        nouns, names, verbs = lists()
        self.nouns, self.names = sorted(nouns), sorted(names)
        self.verbs = {name: sorted(words) for name, words in verbs.items()}
        self.exposed = sorted(set(nonce_words()) & (nouns | names))

    def nominal(self, left=20):
        if self.random.random() < 0.3:
            return [self.random.choice(self.names)]
        pool = self.exposed[:5] if self.random.random() < 0.1 else self.nouns
        head = [self.random.choice(["the", "a"]), self.random.choice([w for w in pool if w in self.nouns])]
        if left and self.random.random() < self.pps:
            return [*head, self.random.choice(PREPOSITIONS), *self.nominal(left - 1)]
        return head

    def verb(self, name):
        exposed = [w for w in self.verbs[name] if w in EXPOSED_VERBS]
        return self.random.choice(exposed if exposed and self.random.random() < 0.2 else self.verbs[name])

    def clause(self, left=20):
        if left and self.random.random() < self.clauses:
            return [*self.nominal(), self.verb("clausal"), "that", *self.clause(left - 1)]
        frame = self.random.choice(FRAMES).split()
        words = []
        for part in frame:
            words += self.nominal() if part == "NP" else [self.verb(part[2:])] if part[:2] == "V:" else [part]
        return words

    def sentence(self):
        words = self.clause()
        return " ".join([words[0].capitalize() if words[0] in ("the", "a") else words[0], *words[1:], END])


EXPOSED_VERBS = set("baked blessed squeezed shattered shipped teleported crawled crawl".split())
FRAMES = [
    "NP V:unergative",
    "NP V:unaccusative",
    "NP V:omissible",
    "NP V:unaccusative NP",
    "NP V:omissible NP",
    "NP V:transitive NP",
    "NP V:control to V:infinitive",
    "NP V:dative NP to NP",
    "NP V:dative NP NP",
    *(
        f"NP was V:{name}_participle{by}"
        for name in ("omissible", "transitive", "unaccusative")
        for by in ("", " by NP")
    ),
    *(f"NP was V:dative_participle{goal} NP{by}" for goal in ("", " to") for by in ("", " by NP")),
]


def mutated(words, rng, vocabulary):
    """The words with one to three of them lost, doubled, exchanged, replaced or capitalised anew."""
    words = list(words)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        at = rng.randrange(len(words))
        match rng.randrange(7):
            case 0 if len(words) > 1:
                del words[at]
            case 1:
                words.insert(at, words[at])
            case 2:
                other = rng.randrange(len(words))
                words[at], words[other] = words[other], words[at]
            case 3:
                words.insert(at, rng.choice(vocabulary))
            case 4:
                words[at] = words[at].swapcase() if rng.random() < 0.3 else words[at].capitalize()
            case _:
                words[at] = rng.choice(vocabulary)
    return words


# --- the released data


def test_every_released_row_gets_its_form(reference_rows):
    rows = [row for name in ("train", "dev", "gen_sample") for row in reference_rows[name]]
    assert len(rows) == 27_365
    said = [(sentence, interpreter().interpret(sentence, CONJUNCTIVE)) for sentence, _, _ in rows]
    assert said == [(sentence, form) for sentence, form, _ in rows]


def test_the_oracle_gives_released_rows_their_forms(reference_rows):
    rows = [row for name in ("dev", "gen_sample") for row in reference_rows[name]]
    for sentence, form, _ in rows:
        assert oracle(sentence)[0] == form, sentence


# --- the oracle


def test_sentences_of_the_language():
    writer = Writer(1)
    sentences = [writer.sentence() for _ in range(2500)]
    assert sum(not EXPOSED_VERBS.isdisjoint(s.split()) for s in sentences) > 300
    assert max(s.count(" that ") for s in sentences) >= 4
    for sentence in sentences:
        expected = oracle(sentence)
        assert not isinstance(expected, int), sentence
        assert answer(sentence) == expected, sentence


def test_deep_sentences():
    for seed in range(30):
        writer = Writer(seed, pps=0.9, clauses=0.9)
        sentence = writer.sentence()
        assert answer(sentence) == oracle(sentence), sentence


def test_salad_is_refused_at_the_same_word():
    rng, writer = random.Random(5), Writer(2, pps=0.15)
    nouns, names, verbs = lists()
    vocabulary = [*sorted(nouns)[:30], *sorted(names)[:15], *(w for name in verbs for w in sorted(verbs[name])[:6])]
    vocabulary += ["the", "a", "The", "A", "was", "by", "to", "that", "on", "in", "beside", ".", "zork", "Zork"] * 3
    accepted = 0
    for _ in range(3500):
        sentence = " ".join(mutated(writer.sentence().split(), rng, vocabulary))
        if len(sentence.split()) == 1:
            continue
        expected = oracle(sentence)
        accepted += not isinstance(expected, int)
        assert answer(sentence) == expected, sentence
    assert accepted > 150


def test_random_words_are_refused_at_the_same_word():
    rng = random.Random(6)
    nouns, names, verbs = lists()
    grammatical = [["the", "a"], sorted(nouns), sorted(names), ["was", "by", "to", "that", "on"]]
    grammatical += [sorted(verbs[name]) for name in verbs]
    for _ in range(3000):
        words = [rng.choice(rng.choice(grammatical)) for _ in range(rng.randrange(1, 9))]
        sentence = " ".join([words[0].capitalize() if words[0] in ("the", "a") else words[0], *words[1:], END])
        assert answer(sentence) == oracle(sentence), sentence


def test_every_name_and_noun_in_every_place():
    places = [frame.split() for frame in FRAMES] + [["NP", "V:clausal", "that", "NP", "V:unergative"]]
    _, _, verbs = lists()
    fillers = [["Paula"], ["Emma"], ["the", "shark"], ["a", "TV"], ["the", "cake", "on", "a", "hippo"]]
    for number, place in enumerate(places):
        for filler in fillers:
            for slot in [i for i, part in enumerate(place) if part == "NP"]:
                words = []
                for i, part in enumerate(place):
                    verb = sorted(verbs[part[2:]])[number % 20 if part[2:] in verbs else 0] if part[:2] == "V:" else ""
                    other = ["the", "girl"]
                    words += (filler if i == slot else other) if part == "NP" else [verb or part]
                sentence = " ".join([words[0].capitalize() if len(words[0]) < 4 else words[0], *words[1:], END])
                expected = oracle(sentence)
                assert not isinstance(expected, int), sentence
                assert answer(sentence) == expected


def test_exposed_words_stand_in_every_frame_of_their_class():
    for sentence in (
        "Paula crawled .",
        "Emma tried to crawl .",
        "Emma baked .",
        "Emma baked the hedgehog .",
        "The hedgehog was baked by Lina .",
        "A cobra blessed Charlie .",
        "A cobra was blessed .",
        "The cockroach was squeezed by a hippo .",
        "The cockroach squeezed Paula .",
        "A shark shattered .",
        "Paula shattered the shark .",
        "The shark was shattered .",
        "Emma shipped Paula Lina .",
        "Emma shipped the hippo to Lina .",
        "Emma was shipped the hippo by Charlie .",
        "The hippo was teleported to Emma .",
        "A hippo in the box hoped that Emma teleported Lina a cake on a cobra .",
    ):
        assert answer(sentence) == oracle(sentence)
        assert not isinstance(answer(sentence), int), sentence
    for sentence in ("Emma blessed .", "Emma crawled Paula .", "Emma wanted to crawled .", "The cat was crawled ."):
        assert isinstance(answer(sentence), int)
        assert answer(sentence) == oracle(sentence)


def test_depth_is_unlimited():
    depth = 300
    clauses = "Emma said that " * depth + "the cat slept ."
    form = interpreter().interpret(clauses, CONJUNCTIVE)
    said = [
        line
        for i in range(depth)
        for line in (f"say . agent ( x _ {3 * i + 1} , Emma )", f"say . ccomp ( x _ {3 * i + 1} , x _ {3 * i + 4} )")
    ]
    said[-1] = f"say . ccomp ( x _ {3 * depth - 2} , x _ {3 * depth + 2} )"
    said.append(f"sleep . agent ( x _ {3 * depth + 2} , x _ {3 * depth + 1} )")
    assert form == f"* cat ( x _ {3 * depth + 1} ) ; " + " AND ".join(said)
    free = interpreter().interpret(clauses, FREE)
    assert free == "say ( agent = Emma , ccomp = " * depth + "sleep ( agent = * cat )" + " )" * depth

    pps = "A cat" + " on a mat".replace("mat", "bed") * depth + " slept ."
    said = ["cat ( x _ 1 )", "cat . nmod . on ( x _ 1 , x _ 4 )"]
    for i in range(depth):
        at = 4 + 3 * i
        said += [f"bed ( x _ {at} )", f"bed . nmod . on ( x _ {at} , x _ {at + 3} )"]
    said[-1] = f"sleep . agent ( x _ {3 * depth + 2} , x _ 1 )"
    assert interpreter().interpret(pps, CONJUNCTIVE) == " AND ".join(said)
    expected = "sleep ( agent = cat ( nmod . on = " + "bed ( nmod . on = " * (depth - 1) + "bed" + " )" * (depth + 1)
    assert interpreter().interpret(pps, FREE) == expected


# --- refusals

REFUSED = [
    ("", 1, "empty"),
    ("   ", 1, "empty"),
    (".", 1, "empty"),
    ("Emma saw a zork .", 4, "'zork' is not a word of the language"),
    ("Emma saw a carr .", 4, "did you mean 'car'?"),
    ("Zork saw a cat .", 1, "'Zork'"),
    ("the cat slept .", 1, "wants a capital"),
    ("a cat slept .", 1, "wants a capital"),
    ("emma slept .", 1, "did you mean 'Emma'?"),
    ("Emma saw The cat .", 3, "wants no capital"),
    ("Emma saw A cat .", 3, "wants no capital"),
    ("The Cat slept .", 2, "'Cat'"),
    ("Emma Slept .", 2, "'Slept'"),
    ("The cat slept", 3, "final ' .'"),
    ("The cat slept.", 3, "space before the full stop"),
    ("Emma slept .  .", 3, "'.'"),
    ("Emma .", 2, "ends too early"),
    ("The .", 2, "ends too early"),
    ("Emma liked .", 3, "ends too early"),
    ("Emma wanted to .", 4, "ends too early"),
    ("Emma said that .", 4, "ends too early"),
    ("Emma gave a cake .", 5, "ends too early"),
    ("Emma gave a cake to .", 6, "ends too early"),
    ("The cake was .", 4, "ends too early"),
    ("The cake was seen by .", 6, "ends too early"),
    ("The cake was given .", 5, "ends too early"),
    ("Emma slept Liam .", 3, "cannot follow"),
    ("Emma slept the cake .", 3, "cannot follow"),
    ("Emma liked Liam Noah .", 4, "cannot follow"),
    ("Emma gave Liam Noah Ava .", 5, "cannot follow"),
    ("Emma gave Liam a cake to Noah .", 6, "cannot follow"),
    ("The cake was given to Liam to Noah .", 7, "cannot follow"),
    ("The cake was seen by Emma by Liam .", 7, "cannot follow"),
    ("Emma in the car slept .", 2, "cannot follow"),
    ("Emma saw Liam in the car .", 4, "cannot follow"),
    ("Emma slept in the car .", 3, "cannot follow"),
    ("Cat slept .", 1, "'Cat'"),
    ("slept Emma .", 1, "cannot begin"),
    ("Emma saw cat .", 3, "cannot follow"),
    ("Emma saw an cake .", 3, "'an'"),
    ("Emma said Liam slept .", 3, "cannot follow"),
    ("Emma wanted to slept .", 4, "cannot follow"),
    ("The cake was slept .", 4, "cannot follow"),
    ("Emma  slept .", 1, "'Emma' is followed by 2 spaces; one space is wanted"),
    ("Emma saw   a cake .", 2, "'saw' is followed by 3 spaces"),
    (" Emma slept .", 1, "a space stands before 'Emma'"),
    ("Emma slept . ", 3, "a space follows '.'"),
    ("Emma slept\xa0.", 2, "'slept' is followed by a no-break space"),
    ("Emma slept \xa0.", 2, "'slept' is followed by a no-break space"),
    ("Emma\tslept .", 1, "'Emma' is followed by a tab"),
    ("Emma slept .\u2028", 3, "a line separator follows '.'"),
    ("Emma slept .\n", 3, "the character '\\n' follows '.'"),
    ("\ufeffEmma slept .", 1, "'\\ufeffEmma'"),
    ("touch ", 1, "a space follows 'touch'"),
    ("Emma saw  a zork .", 2, "'saw' is followed by 2 spaces"),
]


@pytest.mark.parametrize(("sentence", "word", "part"), REFUSED)
def test_refusals_name_the_word_and_say_why(sentence, word, part):
    for form in FORMS:
        with pytest.raises(Refusal) as refused:
            interpreter().interpret(sentence, form)
        with pytest.raises(Refusal, match=re.escape(str(refused.value))):
            interpreter().graph(sentence)
        assert refused.value.word == word
        assert str(refused.value).startswith(f"word {word}: ")
        assert part in str(refused.value)
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "word", ["the", "a", "The", "was", "zork", "slept", "Slept", "want", "give", "say", "Cat", "tv"]
)
def test_words_without_a_meaning_of_their_own_are_refused(word):
    with pytest.raises(Refusal) as refused:
        interpreter().interpret(word, CONJUNCTIVE)
    assert refused.value.word == 1


# --- primitives


@pytest.mark.parametrize(
    ("word", "form", "free"),
    [
        ("Paula", "Paula", "Paula"),
        ("shark", "LAMBDA a . shark ( a )", "LAMBDA a . shark ( a )"),
        ("TV", "LAMBDA a . tv ( a )", "LAMBDA a . tv ( a )"),
        (
            "touch",
            "LAMBDA a . LAMBDA b . LAMBDA e . touch . agent ( e , b ) AND touch . theme ( e , a )",
            "LAMBDA a . LAMBDA b . LAMBDA e . touch ( agent = b , theme = a )",
        ),
        (
            "eat",
            "LAMBDA a . LAMBDA b . LAMBDA e . eat . agent ( e , b ) AND eat . theme ( e , a )",
            "LAMBDA a . LAMBDA b . LAMBDA e . eat ( agent = b , theme = a )",
        ),
        ("roll", "LAMBDA a . LAMBDA e . roll . theme ( e , a )", "LAMBDA a . LAMBDA e . roll ( theme = a )"),
        ("crawl", "LAMBDA a . LAMBDA e . crawl . agent ( e , a )", "LAMBDA a . LAMBDA e . crawl ( agent = a )"),
    ],
)
def test_primitives(word, form, free):
    assert interpreter().interpret(word, CONJUNCTIVE) == form
    assert interpreter().interpret(word, FREE) == free


def test_every_primitive_round_trips_in_both_forms():
    for lexicon in (plain_lexicon(), nonce_lexicon()):
        for primitive in lexicon.meanings:
            graph = primitive_graph(primitive)
            form, free = (interpreter().interpret(primitive.word, f) for f in FORMS)
            assert str(conjunctive.parse(form)) == form
            assert str(variable_free.parse(free)) == free
            assert to_graph(conjunctive.parse(form), [primitive.predicate]) == graph
            assert variable_free.to_graph(variable_free.parse(free), [primitive.predicate]) == graph
            assert interpreter().graph(primitive.word) == graph


# --- no ambiguity


def test_no_sentence_has_two_frames():
    entries = tuple(dict.fromkeys((*plain_lexicon().entries, *nonce_lexicon().entries)))
    parser = Parser(language(cogs_grammar(entries)))
    seen = set()
    for seed in (1, 2, 3):
        writer = Writer(seed, pps=0.3, clauses=0.25)
        for _ in range(600):
            words = writer.sentence().split()[:-1]
            words[0] = words[0].lower() if words[0] in ("The", "A") else words[0]
            pattern = tuple(parser.classes[word] for word in words)
            if pattern not in seen:
                seen.add(pattern)
                assert len(parser.frames(pattern)) == 1, words
    assert len(seen) > 1000


# --- the whole grammar, by sampled derivations

CONDITIONS = {
    "everything": (),
    **{name: case.conditions() for name, case in (CASES | EXPOSURES).items() if not name.endswith("_recursion")},
    **{f"{p}_recursion {depth}": recursion(p, depth) for p in ("cp", "pp") for depth in (3, 7, 12)},
}


@cache
def samplers(nonce):
    grammar = cogs_grammar((nonce_lexicon() if nonce else plain_lexicon()).entries)
    return {name: Sampler(grammar, *conditions) for name, conditions in CONDITIONS.items()}


@st.composite
def derivations(draw):
    sampler = samplers(draw(st.booleans()))[draw(st.sampled_from(sorted(CONDITIONS)))]
    return sampler.draw(Stream(draw(st.integers(0, 2**32)), "hypothesis"), 1)[0]


@settings(max_examples=400, deadline=None)
@given(derivations())
def test_the_meaning_of_a_derivation_is_that_of_its_sentence(derivation):
    sentence = " ".join(derivation.words) + " ."
    sentence = sentence[0].upper() + sentence[1:]
    predicates = [entry.predicate for entry in derivation.entries]
    graph = compose(derivation.frame, predicates)
    target, free = written(graph, CONJUNCTIVE), written(graph, FREE)
    assert interpreter().interpret(sentence, CONJUNCTIVE) == target
    assert interpreter().interpret(sentence, FREE) == free
    assert str(conjunctive.parse(target)) == target
    assert str(variable_free.parse(free)) == free
    # form -> graph -> form, over the tokens of the sentence; the full stop is one of them.
    tokens = sentence.split()
    over = to_graph(conjunctive.parse(target), tokens)
    assert str(to_form(over)) == target
    ordered = SemanticGraph(
        (*graph.nodes, None), tuple(sorted(graph.arcs, key=lambda a: (a.head, a.dependent, a.label)))
    )
    assert over == ordered
    assert written(over, FREE) == free
    said = interpreter().graph(sentence)
    assert (said.nodes, sorted(map(str, said.arcs))) == (ordered.nodes, sorted(map(str, ordered.arcs)))
    # graph -> variable-free -> graph
    reader = interpreter()
    assert reader.predicates(sentence) == [node and node.predicate for node in ordered.nodes]
    back = variable_free.to_graph(variable_free.parse(free), reader.predicates(sentence), proper=reader.is_name)
    assert back == ordered


@settings(max_examples=150, deadline=None)
@given(derivations())
def test_the_oracle_agrees_on_derivations(derivation):
    sentence = " ".join(derivation.words) + " ."
    sentence = sentence[0].upper() + sentence[1:]
    plain = {token: word for word, token in nonce_words().items()}
    token = nonce_words()
    said = " ".join(plain.get(word, word) for word in sentence.split())
    expected = oracle(said)
    if said != sentence:
        expected = tuple(" ".join(token.get(word, word) for word in form.split()) for form in expected)
    assert answer(sentence) == expected


def test_the_kept_patterns_are_bounded_and_change_nothing(monkeypatch):
    monkeypatch.setattr("blicket.benchmarks.cogs.interpretation.PATTERNS_KEPT", 3)
    forgetful, writer = Interpreter(), Writer(9)
    sentences = [writer.sentence() for _ in range(60)]
    for sentence in sentences * 2:
        for form in FORMS:
            assert forgetful.interpret(sentence, form) == interpreter().interpret(sentence, form)
        assert len(forgetful._templates) <= 3
