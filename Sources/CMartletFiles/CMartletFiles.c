// Swift imports the C library without its GNU extensions.
#define _GNU_SOURCE

#include "CMartletFiles.h"

#include <fcntl.h>

void martlet_start_writeback(int descriptor) {
#ifdef SYNC_FILE_RANGE_WRITE
  // Of the whole file, what is not on its way to the disk yet. Errors are those of the next fsync.
  (void)sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
  (void)descriptor;
#endif
}
