"""Reloads and restarts the servers while requests are under way."""

import itertools
import math
import threading
import time

GRACE = 6  # seconds; a retry is counted up to a second later


def schedule():
    """When a server is reloaded (every 20 seconds) or restarted (every two minutes), in seconds."""
    for begin in itertools.count(0, 120):
        for second in range(10, 120, 20):
            yield begin + second, "reload"
        yield begin + 119, "restart"


class Disturbance:
    """A thread that disturbs the servers in turn, from `with` to its end."""

    def __init__(self, servers):
        self.servers = servers
        self.failures = []
        self.until = {}  # by the name of a server: how long a retry is explained
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()

    def run(self):
        begin = time.monotonic()
        try:
            for server, (second, action) in zip(itertools.cycle(self.servers), schedule()):
                if self.over.wait(max(begin + second - time.monotonic(), 0)):
                    return
                self.until |= dict.fromkeys(server.affects, math.inf)
                getattr(server, action)()
                self.until |= dict.fromkeys(server.affects, time.monotonic() + GRACE)
        except (Exception, SystemExit) as error:
            self.failures.append(f"a server could not be reloaded or restarted: {error}")

    def explains(self, server):
        """Whether the server is or was disturbed at this moment or a few seconds ago."""
        return time.monotonic() < self.until.get(server, 0)
