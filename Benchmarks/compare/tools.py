"""Programs of others that measure, and how they are read."""

import json
import re
import resource
import tempfile
from statistics import median

from commands import output, peak


def h2load(url, count, streams):
    """The ceiling: a program that does nothing but send requests and count responses."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text, memory = peak(["h2load", "-n", str(count), "-c", "1", "-m", str(streams), url])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if f" {count} succeeded" not in text:
        raise SystemExit(f"h2load has not got all responses:\n{text}")
    return {
        "peer": "h2load",
        "count": count,
        "seconds": count / float(re.search(r"([0-9.]+) req/s", text)[1]),
        "cpuSeconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "peakKiB": memory,
    }


def start(tool, url, is_quick):
    """A small GET by a process that starts for it alone, by hyperfine."""
    quiet = ["--silent"] if tool == "curl" else ["--body"]
    command = [str(tool), *quiet, url]
    runs = "5" if is_quick else "30"
    with tempfile.NamedTemporaryFile("r") as file:
        output(["hyperfine", "--shell=none", "--warmup=3", f"--runs={runs}",
                        f"--export-json={file.name}", " ".join(command)])
        result = json.load(file)["results"][0]
    return {
        "peer": "curl" if tool == "curl" else "tool",
        "count": 1,
        "seconds": median(result["times"]),
        "cpuSeconds": result["user"] + result["system"],
        "peakKiB": peak(command)[1],
    }
