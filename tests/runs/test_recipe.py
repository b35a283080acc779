"""Recipes: extended, changed, named by what matters, and refused in one line that says where and what."""

from pathlib import Path

import pytest

from blicket.core.errors import InputError
from blicket.learners.classifier import ClassifierShape
from blicket.learners.convs2s import ConvS2SShape
from blicket.learners.encoders import EncoderShape
from blicket.learners.lstm import LstmShape
from blicket.learners.programs import ProgramShape
from blicket.learners.structured import ParserShape
from blicket.learners.transformer import TransformerShape
from blicket.runs.data import benchmark_of
from blicket.runs.learners import learner_of
from blicket.runs.recipe import read_recipe

TINY = Path(__file__).with_name("tiny.toml")
ENCODERS = ("gru", "infersent", "self-attentive", "convolution")
SHAPES = {
    "transformer": TransformerShape,
    "lstm": LstmShape,
    "convs2s": ConvS2SShape,
    "parser": ParserShape,
    "programs": ProgramShape,
    **dict.fromkeys(ENCODERS, ClassifierShape),
}
RECIPES = sorted((Path(__file__).parents[2] / "recipes").glob("*.toml"))


def written(directory, **texts):
    """Files of recipes; the first is the result."""
    for name, text in texts.items():
        (directory / f"{name}.toml").write_text(text)
    return directory / f"{next(iter(texts))}.toml"


def refused(path, *changes):
    with pytest.raises(InputError) as error:
        benchmark_of(path, read_recipe(path, changes))
    said = str(error.value)
    assert "\n" not in said
    assert len(said) < 300
    return said


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_ours_can_be_read_and_run(path):
    recipe = read_recipe(path)
    assert recipe.name == path.stem
    benchmark = benchmark_of(path, recipe)
    learner = learner_of(recipe, benchmark.form(recipe.data.form), benchmark.notations, lambda word: None)
    assert isinstance(learner.shape, SHAPES[recipe.network.kind])
    assert learner.headline == recipe.training.headline
    assert recipe.result is not path.stem.endswith(("-quick", "-demo"))
    ours = recipe.network.kind in ("parser", "programs")  # which nobody published
    nobodys = ours or getattr(recipe.network, "words", "vectors") != "vectors"
    assert bool(recipe.answers) is (recipe.result and not nobodys)
    assert recipe.about


def test_there_are_those_of_the_papers():
    names = [path.stem for path in RECIPES]
    models = ("cogs-transformer", "cogs-lstm", "cogs-bilstm", "cogs-tuned", *(f"natural-logic-{e}" for e in ENCODERS))
    assert {*models, *(f"{model}-quick" for model in models)} <= set(names)
    identities = [read_recipe(path).identity("", None) for path in RECIPES]
    assert len(set(identities)) == len(identities)


def test_what_a_recipe_says_reaches_the_learner():
    changes = ["training.accumulate=3", "training.clip=2.5", "training.warmup=7", "decoding.beam=4"]
    learner = learner_of(read_recipe(TINY, changes), "conjunctive", {})
    assert learner.shape == TransformerShape(layers=1, width=16, heads=2, hidden=16)
    regime = learner.regime
    assert (regime.batch, regime.accumulate, regime.updates, regime.patience) == (8, 3, 20, 3)
    assert (regime.schedule.kind, regime.schedule.rate, regime.schedule.warmup) == ("constant", 0.03, 7)
    assert (regime.schedule.width, regime.clip) == (16, 2.5)
    assert (learner.decoding.beam, learner.decoding.longest, learner.form) == (4, 24, "conjunctive")
    patient = learner_of(read_recipe(TINY, ["training.early_stopping=false"]), "conjunctive", {})
    assert patient.regime.patience is None


def test_what_a_recipe_says_of_epochs_and_rates_reaches_the_learner():
    network = "network={kind='convs2s', stack=[[16, 3, 2], [32, 1, 1]], embedding=24}"
    changes = ["epochs=7", "validate_each_epoch=true", "optimiser=sgd", "momentum=0.99", "mean=tokens"]
    changes += ["compiled=parts", "schedule=plateau", "factor=0.1", "decay_from=3", "initialisation=embeddings-tenth"]
    recipe = read_recipe(TINY, [network, *(f"training.{change}" for change in changes)])
    learner = learner_of(recipe, "conjunctive", {})
    assert learner.shape == ConvS2SShape(((16, 3, 2), (32, 1, 1)), embedding=24)
    regime = learner.regime
    assert (regime.epochs, regime.validate_each_epoch, regime.optimiser, regime.momentum) == (7, True, "sgd", 0.99)
    assert (regime.mean, regime.compiled, regime.initialisation) == ("tokens", "parts", "embeddings-tenth")
    assert (regime.schedule.kind, regime.schedule.factor, regime.schedule.decay_from) == ("plateau", 0.1, 3)
    assert regime.schedule.width == 24


def test_a_recipe_says_only_in_what_it_differs(tmp_path):
    (tmp_path / "below").mkdir()
    path = written(
        tmp_path,
        top='extends = "middle.toml"\nname = "top"\n[network]\nheads = 4\n[data.options]\ngen = 5\n',
        middle='extends = "below/base.toml"\nabout = "middle"\n[network]\nhidden = 8\nheads = 1\n',
    )
    (tmp_path / "below/base.toml").write_text(TINY.read_text())
    recipe, base = read_recipe(path), read_recipe(TINY)
    assert (recipe.name, recipe.about) == ("top", "middle")
    assert recipe.network == base.network.model_copy(update={"heads": 4, "hidden": 8})
    assert recipe.training == base.training
    assert recipe.data.options == {**base.data.options, "gen": 5}


def test_extending_in_circles_is_refused(tmp_path):
    path = written(tmp_path, a='extends = "b.toml"', b=f'extends = "../{tmp_path.name}/a.toml"')
    assert "a.toml: extends: extends itself in the end" in refused(path)
    assert "extends itself" in refused(written(tmp_path, a='extends = "a.toml"'))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('extends = "none.toml"', "none.toml: cannot be read (No such file or directory)"),
        ('extends = "."', "cannot be read (Is a directory)"),
        ('extends = ""', "cannot be read (Is a directory)"),
        ('extends = "a\\u0000b"', "embedded null byte"),
        ("extends = 3", "a.toml: extends: expected the name of a file beside this one, got 3"),
        ("name = ", "a.toml: not TOML (Invalid value (at"),
        ("name = 1\nname = 2", "a.toml: not TOML (Cannot overwrite a value"),
        ('name = "\udcff"', "a.toml: not TOML ('utf-8' codec"),
    ],
)
def test_files_that_are_no_recipes(tmp_path, text, says):
    path = tmp_path / "a.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert says in refused(path)


def test_a_recipe_that_is_not_there(tmp_path):
    assert refused(tmp_path / "a.toml").endswith("a.toml: cannot be read (No such file or directory)")
    assert "directory" in refused(tmp_path)


def test_settings_are_changed_one_by_one():
    changes = [
        "training.rate=0.5",
        "training.betas=[0.5, 0.6]",
        "network.positions=relative",
        'name="another name"',
        "seeds=[7]",
        "data.options.gen=3",
        "data.options.compat=published",
        "decoding.beam=2",
        "decoding.beam=3",
    ]
    recipe = read_recipe(TINY, changes)
    assert (recipe.training.rate, recipe.training.betas) == (0.5, (0.5, 0.6))
    assert (recipe.network.positions, recipe.name, recipe.seeds) == ("relative", "another name", (7,))
    assert recipe.data.options == {**read_recipe(TINY).data.options, "gen": 3, "compat": "published"}
    assert recipe.decoding.beam == 3


def test_tables_that_are_not_there_are_made(tmp_path):
    path = written(tmp_path, a='name = "a"\n[data]\nbenchmark = "cogs"\n[network]\nkind = "lstm"\n')
    recipe = read_recipe(path, ["data.options.gen=3", "training.updates=4"])
    assert recipe.data.options == {"gen": 3}
    assert recipe.training.updates == 4
    assert read_recipe(path, ["data.options={}"]).data.options == {}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("training.updates", "--set training.updates: expected NAME=VALUE"),
        ("=3", "--set =3: expected NAME=VALUE"),
        ("training.=3", "expected NAME=VALUE"),
        ("name.x=3", "--set name.x=3: 'name' is no table"),
        # Keys that nothing reads, at every level.
        ("trainin.updates=3", "tiny.toml: unknown key 'trainin'; did you mean 'training'?"),
        ("seed=3", "unknown key 'seed'; did you mean 'seeds'?"),
        ("lstm.layers=3", "unknown key 'lstm'"),
        ("data.deve=dev", "unknown key 'data.deve'; did you mean 'dev'?"),
        ("data.options.gn=3", "tiny.toml: data: cogs has no option 'gn'; did you mean 'gen'?"),
        ("network.headz=3", "unknown key 'network.headz'; did you mean 'heads'?"),
        ("training.update=3", "unknown key 'training.update'; did you mean 'updates'?"),
        ("decoding.beams=3", "unknown key 'decoding.beams'; did you mean 'beam'?"),
        ("network.kind=lstm", "unknown key 'network.heads'; there is attention, bidirectional, dropout, embedding"),
        ("network={kind='convs2s', stack=[[8, 3]]}", "network.stack.0.2: is missing"),
        ("network={kind='convs2s', stack=[]}", "network.stack: Tuple should have at least 1 item"),
        ("network={kind='convs2s'}", "training.initialisation: expected embeddings-tenth or embeddings-kaiming"),
        ("training.validate_every=epoch", "training.validate_every: Input should be a valid integer, got 'epoch'"),
        ("training.momentum=1.0", "training.momentum: "),
        ("training.factor=1.5", "training.factor: "),
        # Names of nothing.
        ("network.kind=tranformer", "network.kind: there is no kind of network 'tranformer'; did you mean 'transfo"),
        ("network={width=16}", "network.kind: is missing; expected transformer or lstm"),
        ("network=5", "tiny.toml: network: "),
        ("data.benchmark=cgos", "tiny.toml: data: there is no benchmark 'cgos'; did you mean 'cogs'?"),
        ("data.form=conjuctive", "there is no form 'conjuctive'; did you mean 'conjunctive'?"),
        ("data.train=trian", "there is no split 'trian'; did you mean 'train'?"),
        ("data.dev=tset", "there is no split 'tset'; did you mean 'test'?"),
        ('data.evaluate=["gne"]', "there is no split 'gne'; did you mean 'gen'?"),
        ("data.options.compat=gen-2002", "there is no compat 'gen-2002'; did you mean 'gen-2020'?"),
        # Splits that are for something else.
        ("data.dev=gen", "tiny.toml: data: dev: gen is a generalization split, and a dev split is wanted"),
        ("data.dev=test", "dev: test is a test split, and a dev split is wanted"),
        ("data.dev=train", "dev: train is a train split"),
        ("data.train=gen", "train: gen is a generalization split, and a train split is wanted"),
        ("data.train=dev", "train: dev is a dev split"),
        # Values that cannot be.
        ("network.heads=3", "tiny.toml: network: a width of 16 does not divide into 3 heads"),
        ("network.heads=0", "network.heads: Input should be greater than or equal to 1, got 0"),
        ("network={kind='transformer', width=15, heads=5}", "even width, and 15 is odd"),
        ("network={kind='lstm', width=15, bidirectional=true}", "two directions want an even width, and 15 is odd"),
        ("network.dropout=1", "network.dropout: Input should be less than 1, got 1"),
        ("network.norm=mid", "network.norm: Input should be 'pre' or 'post', got 'mid'"),
        ("training.updates=0", "training.updates: Input should be greater than or equal to 1, got 0"),
        ("training.epochs=0", "training.epochs: "),
        ("training.batch=-1", "training.batch: "),
        ("training.batch=1.5", "training.batch: Input should be a valid integer, got 1.5"),
        ("training.batch=true", "training.batch: Input should be a valid integer, got True"),
        ("training.batch='8'", "training.batch: Input should be a valid integer, got '8'"),
        ("training.smoothing=1", "training.smoothing: Input should be less than 1, got 1"),
        ("training.smoothing=-0.1", "training.smoothing: "),
        ("training.rate=0", "training.rate: Input should be greater than 0, got 0"),
        ("training.rate=inf", "training.rate: Input should be a finite number, got inf"),
        ("training.rate=nan", "training.rate: "),
        ("training.clip=0", "training.clip: "),
        ("training.betas=[0.9, 1]", "training.betas.1: Input should be less than 1, got 1"),
        ("training.betas=[0.9]", "training.betas.1: is missing"),
        ("training.half=yes", "training.half: Input should be a valid boolean, got 'yes'"),
        ("training.headline=worst", "training.headline: Input should be 'best' or 'last', got 'worst'"),
        ("training=5", "tiny.toml: training: "),
        ("decoding.beam=0", "decoding.beam: "),
        ("seeds=[1, 1]", "tiny.toml: seeds: expected one or several, each once, got [1, 1]"),
        ("seeds=[]", "seeds: expected one or several"),
        ("seeds=[-1]", "seeds.0: Input should be greater than or equal to 0, got -1"),
        ("seeds=[true]", "seeds.0: Input should be a valid integer, got True"),
        ("seeds=3", "seeds: "),
        ('data.evaluate=["gen", "gen"]', "data.evaluate: expected one or several, each once"),
        ("data.options=3", "data.options: "),
        ("data.options.gen=-1", "tiny.toml: data: option gen: "),
        ("name=a/b", "name: expected what can be a directory's name, got 'a/b'"),
        ("name=..", "name: expected what can be a directory's name"),
        ("name=", "name: expected what can be a directory's name"),
        ('name="a\\nb"', "name: expected what can be a directory's name"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_one_line(change, says):
    assert says in refused(TINY, change)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[data]\nbenchmark = 'cogs'\n[network]\nkind = 'lstm'", "name"),
        ("name = 'a'\n[network]\nkind = 'lstm'", "data"),
        ("name = 'a'\n[data]\nseed = 1\n[network]\nkind = 'lstm'", "data.benchmark"),
        ("name = 'a'\n[data]\nbenchmark = 'cogs'", "network"),
    ],
)
def test_what_is_missing_is_named(tmp_path, text, key):
    assert refused(written(tmp_path, a=text)).endswith(f"a.toml: {key}: is missing")


def test_a_misspelt_key_is_told_before_what_is_missing_for_it(tmp_path):
    path = written(tmp_path, a=TINY.read_text().replace("[network]", "[netwrok]"))
    assert refused(path).endswith("unknown key 'netwrok'; did you mean 'network'?")


@pytest.mark.parametrize(
    "change", ["seeds=[8]", "name=other", "about=other", "answers=['table-2/lstm']", "result=false"]
)
def test_the_identity_does_not_change_with(change):
    assert identity(change) == identity()


@pytest.mark.parametrize(
    "change",
    [
        "data.seed=2",
        "data.options.gen=3",
        "data.dev=dev2",
        "data.train=train_100",
        "data.evaluate=['gen']",
        "data.form=variable-free",
        "network.layers=2",
        "network.dropout=0.2",
        "network.norm=post",
        "network.tied=true",
        "network={kind='lstm'}",
        "training.updates=21",
        "training.rate=0.004",
        "training.headline=last",
        "training.betas=[0.9, 0.99]",
        "training.smoothing=0.0",
        "training.initialisation=uniform",
        "decoding.beam=2",
        "decoding.replace_unknown=true",
    ],
)
def test_the_identity_changes_with(change):
    assert identity(change) != identity()


def test_the_identity_changes_with_data_and_limit():
    assert len({identity(), identity(data_hash="y"), identity(limit=1), identity(limit=2)}) == 4


def test_a_default_that_is_written_down_changes_nothing():
    assert identity("training.accumulate=1", "network.norm=pre", "training.rate=3e-2") == identity()


def identity(*changes, data_hash="x", limit=None):
    return read_recipe(TINY, changes).identity(data_hash, limit)


# Classifiers of sentence pairs


PAIRS = RECIPES[0].with_name("natural-logic-self-attentive.toml")


def test_what_a_recipe_of_a_classifier_says_reaches_the_learner():
    changes = ["network.width=8", "network.distinct_views=2", "network.linear=true", "network.difference=absolute"]
    changes += ["training.frozen=true", "training.patience=3", "training.weights.v=2.5", "training.epochs=4"]
    learner = learner_of(read_recipe(PAIRS, changes), "relation", {})
    assert learner.shape == ClassifierShape(EncoderShape("self-attentive", 8, 300, 4, 2, 4), 512, "absolute", True)
    regime = learner.regime
    assert (regime.frozen, regime.patience, regime.weights, regime.epochs) == (True, 3, {"v": 2.5}, 4)
    assert (regime.batch, regime.rate, regime.watch, regime.headline) == (64, 0.001, "accuracy", "best")


def test_what_the_release_did_otherwise_is_in_the_recipes():
    for encoder in ENCODERS:
        recipe = read_recipe(PAIRS.with_name(f"natural-logic-{encoder}-release.toml"))
        network, training = recipe.network, recipe.training
        assert (network.difference, network.linear, training.frozen) == ("absolute", True, True)
        wanted = {">": 2, "<": 2, "v": 2, "#": 0.3, "=": 7, "|": 2, "^": 6}
        assert training.weights == wanted
        assert recipe.data.options["compat"] == ["published"]
        assert network.distinct_views == 2 if encoder == "self-attentive" else not hasattr(network, "distinct_views")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("network.kind=infercent", "there is no kind of network 'infercent'; did you mean 'infersent'?"),
        ("network.view=3", "unknown key 'network.view'; did you mean 'views'?"),
        ("network.distinct_views=5", "network: 5 distinct views, and there are 4"),
        ("training.updates=5", "unknown key 'training.updates'"),
        ("training.weights.independence=2.0", "weights has 'independence', and relation is one of = < > ^ | v #"),
        ("training.weights.v=0", "training.weights.v: Input should be greater than 0"),
        ("decoding.beam=2", "unknown key 'decoding'"),
    ],
)
def test_classifiers_that_cannot_be(change, says):
    assert says in refused(PAIRS, change)


def test_a_form_that_a_network_cannot_learn():
    of_cogs = ["data.benchmark=cogs", 'data.evaluate=["dev"]', "data.options={}"]
    assert "a self-attentive learns which of a few relations" in refused(PAIRS, *of_cogs)
    of_pairs = ["data.benchmark=natural-logic", 'data.evaluate=["dev"]', "data.options={}"]
    assert "a transformer learns to produce, and relation is one of" in refused(TINY, *of_pairs)


def test_words_through_their_relations_need_data_that_know_them():
    recipe = read_recipe(PAIRS, ["network.words=relations"])
    with pytest.raises(InputError, match=r"network\.words: relations are wanted, and these data do not say how words"):
        learner_of(recipe, "relation", {})
    learner = learner_of(recipe, "relation", {}, {"a": ("x", 1)}.get)
    assert (learner.words, learner.hierarchy("a")) == ("relations", ("x", 1))
