"""Sends requests of all kinds at a steady rate while servers are reloaded and restarted, and records what the process uses.

The CSV has a line for each second. The run fails when memory or descriptors grow, or when an honest server's answer is an error.
"""

import argparse
import csv
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pygal
from pygal.style import CleanStyle

import peers

FIELDS = ["second", "done", "expected errors", "unexpected errors", "connections", "p50 ms", "p99 ms",
          "RSS KiB", "descriptors", "threads"]
WARM_UP = 300  # seconds
MOST_GROWTH = 512  # KiB in 25 minutes


def usage(pid):
    """Resident memory in KiB, open descriptors and threads of a process."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    descriptors = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return [int(status["VmRSS"].split()[0]), descriptors, int(status["Threads"])]


def record(process, changing, file):
    """Writes a line for each second that the client reports, and returns them."""
    lines = []
    writer = csv.writer(file)
    writer.writerow(FIELDS)
    for text in process.stdout:
        line = text.strip().split(",") + usage(process.pid)
        lines.append(dict(zip(FIELDS, line)))
        writer.writerow(line)
        file.flush()
        second = int(line[0])
        threading.Thread(target=peers.disturb, args=(changing, second)).start()
    return lines


def slope(lines, field):
    """The median of the slopes between all pairs of minutes (Theil and Sen), in units a second."""
    points = [(int(line["second"]), float(line[field])) for line in lines[::30]]
    slopes = sorted((b - d) / (a - c) for a, b in points for c, d in points if a > c)
    return slopes[len(slopes) // 2] if slopes else 0.0


def chart(lines, path):
    """Memory, descriptors and connections over time."""
    plot = pygal.XY(js=(), style=CleanStyle, legend_at_bottom=True, width=1000, height=500, show_dots=False,
                    title="Soak: RSS in MiB, descriptors, connections, threads", x_title="seconds")
    for field, scale in (("RSS KiB", 1024), ("descriptors", 1), ("connections", 1), ("threads", 1)):
        name = "RSS MiB" if scale > 1 else field
        plot.add(name, [(int(line["second"]), float(line[field]) / scale) for line in lines[::10]])
    path.write_text(plot.render(is_unicode=True), encoding="utf-8")


def judge(lines):
    """Prints the result, and returns whether it is good."""
    steady = [line for line in lines if int(line["second"]) > WARM_UP] or lines
    growth = slope(steady, "RSS KiB") * 1500
    more = slope(steady, "descriptors") * 1500
    errors = sum(int(line["unexpected errors"]) for line in lines)
    done = sum(int(line["done"]) for line in lines)
    print(f"{done} requests done, {errors} unexpected errors; in 25 minutes RSS grows by {growth:.0f} KiB, "
          f"descriptors by {more:.1f}")
    return errors == 0 and growth < MOST_GROWTH and abs(more) < 1


def main():
    parser = argparse.ArgumentParser(prog="scripts/soak", description=__doc__)
    parser.add_argument("minutes", type=float)
    parser.add_argument("--rate", type=int, default=200, help="requests a second (default: 200)")
    parser.add_argument("--results", type=Path, help="the folder for soak.csv and soak.svg")
    options = parser.parse_args()
    binaries = peers.ROOT / ".build-bench/release"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        results = options.results or folder
        results.mkdir(parents=True, exist_ok=True)
        changing, steady, arguments = peers.start(folder, binaries)
        try:
            client = subprocess.Popen(
                [binaries / "soak", str(int(options.minutes * 60)), str(options.rate), *arguments],
                stdout=subprocess.PIPE, text=True)
            with open(results / "soak.csv", "w", newline="") as file:
                lines = record(client, changing, file)
            failed = client.wait() != 0
        finally:
            for server in changing + steady:
                server.stop()
        chart(lines, results / "soak.svg")
        sys.exit(0 if judge(lines) and not failed else 1)


main()
