/* Turns of classes at a port: see turns.h. */
#include "net/turns.h"

/* The first of a set of classes from `start` on, round the end. */
static unsigned first_from(unsigned set, unsigned start)
{
  const unsigned ahead = set >> start << start;
  return (unsigned)__builtin_ctz(ahead != 0 ? ahead : set);
}

/* A turn of one packet each; class 0 follows one whose turn is over. */
void net_turns_round_robin(net_turns_t* turns, unsigned classes)
{
  *turns = (net_turns_t){.turn = classes - 1};
  for (unsigned tc = 0; tc < classes; tc++) {
    turns->weight[tc] = 1;
    turns->classes |= 1U << tc;
  }
}

void net_turns_weighted(net_turns_t* turns, unsigned classes, const int64_t* weight)
{
  *turns = (net_turns_t){.turn = classes - 1, .left = weight[classes - 1]};
  for (unsigned tc = 0; tc < classes; tc++) {
    turns->weight[tc] = weight[tc];
    turns->classes |= (unsigned)(weight[tc] > 0) << tc;
  }
}

unsigned net_turns_next(net_turns_t* turns, unsigned eligible)
{
  eligible &= turns->classes;
  if (eligible == 0)
    return NET_CLASSES;
  if (turns->left == 0 || !(eligible >> turns->turn & 1)) {
    turns->turn = first_from(eligible, turns->turn + 1);
    turns->left = turns->weight[turns->turn];
  }
  turns->left--;
  return turns->turn;
}
