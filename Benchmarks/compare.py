#!/usr/bin/env python3
"""Runs all peers in turn against one server, and prints medians side by side."""

import argparse
import json
import subprocess
import sys
from statistics import median

PEERS = ["martlet", "curl", "ahc", "urlsession"]
RIVALS = ["curl", "ahc"]  # those that the others are compared with
SLOW = {"urlsession": 5}  # how much fewer small requests a slow peer has to do
GIB = 1 << 30
CASES = [
    # title, scenario, path, requests, concurrent, options of single peers
    ("small GET, 1 at a time", "get", "/hello", 20_000, 1, {}),
    ("small GET, 64 at once", "get", "/hello", 60_000, 64, {}),
    ("1 GiB to nowhere", "download", "/bulk", 1, 1, {"curl": ["large-buffer"]}),
    ("1 GiB to a file", "file", "/bulk", 1, 1, {"curl": ["large-buffer"]}),
]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binaries", required=True, help="the directory of the peers")
    parser.add_argument("--url", required=True, help="scheme, host and port of the server")
    parser.add_argument("--rounds", type=int, default=3, help="how often each peer runs")
    parser.add_argument("--quick", action="store_true", help="a tenth of the small requests")
    parser.add_argument("--json", metavar="FILE", help="write every single run to FILE")
    parser.add_argument("--peers", default=",".join(PEERS), help="which peers, comma-separated")
    return parser.parse_args()


def run(arguments, peer, case):
    """One run of one peer: the line that it prints, as a dictionary."""
    title, scenario, path, count, concurrent, options = case
    if scenario == "get":
        count //= SLOW.get(peer, 1) * (10 if arguments.quick else 1)
    command = [f"{arguments.binaries}/bench-{peer}", scenario, arguments.url + path]
    command += [str(count), str(concurrent), *options.get(peer, [])]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        sys.exit(f"{' '.join(command)} hangs: no end after two minutes")
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return {"case": title, **json.loads(done.stdout)}


def check(runs):
    """A peer that has read fewer bytes than the others has not done the same work."""
    if len({run["bytes"] / run["count"] for run in runs}) != 1:
        sys.exit(f"the peers do not agree on the size of the body: {runs}")


def figures(runs, bulk):
    """Medians over the rounds: CPU, speed, memory."""
    if bulk:
        cpu = [run["cpuSeconds"] * GIB / run["bytes"] for run in runs]
        speed = [run["bytes"] / GIB / run["seconds"] for run in runs]
    else:
        cpu = [run["cpuSeconds"] * 1e6 / run["count"] for run in runs]
        speed = [run["count"] / run["seconds"] for run in runs]
    return median(cpu), median(speed), median(run["peakKiB"] / 1024 for run in runs)


def number(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(title, runs, peers, bulk):
    """A table in Markdown, with each figure also as a multiple of the rivals'."""
    units = ["CPU s/GiB", "GiB/s"] if bulk else ["CPU µs/request", "requests/s"]
    rivals = [rival for rival in RIVALS if rival in peers]
    medians = {p: figures([r for r in runs if r["peer"] == p], bulk) for p in peers}
    columns = [title]
    for unit in units + ["peak MiB"]:
        columns += [unit] + [f"÷ {rival}" for rival in rivals]
    print("| " + " | ".join(columns) + " |\n|---" + "|--:" * (len(columns) - 1) + "|")
    for peer in peers:
        cells = [peer]
        for index, value in enumerate(medians[peer]):
            cells.append(number(value))
            cells += [f"{value / medians[rival][index]:.2f}" for rival in rivals]
        print("| " + " | ".join(cells) + " |")
    print(flush=True)


def main():
    options = arguments()
    peers, everything = options.peers.split(","), []
    for case in CASES:
        runs = [run(options, peer, case) for _ in range(options.rounds) for peer in peers]
        check(runs)
        table(case[0], runs, peers, bulk=case[1] != "get")
        everything += runs
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(everything, file, indent=2)


if __name__ == "__main__":
    main()
