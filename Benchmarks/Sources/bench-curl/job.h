#ifndef JOB_H
#define JOB_H

/* What is done with each request; see Scenario.swift. */
enum scenario { GET, PACED, GATHER, DOWNLOAD, SAVE, UPLOAD, STREAM };

/* What one run has to do; the arguments are those of the peers written in Swift. */
struct job {
  const char *name;
  enum scenario scenario;
  char url[512];
  long count;       /* requests in all */
  long concurrency; /* requests under way at once */
  int offers_http2;
  const char *authority; /* a PEM file, or NULL */
  char file[512];        /* what uploads send, or how much of it */
  double rate;           /* requests begun in a second, by the clock */
  long warm_up;          /* small requests before the measured ones; 0 is for enough */
};

/* Reads the arguments of the process; ends it with a message when they make no sense. */
struct job job_from_arguments(int argc, char **argv);

/* What is done before the measuring starts, as Scenario.swift has it. */
struct job job_warm_up(struct job job);

/* Ends the process with a message. */
void fail(const char *reason);

#endif
