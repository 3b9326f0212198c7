/* Loads its platform, and simulates nothing. */
#include <simgrid/engine.h>

int main(int argc, char* argv[])
{
  simgrid_init(&argc, argv);
  simgrid_load_platform(argv[1]);
  return 0;
}
