"""A copy of the package with the mutants compiled in. The sources of the repository never change."""
import collections
import json
import pathlib
import re
import subprocess
import sys

import weaving

ERROR = re.compile(r"^(/\S+\.swift):(\d+):(\d+): error:", re.M)


class Scratch:
    def __init__(self, root, folder, catalogue):
        self.root, self.folder, self.catalogue = root, folder.resolve(), catalogue
        self.record = self.folder / ".build/mutants-not-compiled.json"
        self.dropped = set(json.loads(self.record.read_text())) if self.record.exists() else set()

    @property
    def mutants(self):
        """The mutants that compile, as far as it is known."""
        return [mutant for mutant in self.catalogue.mutants if mutant.key not in self.dropped]

    def build(self):
        """Copies and builds the package. Mutants that do not compile are dropped, and it is built again."""
        for round in range(1, 100):
            self.copy()
            print(f"build {round}: {len(self.mutants)} mutants", flush=True)
            run = subprocess.run(
                ["swift", "build", "--build-tests"], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT)
            if run.returncode == 0:
                return
            if not self.drop(run.stdout):
                sys.exit(f"{run.stdout[-5000:]}\nThe copy in {self.folder} does not build.")

    def drop(self, output):
        """Drops the mutant that is nearest to each error. Returns whether there is one."""
        errors = {(file, int(line), int(column)) for file, line, column in ERROR.findall(output)}
        before = len(self.dropped)
        for file, line, column in errors:
            name = str(pathlib.Path(file).relative_to(self.folder))
            near = [mutant for mutant in self.mutants if mutant.file == name and abs(mutant.line - line) <= 8]
            if not near:
                continue
            column -= 1
            places = self.columns(name)
            best = min(near, key=lambda mutant: (abs(mutant.line - line), abs(places[mutant.start] - column)))
            self.dropped.update(
                mutant.key for mutant in near if (mutant.start, mutant.end) == (best.start, best.end))
        self.record.parent.mkdir(exist_ok=True)
        self.record.write_text(json.dumps(sorted(self.dropped)))
        return len(self.dropped) > before

    def columns(self, name):
        """Where the expressions of a file's mutants begin in their woven lines, counted in bytes."""
        source, mutants = self.catalogue.sources[name], [m for m in self.mutants if m.file == name]
        columns = {}
        for mutant in mutants:
            line = source.rfind("\n", 0, mutant.start) + 1
            left = [m for m in mutants if line <= m.start and m.end <= mutant.start]
            columns[mutant.start] = len(weaving.weave(source[:mutant.start], left)[line:].encode())
        return columns

    def copy(self):
        """Writes what differs from the copy, so that only that is built again."""
        listed = subprocess.check_output(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], cwd=self.root, text=True)
        files = {name: (self.root / name).read_bytes() for name in listed.split("\0") if (self.root / name).is_file()}
        modules = collections.defaultdict(list)
        for mutant in self.mutants:
            modules["/".join(mutant.file.split("/")[:2])].append(mutant)
        for name, source in self.catalogue.sources.items():
            files[name] = weaving.weave(source, [m for m in self.mutants if m.file == name]).encode()
        for module, mutants in modules.items():
            operators = [weaving.declaration(mutant) for mutant in mutants if mutant.kind == "operator"]
            files[f"{module}/Mutants.swift"] = (weaving.SUPPORT + "\n" + "".join(operators)).encode()
        for name, content in files.items():
            target = self.folder / name
            if not target.exists() or target.read_bytes() != content:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
                target.chmod((self.root / name).stat().st_mode if (self.root / name).exists() else 0o644)
        for part in ("Sources", "Tests", "Fuzz"):
            for file in (self.folder / part).rglob("*.swift"):
                if str(file.relative_to(self.folder)) not in files and ".build" not in file.parts:
                    file.unlink()
