/* SimGrid's versions: all that differs between 3.32 and 4.x is here. */
#ifndef SIMGRID_COMPAT_H
#define SIMGRID_COMPAT_H

#include <simgrid/version.h>

/* The option that sets the timing precision; the wrong name aborts. */
#if SIMGRID_VERSION >= 40000
#define COMPAT_PRECISION "precision/timing"
#else
#define COMPAT_PRECISION "surf/precision"
#endif

#endif
