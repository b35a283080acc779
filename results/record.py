"""Record a run in the ledger: `python results/record.py RUN NAME` writes NAME.json and NAME.md beside this file.

The JSON has what the run says of itself (recipe, data hash, hardware) and for each seed how training went and the
scorecards, and what probes found but for groups that are hundreds; the Markdown is the summary that `blicket report`
makes, beside the published numbers, and its tables of probes.
"""

import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from blicket.report import report_of, write_report
from blicket.runs.directory import RunDirectory

LEDGER = Path(__file__).parent
GROUPS = 50
PROBES = ("holdout", "jabberwocky", "perturbation", "identical", "consistency")


def rounded(value: Any) -> Any:
    """Floats to four places, which is more than the spread over seeds allows."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items() if key != "files"}
    return [rounded(inner) for inner in value] if isinstance(value, list) else value


def found(probe: Mapping[str, Any]) -> dict[str, Any]:
    """What a probe found, by kinds of groups that a table has room for."""
    return {**probe, "by": {kind: groups for kind, groups in probe["by"].items() if len(groups) <= GROUPS}}


def entry(run: RunDirectory) -> dict[str, Any]:
    """Everything of a run but data, networks and predictions."""
    seeds = {}
    for seed in run.seeds():
        scores = {split: run.read_scores(seed, split) for split in run.splits()}
        seeds[seed] = {"training": run.read_curve(seed), "scores": scores}
        if seed in run.probed():
            seeds[seed]["probes"] = {name: found(of) for name, of in run.read_probes(seed)["probes"].items()}
        watched = [
            split for split in run.about()["recipe"]["data"].get("watch", ()) if run.profile(seed, split).exists()
        ]
        if watched:
            seeds[seed]["watched"] = {split: run.read_profile(seed, split)["points"] for split in watched}
    return {**run.about(), "seeds": seeds}


def main() -> None:
    """Record one run."""
    path, name = sys.argv[1:]
    run = RunDirectory.existing(Path(path))
    (LEDGER / f"{name}.json").write_text(json.dumps(rounded(entry(run)), separators=(",", ":")) + "\n")
    with tempfile.TemporaryDirectory() as there:
        write_report(report_of([Path(path)]), Path(there))
        probes = [f"probe-{probe}.md" for probe in PROBES if (Path(there) / f"probe-{probe}.md").exists()]
        tables = [(Path(there) / file).read_text("utf-8") for file in ("summary.md", *probes)]
        (LEDGER / f"{name}.md").write_text("\n".join(tables), "utf-8")


if __name__ == "__main__":
    main()
