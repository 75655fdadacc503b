#ifndef CUSAGE_H
#define CUSAGE_H

/* The time by the monotonic clock, and the CPU time that the process has used so far, in seconds. */
struct usage {
  double wall;
  double cpu;
};

struct usage usage_now(void);

/* The most memory that the process has had resident, in KiB.

   ru_maxrss is not used, because on Linux it survives exec, and so includes the memory of the
   process that started this one. */
long usage_peak_memory(void);

/* The memory that the process has resident now, in KiB. */
long usage_resident_memory(void);

/* How many sockets the process has open. */
long usage_open_sockets(void);

#endif
