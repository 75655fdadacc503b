#ifndef JOB_H
#define JOB_H

/* The action for each request; see Scenario.swift. */
enum scenario { GET, PACED, GATHER, DOWNLOAD, SAVE, UPLOAD, STREAM };

/* The task of one run; the arguments are those of the peers written in Swift. */
struct job {
  const char *name;
  enum scenario scenario;
  char url[512];
  long count;       /* requests in all */
  long concurrency; /* requests that run at once */
  int offers_http2;
  const char *authority; /* a PEM file, or NULL */
  char file[512];        /* what uploads send, or whose size they use */
  double rate;           /* requests started per second, by the clock */
  long warm_up;          /* small requests before the measured ones; 0 selects a sufficient number */
};

/* Reads the arguments of the process; ends it with a message when they are invalid. */
struct job job_from_arguments(int argc, char **argv);

/* The job that runs before the measurement, as in Scenario.swift. */
struct job job_warm_up(struct job job);

/* Ends the process with a message. */
void fail(const char *reason);

#endif
