"""Reads HAR files with haralyzer, and prints what it finds of each entry: status, method, path, size and time.

read_har.py FILE …
"""

import sys
from urllib.parse import urlsplit

from haralyzer import HarParser

for path in sys.argv[1:]:
    archive = HarParser.from_file(path)
    assert archive.version == "1.2", archive.version
    for page in archive.pages:
        for entry in page.entries:
            assert entry.startTime is not None and entry.time >= 0, entry
            parts = sum(value for name, value in entry.timings.items() if name != "ssl" and value > 0)
            assert abs(parts - entry.time) < 1, (entry.timings, entry.time)
            print(entry.response.status, entry.request.method, urlsplit(entry.request.url).path)
