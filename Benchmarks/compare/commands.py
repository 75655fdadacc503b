"""Commands that run to their end."""

import os
import subprocess
import sys
import tempfile

PATIENCE = 300  # seconds


def output(command, environment=None):
    """What a command prints; ends everything when it fails or hangs."""
    text = " ".join(map(str, command))
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE,
            env={**os.environ, **(environment or {})})
    except subprocess.TimeoutExpired:
        sys.exit(f"{text} hangs: no end after {PATIENCE} s")
    if done.returncode != 0:
        sys.exit(f"{text} failed ({done.returncode}):\n{done.stderr}{done.stdout}")
    return done.stdout


def peak(command):
    """What a command prints, and the most memory it had, in KiB.

    GNU time forks before it measures, so that the memory of this process is not counted.
    """
    with tempfile.NamedTemporaryFile("r") as file:
        text = output(["/usr/bin/time", "--format=%M", f"--output={file.name}", *command])
        return text, int(file.read().split()[-1])
