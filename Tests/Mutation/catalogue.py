"""The files whose decisions are mutated, the tests for each, and the mutants of all of them."""
import dataclasses
import tomllib

from rules import propose


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One change of one expression. The number chooses it at run time."""

    number: int
    file: str
    line: int
    kind: str
    start: int
    end: int
    before: str
    after: str
    code: str
    nth: int

    @property
    def change(self):
        if self.kind == "clause":
            return f"the clause `{self.before}` is {self.after}"
        return f"`{self.before}` becomes `{self.after}`"

    @property
    def key(self):
        """What identifies the mutant when lines above it change."""
        return f"{self.file}\n{self.code}\n{self.change}\n{self.nth}"


class Catalogue:
    def __init__(self, root, folder):
        table = tomllib.loads((folder / "files.toml").read_text())
        self.groups = table["groups"]
        self.wider = table["wider"]
        self.sources = {file: (root / file).read_text() for group in self.groups for file in group["files"]}
        self.mutants = list(self.propose())

    def propose(self):
        number, seen = 0, {}
        for file, source in self.sources.items():
            for site in propose(source):
                line = source.count("\n", 0, site.start) + 1
                code = source.splitlines()[line - 1].strip()
                for after in site.after:
                    number += 1
                    place = (file, code, site.kind, site.before, after)
                    seen[place] = seen.get(place, 0) + 1
                    yield Mutant(
                        number, file, line, site.kind, site.start, site.end, site.before, after, code, seen[place])

    def group(self, mutant):
        return next(group for group in self.groups if mutant.file in group["files"])

    def wide_filter(self, mutant):
        return next(tests for target, tests in self.wider.items() if mutant.file.startswith(f"Sources/{target}/"))
