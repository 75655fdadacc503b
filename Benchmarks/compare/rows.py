"""The work that is measured, as data."""

from dataclasses import dataclass

from columns import ALLOCATIONS, BULK, IDLE, LATENCY, LOOPS, SIZE, SMALL, START

SWIFT_AND_C = ("engine", "martlet", "curl", "ahc")
SMALL_PEERS = ("engine", "martlet", "curl", "curl8", "ahc")
TLS = {"server": "tls"}
HTTP2 = {"server": "tls", "http": 2}


@dataclass(frozen=True)
class Row:
    name: str  # what --only and the gates call it
    title: str
    scenario: str  # what the peers' programs call it, or a function of running.py
    peers: tuple
    columns: dict
    path: str = "/hello"
    count: int = 1  # requests
    concurrent: int = 1
    server: str = "plain"
    http: int = 1
    file: str = "bulk"  # what uploads send
    rate: int = 0  # requests a second, where all peers send as many
    loops: int = 1  # event loops of the Swift peers; a peer whose name ends in "-1" has one
    most_rounds: int = 99  # where more would say nothing new


ROWS = [
    Row("get-64", "small GET, 64 at once", "get", (*SMALL_PEERS, "urlsession"), SMALL,
        count=60_000, concurrent=64),
    Row("batch-64", "small GET, 64 at once, batch call", "batch",
        ("engine", "martlet", "curl", "curl8"), SMALL, count=60_000, concurrent=64),
    Row("get-1", "small GET, 1 at a time", "get", (*SMALL_PEERS, "urlsession"), SMALL,
        count=20_000),
    Row("h2-64", "small GET, 64 streams, HTTP/2 over TLS", "get", (*SMALL_PEERS, "h2load"), SMALL,
        count=60_000, concurrent=64, **HTTP2),
    Row("handshake", "small GET, a new connection with TLS for each, 8 at once", "get",
        SMALL_PEERS, SMALL, "/hello-once", count=1_000, concurrent=8, server="tls"),
    Row("loops-2", "small GET, 64 at once, two event loops (-1: one)", "get",
        ("engine", "engine-1", "martlet", "martlet-1", "ahc", "curl"), LOOPS,
        count=120_000, concurrent=64, server="drain", loops=2),
    Row("loops-2-batch", "small GET, 64 at once, batch call, two event loops (-1: one)", "batch",
        ("engine", "engine-1", "martlet", "martlet-1"), LOOPS,
        count=120_000, concurrent=64, server="drain", loops=2),
    Row("json", "16 KiB of JSON, decoded, 8 at once", "json",
        ("martlet", "ahc", "urlsession"), SMALL, "/users.json", count=4_000, concurrent=8),
    Row("download", "1 GiB to nowhere", "download",
        ("martlet", "curl", "curl8", "ahc", "urlsession"), BULK, "/bulk"),
    Row("download-file", "1 GiB to a file", "save",
        ("martlet", "curl", "curl8", "ahc", "urlsession"), BULK, "/bulk"),
    Row("download-tls", "1 GiB to nowhere, TLS", "download",
        ("martlet", "curl", "curl8", "ahc"), BULK, "/bulk", **TLS),
    Row("download-tls-file", "1 GiB to a file, TLS", "save",
        ("martlet", "curl", "ahc"), BULK, "/bulk", **TLS),
    Row("download-h2", "1 GiB to nowhere, HTTP/2 over TLS", "download",
        ("martlet", "curl", "curl8", "ahc"), BULK, "/bulk", **HTTP2),
    Row("upload-file", "1 GiB from a file", "upload",
        ("martlet", "curl", "curl8"), BULK, "/upload", server="drain"),
    Row("upload-form", "1 GiB from a file in a form", "form",
        ("martlet", "curl"), BULK, "/upload", server="drain"),
    Row("upload-form-4g", "4 GiB from a file in a form", "form",
        ("martlet", "curl"), BULK, "/upload", server="drain", file="huge", most_rounds=3),
    Row("upload-stream", "1 GiB from memory, in chunks", "stream",
        ("martlet", "curl", "curl8", "ahc"), BULK, "/upload", server="drain"),
    Row("upload-h2-narrow", "30 MB from a file, HTTP/2 over TLS, windows that grow by each frame",
        "upload", ("martlet", "curl"), BULK, "/upload", server="narrow", http=2, file="narrow"),
    Row("latency-2000", "small GET, 2,000 a second", "paced", SMALL_PEERS, LATENCY,
        count=10_000, concurrent=64, rate=2_000),
    Row("latency-5000", "small GET, 5,000 a second", "paced", SMALL_PEERS, LATENCY,
        count=25_000, concurrent=64, rate=5_000),
    Row("start", "cold start and a small GET", "start", ("tool", "curl"), START),
    Row("hello", "cold start of a program that only sends a small GET", "start",
        ("martlet", "ahc"), START),
    Row("size", "size of a static program", "size", ("tool", "martlet", "ahc"), SIZE,
        most_rounds=1),
    Row("idle", "10,000 idle connections", "gather", SWIFT_AND_C, IDLE, "/gather/10000",
        count=10_000, concurrent=10_000, server="drain", most_rounds=3),
    Row("allocations", "allocations, small GET", "allocations", SWIFT_AND_C, ALLOCATIONS,
        count=10_000, concurrent=64, most_rounds=3),
    Row("allocations-h2", "allocations, small GET, HTTP/2 over TLS", "allocations", SWIFT_AND_C,
        ALLOCATIONS, count=10_000, concurrent=64, most_rounds=3, **HTTP2),
]
ROW_NAMES = [row.name for row in ROWS]
PEERS = list(dict.fromkeys(peer for row in ROWS for peer in row.peers))
