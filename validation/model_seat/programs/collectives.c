/* Ping-pong between two ranks, then collectives of all. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void ping_pong(int rank, char* data, int size, int times)
{
  for (int i = 0; i < times && rank < 2; i++)
    if (i % 2 == rank)
      MPI_Send(data, size, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
    else
      MPI_Recv(data, size, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char* argv[])
{
  enum { SIZE = 1000000 };
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char* from = calloc((size_t)ranks, SIZE);
  char* to   = calloc((size_t)ranks, SIZE);
  ping_pong(rank, from, SIZE, 6);
  if (rank == 1)
    printf("pong %lld\n", llround(MPI_Wtime() * 1e12));
  MPI_Alltoall(from, SIZE, MPI_CHAR, to, SIZE, MPI_CHAR, MPI_COMM_WORLD);
  MPI_Bcast(from, SIZE, MPI_CHAR, 0, MPI_COMM_WORLD);
  double mine = rank, sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("sum %g\n", sum);
  MPI_Gather(from, SIZE, MPI_CHAR, to, SIZE, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("end %lld\n", llround(MPI_Wtime() * 1e12));
  MPI_Finalize();
  free(from);
  free(to);
  return 0;
}
