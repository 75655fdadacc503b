#define _GNU_SOURCE
#include "connection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* The connections that wait until enough of them are waiting. */
static struct connection *waiting;
static long waiting_count;

static void answer(struct connection *connection, long long number) {
  char body[32], response[160];
  int length = snprintf(body, sizeof body, "%lld", number);
  int size = snprintf(response, sizeof response, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s",
                      length, body);
  send(connection->descriptor, response, (size_t)size, MSG_NOSIGNAL);
  connection->state = IN_HEAD;
  connection->head_length = 0;
}

static void wait_for_count(struct connection *connection, long count) {
  connection->state = WAITING;
  connection->next = waiting;
  waiting = connection;
  if (++waiting_count < count) return;
  for (; waiting; waiting = waiting->next) answer(waiting, count);
  waiting_count = 0;
}

static struct drain body_of(const char *head) {
  const char *length = strcasestr(head, "\r\nContent-Length:");
  if (length) return drain_of_length(atoll(length + strlen("\r\nContent-Length:")));
  return strcasestr(head, "\r\nTransfer-Encoding:") ? drain_of_chunks() : drain_of_length(0);
}

static void take_body(struct connection *connection, const char *data, size_t length) {
  if (drain_feed(&connection->body, data, length)) answer(connection, connection->body.total);
}

/* Reads bytes of a head; the bytes after the head are the beginning of the body. */
static void take_head(struct connection *connection, const char *data, size_t length) {
  size_t room = sizeof connection->head - 1 - connection->head_length;
  size_t before = connection->head_length, step = length < room ? length : room;
  memcpy(connection->head + before, data, step);
  connection->head_length += step;
  connection->head[connection->head_length] = 0;
  char *end = strstr(connection->head, "\r\n\r\n");
  if (!end) return;
  end[2] = 0;
  size_t used = (size_t)(end + 4 - connection->head) - before;
  long count = 0;
  if (sscanf(connection->head, "GET /gather/%ld", &count) == 1) {
    wait_for_count(connection, count);
  } else {
    connection->body = body_of(connection->head);
    connection->state = IN_BODY;
    take_body(connection, data + used, length - used);
  }
}

int connection_read(struct connection *connection) {
  static char buffer[1 << 20];
  ssize_t length = recv(connection->descriptor, buffer, sizeof buffer, MSG_DONTWAIT);
  if (length < 0) return errno == EAGAIN || errno == EINTR;
  if (length == 0) return 0;
  if (connection->state == IN_HEAD) take_head(connection, buffer, (size_t)length);
  else if (connection->state == IN_BODY) take_body(connection, buffer, (size_t)length);
  return 1;
}
