#ifndef DRAIN_H
#define DRAIN_H

#include <stddef.h>

/* A request's body that is counted and discarded (RFC 9112 §6 and §7.1). */
struct drain {
  enum { LENGTH, CHUNK_SIZE, CHUNK, CHUNK_END, TRAILERS } state;
  long long left;  /* bytes of the body, or of the chunk, that have not arrived yet */
  long long total; /* bytes so far */
  int line;        /* characters of the trailer line so far */
};

/* A body of the length that the head announces. */
struct drain drain_of_length(long long length);

/* A body in chunks. */
struct drain drain_of_chunks(void);

/* Reads the next bytes; returns whether the body is complete. */
int drain_feed(struct drain *drain, const char *data, size_t length);

#endif
