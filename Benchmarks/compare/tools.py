"""Programs of others that measure, and how they are read."""

import json
import re
import resource
import tempfile
import time
from pathlib import Path
from statistics import median

from commands import output, peak


def measured(command):
    """What a command prints, and what it took."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    text, memory = peak(command)
    after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    return text, {
        "seconds": end - start,
        "cpuSeconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "peakKiB": memory,
    }


def h2load(url, count, streams):
    """The ceiling: a program that does nothing but send requests and count responses."""
    text, taken = measured(["h2load", "-n", str(count), "-c", "1", "-m", str(streams), url])
    if f" {count} succeeded" not in text:
        raise SystemExit(f"h2load has not got all responses:\n{text}")
    return {
        **taken,
        "peer": "h2load",
        "count": count,
        "seconds": count / float(re.search(r"([0-9.]+) req/s", text)[1]),
    }


def form(url, file):
    """A form whose one part is a file, by `curl -F`; its start is measured, too."""
    text, taken = measured(["curl", "--silent", "--show-error", "--fail", "--header", "Expect:",
                            "--form", f"file=@{file}", url])
    size = file.stat().st_size
    if int(text) <= size:
        raise SystemExit(f"curl has sent {text} bytes of a form")
    return {**taken, "peer": "curl", "count": 1, "bytes": size}


def size(program):
    """The length of a program's file, without its symbols."""
    with tempfile.NamedTemporaryFile() as stripped:
        output(["strip", "-o", stripped.name, program])
        return {"count": 1, "size": Path(stripped.name).stat().st_size}


def start(program, url, is_quick):
    """A small GET by a process that starts for it alone, by hyperfine."""
    command = [*map(str, program), url]
    runs = "5" if is_quick else "30"
    with tempfile.NamedTemporaryFile("r") as file:
        output(["hyperfine", "--shell=none", "--warmup=3", f"--runs={runs}",
                        f"--export-json={file.name}", " ".join(command)])
        result = json.load(file)["results"][0]
    return {
        "count": 1,
        "seconds": median(result["times"]),
        "cpuSeconds": result["user"] + result["system"],
        "peakKiB": peak(command)[1],
    }
