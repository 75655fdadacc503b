#ifndef CUSAGE_H
#define CUSAGE_H

/* Time and CPU time, in seconds, that the process has used up to some moment. */
struct usage {
  double wall;
  double cpu;
};

struct usage usage_now(void);

/* The most memory that the process has had resident, in KiB.

   This is what ru_maxrss stands for, but on Linux that figure survives exec, and so includes the
   memory of whoever started the process. */
long usage_peak_memory(void);

/* The memory that the process has resident now, in KiB. */
long usage_resident_memory(void);

/* How many sockets the process has open. */
long usage_open_sockets(void);

#endif
