"""Record a run in the ledger: `python results/record.py RUN NAME` writes NAME.json and NAME.md beside this file.

The JSON has what the run says of itself (recipe, data hash, hardware) and for each seed how training went and the
scorecards; the Markdown is the summary that `blicket report` makes, beside the published numbers.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from blicket.report import report_of, write_report
from blicket.runs.directory import RunDirectory

LEDGER = Path(__file__).parent


def rounded(value: Any) -> Any:
    """Floats to four places, which is more than the spread over seeds allows."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items() if key != "files"}
    return [rounded(inner) for inner in value] if isinstance(value, list) else value


def entry(run: RunDirectory) -> dict[str, Any]:
    """Everything of a run but data, networks and predictions."""
    seeds = {}
    for seed in run.seeds():
        scores = {split: run.read_scores(seed, split) for split in run.splits()}
        watched = [
            split for split in run.about()["recipe"]["data"].get("watch", ()) if run.profile(seed, split).exists()
        ]
        profiles = {split: run.read_profile(seed, split)["points"] for split in watched}
        seeds[seed] = {
            "training": run.read_curve(seed),
            "scores": scores,
            **({"watched": profiles} if profiles else {}),
        }
    return {**run.about(), "seeds": seeds}


def main() -> None:
    """Record one run."""
    path, name = sys.argv[1:]
    run = RunDirectory.existing(Path(path))
    (LEDGER / f"{name}.json").write_text(json.dumps(rounded(entry(run)), separators=(",", ":")) + "\n")
    with tempfile.TemporaryDirectory() as there:
        write_report(report_of([Path(path)]), Path(there))
        (LEDGER / f"{name}.md").write_bytes((Path(there) / "summary.md").read_bytes())


if __name__ == "__main__":
    main()
