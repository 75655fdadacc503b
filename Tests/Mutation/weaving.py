"""Compiles mutants into a Swift source: each changed expression asks at run time whether its mutant is chosen.

All changes stay within their lines, so that the compiler's messages have the line numbers of the original.
"""

# One character each is an operator of Swift, and no library declares it.
OPERATORS = [chr(code) for code in [*range(0x2500, 0x2776), *range(0x2794, 0x2C00)]]

SUPPORT = """\
import EssentialFoundation

/// The number of the mutant that is chosen for this run; 0 for none.
private let chosenMutant = getenv("MARTLET_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0

public func isMutant(_ number: Int) -> Bool { number == chosenMutant }

public func mutantConstant<T: Numeric>(_ up: Int, _ down: Int, _ value: T) -> T {
  isMutant(up) ? value + 1 : isMutant(down) ? value - 1 : value
}
public func mutantFlag(_ number: Int, _ value: Bool) -> Bool { isMutant(number) ? !value : value }
public func mutantClause(_ number: Int, _ changed: Bool?, _ value: Bool) -> Bool {
  isMutant(number) ? changed ?? !value : value
}
public func mutantMin<T: Comparable>(_ number: Int, _ first: T, _ rest: T...) -> T {
  rest.reduce(first) { isMutant(number) ? max($0, $1) : min($0, $1) }
}
public func mutantMax<T: Comparable>(_ number: Int, _ first: T, _ rest: T...) -> T {
  rest.reduce(first) { isMutant(number) ? min($0, $1) : max($0, $1) }
}
"""

COMPARISON = """\
infix operator {sign}: ComparisonPrecedence
public func {sign} <T: {protocol}>(a: T, b: T) -> Bool {{ isMutant({number}) ? a {after} b : a {before} b }}
"""
# Such comparisons are not generic in the standard library either.
NIL = """\
public func {sign} <T>(a: T?, b: _OptionalNilComparisonType) -> Bool {{ isMutant({number}) ? a {after} b : a {before} b }}
"""
PAIRS = """\
public func {sign} <T: {protocol}, U: {protocol}>(a: (T, U), b: (T, U)) -> Bool {{
  isMutant({number}) ? a {after} b : a {before} b
}}
"""
LOGICAL = """\
infix operator {sign}: Logical{name}Precedence
public func {sign} (a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool {{
  isMutant({number}) ? try a {after} b() : try a {before} b()
}}
"""
SUM = """\
infix operator {sign}: AdditionPrecedence
public func {sign} <T: AdditiveArithmetic>(a: T, b: T) -> T {{ isMutant({number}) ? a {after} b : a {before} b }}
"""
CHANGE = """\
infix operator {sign}: AssignmentPrecedence
public func {sign} <T: AdditiveArithmetic>(a: inout T, b: T) {{
  if isMutant({number}) {{ a {after} b }} else {{ a {before} b }}
}}
"""


def declaration(mutant):
    """The declaration of the operator that stands in place of another one."""
    values = {
        "sign": OPERATORS[mutant.number], "number": mutant.number, "before": mutant.before, "after": mutant.after,
        "name": "Conjunction" if mutant.before == "&&" else "Disjunction",
        "protocol": "Equatable" if mutant.before in ("==", "!=") else "Comparable"}
    if mutant.before in ("==", "!="):
        return (COMPARISON + NIL + PAIRS).format(**values)
    template = {"&&": LOGICAL, "||": LOGICAL, "+": SUM, "-": SUM, "+=": CHANGE, "-=": CHANGE}
    return template.get(mutant.before, COMPARISON + PAIRS).format(**values)


def weave(source, mutants):
    """Returns a source with its mutants compiled in."""
    sites = {}
    for mutant in mutants:
        sites.setdefault((mutant.start, mutant.end), []).append(mutant)
    edits = []
    for (start, end), group in sites.items():
        first, text = group[0], source[start:end]
        if first.kind == "operator":
            edits.append((start, end, OPERATORS[first.number]))
        elif first.kind == "constant":
            numbers = [mutant.number for mutant in group]
            edits.append((start, end, f"mutantConstant({numbers[0]}, {(numbers + [-1])[1]}, {text})"))
        elif first.kind == "flag":
            edits.append((start, end, f"mutantFlag({first.number}, {text})"))
        elif first.kind == "bound":
            edits.append((start, end, f"mutant{first.before.title()}({first.number}, "))
        else:
            changed = "nil" if first.after == "negated" else first.after
            edits.append((start, start, f"mutantClause({first.number}, {changed}, "))
            edits.append((end, end, ")"))
    # From the end to the start. What is inserted before an expression goes in after the expression has been changed.
    for start, end, text in sorted(edits, key=lambda edit: (edit[0], edit[1]), reverse=True):
        source = source[:start] + text + source[end:]
    return source
