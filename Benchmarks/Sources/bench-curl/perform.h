#ifndef PERFORM_H
#define PERFORM_H

#include "transfer.h"

/* What came of a job. */
struct outcome {
  long long bytes;   /* received, or sent */
  double *latencies; /* in microseconds, one for each request of a paced job; else NULL */
};

/* The multi handle that holds the connections, made at the first call. */
CURLM *shared_multi(const struct job *job);

/* The transfer that has finished, or NULL when none has since; ends the process if one failed. */
struct transfer *next_finished(CURLM *multi);

/* Does the job, as fast as it can be done. */
struct outcome perform(const struct job *job);

/* Does the job with requests that begin by the clock; see Peer+Pacing.swift. */
struct outcome perform_paced(const struct job *job);

#endif
