"""What the client reports each second, and what it uses."""

import csv
from pathlib import Path

COUNTS = ["begun", "done", "expected errors", "cancelled", "cancelled late", "unexpected errors"]
CLIENT = ["second", *COUNTS, "under way", "connections", "p50 ms", "p99 ms", "retries"]
USAGE = ["RSS KiB", "descriptors", "threads"]
FIELDS = [*CLIENT, "unexpected retries", *USAGE]


def usage(pid):
    """Resident memory in KiB, open descriptors and threads of a process; empty if it has ended."""
    process = Path(f"/proc/{pid}")
    try:
        status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
        descriptors = len(list((process / "fd").iterdir()))
        return dict(zip(USAGE, [int(status["VmRSS"].split()[0]), descriptors, int(status["Threads"])]))
    except (KeyError, OSError):
        return {}


def unexpected(line, disturbance):
    """The number of retries that no restart or reload explains. A request that the engine has lost is never explained."""
    total = 0
    for part in line["retries"].split():  # such as nginx/connectionLost=2
        place, count = part.split("=")
        server, code = place.split("/")
        if code == "requestLost" or not disturbance.explains(server):
            print(f"second {line['second']}: retries of {server} after {code}: {count}", flush=True)
            total += int(count)
    return total


def record(client, disturbance, file):
    """Writes a line for each second that the client reports, and returns them."""
    lines = []
    writer = csv.DictWriter(file, FIELDS)
    writer.writeheader()
    for text in client.stdout:
        line = dict(zip(CLIENT, text.rstrip("\n").split(",")))
        line = {field: int(value) if value.isdecimal() else value for field, value in line.items()}
        line["unexpected retries"] = unexpected(line, disturbance)
        line |= usage(client.pid)
        lines.append(line)
        writer.writerow(line)
        file.flush()
    return lines
