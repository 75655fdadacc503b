#ifndef JOB_H
#define JOB_H

/* What one run has to do; the arguments are those of the peers written in Swift. */
struct job {
  const char *url;
  long count;       /* requests in all */
  long concurrency; /* requests under way at once */
  long buffer;      /* bytes of the receive buffer, or 0 for libcurl's own choice */
  int to_file;      /* whether bodies are written to files or forgotten */
};

/* Does the job with libcurl's multi interface and returns the number of bytes received.
   Ends the process with a message when a transfer fails. */
long long perform(const struct job *job);

#endif
