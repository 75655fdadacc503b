"""Compares names, instruments, units and attributes with OpenTelemetry's semantic conventions.

conventions.py FILE

Each line of the file is: metric NAME INSTRUMENT UNIT, or attribute NAME. Names that begin with “martlet.” are Martlet's own.
"""

import re
import sys
from pathlib import Path

import opentelemetry.semconv as conventions

# .NET's name for the time before a request has its connection: the conventions have none.
OTHERS = {"http.client.request.time_in_queue": ("histogram", "s")}


# The sources are read, because not all folders are packages.
attributes, metrics = set(), dict(OTHERS)
for folder in conventions.__path__:
    for file in Path(folder).rglob("*.py"):
        source = file.read_text()
        if file.parent.name == "attributes":
            attributes |= set(re.findall(r'^\w+: Final = "([^"]+)"', source, re.MULTILINE))
        for name, text in re.findall(r'^\w+: Final = "([^"]+)"\n"""\n(.*?)"""', source, re.S | re.M):
            instrument = re.search(r"^Instrument: (\w+)$", text, re.MULTILINE)
            unit = re.search(r"^Unit: (\S+)$", text, re.MULTILINE)
            if instrument and unit:
                metrics[name] = (instrument[1], unit[1])

count = 0
for line in open(sys.argv[1]):
    kind, name, *rest = line.split()
    if name.startswith("martlet."):
        continue
    count += 1
    if kind == "metric" and metrics.get(name) != tuple(rest):
        sys.exit(f"{line.strip()}: the conventions have {metrics.get(name)}")
    if kind == "attribute" and name not in attributes:
        sys.exit(f"{name} is no attribute of the conventions")
if count < 20:
    sys.exit(f"only {count} names were compared")
print(f"{count} names are those of the conventions")
