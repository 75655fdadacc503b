#include "drain.h"

#include <ctype.h>

struct drain drain_of_length(long long length) {
  return (struct drain){.state = LENGTH, .left = length};
}

struct drain drain_of_chunks(void) {
  return (struct drain){.state = CHUNK_SIZE};
}

/* Skips bytes of the body, or of the chunk. */
static size_t skip(struct drain *drain, size_t length) {
  size_t step = (long long)length < drain->left ? length : (size_t)drain->left;
  drain->left -= (long long)step;
  drain->total += (long long)step;
  if (drain->left == 0 && drain->state == CHUNK) drain->state = CHUNK_END;
  return step;
}

/* Reads one character of the chunk framing; returns whether it is the last one. */
static int take(struct drain *drain, char c) {
  if (drain->state == CHUNK_SIZE && isxdigit((unsigned char)c)) {
    drain->left = drain->left * 16 + (isdigit((unsigned char)c) ? c - '0' : (c | 32) - 'a' + 10);
  } else if (drain->state == CHUNK_SIZE && c == '\n') {
    drain->state = drain->left > 0 ? CHUNK : TRAILERS;
  } else if (drain->state == CHUNK_END && c == '\n') {
    drain->state = CHUNK_SIZE;
  } else if (drain->state == TRAILERS && c == '\n') {
    if (drain->line == 0) return 1;
    drain->line = 0;
  } else if (drain->state == TRAILERS && c != '\r') {
    drain->line++;
  }
  return 0;
}

int drain_feed(struct drain *drain, const char *data, size_t length) {
  size_t used = 0;
  while (used < length && !(drain->state == LENGTH && drain->left == 0)) {
    if (drain->state == LENGTH || drain->state == CHUNK) {
      used += skip(drain, length - used);
    } else if (take(drain, data[used++])) {
      return 1;
    }
  }
  return drain->state == LENGTH && drain->left == 0;
}
