"""Sends requests of all kinds at a steady rate while servers are reloaded and restarted, and records what the process uses.

The CSV has a line for each second. The run fails when memory, descriptors or threads grow, when the response of an honest
server is an error, when a request is retried although its server was not disturbed, and when a request does not end.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path

import chart
import peers
import recording
import verdict
from disturbance import Disturbance

DEADLINE = 120  # seconds after the last request begins; the client itself ends after 60
# glibc keeps freed memory, more or less of it at different times. With these settings it returns large blocks at once, and memory
# follows what is in use.
MALLOC = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}


def end(number, _):
    signal.signal(number, signal.SIG_IGN)  # once is enough
    sys.exit(f"ended by {signal.Signals(number).name}")


def run(seconds, rate, file):
    """Returns the lines of the client, and what went wrong besides them."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        changing, arguments = peers.start(stack, folder, peers.ROOT / ".build-bench/release")
        disturbance = stack.enter_context(Disturbance(changing))
        command = [peers.ROOT / ".build-bench/release/soak", str(seconds), str(rate), *arguments]
        client = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                                                       env={**os.environ, **MALLOC}))
        stack.callback(client.kill)
        deadline = threading.Timer(seconds + DEADLINE, client.kill)
        stack.callback(deadline.cancel)
        deadline.start()
        lines = recording.record(client, disturbance, file)
        if client.wait() != 0:
            disturbance.failures.append(f"the client ended with status {client.returncode}")
    return lines, disturbance.failures


def main():
    parser = argparse.ArgumentParser(prog="scripts/soak", description=__doc__)
    parser.add_argument("minutes", type=float)
    parser.add_argument("--rate", type=int, default=200, help="requests a second (default: 200)")
    parser.add_argument("--results", type=Path, default=peers.ROOT / ".build-bench/soak",
                        help="the folder for soak.csv and soak.svg (default: .build-bench/soak)")
    options = parser.parse_args()
    seconds = max(int(options.minutes * 60), 1)
    signal.signal(signal.SIGTERM, end)
    options.results.mkdir(parents=True, exist_ok=True)
    with open(options.results / "soak.csv", "w", newline="") as file:
        lines, failures = run(seconds, options.rate, file)
    chart.write(lines, options.results / "soak.svg")
    failures += verdict.failures(lines, seconds, options.rate)
    for failure in failures:
        print("FAILED:", failure)
    print("results:", options.results)
    sys.exit(1 if failures else 0)


main()
