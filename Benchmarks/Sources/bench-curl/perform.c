#include "perform.h"

#include <stdlib.h>

CURLM *shared_multi(const struct job *job) {
  static CURLM *multi;
  if (multi) return multi;
  multi = curl_multi_init();
  if (!multi) fail("out of memory");
  long connections = job->offers_http2 ? 1 : job->concurrency;
  curl_multi_setopt(multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
  curl_multi_setopt(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections);
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
  return multi;
}

struct transfer *next_finished(CURLM *multi) {
  int queued;
  CURLMsg *message = curl_multi_info_read(multi, &queued);
  if (!message) return NULL;
  CURL *easy = message->easy_handle;
  if (message->data.result != CURLE_OK) fail(curl_easy_strerror(message->data.result));
  struct transfer *transfer;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
  curl_multi_remove_handle(multi, easy);
  return transfer;
}

struct outcome perform(const struct job *job) {
  CURLM *multi = shared_multi(job);
  struct transfer *transfers = calloc((size_t)job->concurrency, sizeof *transfers);
  if (!transfers) fail("out of memory");
  for (long i = 0; i < job->concurrency; i++) {
    transfer_open(&transfers[i], job);
    curl_multi_add_handle(multi, transfers[i].easy);
  }

  long finished = 0, left = job->count - job->concurrency;
  while (finished < job->count) {
    int running;
    struct transfer *transfer;
    curl_multi_perform(multi, &running);
    while ((transfer = next_finished(multi))) {
      finished++;
      if (left-- <= 0) continue;
      transfer_rewind(transfer);
      curl_multi_add_handle(multi, transfer->easy);
    }
    if (finished < job->count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }

  struct outcome outcome = {0};
  for (long i = 0; i < job->concurrency; i++) {
    outcome.bytes += transfer_bytes(&transfers[i], job);
    transfer_close(&transfers[i]);
  }
  free(transfers);
  return outcome;
}
