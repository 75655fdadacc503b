"""Writes docs/mutation.md: the figures of each file, and the survivors with their judgements."""
import collections
import tomllib

HEAD = """\
# Mutation testing

`scripts/mutants` changes one condition or constant of the files below at a time, and runs the tests. A change is a mutant. A mutant is
killed when a test fails, the program traps, or the tests hang. A mutant that survives is either equivalent, which means that no caller can
observe it, or it shows a test that is missing.

All mutants are compiled in at once, into a copy of the package, and an environment variable chooses one of them. So each costs a run of
some tests and not a build. The rules are in [rules.py](../Tests/Mutation/rules.py):

* `<` and `<=`, `>` and `>=`, `==` and `!=`, `&&` and `||`, `+` and `-`, `+=` and `-=` change places, and so do `min` and `max`;
* a number becomes one more, and numbers from 2 on also one less; tables of numbers are not changed;
* `true` and `false` change places;
* a clause of an `if` or `guard` before an early exit has no effect, and one of another `if` is negated if it has no operator.

What does not compile is no mutant. A mutant first meets the tests that [files.toml](../Tests/Mutation/files.toml) names for its file,
then all tests of its target. The judgements are in [judgements.toml](../Tests/Mutation/judgements.toml).
"""


def write(catalogue, mutants, results, folder, page):
    """Writes the page, and returns how many of the mutants were killed, and the survivors without a judgement."""
    judged = {}
    if (folder / "judgements.toml").exists():
        for entry in tomllib.loads((folder / "judgements.toml").read_text())["mutant"]:
            judged[entry["file"], entry["code"], entry["change"], entry.get("nth", 1)] = entry["verdict"]
    rows, survivors, counts = [], [], collections.Counter()
    for group in catalogue.groups:
        for file in group["files"]:
            own = [mutant for mutant in mutants if mutant.file == file]
            alive = [mutant for mutant in own if not results[mutant.key]["by"]]
            verdicts = [judged.get((m.file.split("/")[-1], m.code, m.change, m.nth), "") for m in alive]
            survivors += zip(alive, verdicts)
            equivalent = sum(verdict.startswith("equivalent") for verdict in verdicts)
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
        "## Survivors", "", line("Place", "Line", "Mutant", "Judgement"), "|---|---|---|---|"]
    text += [
        line(f"{m.file.split('/')[-1].removesuffix('.swift')}:{m.line}", code(m.code), change(m), verdict)
        for m, verdict in survivors]
    page.write_text("\n".join(text) + "\n")
    return counts, [mutant for mutant, verdict in survivors if not verdict]


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
