"""Counts the system calls and thread changes that a MiB of a body takes, of the client alone."""

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from columns import BULK
from rows import ROWS
from running import Bench
from servers import MIB, ROOT, servers
from tables import table

WRITE = "syscalls:sys_enter_write"
# The column of each event, and what restricts the event.
EVENTS = [
    ("reads", "syscalls:sys_enter_read", "count > 8"), ("reads", "syscalls:sys_enter_recvfrom", ""),
    ("reads", "syscalls:sys_enter_readv", ""), ("reads", "syscalls:sys_enter_pread64", ""),
    ("writes", WRITE, "count > 8"), ("writes", "syscalls:sys_enter_writev", ""),
    ("writes", "syscalls:sys_enter_sendto", ""), ("writes", "syscalls:sys_enter_pwrite64", ""),
    ("writes", "syscalls:sys_enter_sendfile64", ""),
    ("waits for sockets", "syscalls:sys_enter_epoll_wait", ""), ("waits for sockets", "syscalls:sys_enter_poll", ""),
    # Eight bytes are written to the descriptor that wakes an event loop.
    ("loops woken", WRITE, "count == 8"),
    ("threads woken", "syscalls:sys_enter_futex", "op == 129 || op == 1"),
    ("thread changes", "sched:sched_switch", ""),
]
COLUMNS = list(dict.fromkeys(column for column, _, _ in EVENTS))


def wrapper(file):
    """The perf command that counts the events of the command behind it."""
    yield from ("perf", "stat", "--field-separator=;", f"--output={file}")
    for _, event, condition in EVENTS:
        yield f"--event={event}"
        if condition:
            yield f"--filter={condition}"
    yield "--"


def counts(file):
    """The events of each column. perf names an event once for each filter, in order."""
    found = dict.fromkeys(COLUMNS, 0)
    lines = [line.split(";") for line in file.read().splitlines() if ";" in line]
    for (column, event, _), line in zip(EVENTS, lines, strict=True):
        if line[2] != event:
            sys.exit(f"perf says {line[2]} instead of {event}")
        found[column] += int(line[0])
    return found


def counted(bench, row, peer):
    """The events of a run, and its bytes."""
    with tempfile.NamedTemporaryFile("r") as file:
        run = replace(bench, wrapper=(*wrapper(file.name),)).program(row, peer)
        return counts(file), run["bytes"]


def per_mib(bench, row, peer):
    """What a MiB more takes, of a long body and a short one: all that comes before is the same."""
    (fewer, less), (more, bytes) = (counted(replace(bench, is_quick=quick), row, peer) for quick in (True, False))
    return {column: (more[column] - fewer[column]) / ((bytes - less) / MIB) for column in COLUMNS}


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench --calls", description=__doc__)
    known = [row for row in ROWS if row.columns is BULK and row.file == "bulk"]
    parser.add_argument("--only", choices=[row.name for row in known], help="which row; all if not given")
    chosen = parser.parse_args().only
    rows = [row for row in known if chosen in (None, row.name)]
    binaries = ROOT / ".build-bench/release"
    lines = []
    with servers(binaries) as running:
        bench = Bench(binaries, Path(), running, is_quick=False, libcurl8="")
        for row in rows:
            for peer in ("martlet", "curl"):
                if (row.scenario, peer) != ("form", "curl"):
                    found = per_mib(bench, row, peer)
                    lines.append([row.title, peer, *(f"{found[column]:.1f}" for column in COLUMNS)])
    print(table(["a MiB of", "", *COLUMNS], lines, left=2))


main()
