"""Runs the tests with one mutant chosen, until the first test fails."""
import dataclasses
import os
import re
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
        """Runs the tests of a whole target. One of them has to fail twice, because some of them depend on the time."""
        outcome = self.run(number, tests)
        if outcome.by:
            suite = re.match(r"(\w+Tests)\.swift", outcome.by)
            again = self.run(number, rf"\.{suite[1]}/" if suite else tests)
            outcome.by = again.by and outcome.by
        return outcome

    def run(self, number, tests, limit=None):
        start = time.monotonic()
        process = subprocess.Popen(
            [".build/debug/martletPackageTests.xctest", "--testing-library", "swift-testing", "--filter", tests],
            cwd=self.folder, env=dict(os.environ, MARTLET_MUTANT=str(number)), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True)
        by, count = [], 0

        def end(reason):
            by.append(reason)
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        timer = threading.Timer(limit or self.limits.get(tests, 120), end, ["time-out"])
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
        return Outcome(by[0] if by else "", round(time.monotonic() - start, 1), count)
