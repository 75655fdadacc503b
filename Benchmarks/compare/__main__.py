"""Runs all peers in turn against the same servers, and prints medians side by side."""

import argparse
import json
import signal
import sys
from pathlib import Path

import charts
import gates
import latencies
import libcurl8
import results
import tables
from rows import PEERS, ROW_NAMES, ROWS
from running import Bench
from servers import ROOT, servers


def names(known):
    """A type of argument: some of the known names, comma-separated."""

    def parse(text):
        chosen = text.split(",")
        if unknown := [name for name in chosen if name not in known]:
            raise argparse.ArgumentTypeError(f"{unknown[0]!r} is none of {', '.join(known)}")
        return chosen

    return parse


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9,
                        help="how often each peer runs; 9 if not given")
    parser.add_argument("--quick", dest="is_quick", action="store_true", help="a tenth of the work")
    parser.add_argument("--only", metavar="ROW", type=names(ROW_NAMES), default=ROW_NAMES,
                        help="which rows, comma-separated: " + ", ".join(ROW_NAMES))
    parser.add_argument("--peers", metavar="PEER", type=names(PEERS), default=PEERS,
                        help="which peers, comma-separated: " + ", ".join(PEERS))
    parser.add_argument("--workers", type=int, default=1,
                        help="how many processes of nginx serve; 1 if not given")
    parser.add_argument("--gates", action="store_true",
                        help="judge, and fail when a gate is missed")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write every single run to FILE")
    parser.add_argument("--results", metavar="FILE", type=Path, help="write all tables to FILE")
    return parser.parse_args()


def measure(bench, row, peers, rounds):
    """All runs of a row: the peers take turns, every other round backwards."""
    runs = []
    for index in range(min(rounds, row.most_rounds)):
        for peer in peers if index % 2 == 0 else reversed(peers):
            runs.append({**bench.run(row, peer), "row": row.name, "round": index})
    if len({run["bytes"] / run["count"] for run in runs if "bytes" in run}) > 1:
        sys.exit(f"{row.name}: the peers do not agree on the size of the body: {runs}")
    return runs


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # so that the servers stop too
    binaries, tool = ROOT / ".build-bench/release", ROOT / ".build-release/release/martlet"
    measured, printed = {}, []
    with servers(binaries, options.workers) as running:
        bench = Bench(binaries, tool, running, options.is_quick, libcurl8.path())
        for row in (row for row in ROWS if row.name in options.only):
            peers = [peer for peer in row.peers if peer in options.peers]
            if not peers:
                continue
            measured[row.name] = row, measure(bench, row, peers, options.rounds)
            printed.append(tables.row_table(*measured[row.name], peers))
            if row.scenario == "paced":
                printed.append(latencies.percentile_table(*measured[row.name], peers))
            print(printed[-1], flush=True)

    judged = gates.judge(measured)
    verdicts = tables.gate_table(judged, measured)
    if options.gates:
        print(verdicts)
    if options.json:
        runs = [run for _, runs in measured.values() for run in runs]
        options.json.write_text(json.dumps(runs, indent=2), encoding="utf-8")
    if options.results:
        names = charts.write(measured, options.results.parent / "charts")
        text = results.results(options, verdicts, names, printed)
        options.results.write_text(text, encoding="utf-8")
    if options.gates and gates.missed(judged):
        sys.exit("a gate is missed")


if __name__ == "__main__":
    main()
