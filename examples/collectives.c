/* A workload of MPI's: an allreduce and an all-to-all of 32 ranks or so, of several sizes each, with nothing in it
 * about sgfabric. collectives.sh compiles it with SimGrid's smpicc and runs it over SimGrid's network model and the
 * fabric.
 *
 * A size is what each rank puts in: the vector of the allreduce; of the all-to-all the blocks for all ranks together.
 * Rank 0 prints a line for each: "time", name, size in KiB, microseconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { KIB = 1024, SIZES = 4 };

static const int sizes_kib[SIZES] = {64, 256, 1024, 4096};

typedef void (*collective_t)(const char* from, char* to, int bytes);

static void allreduce(const char* from, char* to, int bytes)
{
  MPI_Allreduce(from, to, bytes / (int)sizeof(float), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static void all_to_all(const char* from, char* to, int bytes)
{
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Alltoall(from, bytes / ranks, MPI_CHAR, to, bytes / ranks, MPI_CHAR, MPI_COMM_WORLD);
}

/* Seconds from the first rank's begin to the last one's end, known at rank 0. */
static double time_of(collective_t collective, const char* from, char* to, int bytes)
{
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  collective(from, to, bytes);
  const double end = MPI_Wtime();
  MPI_Barrier(MPI_COMM_WORLD);

  double first, last;
  MPI_Reduce(&begin, &first, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
  MPI_Reduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return last - first;
}

int main(int argc, char* argv[])
{
  static const struct {
    const char* name;
    collective_t collective;
  } collectives[] = {{"allreduce", allreduce}, {"all-to-all", all_to_all}};

  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const size_t largest = (size_t)sizes_kib[SIZES - 1] * KIB;
  char* from           = calloc(1, largest);
  char* to             = calloc(1, largest);
  for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
    for (int j = 0; j < SIZES; j++) {
      const double seconds = time_of(collectives[i].collective, from, to, sizes_kib[j] * KIB);
      if (rank == 0)
        printf("time %s %d %.3f\n", collectives[i].name, sizes_kib[j], seconds * 1e6);
    }
  free(from);
  free(to);
  MPI_Finalize();
  return EXIT_SUCCESS;
}
