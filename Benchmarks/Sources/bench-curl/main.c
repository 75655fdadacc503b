/* libcurl, measured: bench-curl get|download|file URL COUNT CONCURRENCY [large-buffer] */

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CUsage.h"
#include "job.h"

/* A twentieth of the work, from a smaller file where there is only one request. */
static void warm_up(struct job job, int is_get) {
  char url[1024];
  if (is_get) {
    job.count = job.count / 20 > job.concurrency ? job.count / 20 : job.concurrency;
  } else {
    snprintf(url, sizeof url, "%s.warm-up", job.url);
    job.url = url;
    job.count = 1;
    job.concurrency = 1;
  }
  perform(&job);
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fprintf(stderr, "usage: %s get|download|file URL COUNT CONCURRENCY [large-buffer]\n", argv[0]);
    return 1;
  }
  const char *scenario = argv[1];
  struct job job = {
      .url = argv[2],
      .count = atol(argv[3]),
      .concurrency = atol(argv[4]),
      .buffer = argc > 5 && strcmp(argv[5], "large-buffer") == 0 ? CURL_MAX_READ_SIZE : 0,
      .to_file = strcmp(scenario, "file") == 0,
  };
  if (job.concurrency < 1 || job.count < job.concurrency) {
    fprintf(stderr, "bench-curl: count must be at least the concurrency, and that at least 1\n");
    return 1;
  }
  curl_global_init(CURL_GLOBAL_ALL);
  warm_up(job, strcmp(scenario, "get") == 0);

  struct usage start = usage_now();
  long long bytes = perform(&job);
  struct usage end = usage_now();

  printf("{\"bytes\":%lld,\"concurrency\":%ld,\"count\":%ld,\"cpuSeconds\":%.6f,\"peakKiB\":%ld,"
         "\"peer\":\"curl\",\"scenario\":\"%s\",\"seconds\":%.6f}\n",
         bytes, job.concurrency, job.count, end.cpu - start.cpu, usage_peak_memory(), scenario,
         end.wall - start.wall);
  return 0;
}
