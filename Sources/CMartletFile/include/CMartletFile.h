/// What a system knows of a file, in a struct that is the same on all of them.
///
/// The system's own `struct stat` belongs, as Swift sees it, to whichever of a dozen modules was imported
/// first, so that no import lets one name its members in every build.

#ifndef CMARTLETFILE_H
#define CMARTLETFILE_H

#include <stdbool.h>
#include <stdint.h>

struct martlet_file_status {
  uint64_t device;
  uint64_t number;
  int64_t size;
  uint64_t names;
  uint32_t owner;
  uint32_t group;
  /// Who may read, write and execute it, and nothing else.
  uint32_t mode;
  bool is_regular;
  bool is_folder;
  int64_t seconds;
  int64_t nanoseconds;
};

/// Of what a path leads to. False when there is nothing, and errno says why.
bool martlet_file_status_of_path(const char *path, struct martlet_file_status *status);

/// Of what a path names, be it a symbolic link. False when there is nothing, and errno says why.
bool martlet_file_status_of_name(const char *path, struct martlet_file_status *status);

/// Of an open file. False when nothing is open under this number, and errno says why.
bool martlet_file_status_of_descriptor(int descriptor, struct martlet_file_status *status);

#endif
