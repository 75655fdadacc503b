"""What the figures must be, and what they are meant to become."""

from dataclasses import dataclass
from typing import Optional

from spread import Spread, ratios


@dataclass(frozen=True)
class Gate:
    row: str
    column: str
    peer: str
    rival: Optional[str]  # whose multiple the figure is; None for the figure itself
    gate: Optional[float]  # None: reported only
    goal: Optional[float] = None
    at_least: bool = False  # greater is better

    def meets(self, figure, limit):
        return figure >= limit if self.at_least else figure <= limit

    def verdict(self, figure):
        if self.gate is not None and not self.meets(figure, self.gate):
            return "**missed**"
        if self.goal is not None and self.meets(figure, self.goal):
            return "goal"
        return "reported" if self.gate is None else "met"


GATES = [
    Gate("get-64", "cpu", "engine", "curl", 0.95, 0.8),
    Gate("get-64", "cpu", "engine", "ahc", 0.6),
    Gate("get-64", "cpu", "martlet", "curl", 1.1, 1.0),
    Gate("batch-64", "cpu", "engine", "curl", 0.9, 0.75),
    Gate("batch-64", "cpu", "martlet", "curl", 1.05, 0.9),
    Gate("get-1", "cpu", "engine", "curl", 1.2, 1.0),
    Gate("get-1", "cpu", "martlet", "ahc", 0.6),
    Gate("get-1", "cpu", "martlet", "curl", 1.35, 1.1),
    Gate("h2-64", "cpu", "engine", "curl", 0.65, 0.5),
    Gate("h2-64", "cpu", "martlet", "curl", 0.8, 0.6),
    Gate("h2-64", "cpu", "martlet", "ahc", 0.5),
    Gate("loops-2", "speed", "martlet", "martlet-1", 1.25, at_least=True),
    Gate("loops-2", "speed", "martlet", "ahc", 3, at_least=True),
    Gate("loops-2", "share", "martlet", None, 40, at_least=True),
    Gate("loops-2", "share", "engine", None, 40, at_least=True),
    Gate("handshake", "cpu", "engine", "ahc", 1.0, 0.8),
    Gate("handshake", "cpu", "martlet", "ahc", 1.0, 0.8),
    Gate("download", "cpu", "martlet", "curl", 1.1, 0.9),
    Gate("download-file", "cpu", "martlet", "curl", 1.0, 0.7),
    Gate("download-file", "speed", "martlet", "curl", 0.9, 1.0, at_least=True),
    Gate("download-tls", "cpu", "martlet", "curl", 1.0, 0.6),
    Gate("download-tls", "cpu", "martlet", "ahc", 0.6, 0.5),
    Gate("download-h2", "cpu", "martlet", "curl", 1.2, 1.0),
    Gate("upload-file", "cpu", "martlet", "curl", 1.0, 0.8),
    Gate("upload-form", "cpu", "martlet", "curl", 1.0, 0.8),
    Gate("upload-stream", "cpu", "martlet", "curl", 1.0, 0.8),
    Gate("latency-2000", "p50", "martlet", "curl", 1.5, 1.1),
    Gate("latency-2000", "p99", "martlet", "curl", 2.0, 1.2),
    Gate("latency-5000", "p50", "martlet", "curl", 1.5, 1.1),
    Gate("latency-5000", "p99", "martlet", "curl", 2.0, 1.2),
    Gate("upload-form", "peak", "martlet", None, 64),
    Gate("upload-form-4g", "peak", "martlet", None, 64),
    Gate("get-64", "speed", "martlet", "urlsession", 10, 15, at_least=True),
    Gate("start", "time", "tool", "curl", 1.4, 1.1),
    Gate("start", "peak", "tool", None, 16, 12),
    Gate("size", "size", "tool", None, 28, 22),
    Gate("idle", "memory", "martlet", None, 16, 10),
    Gate("allocations", "allocations", "engine", None, None, 40),
    Gate("allocations", "allocations", "martlet", None, None, 40),
    Gate("allocations-h2", "allocations", "engine", None, None, 40),
    Gate("allocations-h2", "allocations", "martlet", None, None, 40),
]

OURS = ("engine", "martlet", "tool")


def peak_gates(measured):
    """The greatest peak memory of all that is ours, whatever the row."""
    peaks = [
        (Spread.of(row.columns["peak"].value(run) for run in runs if run["peer"] == peer).median,
         row.name, peer)
        for row, runs in measured.values() if "peak" in row.columns
        for peer in OURS if any(run["peer"] == peer for run in runs)
    ]
    if not peaks:
        return []
    _, row, peer = max(peaks)
    return [Gate(row, "peak", peer, None, 64, 32)]


def judge(measured):
    """Each gate with its figure; None where the row or a peer was left out.

    `measured` has, by the name of each row, the row and its runs.
    """
    return [(gate, figure(gate, measured)) for gate in GATES + peak_gates(measured)]


def figure(gate, measured):
    if gate.row not in measured:
        return None
    row, runs = measured[gate.row]
    column = row.columns[gate.column]
    values = ratios(runs, column.value, gate.peer, gate.rival)
    return Spread.of(values) if values else None


def missed(judged):
    return [gate for gate, spread in judged if spread and "missed" in gate.verdict(spread.median)]
