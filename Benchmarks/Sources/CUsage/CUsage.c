#include "CUsage.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

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

/* A line of /proc/self/status such as "VmRSS:     1234 kB". */
static long status_line(const char *name) {
  char line[256];
  long kib = 0;
  FILE *status = fopen("/proc/self/status", "r");
  if (!status) return 0;
  while (fgets(line, sizeof line, status))
    if (strncmp(line, name, strlen(name)) == 0) sscanf(line + strlen(name), ": %ld", &kib);
  fclose(status);
  return kib;
}

long usage_peak_memory(void) {
  return status_line("VmHWM");
}

long usage_resident_memory(void) {
  return status_line("VmRSS");
}

long usage_open_sockets(void) {
  long sockets = 0;
  DIR *descriptors = opendir("/proc/self/fd");
  if (!descriptors) return 0;
  struct dirent *entry;
  while ((entry = readdir(descriptors))) {
    char target[16] = "";
    readlinkat(dirfd(descriptors), entry->d_name, target, sizeof target - 1);
    if (strncmp(target, "socket:", 7) == 0) sockets++;
  }
  closedir(descriptors);
  return sockets;
}
