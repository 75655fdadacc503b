"""One run of a peer under callgrind."""

import subprocess
import tempfile
from pathlib import Path

from commands import output

# What all peers call to look at their clocks: just before the work that is measured, and just after.
MARK = "usage_now"


def instructions(command, processor):
    """How many instructions a peer takes between the marks, all threads of it, on one processor."""
    with tempfile.TemporaryDirectory() as directory:
        output([
            "taskset", "--cpu-list", processor, "valgrind", "--tool=callgrind", "--fair-sched=yes",
            f"--dump-before={MARK}", f"--callgrind-out-file={directory}/profile", *command,
        ])
        return total(Path(directory) / "profile.2")


def total(profile):
    for line in profile.read_text().splitlines():
        if line.startswith("totals:"):
            return int(line.split()[1])
    raise SystemExit(f"{profile} has no total")
