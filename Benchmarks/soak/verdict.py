"""Whether a run was good."""

from statistics import median

from recording import COUNTS

WARM_UP = 300  # seconds
SHORTEST = 900  # seconds after the warm-up; shorter runs have no verdict on growth
SPAN = 1500  # seconds
LIMITS = {"RSS KiB": (512, 4096), "descriptors": (2, 3)}  # of the slope in SPAN, of any difference
MOST_THREADS = 8  # more than in the first five minutes, while requests are under way
LEAST_CANCELLED = 0.9  # of the requests that are to be cancelled
ENDS = COUNTS[1:]


def minutes(lines, field):
    """The minimum of each whole minute: buffers come and go, and what leaks stays."""
    values = [line[field] for line in lines]
    return [min(values[index:index + 60]) for index in range(0, len(values) - 59, 60)]


def slope(values):
    """The median of the slopes between all pairs of minutes (Theil and Sen), in units a second."""
    pairs = [(a, b) for a in range(len(values)) for b in range(a)]
    return median((values[a] - values[b]) / (a - b) / 60 for a, b in pairs)


def growth(lines):
    """Says how memory and descriptors have grown, and returns what is above the limits."""
    steady = [line for line in lines if line["second"] > WARM_UP and "RSS KiB" in line]
    if len(steady) < SHORTEST:
        print(f"no verdict on growth: that takes {(WARM_UP + SHORTEST) // 60} minutes")
        return []
    found = []
    for field, (most_slope, most) in LIMITS.items():
        values = minutes(steady, field)
        first = median(values[:5])
        by_slope, last, highest = slope(values) * SPAN, median(values[-5:]) - first, max(values) - first
        text = (f"{field}: {by_slope:+.1f} in {SPAN // 60} minutes (limit {most_slope}), from the first five minutes "
                f"{last:+.1f} to the last and {highest:+.1f} to the highest (limit {most})")
        print(text)
        if by_slope >= most_slope or max(last, highest) >= most:
            found.append(text)
    return found + threads(lines, steady)


def threads(lines, steady):
    """Says how many threads there are more, and returns what is above the limits.

    Dispatch starts a thread when others wait for the disk, and ends threads that have nothing to do. What leaks is still there when
    the requests are over.
    """
    if "threads" not in lines[-1]:
        return ["the client has ended before its threads were counted"]
    values = minutes(steady, "threads")
    first = median(values[:5])
    highest, end = max(values) - first, lines[-1]["threads"] - first
    text = f"threads: from the first five minutes {highest:+.1f} to the highest (limit {MOST_THREADS}) and {end:+.1f} to the end (limit 1)"
    print(text)
    return [text] if highest >= MOST_THREADS or end >= 1 else []


def failures(lines, seconds, rate):
    """Prints the totals, and returns what is wrong."""
    if not lines:
        return ["the client printed nothing"]
    totals = {field: sum(line[field] for line in lines) for field in [*COUNTS, "unexpected retries"]}
    print(", ".join(f"{field}: {count}" for field, count in totals.items()))
    left = totals["begun"] - sum(totals[field] for field in ENDS)
    to_cancel = totals["cancelled"] + totals["cancelled late"]
    checks = {
        f"{totals['unexpected errors']} unexpected errors": totals["unexpected errors"],
        f"{totals['unexpected retries']} unexpected retries": totals["unexpected retries"],
        f"{totals['begun']} requests have begun instead of {seconds * rate}": totals["begun"] != seconds * rate,
        f"{left} requests have not ended": left,
        f"{len(lines)} lines for {seconds} seconds": len(lines) <= seconds,
        f"only {totals['cancelled']} of {to_cancel} requests were cancelled in time":
            totals["cancelled"] < LEAST_CANCELLED * to_cancel,
        f"{lines[-1]['connections']} connections are open at the end": lines[-1]["connections"],
    }
    return [text for text, fails in checks.items() if fails] + growth(lines)
