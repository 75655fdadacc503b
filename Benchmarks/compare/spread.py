"""Medians and quartiles over the rounds."""

from dataclasses import dataclass
from statistics import median, quantiles


@dataclass(frozen=True)
class Spread:
    median: float
    low: float
    high: float

    @staticmethod
    def of(values):
        values = list(values)
        if len(values) < 2:
            return Spread(values[0], values[0], values[0])
        low, _, high = quantiles(values, n=4, method="inclusive")
        return Spread(median(values), low, high)


def ratios(runs, value, peer, rival=None):
    """A peer's figure in each round, as a multiple of what the rival's was in the same round."""
    own = {run["round"]: value(run) for run in runs if run["peer"] == peer}
    if rival is None:
        return list(own.values())
    other = {run["round"]: value(run) for run in runs if run["peer"] == rival}
    return [own[round] / other[round] for round in own if other.get(round)]
