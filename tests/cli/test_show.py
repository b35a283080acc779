import json


def test_the_card_is_shown(blicket):
    ran = blicket("show", "cogs")
    assert (ran.status, ran.err) == (0, "")
    for word in ("COGS", "gen-2020"):
        assert word in ran.out


def test_programs_get_what_they_need(blicket):
    ran = blicket("show", "cogs", "--json")
    assert (ran.status, ran.err) == (0, "")
    shown = json.loads(ran.out)
    assert shown["forms"] == ["conjunctive", "variable-free"]
    assert shown["inputs"] == ["source"]
    splits = {"train": "train", "dev": "dev", "held_out": "dev", "test": "test", "gen": "generalization"}
    assert shown["splits"] == splits
    assert list(shown["compat"]) == ["gen-2020"]
    kinds = [case["kind"] for case in shown["cases"]]
    assert (kinds.count("lexical"), kinds.count("structural")) == (18, 3)
    transformer = [
        p["value"]
        for p in shown["published"]
        if p["table"] == "table-2" and p.get("model") == "transformer" and p.get("split") == "gen"
    ]
    assert transformer[0] == 0.35  # Kim & Linzen 2020, table 2
