#include "CTestParallelism.h"

#include <stdlib.h>

// Swift Testing begins all tests at once. Most of ours have a server, a client and time-outs, and hundreds of them
// keep each other waiting for longer than any of these allows. The variable is read when the first test is planned.
__attribute__((constructor)) static void bound_parallelism(void) {
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
