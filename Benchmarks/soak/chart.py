"""A run as a chart: what the client uses on the left axis, latency and errors on the right one."""

import pygal
from pygal.style import CleanStyle

STEP = 10  # seconds from point to point
ERRORS = ["unexpected errors", "unexpected retries"]
RIGHT = {"secondary": True, "stroke_style": {"dasharray": "4, 4"}}


def write(lines, path):
    plot = pygal.XY(js=(), style=CleanStyle, legend_at_bottom=True, width=1000, height=500, show_dots=False,
                    title="Soak: RSS in MiB, descriptors, connections, threads; dashed, on the right: p99 in ms, errors",
                    x_title="seconds")
    groups = [lines[index:index + STEP] for index in range(0, len(lines), STEP)]

    def add(name, value, **options):
        plot.add(name, [(group[0]["second"], value(group)) for group in groups], **options)

    add("RSS MiB", lambda group: group[0].get("RSS KiB", 0) / 1024)
    for field in ("descriptors", "connections", "threads"):
        add(field, lambda group, field=field: group[0].get(field, 0))
    add("p99 ms", lambda group: max(float(line["p99 ms"] or 0) for line in group), **RIGHT)
    add("unexpected errors and retries",
        lambda group: sum(line[field] for line in group for field in ERRORS), **RIGHT)
    path.write_text(plot.render(is_unicode=True), encoding="utf-8")
