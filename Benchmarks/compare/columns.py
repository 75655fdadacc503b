"""What a table shows of a run: figures by name, each with its title and unit."""

from dataclasses import dataclass
from typing import Callable

GIB = 1 << 30


@dataclass(frozen=True)
class Column:
    title: str
    value: Callable[[dict], float]
    is_compared: bool = True  # shown as a multiple of the rivals' as well


PEAK = Column("peak MiB", lambda run: run["peakKiB"] / 1024, is_compared=False)
CPU_PER_REQUEST = Column("CPU µs/request", lambda run: run["cpuSeconds"] * 1e6 / run["count"])

SMALL = {
    "cpu": CPU_PER_REQUEST,
    "speed": Column("requests/s", lambda run: run["count"] / run["seconds"]),
    "peak": PEAK,
}
LOOPS = {
    **SMALL,
    "share": Column("least loop %", lambda run: run.get("leastLoopShare", 100), is_compared=False),
}
BULK = {
    "cpu": Column("CPU s/GiB", lambda run: run["cpuSeconds"] * GIB / run["bytes"]),
    "speed": Column("GiB/s", lambda run: run["bytes"] / GIB / run["seconds"]),
    "peak": PEAK,
}
LATENCY = {
    "p50": Column("p50 µs", lambda run: run["p50"]),
    "p90": Column("p90 µs", lambda run: run["p90"], is_compared=False),
    "p99": Column("p99 µs", lambda run: run["p99"]),
    "p999": Column("p99.9 µs", lambda run: run["p999"], is_compared=False),
    "speed": Column("requests/s", lambda run: run["count"] / run["seconds"], is_compared=False),
    "cpu": CPU_PER_REQUEST,
    "peak": PEAK,
}
IDLE = {
    "memory": Column("KiB/connection", lambda run: run["addedKiB"] / run["sockets"]),
    "sockets": Column("open sockets", lambda run: run["sockets"], is_compared=False),
    "cpu": CPU_PER_REQUEST,
    "highest": PEAK,  # not what the gate on peak memory means: there are 10,000 connections
}
ALLOCATIONS = {
    "allocations": Column("allocations/request", lambda run: run["allocations"]),
    "peak": PEAK,
}
SIZE = {"size": Column("MB", lambda run: run["size"] / 1e6)}
START = {
    "time": Column("ms", lambda run: run["seconds"] * 1e3),
    "cpu": Column("CPU ms", lambda run: run["cpuSeconds"] * 1e3),
    "peak": PEAK,
}
