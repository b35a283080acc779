import http.server
import json
import threading
from hashlib import sha256

import pytest

from blicket import InputError, benchmark
from blicket.core.fetching import Release

FILES = {"train.tsv": b"A\ta\tx\n" * 20_000, "gen.tsv": b"B\tb\ty\n"}


class Site(http.server.ThreadingHTTPServer):
    """A server on this machine that remembers what it was asked for; `answers` replace the files."""

    def __init__(self):
        self.asked, self.answers = [], {}
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/data"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.rpartition("/")[2]
        self.server.asked.append(name)
        answer = self.server.answers.get(name)
        if isinstance(answer, int):
            self.send_error(answer)
        elif answer is not None:
            self.wfile.write(answer)
        else:
            self.send_response(200)
            self.send_header("Content-Length", str(len(FILES[name])))
            self.end_headers()
            self.wfile.write(FILES[name])

    def log_message(self, *words):
        pass


@pytest.fixture
def site():
    with Site() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


class Verified(list):
    """The directories that were checked."""


@pytest.fixture
def verified():
    return Verified()


@pytest.fixture
def fetch(blicket, site, tmp_path, monkeypatch, verified):
    """Fetches a release of two files, of which the hash of the second is not known beforehand."""
    files = {"train.tsv": sha256(FILES["train.tsv"]).hexdigest(), "gen.tsv": None}
    release = Release("cogs", site.url, files, lambda directory: verified.append(directory))
    monkeypatch.setattr(type(benchmark("cogs")), "release", lambda self: release)
    monkeypatch.setenv("BLICKET_CACHE", str(tmp_path / "cache"))
    return lambda *words: blicket("fetch", "cogs", *words)


def refused(ran, *parts):
    assert ran.status == 2, ran
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    for part in parts:
        assert part in ran.err


def test_files_are_fetched_into_the_cache_and_checked(fetch, tmp_path, site, verified):
    ran = fetch()
    directory = tmp_path / "cache/cogs"
    assert (ran.status, ran.out, ran.err) == (0, f"{directory}\n", "")
    assert {path.name for path in directory.iterdir()} == {*FILES, "sha256.json"}
    for name, content in FILES.items():
        assert (directory / name).read_bytes() == content
        assert json.loads((directory / "sha256.json").read_text())[name] == sha256(content).hexdigest()
    assert verified == [directory]


def test_what_is_there_is_not_fetched_again(fetch, site, verified):
    assert fetch().status == fetch().status == 0
    assert site.asked == ["train.tsv", "gen.tsv"]
    assert len(verified) == 1


def test_what_is_rejected_after_it_was_fetched_does_not_stay(fetch, site, tmp_path, verified):
    def reject(directory):
        raise InputError(f"{directory / 'gen.tsv'}, line 1: the target is not the meaning of 'B'")

    verified.append = reject
    directory = tmp_path / "cache/cogs"
    for asked in (["train.tsv", "gen.tsv"], ["train.tsv", "gen.tsv", "gen.tsv"]):
        ran = fetch()
        refused(ran, "gen.tsv, line 1: the target", "; gen.tsv is not kept: fetch again, or with --url from elsewhere")
        assert [path.name for path in directory.iterdir()] == ["train.tsv"]
        assert site.asked == asked
    (directory / "gen.tsv").write_bytes(b"mine")
    refused(fetch(), "gen.tsv, line 1: the target", f"; remove {directory / 'gen.tsv'} and fetch again")
    assert (directory / "gen.tsv").read_bytes() == b"mine"
    verified.append = [].append
    assert fetch().status == 0


def test_it_resumes_with_what_is_missing(fetch, site, tmp_path):
    site.answers["gen.tsv"] = 500
    refused(fetch(), "gen.tsv", "Internal Server Error")
    assert [path.name for path in (tmp_path / "cache/cogs").iterdir()] == ["train.tsv"]
    site.answers.clear()
    assert fetch().status == 0
    assert site.asked == ["train.tsv", "gen.tsv", "gen.tsv"]


def test_another_place_and_another_source(fetch, site, tmp_path):
    assert fetch("-o", tmp_path / "here", "--url", f"{site.url}/mirror/").out == f"{tmp_path / 'here'}\n"
    assert (tmp_path / "here/gen.tsv").exists()


def chunked(body):
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        pytest.param(404, "Not Found", id="404"),
        pytest.param(
            b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad",
            "is not kept: fetch again, or with --url from elsewhere",
            id="another file",
        ),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nbad", "after 3 of 99 bytes", id="truncated"),
        pytest.param(b"HTTP/1.1 200 OK\r\n\r\n", "SHA-256", id="empty"),
        pytest.param(chunked(b"ff\r\nabc"), "", id="truncated chunk"),
        pytest.param(chunked(b"nonsense\r\nabc"), "", id="bad chunk"),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nbad", "", id="bad length"),
        pytest.param(b"nonsense\r\n\r\n", "", id="no HTTP"),
        pytest.param(b"", "", id="no answer"),
        pytest.param(b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n", "", id="to a local file"),
    ],
)
def test_what_is_not_the_file_is_not_kept(fetch, site, tmp_path, answer, reason):
    site.answers["train.tsv"] = answer
    refused(fetch(), "train.tsv", reason)
    assert list((tmp_path / "cache/cogs").iterdir()) == []


def test_a_file_that_was_changed_since_is_named(fetch, tmp_path):
    fetch()
    for name in FILES:
        changed = tmp_path / "cache/cogs" / name
        original = changed.read_bytes()
        changed.write_bytes(b"mine\n")
        refused(fetch(), str(changed), "remove it and fetch again")
        changed.write_bytes(original)
    assert fetch().status == 0


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"gen.tsv": 5}', '"x"', "null"])
def test_a_damaged_lock_is_named(fetch, tmp_path, text):
    fetch()
    lock = tmp_path / "cache/cogs/sha256.json"
    lock.write_text(text)
    refused(fetch(), "remove it and fetch again")


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/data",
        "example.org/data",
        "file:///etc",
        "http://",
        "http://[bad/",
        "http://local host/",
        "http://localhost:port/",
        "http://127.0.0.1:1/",
        "http://127.0.0.1:1/ü/",
        "http://" + "ü" * 80 + "/",
    ],
    ids=ascii,
)
def test_an_address_that_leads_nowhere(fetch, tmp_path, url):
    ran = fetch("-o", tmp_path / "here", "--url", url)
    refused(ran, url.rstrip("/")[:12])
    assert list(tmp_path.glob("here/*")) == []


def test_a_file_where_the_directory_should_be(fetch, tmp_path):
    (tmp_path / "here").write_text("mine")
    refused(fetch("-o", tmp_path / "here"), str(tmp_path / "here"))
    assert (tmp_path / "here").read_text() == "mine"


def test_a_directory_where_a_file_should_be(fetch, tmp_path):
    (tmp_path / "here/train.tsv").mkdir(parents=True)
    refused(fetch("-o", tmp_path / "here"), "train.tsv")


def test_the_release_of_cogs_is_named_with_its_hashes():
    release = benchmark("cogs").release()
    assert release.url.startswith("https://")
    assert list(release.files) == ["train.tsv", "train_100.tsv", "dev.tsv", "test.tsv", "gen.tsv"]


def test_released_files_have_those_hashes(request):
    reference = request.config.rootpath.parent / "shared/reference/cogs"
    if not reference.exists():
        pytest.skip("the reference data is not here")
    files = benchmark("cogs").release().files
    for name in ("train.tsv", "dev.tsv"):
        assert sha256((reference / name).read_bytes()).hexdigest() == files[name]


def test_files_that_are_not_the_release_are_refused_by_their_rows(blicket, site, tmp_path, everyday):
    # The real release: its hashes are known for train and dev, and the rest is checked against the grammar.
    from blicket.benchmarks.cogs.release import verify_release
    from blicket.core.errors import InputError

    with pytest.raises(InputError, match=r"train\.tsv: has 167 rows, expected 24,155"):
        verify_release(everyday)
