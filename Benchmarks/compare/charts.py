"""The figures of a full run as SVG: CPU time against libcurl's, and latencies by percentile."""

import pygal
from pygal.style import CleanStyle

import latencies
from spread import Spread, ratios

PLAIN = {"js": (), "style": CleanStyle, "legend_at_bottom": True, "width": 1000}
AT_MOST = 4  # a bar that is longer is cut, so that the others can be told apart


def cpu(measured, peers):
    """A bar for each peer and row: the CPU time as a multiple of libcurl's."""
    rows = [(row, runs) for row, runs in measured.values()
            if "cpu" in row.columns and any(run["peer"] == "curl" for run in runs)]
    chart = pygal.HorizontalBar(
        **PLAIN, title=f"CPU time ÷ libcurl (bars end at {AT_MOST})", height=60 * len(rows) + 200,
        range=(0, AT_MOST))
    chart.x_labels = [row.title for row, _ in reversed(rows)]
    for peer in peers:
        values = [bar(row, runs, peer) for row, runs in reversed(rows)]
        if peer != "curl" and any(values):
            chart.add(peer, values)
    return chart.render(is_unicode=True)


def bar(row, runs, peer):
    values = ratios(runs, row.columns["cpu"].value, peer, "curl")
    if not values:
        return None
    median = Spread.of(values).median
    return {"value": min(median, AT_MOST), "label": f"{median:.2f}"}


def latency(row, runs, peers):
    """A line for each peer: the latency of all rounds by percentile."""
    chart = pygal.Line(
        **PLAIN, title=f"{row.title}: µs by percentile", height=500, logarithmic=True)
    chart.x_labels = [f"{part:g}" for part in latencies.SHOWN]
    for peer in peers:
        chart.add(peer, latencies.percentiles(latencies.merged(runs, peer)))
    return chart.render(is_unicode=True)


def write(measured, folder):
    """Writes the charts of the measured rows to a folder, and returns their names."""
    peers = list(dict.fromkeys(run["peer"] for _, runs in measured.values() for run in runs))
    charts = {"cpu.svg": cpu(measured, peers)} if "curl" in peers else {}
    for row, runs in measured.values():
        if row.scenario == "paced":
            own = [peer for peer in peers if any(run["peer"] == peer for run in runs)]
            charts[f"{row.name}.svg"] = latency(row, runs, own)
    folder.mkdir(exist_ok=True)
    for name, text in charts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return list(charts)
