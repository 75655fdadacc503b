#ifndef PERFORM_H
#define PERFORM_H

#include "transfer.h"

/* The results of a job. */
struct outcome {
  long long bytes;   /* received, or sent */
  double *latencies; /* in microseconds, one for each request of a paced job; else NULL */
};

/* The multi handle that holds the connections, created by the first call. */
CURLM *shared_multi(const struct job *job);

/* The next transfer that has finished, or NULL when there is none; ends the process if one failed. */
struct transfer *next_finished(CURLM *multi);

/* Runs the job as fast as possible. */
struct outcome perform(const struct job *job);

/* Runs the job with requests that start by the clock; see Peer+Pacing.swift. */
struct outcome perform_paced(const struct job *job);

#endif
