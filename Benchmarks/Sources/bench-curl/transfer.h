#ifndef TRANSFER_H
#define TRANSFER_H

#include <curl/curl.h>
#include <stdio.h>

#include "job.h"

/* One easy handle, used for one request after another. */
struct transfer {
  CURL *easy;
  FILE *file;           /* the file that is read or written */
  long long to_send;    /* bytes of a streamed upload that are not sent yet */
  long long received;   /* bytes of all bodies */
  char text[32];        /* the beginning of the last body */
  double due;           /* when it should begin, in paced jobs */
  double began;         /* when it began, or should have begun */
  int is_under_way;
};

/* Makes a handle for the job's requests. The transfer must not be moved in memory until it is closed. */
void transfer_open(struct transfer *transfer, const struct job *job);

/* Rewinds the file, so that it is read or written once more. */
void transfer_rewind(struct transfer *transfer);

/* How many bytes the transfer has received or, for an upload, the server has received. */
long long transfer_bytes(const struct transfer *transfer, const struct job *job);

void transfer_close(struct transfer *transfer);

#endif
