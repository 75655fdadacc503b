/* The server for the scenarios that nginx cannot serve: bench-server PORT

     PUT  /ANYTHING  reads the body, discards it, and answers with its length
     GET  /gather/N  answers once N such requests are waiting, all at the same time */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connection.h"

static void fail_with_errno(const char *what) {
  perror(what);
  exit(1);
}

static int listen_at(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((unsigned short)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int yes = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) fail_with_errno("bind");
  if (listen(listener, 4096) != 0) fail_with_errno("listen");
  return listener;
}

static void watch(int poll, int descriptor, void *connection) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  if (epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event) != 0) fail_with_errno("epoll_ctl");
}

static void accept_all(int poll, int listener) {
  int descriptor, yes = 1;
  while ((descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection) fail_with_errno("calloc");
    connection->descriptor = descriptor;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    watch(poll, descriptor, connection);
  }
}

int main(int argc, char **argv) {
  int listener = listen_at(argc > 1 ? atoi(argv[1]) : 0);
  int poll = epoll_create1(0);
  struct epoll_event events[256];
  watch(poll, listener, NULL);
  for (;;) {
    int count = epoll_wait(poll, events, 256, -1);
    for (int i = 0; i < count; i++) {
      struct connection *connection = events[i].data.ptr;
      if (!connection) {
        accept_all(poll, listener);
      } else if (!connection_read(connection)) {
        close(connection->descriptor);
        free(connection);
      }
    }
  }
}
