"""A tagger and parser learned from sentences and logical forms alone: every sentence is a tree of heads and roles.

It assumes, and nothing else about the language is built in:

- A meaning is a labelled graph over the words of the sentence (`blicket.core.graph`), which the form says by itself.
- What a word is and does can be told from the word, its spelling (a capital, an ending that many words share), and the
  neighbourhood it stands in.
- What attaches a word stands before it: determiners, prepositions, *that* and *to*, as in English; its own modifiers,
  which follow, have no say in it (`dependents = "around"` does without this).
- What a word is to its head is told by its place, and not by the word: by three words before it and three behind it,
  articles passed over, so that names and nouns are alike there (`roles = "around"` does without this). Which words are
  articles, which only say how the next is meant, is found in train.
- A word of train has the category that it has there; only new words can be anything. Which tags make up a category,
  such as definite and indefinite, is found in train.
- A word depends on one head, up to dependents that heads share, for which there are rules to be found in train.
- **A head fills each of its roles once.** So decoding is a matching of words to the free slots of heads.
- How likely two words are related falls with their distance, and otherwise does not depend on where they stand.
- Words that are as good as unknown mean their own name, or what train says they mean.

Two networks are trained on this, from other beginnings, and vote: where train leaves it open what matters, they
seldom err alike.

CARD.md beside the learners says where these assumptions came from.
"""

from blicket.learners.structured.learner import StructuredLearner
from blicket.learners.structured.network import ParserShape
from blicket.learners.structured.training import ParserRegime

__all__ = ["ParserRegime", "ParserShape", "StructuredLearner"]
