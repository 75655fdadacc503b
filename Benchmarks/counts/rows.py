"""The work whose instructions are counted, as data."""

from dataclasses import dataclass

ALL = ("engine", "martlet", "curl")


@dataclass(frozen=True)
class Row:
    name: str
    scenario: str  # what the peers' programs call it
    count: int  # requests: a multiple of those that are under way at once
    concurrent: int = 1  # also how many the server answers together
    peers: tuple = ALL
    http: int = 1
    tls: bool = False
    path: str = "/hello"  # after "/hello-once", the server closes the connection
    body: str = "hello.txt"  # what the server answers with
    options: tuple = ()  # of the peers' programs
    warm_up: int = 256  # requests: the connections are open, and caches are filled
    tolerance: float = 0.03  # by how much a figure may grow


ROWS = [
    Row("get-64", "get", 640, 64),
    Row("get-1", "get", 400),
    Row("batch-64", "batch", 640, 64, ("engine", "martlet")),
    Row("h2-64", "get", 640, 64, http=2, tls=True),
    Row("handshake", "get", 40, tls=True, path="/hello-once", warm_up=16),
    # How the requests are spread over the loops differs from run to run.
    Row("loops-2", "get", 640, 64, ("engine", "martlet"), options=("loops=2",), tolerance=0.05),
    # A seventh of it is the runtime's table of generic types. It hashes their addresses, so that linking the same
    # objects in another order takes from 6.0 to 6.5 million instructions.
    Row("json-8", "json", 80, 8, ("martlet",), body="users.json", tolerance=0.08),
    Row("upload-1m", "upload", 40),
    Row("cache-hit", "get", 4000, peers=("martlet",), options=("cache=hit",)),
    Row("cache-miss", "get", 400, peers=("martlet",), options=("cache=miss",)),
    Row("metrics", "get", 400, peers=("martlet",), options=("observer=metrics",)),
    Row("spans", "get", 400, peers=("martlet",), options=("observer=spans",)),
    Row("unrecorded-spans", "get", 400, peers=("martlet",), options=("observer=unrecorded-spans",)),
]
