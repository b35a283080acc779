"""The words against the reference lexicon, their weights against a series summed another way."""

from collections import Counter, defaultdict
from decimal import Decimal, localcontext
from functools import cache

import pytest

from blicket.benchmarks.cogs.lexicon import CROSSLISTED, ZETA, ZIPF_EXPONENT, nonce_lexicon, nonce_words, plain_lexicon

LISTS = {
    "animate_nouns": "N_anim",
    "inanimate_nouns": "N_inan",
    "proper_nouns": "PN",
    "on_nouns": "N_on",
    "in_nouns": "N_in",
    "beside_nouns": "N_beside",
    "V_trans_omissible": "V_omissible",
    "V_trans_omissible_pp": "V_omissible_participle",
    "V_trans_not_omissible": "V_transitive",
    "V_trans_not_omissible_pp": "V_transitive_participle",
    "V_cp_taking": "V_clausal",
    "V_inf_taking": "V_control",
    "V_unacc": "V_unaccusative",
    "V_unacc_pp": "V_unaccusative_participle",
    "V_unerg": "V_unergative",
    "V_inf": "V_infinitive",
    "V_dat": "V_dative",
    "V_dat_pp": "V_dative_participle",
}
EXPOSED = {
    "N_exposed": "hedgehog cockroach shark cobra hippo",
    "PN_exposed": "Lina Charlie Paula",
    "V_infinitive": "crawl",
    "V_unergative": "crawled",
    "V_transitive": "blessed squeezed",
    "V_transitive_participle": "blessed squeezed",
    "V_omissible": "baked",
    "V_omissible_participle": "baked",
    "V_unaccusative": "shattered",
    "V_unaccusative_participle": "shattered",
    "V_dative": "teleported shipped",
    "V_dative_participle": "teleported shipped",
}
# The tokens, written out by hand from footnote 12 of the dissertation's chapter 5 ([w_0], [w_1]) and its examples (12)
# and (13) ([w_5], [w_19], [w_20]), with the other words between them in the order of table 4-1.
NONCE = {
    "hedgehog": 0, "Lina": 1, "cockroach": 2, "Charlie": 3, "shark": 4, "Paula": 5, "crawl": 6, "cobra": 7, "hippo": 8,
    "blessed": 9, "bless": 10, "squeezed": 11, "squeeze": 12, "baked": 13, "bake": 14, "shattered": 15, "shatter": 16,
    "teleported": 17, "teleport": 18, "shipped": 19, "ship": 20,
}  # fmt: skip


def ordinary(category):
    return [e for e in plain_lexicon().entries if e.category == category and not e.phenomena]


@cache
def zeta_of_1_4():
    """By Euler and Maclaurin: a partial sum, the integral of the rest, half a term and three corrections."""
    with localcontext() as context:
        context.prec = 40
        s, n = Decimal("1.4"), Decimal(1000)
        total = sum(Decimal(k) ** -s for k in range(1, 1000)) + n ** (1 - s) / (s - 1) + n**-s / 2
        rising = s
        for order, coefficient in ((1, Decimal(1) / 12), (3, Decimal(-1) / 720), (5, Decimal(1) / 30240)):
            total += coefficient * rising * n ** (-s - order)
            rising *= (s + order) * (s + order + 1)
        return total


def test_the_lists_are_the_reference_lists(reference_lexicon):
    assert set(reference_lexicon["lists"]) == set(LISTS)
    for name, category in LISTS.items():
        assert [e.word for e in ordinary(category)] == reference_lexicon["lists"][name], name
    assert {e.category for e in plain_lexicon().entries if not e.phenomena} == set(LISTS.values())


def test_predicates_are_the_reference_lemmas(reference_lexicon):
    for entry in plain_lexicon().entries:
        expected = reference_lexicon["predicate_spelling"].get(entry.word, entry.word)
        if entry.category.startswith("V_"):
            expected = reference_lexicon["lemmas"].get(entry.word, entry.word)
        assert entry.predicate == expected, entry


def test_every_list_ranks_each_word_once():
    for category in LISTS.values():
        words = [e.word for e in ordinary(category)]
        assert len(set(words)) == len(words) == (20 if category.startswith("V_") else 100)


def test_a_word_has_one_predicate_in_every_class():
    predicates = defaultdict(set)
    for entry in (*plain_lexicon().entries, *nonce_lexicon().entries):
        predicates[entry.word].add(entry.predicate)
    assert {word: found for word, found in predicates.items() if len(found) > 1} == {}


def test_zeta_is_the_sum_of_the_series():
    assert Decimal("1.4") == ZIPF_EXPONENT
    assert abs(zeta_of_1_4() - ZETA) < Decimal("1e-19")
    # And bracketed without any theory: the tail beyond n lies between two integrals.
    partial, n = sum(k**-1.4 for k in range(1, 100_001)), 100_000
    assert partial + (n + 1) ** -0.4 / 0.4 < float(ZETA) < partial + n**-0.4 / 0.4


@pytest.mark.parametrize("category", LISTS.values())
def test_weights_are_zipfian_with_the_rest_shared_equally(category):
    weights = [e.weight for e in ordinary(category)]
    law = [rank**-1.4 / float(zeta_of_1_4()) for rank in range(1, len(weights) + 1)]
    share = (1 - sum(law)) / len(law)
    assert weights == pytest.approx([p + share for p in law], rel=1e-13)
    assert sum(weights) == pytest.approx(1, abs=1e-12)


def test_exposed_words_stand_in_the_classes_of_the_facts():
    found = defaultdict(set)
    for entry in plain_lexicon().entries:
        if entry.phenomena:
            assert entry.phenomena == {entry.word}
            assert entry.weight == 1
            found[entry.category].add(entry.word)
    assert found == {category: set(words.split()) for category, words in EXPOSED.items()}
    assert CROSSLISTED == "crawled"


def test_exposed_words_are_in_no_ordinary_list():
    listed = {word for e in plain_lexicon().entries if not e.phenomena for word in (e.word, e.predicate)}
    assert not listed & {word for words in EXPOSED.values() for word in words.split()}
    assert not listed & set(NONCE)


def test_primitives_are_those_of_the_release(reference_rows, cogs):
    released = {(word, form) for word, form, case in reference_rows["train"] if case == "primitive"}
    primitives = plain_lexicon().primitives
    assert len(released) == len(primitives) == 143
    assert {(p.word, cogs.interpret((p.word,), "conjunctive")) for p in primitives} == released


def test_primitives_by_kind():
    kinds = Counter(p.kind for p in plain_lexicon().primitives)
    assert kinds == {"transitive": 40, "unaccusative": 20, "unergative": 21, "noun": 41, "name": 21}
    words = {p.word for p in plain_lexicon().primitives}
    assert {"shark", "Paula", "crawl"} <= words
    assert words & set(NONCE) == {"shark", "Paula", "crawl"}


def test_a_word_has_at_most_one_primitive_meaning():
    for lexicon in (plain_lexicon(), nonce_lexicon()):
        assert max(Counter(p.word for p in lexicon.meanings).values()) == 1
        assert set(lexicon.primitives) <= set(lexicon.meanings)


def test_nonce_tokens_are_numbered_as_in_the_dissertation():
    assert nonce_words() == {word: f"[w_{number}]" for word, number in NONCE.items()}


def test_the_nonce_lexicon_differs_in_the_exposed_words_alone():
    for plain, nonce in zip(plain_lexicon().entries, nonce_lexicon().entries, strict=True):
        assert (nonce.category, nonce.weight, nonce.phenomena) == (plain.category, plain.weight, plain.phenomena)
        if not plain.phenomena or plain.word == CROSSLISTED:
            assert nonce == plain
            continue
        assert nonce.word == f"[w_{NONCE[plain.word]}]"
        assert nonce.predicate == f"[w_{NONCE[plain.predicate]}]"
        assert (nonce.word == nonce.predicate) == (plain.word == plain.predicate)


def test_nonce_primitives_are_the_plain_ones_renamed():
    for plain, nonce in zip(plain_lexicon().meanings, nonce_lexicon().meanings, strict=True):
        expected = f"[w_{NONCE[plain.word]}]" if plain.word in NONCE else plain.word
        assert nonce.word == expected
        assert nonce.kind == plain.kind
        assert nonce.predicate == (expected if plain.word in NONCE else plain.predicate)
