#include "job.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

/* One easy handle, used for one request after the other. */
struct transfer {
  CURL *easy;
  FILE *file;
  long long bytes;
};

static void fail(const char *reason) {
  fprintf(stderr, "bench-curl: %s\n", reason);
  exit(1);
}

static size_t receive(char *data, size_t size, size_t count, void *user) {
  struct transfer *transfer = user;
  transfer->bytes += (long long)(size * count);
  return transfer->file ? fwrite(data, size, count, transfer->file) : size * count;
}

static void open_transfer(struct transfer *transfer, const struct job *job) {
  transfer->bytes = 0;
  transfer->file = job->to_file ? tmpfile() : NULL;
  transfer->easy = curl_easy_init();
  if (!transfer->easy || (job->to_file && !transfer->file)) fail("out of resources");
  if (transfer->file) setvbuf(transfer->file, NULL, _IONBF, 0);
  curl_easy_setopt(transfer->easy, CURLOPT_URL, job->url);
  curl_easy_setopt(transfer->easy, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(transfer->easy, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(transfer->easy, CURLOPT_WRITEDATA, transfer);
  if (job->buffer) curl_easy_setopt(transfer->easy, CURLOPT_BUFFERSIZE, job->buffer);
}

static void close_transfer(struct transfer *transfer) {
  curl_easy_cleanup(transfer->easy);
  if (transfer->file) fclose(transfer->file);
}

/* Puts handles that have finished back to work while there are requests to start. */
static long harvest(CURLM *multi, long *left) {
  long finished = 0;
  int queued;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &queued))) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL *easy = message->easy_handle;
    if (message->data.result != CURLE_OK) fail(curl_easy_strerror(message->data.result));
    finished++;
    curl_multi_remove_handle(multi, easy);
    if (*left == 0) continue;
    (*left)--;
    curl_multi_add_handle(multi, easy);
  }
  return finished;
}

long long perform(const struct job *job) {
  static CURLM *multi; /* kept, because it holds the connections that a warm-up has opened */
  if (!multi) multi = curl_multi_init();

  struct transfer *transfers = calloc((size_t)job->concurrency, sizeof *transfers);
  if (!multi || !transfers) fail("out of memory");
  for (long i = 0; i < job->concurrency; i++) {
    open_transfer(&transfers[i], job);
    curl_multi_add_handle(multi, transfers[i].easy);
  }

  long finished = 0, left = job->count - job->concurrency;
  while (finished < job->count) {
    int running;
    curl_multi_perform(multi, &running);
    finished += harvest(multi, &left);
    if (finished < job->count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }

  long long bytes = 0;
  for (long i = 0; i < job->concurrency; i++) {
    bytes += transfers[i].bytes;
    close_transfer(&transfers[i]);
  }
  free(transfers);
  return bytes;
}
