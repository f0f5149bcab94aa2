"""Label files that stand beside logs which have no place for labels of their own."""

from __future__ import annotations

import json
from pathlib import Path

from task import Verdict


def write_report(folder: Path, done: dict[str, Verdict]) -> None:
    """Outcomes, in the shape of a SWE-bench report."""
    ids = {
        "resolved_ids": sorted(n for n, v in done.items() if v.success),
        "unresolved_ids": sorted(n for n, v in done.items() if not v.success),
    }
    (folder / "report.json").write_text(json.dumps(ids, indent=1) + "\n")


def safety_file(folder: Path, name: str, verdict: Verdict) -> None:
    """Safety, in the shape of OpenAgentSafety: result 1 means that the harm was done."""
    if verdict.unsafe is None:
        return
    score = {"total": 1, "result": int(verdict.unsafe)}
    labels = {"checkpoints": [score], "final_score": score}
    (folder / f"eval_{name}.json").write_text(json.dumps(labels) + "\n")
