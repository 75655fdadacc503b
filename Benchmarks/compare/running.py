"""One run of one peer: what it prints, as a dictionary."""

import json
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import latencies
import tools
from commands import output
from servers import Servers

SLOW = {"urlsession": 5}  # how much fewer small requests a slow peer has to do
UPLOADS = ("upload", "form", "stream")


@dataclass(frozen=True)
class Bench:
    binaries: Path  # the directory of the peers
    tool: Path  # the command-line tool
    servers: Servers
    is_quick: bool
    libcurl8: str  # a current libcurl, which is loaded in place of Debian's
    wrapper: tuple = ()  # a command that runs the peers' programs

    def run(self, row, peer):
        if row.scenario == "start":
            return {**tools.start(self.starting(peer), self.url(row), self.is_quick), "peer": peer}
        if row.scenario == "size":
            return {**tools.size(self.starting(peer)[0]), "peer": peer}
        if peer == "h2load":
            return tools.h2load(self.url(row), self.count(row, peer), row.concurrent)
        if (row.scenario, peer) == ("form", "curl"):
            return tools.form(self.url(row), self.file(row))
        if row.scenario == "paced":
            run = self.program(row, peer, f"rate={row.rate}")
            return {**run, **latencies.summary(run.pop("latencies"))}
        if row.scenario == "allocations":
            return self.allocations(row, peer)
        return self.program(row, peer)

    def starting(self, peer):
        """What starts a program that sends one request, without its URL."""
        known = {"tool": [self.tool, "--body"], "curl": ["curl", "--silent"]}
        return known.get(peer, [self.binaries / f"hello-{peer}"])

    def url(self, row):
        path = row.path + "-quick" if self.is_quick and row.path == "/bulk" else row.path
        return self.servers.urls[row.server] + path

    def count(self, row, peer):
        """How many requests: as many as must be under way at once, even when in a hurry."""
        if row.count <= row.concurrent:
            return row.count
        return max(row.count // SLOW.get(peer, 1) // (10 if self.is_quick else 1), row.concurrent)

    def file(self, row):
        is_shortened = self.is_quick and row.file != "narrow"
        return self.servers.data / ("bulk-quick" if is_shortened else row.file)

    def options(self, row):
        yield f"http={row.http}"
        if self.url(row).startswith("https:"):
            yield f"authority={self.servers.authority}"
        if row.scenario in UPLOADS:
            yield f"file={self.file(row)}"

    def program(self, row, peer, *options, **environment):
        """Runs a peer's own program."""
        name, loops = peer.removesuffix("-1"), 1 if peer.endswith("-1") else row.loops
        if loops > 1 and name != "curl":
            options = (*options, f"loops={loops}")
        if peer == "curl8":
            name, environment = "curl", {**environment, "LD_PRELOAD": self.libcurl8}
        scenario = "get" if (row.scenario, name) == ("batch", "curl") else row.scenario
        command = [*self.wrapper, f"{self.binaries}/bench-{name}", scenario, self.url(row)]
        command += [str(self.count(row, peer)), str(row.concurrent), *self.options(row), *options]
        return {**json.loads(output(command, environment)), "peer": peer}

    def allocations(self, row, peer):
        """What so many requests more cost: all that comes before the first is the same."""
        row = replace(row, scenario="get")
        fewer = self.counted(row, peer)
        run = self.counted(replace(row, count=2 * row.count), peer)
        added = run["count"] - fewer["count"]
        return {**run, "allocations": (run["allocations"] - fewer["allocations"]) / added}

    def counted(self, row, peer):
        """A run with the counter of allocations loaded into it."""
        counter = self.binaries / "libAllocationCounter.so"
        with tempfile.NamedTemporaryFile("r") as file:
            run = self.program(row, peer, LD_PRELOAD=str(counter), ALLOCATIONS=file.name)
            return {**run, "allocations": int(file.read())}
