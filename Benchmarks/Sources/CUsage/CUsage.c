#include "CUsage.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double seconds(struct timeval time) {
  return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

struct usage usage_now(void) {
  struct rusage used;
  struct timespec clock;
  getrusage(RUSAGE_SELF, &used);
  clock_gettime(CLOCK_MONOTONIC, &clock);
  struct usage now = {
      .wall = (double)clock.tv_sec + (double)clock.tv_nsec / 1e9,
      .cpu = seconds(used.ru_utime) + seconds(used.ru_stime),
  };
  return now;
}

long usage_peak_memory(void) {
  char line[256];
  long kib = 0;
  FILE *status = fopen("/proc/self/status", "r");
  if (!status) return 0;
  while (fgets(line, sizeof line, status))
    if (sscanf(line, "VmHWM: %ld", &kib) == 1) break;
  fclose(status);
  return kib;
}
