#include "CMartletFile.h"

#include <sys/stat.h>

static bool copy(int result, const struct stat *from, struct martlet_file_status *to) {
  if (result != 0) return false;
#ifdef __APPLE__
  struct timespec written = from->st_mtimespec;
#else
  struct timespec written = from->st_mtim;
#endif
  *to = (struct martlet_file_status){
    .device = (uint64_t)from->st_dev,
    .number = (uint64_t)from->st_ino,
    .size = (int64_t)from->st_size,
    .names = (uint64_t)from->st_nlink,
    .owner = (uint32_t)from->st_uid,
    .group = (uint32_t)from->st_gid,
    .mode = (uint32_t)from->st_mode & 0777,
    .is_regular = S_ISREG(from->st_mode),
    .is_folder = S_ISDIR(from->st_mode),
    .seconds = (int64_t)written.tv_sec,
    .nanoseconds = (int64_t)written.tv_nsec,
  };
  return true;
}

bool martlet_file_status_of_path(const char *path, struct martlet_file_status *status) {
  struct stat found;
  return copy(stat(path, &found), &found, status);
}

bool martlet_file_status_of_name(const char *path, struct martlet_file_status *status) {
  struct stat found;
  return copy(lstat(path, &found), &found, status);
}

bool martlet_file_status_of_descriptor(int descriptor, struct martlet_file_status *status) {
  struct stat found;
  return copy(fstat(descriptor, &found), &found, status);
}
