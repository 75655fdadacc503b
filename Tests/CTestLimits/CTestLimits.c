#include "CTestLimits.h"

#include <stdlib.h>
#include <unistd.h>

// Swift Testing begins all tests at once. Most of ours have a server, a client and time-outs, and hundreds of them
// keep each other waiting for longer than any of these allows. The variable is read when the first test is planned.
__attribute__((constructor)) static void bound_parallelism(void) {
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}

// A suite's time limit names the test that hangs, and cancels it. One that goes on all the same would keep the run from ending:
// SIGALRM ends it, after 45 minutes or as many as MARTLET_TEST_MINUTES says.
__attribute__((constructor)) static void bound_time(void) {
  const char *variable = getenv("MARTLET_TEST_MINUTES");
  int minutes = variable ? atoi(variable) : 0;
  alarm((minutes > 0 ? minutes : 45) * 60);
}

// SwiftNIO prints when its functions are called from the wrong thread, or with an event loop that was shut down. In its
// strict mode it ends the process instead.
__attribute__((constructor)) static void forbid_misuse(void) {
  setenv("SWIFTNIO_STRICT", "1", 0);
}
