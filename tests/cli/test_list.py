import json


def test_benchmarks_are_listed_for_people(blicket):
    ran = blicket("list")
    assert (ran.status, ran.err) == (0, "")
    head, *rows = ran.out.splitlines()
    assert head.split() == ["benchmark", "version", "what", "it", "is"]
    assert rows[0].split()[0] == "cogs"


def test_benchmarks_are_listed_for_programs(blicket):
    ran = blicket("list", "--json")
    assert (ran.status, ran.err) == (0, "")
    cogs = {b["name"]: b for b in json.loads(ran.out)}["cogs"]
    assert set(cogs) == {"name", "version", "title"}
    assert "COGS" in cogs["title"]
