from hashlib import sha256
from pathlib import Path

import pytest

from blicket.core.errors import InputError
from blicket.core.fetching import Release, cache_directory, fetch_release

URL = "http://127.0.0.1:1"


def test_where_the_cache_is(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("BLICKET_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache_directory() == tmp_path / ".cache/blicket"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_directory() == tmp_path / "xdg/blicket"
    monkeypatch.setenv("BLICKET_CACHE", str(tmp_path / "mine"))
    assert cache_directory() == tmp_path / "mine"


@pytest.mark.parametrize("name", ["BLICKET_CACHE", "XDG_CACHE_HOME"])
def test_an_empty_variable_is_none(monkeypatch, tmp_path, name):
    monkeypatch.setenv("HOME", str(tmp_path))
    for each in ("BLICKET_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(each, raising=False)
    monkeypatch.setenv(name, "")
    assert cache_directory() == tmp_path / ".cache/blicket"


def test_files_that_are_there_need_no_network(tmp_path):
    (tmp_path / "a").write_bytes(b"A")
    (tmp_path / "b").write_bytes(b"B")
    seen: list[Path] = []
    digests = {name: sha256(name.upper().encode()).hexdigest() for name in "ab"}
    release = Release("toy", URL, {"a": digests["a"], "b": None}, seen.append)
    assert fetch_release(release, tmp_path) == digests
    assert fetch_release(release, tmp_path) == digests
    assert seen == [tmp_path]  # checked once, and known by its hash from then on


def test_files_that_do_not_pass_are_not_taken_for_checked(tmp_path):
    (tmp_path / "a").write_bytes(b"A")

    def verify(directory):
        raise InputError("not the release")

    for _ in range(2):
        with pytest.raises(InputError, match="not the release"):
            fetch_release(Release("toy", URL, {"a": None}, verify), tmp_path)


def test_a_wrong_file_is_left_for_its_owner_to_remove(tmp_path):
    (tmp_path / "a").write_bytes(b"mine")
    with pytest.raises(InputError, match=r"a: its SHA-256 is .*expected .*remove it"):
        fetch_release(Release("toy", URL, {"a": "0" * 64}, print), tmp_path)
    assert (tmp_path / "a").read_bytes() == b"mine"
