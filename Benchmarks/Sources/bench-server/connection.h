#ifndef CONNECTION_H
#define CONNECTION_H

#include "drain.h"

/* A connection from a client, with one request after the other. */
struct connection {
  int descriptor;
  enum { IN_HEAD, IN_BODY, WAITING } state;
  char head[4096];
  size_t head_length;
  struct drain body;
  struct connection *next; /* of those that wait */
};

/* Reads what has come, and answers what is complete; returns whether the client is still there. */
int connection_read(struct connection *connection);

#endif
