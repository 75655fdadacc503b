#ifndef C_MARTLET_ZLIB_H
#define C_MARTLET_ZLIB_H

#include <zlib.h>

// zlib's initialisers are macros that pass the header's version along; Swift imports functions only.

static inline int martlet_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}

static inline int martlet_deflate_init(z_stream *stream, int level, int window_bits) {
  return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}

#endif
