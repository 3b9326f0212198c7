/* No SimGrid, and linked statically no library of any kind. Ends with the number that it is given. */
#include <stdlib.h>

int main(int argc, char* argv[])
{
  return argc > 1 ? atoi(argv[1]) : 0;
}
