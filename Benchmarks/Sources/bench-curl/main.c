/* libcurl, measured: bench-curl SCENARIO URL COUNT CONCURRENCY [KEY=VALUE ...] */

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

#include "CUsage.h"
#include "perform.h"

static int ascending(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static void print_latencies(double *latencies, long count) {
  qsort(latencies, (size_t)count, sizeof *latencies, ascending);
  printf(",\"p50\":%.1f,\"p90\":%.1f", latencies[count / 2], latencies[count * 9 / 10]);
  printf(",\"p99\":%.1f,\"p999\":%.1f", latencies[count * 99 / 100],
         latencies[count * 999 / 1000]);
}

int main(int argc, char **argv) {
  struct job job = job_from_arguments(argc, argv);
  curl_global_init(CURL_GLOBAL_ALL);
  shared_multi(&job);
  struct job warm_up = job_warm_up(job);
  perform(&warm_up);

  long resident = usage_resident_memory();
  struct usage start = usage_now();
  struct outcome outcome = job.scenario == PACED ? perform_paced(&job) : perform(&job);
  struct usage end = usage_now();

  printf("{\"bytes\":%lld,\"concurrency\":%ld,\"count\":%ld,\"cpuSeconds\":%.6f,\"peakKiB\":%ld,"
         "\"peer\":\"curl\",\"scenario\":\"%s\",\"seconds\":%.6f",
         outcome.bytes, job.concurrency, job.count, end.cpu - start.cpu, usage_peak_memory(),
         job.name, end.wall - start.wall);
  if (job.scenario == PACED) print_latencies(outcome.latencies, job.count);
  if (job.scenario == GATHER)
    printf(",\"addedKiB\":%ld,\"sockets\":%ld", usage_resident_memory() - resident,
           usage_open_sockets());
  printf("}\n");
  return 0;
}
