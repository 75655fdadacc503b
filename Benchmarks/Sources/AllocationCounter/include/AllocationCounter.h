#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

/* Nothing to call: see AllocationCounter.c. */

#endif
