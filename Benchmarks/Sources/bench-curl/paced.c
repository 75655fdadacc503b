#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "CUsage.h"
#include "perform.h"

struct pace {
  const struct job *job;
  CURLM *multi;
  struct transfer *transfers;
  long left; /* requests that have not begun */
  int timer; /* fires when the next one is due */
};

static void set_timer(const struct pace *pace, double moment) {
  time_t seconds = (time_t)moment;
  struct itimerspec when = {.it_value.tv_sec = seconds,
                            .it_value.tv_nsec = (long)((moment - (double)seconds) * 1e9)};
  timerfd_settime(pace->timer, TFD_TIMER_ABSTIME, &when, NULL);
}

/* Starts all requests that are due, and sets the timer for the next one. */
static void begin_due(struct pace *pace) {
  double now = usage_now().wall, next = now + 1;
  for (long i = 0; i < pace->job->concurrency && pace->left > 0; i++) {
    struct transfer *transfer = &pace->transfers[i];
    if (transfer->is_under_way) continue;
    if (transfer->due <= now) {
      if (transfer->began == 0) transfer->began = now; /* only the timer was late */
      transfer->is_under_way = 1;
      pace->left--;
      curl_multi_add_handle(pace->multi, transfer->easy);
    } else if (transfer->due < next) {
      next = transfer->due;
    }
  }
  set_timer(pace, next);
}

/* Returns the request's time in microseconds, and sets when the transfer's next one is due. */
static double finish(struct transfer *transfer, const struct job *job) {
  double now = usage_now().wall, took = now - transfer->began;
  transfer->is_under_way = 0;
  transfer->due += (double)job->concurrency / job->rate;
  transfer->began = transfer->due <= now ? transfer->due : 0;
  return took * 1e6;
}

static void run(struct pace *pace, double *latencies) {
  for (long finished = 0; finished < pace->job->count;) {
    int running;
    struct transfer *transfer;
    curl_multi_perform(pace->multi, &running);
    while ((transfer = next_finished(pace->multi)))
      latencies[finished++] = finish(transfer, pace->job);
    begin_due(pace);
    struct curl_waitfd due = {.fd = pace->timer, .events = CURL_WAIT_POLLIN};
    if (finished < pace->job->count) curl_multi_poll(pace->multi, &due, 1, 1000, NULL);
  }
}

struct outcome perform_paced(const struct job *job) {
  struct pace pace = {
      .job = job,
      .multi = shared_multi(job),
      .transfers = calloc((size_t)job->concurrency, sizeof(struct transfer)),
      .left = job->count,
      .timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK),
  };
  struct outcome outcome = {.latencies = calloc((size_t)job->count, sizeof(double))};
  if (!pace.transfers || !outcome.latencies || pace.timer < 0) fail("out of resources");

  double start = usage_now().wall;
  for (long i = 0; i < job->concurrency; i++) {
    transfer_open(&pace.transfers[i], job);
    pace.transfers[i].due = start + (double)i / job->rate;
  }
  run(&pace, outcome.latencies);

  for (long i = 0; i < job->concurrency; i++) {
    outcome.bytes += pace.transfers[i].received;
    transfer_close(&pace.transfers[i]);
  }
  close(pace.timer);
  free(pace.transfers);
  return outcome;
}
