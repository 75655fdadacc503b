"""Writes docs/mutation.md: the figures of each file, and the survivors with their judgements."""
import collections
import tomllib

HEAD = """\
# Mutation testing

`scripts/mutants` changes one condition or constant of the files below at a time, and runs the tests. A change is a mutant. A
mutant is killed when a test fails, the program traps, or the tests hang. A mutant that survives is either equivalent, which
means that no caller can observe it, or it shows a test that is missing.

All mutants are compiled in at once, into a copy of the package, and an environment variable chooses one of them. So each costs
a run of some tests and not a build. The rules are in [rules.py](../Tests/Mutation/rules.py):

* `<` and `<=`, `>` and `>=`, `==` and `!=`, `&&` and `||`, `+` and `-`, `+=` and `-=`, `min` and `max` change places;
* a number becomes one more, and numbers from 2 on also one less; tables of numbers are not changed;
* `true` and `false` change places;
* a clause of an `if` or `guard` before an early exit has no effect, and one of another `if` is negated if it has no operator.

What does not compile is no mutant. A mutant first meets the tests that [files.toml](../Tests/Mutation/files.toml) names for
its file, then all tests of its target, unless it is judged to be equivalent. A test that fails has to fail a second time,
because some tests depend on the time. The judgements are in [judgements.toml](../Tests/Mutation/judgements.toml).
"""


class Judgements:
    """What engineers have found about survivors."""

    def __init__(self, folder):
        entries = tomllib.loads((folder / "judgements.toml").read_text())["mutant"]
        self.verdicts = {(e["file"], e["code"], e["change"], e.get("nth", 1)): e["verdict"] for e in entries}

    def verdict(self, mutant):
        return self.verdicts.get((mutant.file.split("/")[-1], mutant.code, mutant.change, mutant.nth), "")

    def is_equivalent(self, mutant):
        return self.verdict(mutant).startswith("equivalent")


def write(catalogue, mutants, results, judgements, page):
    """Writes the page, and returns how many of the mutants were killed, and the survivors without a judgement."""
    rows, survivors, counts = [], [], collections.Counter()
    for group in catalogue.groups:
        for file in group["files"]:
            own = [mutant for mutant in mutants if mutant.file == file]
            alive = [mutant for mutant in own if not results[mutant.key]["by"]]
            survivors += alive
            equivalent = sum(map(judgements.is_equivalent, alive))
            row = {"mutants": len(own), "killed": len(own) - len(alive), "survived": len(alive), "equivalent": equivalent}
            counts.update(row)
            rows.append(line(f"[{file.split('/')[-1]}](../{file.replace('+', '%2B')})", group["name"], *row.values()))
    share = f"{100 * counts['killed'] / counts['mutants']:.1f} %"
    text = [
        HEAD, "## Figures", "",
        f"{counts['killed']} of {counts['mutants']} mutants are killed: {share}. Of the {counts['survived']} survivors, "
        f"{counts['equivalent']} are equivalent.", "",
        line("File", "Part", "Mutants", "Killed", "Survived", "of these equivalent"), "|---|---|--:|--:|--:|--:|", *rows,
        line("**all**", "", *(counts[key] for key in ("mutants", "killed", "survived", "equivalent"))), "",
        "## Survivors", "", line("File", "Line", "Mutant", "Judgement"), "|---|---|---|---|"]
    text += [
        line(m.file.split("/")[-1].removesuffix(".swift"), code(m.code), change(m), judgements.verdict(m))
        for m in survivors]
    page.write_text("\n".join(text) + "\n")
    return counts, [mutant for mutant in survivors if not judgements.verdict(mutant)]


def change(mutant):
    where = f" (number {mutant.nth})" if mutant.nth > 1 else ""
    if mutant.kind == "clause":
        return f"the clause {code(mutant.before)} is {mutant.after}{where}"
    return f"{code(mutant.before)} becomes {code(mutant.after)}{where}"


def code(text):
    """Code in a cell of a table, on one line."""
    return f"`{' '.join(text.split())}`".replace("|", "\\|")


def line(*cells):
    return f"| {' | '.join(str(cell) for cell in cells)} |"
