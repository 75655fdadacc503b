"""The figures that later ones are compared with, and what is too much."""

import json
from dataclasses import dataclass
from typing import Optional

from rows import ROWS
from servers import ROOT
from spread import Spread
from tables import quartiles

FILE = ROOT / "Benchmarks/counts.json"
TOLERANCES = {row.name: row.tolerance for row in ROWS}
OURS = ("engine", "martlet")  # the others are for comparison


@dataclass(frozen=True)
class Verdict:
    row: str
    peer: str
    spread: Spread
    kept: Optional[float]

    @property
    def tolerance(self):
        """By how much a figure may grow: what its row says, or three times its own spread if that is more."""
        return max(TOLERANCES[self.row], 3 * (self.spread.high - self.spread.low) / self.spread.median)

    @property
    def growth(self):
        return self.spread.median / self.kept - 1 if self.kept else 0

    @property
    def is_worse(self):
        return self.peer in OURS and self.growth > self.tolerance

    @property
    def cells(self):
        compared = f"{1 + self.growth:.3f}" if self.kept else "new"
        tolerance = f"{self.tolerance:.1%}" if self.peer in OURS else ""
        word = "**more**" if self.is_worse else "less" if self.growth < -self.tolerance else ""
        return [self.row, self.peer, quartiles(self.spread), compared, tolerance, word]


def judge(spreads):
    figures = json.loads(FILE.read_text()) if FILE.exists() else {}
    return [Verdict(row, peer, spread, figures.get(row, {}).get(peer))
            for (row, peer), spread in spreads.items()]


def keep(spreads):
    figures = json.loads(FILE.read_text()) if FILE.exists() else {}
    for (row, peer), spread in spreads.items():
        figures.setdefault(row, {})[peer] = round(spread.median)
    FILE.write_text(json.dumps(figures, indent=2) + "\n")
