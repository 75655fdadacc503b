"""Counts the instructions that a request takes, of the client alone."""

import argparse
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path
from queue import SimpleQueue

import kept
from callgrind import instructions
from rows import ALL, ROWS
from servers import ROOT, await_port, free_ports, running
from spread import Spread
from tables import table
from users import users

BODIES = {"hello.txt": b"Hello, seabirds!\n", "users.json": users()}
UPLOAD = bytes(1 << 20)


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench --counts", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5,
                        help="how often each peer runs; 5 if not given")
    parser.add_argument("--only", metavar="ROW", default=",".join(row.name for row in ROWS),
                        help="which rows, comma-separated: %(default)s")
    parser.add_argument("--binaries", metavar="DIRECTORY", type=Path,
                        default=ROOT / ".build-bench/release", help="where the peers are")
    parser.add_argument("--ahc", action="store_true", help="count AsyncHTTPClient as well")
    parser.add_argument("--keep", action="store_true",
                        help="keep the figures, for later runs to be compared with")
    options = parser.parse_args()
    unknown = set(options.only.split(",")) - {row.name for row in ROWS}
    if unknown:
        parser.error(f"no such row: {', '.join(sorted(unknown))}")
    return options


def prepare(directory):
    subprocess.run([ROOT / "scripts/certificate", directory], check=True)
    for name, body in BODIES.items():
        (directory / name).write_bytes(body)
    for name in ("upload", "bulk-warm-up"):  # what the peers call what they begin with
        (directory / name).write_bytes(UPLOAD)


def count(row, peer, binaries, data, processor):
    """How many instructions one request takes."""
    [port] = free_ports(1)
    server = [sys.executable, "-B", Path(__file__).parent / "lockstep.py", str(port)]
    server += [str(row.concurrent), data / row.body] + [data] * row.tls
    base = f"https://localhost:{port}" if row.tls else f"http://127.0.0.1:{port}"
    command = [binaries / f"bench-{peer}", row.scenario, base + row.path]
    command += [row.count, row.concurrent, f"http={row.http}", f"file={data / 'upload'}"]
    command += [f"warm-up={row.warm_up}", *row.options]
    command += [f"authority={data / 'authority.pem'}"] * row.tls
    with running(server):
        await_port(port)
        return instructions(map(str, command), processor) / row.count


def measure(rows, options, data):
    """All counts by row and peer, as many at a time as there are processors."""
    processors = SimpleQueue()
    for processor in os.sched_getaffinity(0):
        processors.put(str(processor))

    def run(job):
        row, peer, _ = job
        processor = processors.get()
        try:
            return (row.name, peer), count(row, peer, options.binaries, data, processor)
        finally:
            processors.put(processor)

    jobs = [(row, peer, round) for round, row in product(range(options.rounds), rows)
            for peer in row.peers]
    counts = {}
    with ThreadPoolExecutor(processors.qsize()) as pool:
        for key, figure in pool.map(run, jobs):
            counts.setdefault(key, []).append(figure)
    return {key: Spread.of(figures) for key, figures in counts.items()}


def main():
    options = arguments()
    rows = [row for row in ROWS if row.name in options.only.split(",")]
    if options.ahc:
        rows = [replace(row, peers=(*row.peers, "ahc"))
                if row.peers == ALL and row.scenario == "get" else row for row in rows]
    with tempfile.TemporaryDirectory() as directory:
        prepare(Path(directory))
        spreads = measure(rows, options, Path(directory))
        # A busy machine only ever adds: what seems to have grown is counted once more, and the lower figure holds.
        grown = {verdict.row for verdict in kept.judge(spreads) if verdict.is_worse}
        again = measure([row for row in rows if row.name in grown], options, Path(directory))
    spreads |= {key: min(spreads[key], spread, key=lambda spread: spread.median)
                for key, spread in again.items()}
    verdicts = kept.judge(spreads)
    heads = ["row", "peer", "instructions/request", "÷ kept", "may grow by", ""]
    print(table(heads, [verdict.cells for verdict in verdicts], left=2))
    if options.keep:
        kept.keep(spreads)
    elif any(verdict.is_worse for verdict in verdicts):
        sys.exit("a request takes more than it did; scripts/bench --counts --keep accepts that")


if __name__ == "__main__":
    main()
