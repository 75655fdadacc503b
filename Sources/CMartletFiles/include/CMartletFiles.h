#ifndef C_MARTLET_FILES_H
#define C_MARTLET_FILES_H

/// Lets the system begin to write the bytes of a file to the disk, and does not wait for it. Where there is no such call, it does
/// nothing.
void martlet_start_writeback(int descriptor);

#endif
