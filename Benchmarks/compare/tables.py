"""Tables in Markdown."""

from spread import Spread, ratios

RIVALS = ("curl", "ahc")  # those that the others are compared with


def number(value):
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def quartiles(spread):
    return f"{number(spread.median)} ({number(spread.low)}–{number(spread.high)})"


def table(heads, lines, left=1):
    """Lines of cells under their heads; the first `left` columns are aligned to the left."""
    rule = "|---" * left + "|--:" * (len(heads) - left) + "|"
    rows = ["| " + " | ".join(cells) + " |" for cells in [heads, *lines]]
    return "\n".join([rows[0], rule, *rows[1:]]) + "\n"


def row_table(row, runs, peers):
    """The figures of one row; those that are compared also as multiples of the rivals'."""
    rivals = [rival for rival in RIVALS if rival in peers]
    heads = [row.title]
    for column in row.columns.values():
        heads += [column.title] + [f"÷ {rival}" for rival in rivals if column.is_compared]
    return table(heads, [line(row, runs, peer, rivals) for peer in peers])


def line(row, runs, peer, rivals):
    cells = [peer]
    for column in row.columns.values():
        cells.append(number(Spread.of(ratios(runs, column.value, peer)).median))
        if not column.is_compared:
            continue
        for rival in rivals:
            spread = Spread.of(ratios(runs, column.value, peer, rival))
            cells.append("1" if rival == peer else quartiles(spread))
    return cells


def gate_table(judged, measured):
    heads = ["gate", "figure", "peer", "÷", "median (quartiles)", "gate", "goal", ""]
    return table(heads, [gate_line(gate, spread, measured) for gate, spread in judged], left=4)


def gate_line(gate, spread, measured):
    sign = "≥" if gate.at_least else "≤"
    limits = [f"{sign} {limit:g}" if limit is not None else "" for limit in (gate.gate, gate.goal)]
    shown = [quartiles(spread), *limits, gate.verdict(spread.median)] if spread else [
        "not measured", *limits, ""]
    title = measured[gate.row][0].columns[gate.column].title if spread else gate.column
    return [gate.row, title, gate.peer, gate.rival or "", *shown]
