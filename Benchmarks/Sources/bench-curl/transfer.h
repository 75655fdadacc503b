#ifndef TRANSFER_H
#define TRANSFER_H

#include <curl/curl.h>
#include <stdio.h>

#include "job.h"

/* One easy handle, used for one request after the other. */
struct transfer {
  CURL *easy;
  FILE *file;           /* what is read, or written */
  long long to_send;    /* bytes of a streamed upload that are still to come */
  long long received;   /* bytes of all bodies */
  char text[32];        /* the beginning of the body that came last */
  double due;           /* when it is to begin, in paced jobs */
  double began;         /* when it began, or should have */
  int is_under_way;
};

/* Makes a handle for the job's requests. The transfer stays where it is until it is closed. */
void transfer_open(struct transfer *transfer, const struct job *job);

/* Has the same file read from its beginning, or written, once more. */
void transfer_rewind(struct transfer *transfer);

/* How many bytes the transfer has received, or, if it was an upload, what the server got. */
long long transfer_bytes(const struct transfer *transfer, const struct job *job);

void transfer_close(struct transfer *transfer);

#endif
