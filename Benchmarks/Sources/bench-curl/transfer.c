#include "transfer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const long large_buffer = 256 << 10;

static size_t receive(char *data, size_t size, size_t count, void *user) {
  struct transfer *transfer = user;
  size_t length = size * count;
  transfer->received += (long long)length;
  return transfer->file ? fwrite(data, 1, length, transfer->file) : length;
}

static size_t receive_text(char *data, size_t size, size_t count, void *user) {
  struct transfer *transfer = user;
  size_t length = size * count, room = sizeof transfer->text - 1;
  memcpy(transfer->text, data, length < room ? length : room);
  return length;
}

/* Passes zeros from memory to libcurl. */
static size_t send_zeros(char *data, size_t size, size_t count, void *user) {
  static const char zeros[64 << 10];
  struct transfer *transfer = user;
  size_t length = size * count;
  if (length > sizeof zeros) length = sizeof zeros;
  if ((long long)length > transfer->to_send) length = (size_t)transfer->to_send;
  memcpy(data, zeros, length);
  transfer->to_send -= (long long)length;
  return length;
}

static void upload(struct transfer *transfer, const struct job *job) {
  struct stat status;
  if (stat(job->file, &status) != 0) fail("the file to upload is not there");
  curl_easy_setopt(transfer->easy, CURLOPT_UPLOAD, 1L);
  curl_easy_setopt(transfer->easy, CURLOPT_UPLOAD_BUFFERSIZE, large_buffer);
  curl_easy_setopt(transfer->easy, CURLOPT_WRITEFUNCTION, receive_text);
  curl_easy_setopt(transfer->easy, CURLOPT_READDATA, transfer);
  if (job->scenario == UPLOAD) { /* libcurl's own callback reads the file */
    transfer->file = fopen(job->file, "rb");
    if (!transfer->file) fail("the file to upload cannot be read");
    curl_easy_setopt(transfer->easy, CURLOPT_READDATA, transfer->file);
    curl_easy_setopt(transfer->easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)status.st_size);
  } else { /* of unknown length: in chunks */
    transfer->to_send = status.st_size;
    curl_easy_setopt(transfer->easy, CURLOPT_READFUNCTION, send_zeros);
  }
}

void transfer_open(struct transfer *transfer, const struct job *job) {
  static struct curl_slist *headers; /* no "Expect: 100-continue", as in the other peers */
  if (!headers) headers = curl_slist_append(NULL, "Expect:");
  memset(transfer, 0, sizeof *transfer);
  CURL *easy = transfer->easy = curl_easy_init();
  if (!easy) fail("out of memory");
  curl_easy_setopt(easy, CURLOPT_URL, job->url);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
  curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION,
                   job->offers_http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1);
  if (job->offers_http2) curl_easy_setopt(easy, CURLOPT_PIPEWAIT, 1L);
  curl_easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, 0L); /* as in the other peers */
  if (job->authority) curl_easy_setopt(easy, CURLOPT_CAINFO, job->authority);
  if (job->scenario == DOWNLOAD || job->scenario == SAVE)
    curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, large_buffer);
  if (job->scenario == UPLOAD || job->scenario == STREAM) upload(transfer, job);
  if (job->scenario == SAVE) {
    transfer->file = tmpfile();
    if (!transfer->file) fail("no temporary file can be made");
    setvbuf(transfer->file, NULL, _IONBF, 0);
  }
}

void transfer_rewind(struct transfer *transfer) {
  if (transfer->file) rewind(transfer->file);
}

long long transfer_bytes(const struct transfer *transfer, const struct job *job) {
  int is_upload = job->scenario == UPLOAD || job->scenario == STREAM;
  return is_upload ? atoll(transfer->text) : transfer->received;
}

void transfer_close(struct transfer *transfer) {
  curl_easy_cleanup(transfer->easy);
  if (transfer->file) fclose(transfer->file);
}
