"""Everything a grammar makes, up to a height of its trees."""

from collections.abc import Iterator
from itertools import product

from blicket.grammar.derivations import Derivation, Frame
from blicket.grammar.rules import Grammar

__all__ = ["derivations", "frames"]


def frames(grammar: Grammar, height: int) -> Iterator[Frame]:
    """The frames of at most `height` levels of rules, each once."""
    lexical = grammar.frame_codes
    # For each category the codes of all its trees up to the height reached so far.
    trees: dict[str, list[tuple[int, ...]]] = {category: [(code,)] for category, code in lexical.items()}
    for _ in range(height):
        grown = {category: trees[category] for category in lexical}
        for code, rule in enumerate(grammar.rules):
            parts = product(*(trees.get(child, ()) for child in rule.children))
            grown.setdefault(rule.parent, []).extend((code, *sum(part, ())) for part in parts)
        trees = grown
    return (Frame(grammar, codes) for codes in trees.get(grammar.start, ()))


def derivations(grammar: Grammar, height: int) -> Iterator[Derivation]:
    """The derivations of at most `height` levels of rules, each once."""
    for frame in frames(grammar, height):
        choices = ([grammar.entries[e] for e in grammar.entries_of[category]] for category in frame.categories)
        for entries in product(*choices):
            yield Derivation(frame, entries)
