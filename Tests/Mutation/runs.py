"""Runs the tests with one mutant chosen, until the first test fails."""
import dataclasses
import os
import re
import resource
import signal
import subprocess
import threading
import time

ISSUE = re.compile(r"recorded an issue.*? at (\S+\.swift:\d+)")


@dataclasses.dataclass
class Outcome:
    """What a run has shown. `by` is the failed expectation, a signal, or the time-out; it is empty if all tests passed."""

    by: str
    seconds: float
    tests: int = 0


class Runner:
    def __init__(self, folder):
        self.folder = folder
        self.limits = {}

    def calibrate(self, tests):
        """Runs tests without a mutant. They must pass, and their time bounds that of the runs with mutants."""
        outcome = self.run(0, tests, limit=900)
        if outcome.by or not outcome.tests:
            raise SystemExit(f"Without a mutant, the tests {tests} do not pass: {outcome.by or 'there are none'}.")
        self.limits[tests] = 10 + 3 * outcome.seconds
        return outcome

    def run_twice(self, number, tests):
        """Runs tests. What fails has to fail once more, because some tests depend on the time."""
        start = time.monotonic()
        outcome = self.run(number, tests)
        if outcome.by and not self.fails_again(number, outcome.by, tests):
            outcome.by = ""
        outcome.seconds = time.monotonic() - start
        return outcome

    def fails_again(self, number, place, tests):
        """Whether the suite that is named like the file of a failed expectation fails again, or else one of the tests."""
        suite = re.match(r"(\w+Tests)\.swift", place)
        limit = self.limits[tests]
        return suite and self.run(number, rf"\.{suite[1]}/", limit).by or self.run(number, tests).by

    def run(self, number, tests, limit=None):
        start = time.monotonic()
        process = subprocess.Popen(
            [".build/debug/martletPackageTests.xctest", "--testing-library", "swift-testing", "--filter", tests],
            cwd=self.folder, env=dict(os.environ, MARTLET_MUTANT=str(number)), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True,
            # A mutant that allocates without end is killed, and not the machine.
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30)))
        by, count = [], 0

        def end(reason):
            by.append(reason)
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        timer = threading.Timer(limit or self.limits[tests], end, ["time-out"])
        timer.start()
        for line in process.stdout:
            line = line.decode(errors="replace")
            if issue := ISSUE.search(line):
                end(issue[1])
            elif passed := re.search(r"Test run with (\d+) tests?", line):
                count = int(passed[1])
        status = process.wait()
        timer.cancel()
        if status and not by:
            by.append(f"signal {-status}" if status < 0 else f"status {status}")
        return Outcome(by[0] if by else "", time.monotonic() - start, count)
