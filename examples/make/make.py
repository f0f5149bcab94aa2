"""Makes all example logs: make.py OUT.

Each agent runs in a process of its own. What was in OUT of an earlier run is
replaced only when every agent has finished.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
RUNNERS = {
    "mini-swe-agent": "run_mini.py",
    "openhands-sdk": "run_openhands.py",
    "inspect": "run_inspect.py",
    "langgraph": "run_graph.py",
}


def main(out: Path) -> int:
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        temp = Path(name)
        for agent, runner in RUNNERS.items():
            began = time.monotonic()
            # In the temporary folder, because Inspect notes the git commit of where it runs.
            done = subprocess.run(
                [sys.executable, str(HERE / runner), name],
                cwd=name,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            if done.returncode != 0:
                print(done.stdout[-4000:], file=sys.stderr)
                print(f"{agent} failed; nothing was replaced", file=sys.stderr)
                return 1
            print(f"{agent}: {time.monotonic() - began:.0f} s", file=sys.stderr)
        for agent in RUNNERS:
            shutil.rmtree(out / agent, ignore_errors=True)
            shutil.copytree(temp / agent, out / agent)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
