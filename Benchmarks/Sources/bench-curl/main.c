/* libcurl, measured: bench-curl SCENARIO URL COUNT CONCURRENCY [KEY=VALUE ...] */

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

#include "CUsage.h"
#include "perform.h"

static void print_latencies(const double *latencies, long count) {
  printf(",\"latencies\":[%.0f", latencies[0]);
  for (long i = 1; i < count; i++) printf(",%.0f", latencies[i]);
  printf("]");
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
