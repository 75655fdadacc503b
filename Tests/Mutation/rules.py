"""Proposes changes of conditions and constants in a Swift source."""
import dataclasses

from swift_tokens import tokens

PAIRS = [("<", "<="), (">", ">="), ("==", "!="), ("&&", "||"), ("+", "-"), ("+=", "-=")]
SWAPPED = dict(PAIRS + [(after, before) for before, after in PAIRS])
CONDITIONS = {"<", "<=", ">", ">=", "==", "!=", "&&", "||"}
EXITS = {"return", "throw", "continue", "break"}
BINDINGS = {"let", "var", "case", "_", "#available", "#unavailable"}
# In these lines, `==` compares types.
DECLARATIONS = {"func", "extension", "struct", "class", "enum", "protocol", "actor", "init", "typealias", "import"}


@dataclasses.dataclass(frozen=True)
class Site:
    """A place in a source, and what may stand there instead. The kind decides how the mutants are compiled in."""

    kind: str
    start: int
    end: int
    before: str
    after: tuple


def propose(source):
    """Returns the sites of a source, in their order."""
    found = tokens(source)
    sites = [site for index in range(len(found)) for site in at(found, index, source)]
    return sorted(sites, key=lambda site: (site.start, -site.end))


def at(found, index, source):
    token = found[index]
    before = found[index - 1] if index else None
    if token.text in ("if", "guard") and (before is None or before.text != "."):
        yield from clauses(found, index, source)
    elif before is None or before.text in ("func", "operator") or (before.text == "." and before.end == token.start):
        return
    elif token.text in SWAPPED:
        spaced = source[token.start - 1].isspace() and source[token.end].isspace()
        if spaced and not compares_types(found, index, source):
            yield Site("operator", token.start, token.end, token.text, (SWAPPED[token.text],))
    elif token.kind == "number" and not set(token.text) & {".", "p"} and not is_in_table(found, index):
        text = token.text
        # Offsets and steps are mostly 0 and 1. One mutant of each is enough.
        after = (f"{text} + 1",) if int(text.replace("_", ""), 0) < 2 else (f"{text} + 1", f"{text} - 1")
        yield Site("constant", token.start, token.end, text, after)
    elif token.text in ("true", "false") and before.text != "while":
        yield Site("flag", token.start, token.end, token.text, ("false" if token.text == "true" else "true",))
    elif token.text in ("min", "max") and source[token.end] == "(":
        yield Site("bound", token.start, token.end + 1, token.text, ("max" if token.text == "min" else "min",))


def is_in_table(found, index):
    """Whether a number is next to another one in a list. Such lists are data."""
    before, after = found[max(index - 2, 0):index], found[index + 1:index + 3]
    return any(
        {token.kind for token in pair} == {"number", "mark"} and "," in (token.text for token in pair)
        for pair in (before, after))


def compares_types(found, index, source):
    """Whether an operator is behind a `where` of a declaration."""
    start = source.rfind("\n", 0, found[index].start)
    line = [token.text for token in found[:index] if token.start > start]
    return "where" in line and any(word in DECLARATIONS for word in line)


def clauses(found, index, source):
    """The boolean clauses of an `if` or `guard`: without effect before an early exit, or else negated.

    A clause with operators is not negated, because the operators are changed.
    """
    is_guard = found[index].text == "guard"
    parts, depth, position = [[]], 0, index + 1
    while depth or found[position].text != ("else" if is_guard else "{"):
        token = found[position]
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(token.text, 0)
        if token.text == "," and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
        position += 1
    is_exit = is_guard or found[position + 1].text in EXITS
    for part in parts:
        if part[0].text in BINDINGS:
            continue
        start, end = part[0].start, part[-1].end
        if is_exit:
            yield Site("clause", start, end, source[start:end], ("true" if is_guard else "false",))
        elif not any(token.text in CONDITIONS for token in part):
            yield Site("clause", start, end, source[start:end], ("negated",))
