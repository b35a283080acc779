import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path

import blicket
from blicket.core.provenance import package_version, provenance


def test_it_says_what_a_number_was_made_with():
    said = provenance()
    assert json.loads(json.dumps(said)) == said
    assert said["blicket"] == package_version() == version("blicket")
    assert said["libraries"]["numpy"] == version("numpy")
    assert said["python"] == ".".join(map(str, sys.version_info[:3]))
    assert said["cores"] >= 1
    assert said["processor"] is not None


def test_it_says_when_that_was():
    before = datetime.now(UTC)
    began = provenance()["began"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", began)
    assert timedelta(seconds=-1) < datetime.fromisoformat(began) - before < timedelta(seconds=60)


def copied(tmp_path):
    """This package at another place, where git does not know it."""
    source = Path(blicket.__file__).parent
    target = tmp_path / "src/blicket"
    (target / "core").mkdir(parents=True)
    for name in ("__init__.py", "core/__init__.py", "core/provenance.py"):
        (target / name).write_bytes((source / name).read_bytes())
    return target


def git_state(tmp_path):
    program = "from blicket.core.provenance import provenance; print(provenance()['git'])"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.check_output([sys.executable, "-c", program], text=True, env=environment, cwd="/").strip()


def git(tmp_path, *words):
    about = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *about, *words], cwd=tmp_path, check=True, capture_output=True)


def test_the_state_of_the_source_tree(tmp_path):
    target = copied(tmp_path)
    assert git_state(tmp_path) == "None"
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "x")
    assert git_state(tmp_path) == "None"  # a repository around it that does not track it, as around a site-packages
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "x")
    commit = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=tmp_path, text=True).strip()
    assert git_state(tmp_path) == commit
    (target / "core/provenance.py").write_text((target / "core/provenance.py").read_text() + "\n")
    assert git_state(tmp_path) == f"{commit}+changes"
