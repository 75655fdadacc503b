#include <stddef.h>
#include <stdint.h>

/// Starts libFuzzer with a program's arguments. It calls back with one input after the other.
int LLVMFuzzerRunDriver(int *argc, char ***argv,
                        int (*callback)(const uint8_t *data, size_t size));

/// Changes an input of `size` bytes in place, to one of at most `maxSize`, and returns its size.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);
