#ifndef CONNECTION_H
#define CONNECTION_H

#include "drain.h"

/* A connection from a client, with one request after another. */
struct connection {
  int descriptor;
  enum { IN_HEAD, IN_BODY, WAITING } state;
  char head[4096];
  size_t head_length;
  struct drain body;
  struct connection *next; /* the next waiting connection */
};

/* Reads the bytes that have arrived, and answers a complete request; returns whether the
   connection is still open. */
int connection_read(struct connection *connection);

#endif
