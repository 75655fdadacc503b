#include "job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"get",  "paced",  "gather", "download",
                                    "save", "upload", "stream"};

void fail(const char *reason) {
  fprintf(stderr, "bench-curl: %s\n", reason);
  exit(1);
}

static enum scenario scenario_named(const char *name) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return (enum scenario)i;
  fail("unknown scenario");
  return GET;
}

static void read_option(struct job *job, const char *option) {
  const char *value = strchr(option, '=');
  if (!value) fail("an option is KEY=VALUE");
  value++;
  if (strncmp(option, "http=", 5) == 0) job->offers_http2 = atoi(value) == 2;
  if (strncmp(option, "authority=", 10) == 0) job->authority = value;
  if (strncmp(option, "file=", 5) == 0) snprintf(job->file, sizeof job->file, "%s", value);
  if (strncmp(option, "rate=", 5) == 0) job->rate = atof(value);
  if (strncmp(option, "warm-up=", 8) == 0) job->warm_up = atol(value);
}

struct job job_from_arguments(int argc, char **argv) {
  if (argc < 5) fail("usage: bench-curl SCENARIO URL COUNT CONCURRENCY [KEY=VALUE ...]");
  struct job job = {
      .name = argv[1],
      .scenario = scenario_named(argv[1]),
      .count = atol(argv[3]),
      .concurrency = atol(argv[4]),
      .rate = 1,
  };
  snprintf(job.url, sizeof job.url, "%s", argv[2]);
  for (int i = 5; i < argc; i++) read_option(&job, argv[i]);
  if (job.concurrency < 1 || job.count < job.concurrency)
    fail("COUNT must be at least CONCURRENCY, and that at least 1");
  if (!strstr(job.url, "://") || !strchr(strstr(job.url, "://") + 3, '/'))
    fail("the URL needs a scheme and a path");
  return job;
}

/* Puts `name` in place of the path of a URL, or of the last part of a file's path. */
static void replace_end(char *text, size_t size, char *end, const char *name) {
  if (end) snprintf(end, size - (size_t)(end - text), "%s", name);
}

struct job job_warm_up(struct job job) {
  char *path = strchr(strstr(job.url, "://") + 3, '/');
  switch (job.scenario) {
  case GET:
  case PACED:
    job.count = 30 * job.concurrency > 1000 ? 30 * job.concurrency : 1000;
    if (job.warm_up > 0) job.count = job.warm_up;
    job.scenario = GET;
    break;
  case GATHER:
    job.count = job.concurrency = 1;
    replace_end(job.url, sizeof job.url, path, "/gather/1");
    break;
  case DOWNLOAD:
  case SAVE:
    replace_end(job.url, sizeof job.url, path, "/bulk-warm-up");
    break;
  case UPLOAD:
  case STREAM:
    replace_end(job.file, sizeof job.file, strrchr(job.file, '/'), "/bulk-warm-up");
    break;
  }
  return job;
}
