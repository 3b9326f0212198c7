/* Only in builds with the sanitizers, where the linker leads every call of simgrid_init here.
 *
 * SimGrid allocates the stacks of actors with a page at their end that nobody may read. A process that ends while
 * actors live would be killed there: the leak check reads all memory that is reachable. Without that page it can; an
 * overflow of a stack is then the address sanitizer's to find. */
#include <simgrid/engine.h>
#include <xbt/config.h>

void __real_simgrid_init(int* argc, char** argv);
void __wrap_simgrid_init(int* argc, char** argv);

void __wrap_simgrid_init(int* argc, char** argv)
{
  __real_simgrid_init(argc, argv);
  sg_cfg_set_int("contexts/guard-size", 0);
}
