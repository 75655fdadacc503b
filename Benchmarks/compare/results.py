"""The file in which the results of a full run are kept."""

import datetime
import json
import os
import platform
import subprocess

import libcurl8
from rows import PEERS, ROW_NAMES
from servers import ROOT
from tables import number, table

HEAD = """# Results

`{command}` on {day}, on a shared machine: {machine}. Ratios within one run mean something,
absolute times do not. [README](README.md) says what is measured and how to read it.

{versions}

## Gates

{gates}
## All figures

{charts}

{tables}
## Instructions

Of the client in user space, for each request, as counted by `scripts/bench --counts --ahc --keep`.

{counts}"""


def first_line(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    return next(iter((done.stdout or done.stderr).strip().splitlines()), "")


def resolved(identity):
    """The version of a package that the peers were built with."""
    with open(ROOT / "Benchmarks/Package.resolved", encoding="utf-8") as file:
        pins = {pin["identity"]: pin["state"] for pin in json.load(file)["pins"]}
    return pins[identity].get("version", "unknown")


def commit():
    """What was measured; that older results are about to be replaced makes it no other."""
    name = first_line("git", "describe", "--always")
    changes = first_line("git", "status", "--short", "--", ".", ":!Benchmarks/RESULTS.md",
                         ":!Benchmarks/charts")
    return f"{name}-dirty" if changes else name


def versions():
    lines = [
        f"Martlet {commit()}",
        first_line("swift", "--version"),
        f"swift-nio {resolved('swift-nio')}, AsyncHTTPClient {resolved('async-http-client')}",
        f"libcurl {first_line('curl-config', '--version').split()[-1]} (curl), "
        f"{libcurl8.version()} (curl8)",
        first_line("nginx", "-v"),
        first_line("h2load", "--version"),
        first_line("hyperfine", "--version"),
    ]
    return "\n".join(f"* {line}" for line in lines)


def counts():
    """The kept counts, of which the last ones may be older than the run."""
    with open(ROOT / "Benchmarks/counts.json", encoding="utf-8") as file:
        rows = json.load(file)
    peers = ("engine", "martlet", "curl", "ahc")
    lines = [[row, *(number(figures[peer]) if peer in figures else "" for peer in peers)]
             for row, figures in rows.items()]
    return table(["row", *peers], lines)


def command(options):
    """What to type for the same figures, whatever else was asked for."""
    words = ["scripts/bench", "--rounds", str(options.rounds)]
    words += ["--quick"] if options.is_quick else []
    words += ["--only", ",".join(options.only)] if options.only != ROW_NAMES else []
    words += ["--peers", ",".join(options.peers)] if options.peers != PEERS else []
    return " ".join(words)


def processor():
    """Its name, and whether it encrypts four blocks at a time: ratios over TLS hang on that."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        fields = dict(line.split(":", 1) for line in file.read().split("\n\n")[0].splitlines())
    known = {name.strip(): value.strip() for name, value in fields.items()}
    has_vaes = "vaes" in known.get("flags", "").split()
    return f"{known.get('model name', platform.machine())} {'with' if has_vaes else 'without'} VAES"


def results(options, gates, charts, tables):
    machine = f"{processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"
    return HEAD.format(
        command=command(options), day=datetime.date.today(), machine=machine, versions=versions(),
        gates=gates, charts="\n\n".join(f"![{name}](charts/{name})" for name in charts),
        tables="\n".join(tables), counts=counts())
