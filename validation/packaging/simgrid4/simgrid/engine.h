/* A stub of SimGrid 4.x: ../README.md. */
#ifndef INCLUDE_SIMGRID_ENGINE_H_
#define INCLUDE_SIMGRID_ENGINE_H_

#include <simgrid/forward.h>

SG_BEGIN_DECL
XBT_PUBLIC void simgrid_init(int* argc, char** argv);
XBT_PUBLIC void simgrid_load_platform(const char* filename);
XBT_PUBLIC void simgrid_load_deployment(const char* filename);
XBT_PUBLIC void simgrid_run();
XBT_PUBLIC void simgrid_run_until(double max_date);
XBT_PUBLIC void simgrid_register_function(const char* name, void (*code)(int, char**));
XBT_PUBLIC double simgrid_get_clock();
SG_END_DECL

#endif
