"""Latencies as HdrHistograms."""

from hdrh.histogram import HdrHistogram

from tables import number, table

SHOWN = (50, 75, 90, 95, 99, 99.9, 99.99, 100)


def empty():
    """A histogram from one microsecond to a minute, with three digits."""
    return HdrHistogram(1, 60_000_000, 3)


def summary(microseconds):
    """What is kept of one run: the percentiles of the columns, and the whole histogram in its own encoding."""
    histogram = empty()
    for value in microseconds:
        histogram.record_value(max(value, 1))
    columns = {"p50": 50, "p90": 90, "p99": 99, "p999": 99.9}
    return {
        **{name: histogram.get_value_at_percentile(part) for name, part in columns.items()},
        "histogram": histogram.encode().decode("ascii"),
    }


def merged(runs, peer):
    """The histogram of all runs of a peer."""
    whole = empty()
    for run in runs:
        if run["peer"] == peer:
            whole.decode_and_add(run["histogram"])
    return whole


def percentiles(histogram):
    """The shown percentiles, in microseconds."""
    return [histogram.get_value_at_percentile(part) for part in SHOWN]


def percentile_table(row, runs, peers):
    """The latencies of all rounds together, as a table."""
    heads = [f"{row.title}, µs", *(f"{part:g} %" for part in SHOWN[:-1]), "longest"]
    return table(
        heads, [[peer, *map(number, percentiles(merged(runs, peer)))] for peer in peers])
