#include "CTestLimits.h"

#include <stdlib.h>
#include <unistd.h>

// Swift Testing begins all tests at once. Most of ours have a server, a client and time-outs, and hundreds of them
// keep each other waiting for longer than any of these allows. The variable is read when the first test is planned.
__attribute__((constructor)) static void bound_parallelism(void) {
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}

// A suite's time limit names the test that hangs, and cancels it. One that does not obey would keep the run for
// ever: SIGALRM ends it.
__attribute__((constructor)) static void bound_time(void) {
  const unsigned half_an_hour = 30 * 60;
  alarm(half_an_hour);
}
