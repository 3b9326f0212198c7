/* Episodes of pauses: see episodes.h. One that was decided before anybody wanted to know is none. */
#include "pfc/episodes.h"

#include <stdlib.h>

#include "attr/alloc.h"

static const pfc_episode_t none = {.decided = -1, .last = -1};

void pfc_episodes_init(pfc_episodes_t* episodes, unsigned ports, pfc_episode_cb ended, void* user)
{
  *episodes    = (pfc_episodes_t){.ports = ports, .ended = ended, .user = user};
  episodes->of = sgf_calloc(ports, sizeof *episodes->of);
  for (unsigned port = 0; port < ports; port++)
    for (unsigned pool = 0; pool < NET_CLASSES; pool++)
      episodes->of[port][pool] = none;
}

void pfc_episodes_free(pfc_episodes_t* episodes)
{
  free(episodes->of);
}

void pfc_episode_begin(pfc_episodes_t* episodes, unsigned port, unsigned pool, opp_simtime_t now, int64_t above)
{
  episodes->of[port][pool] = (pfc_episode_t){.decided = now, .last = -1, .above = above > 0 ? above : 0};
}

void pfc_episode_arrival(pfc_episodes_t* episodes, unsigned port, unsigned pool, opp_simtime_t now, int64_t bytes,
                         int64_t above)
{
  pfc_episode_t* episode = &episodes->of[port][pool];
  episode->last          = now;
  episode->frames++;
  episode->bytes += bytes;
  if (above > episode->above)
    episode->above = above;
}

void pfc_episode_end(pfc_episodes_t* episodes, unsigned port, unsigned pool)
{
  const pfc_episode_t episode = episodes->of[port][pool];
  if (episode.decided < 0)
    return;
  episodes->of[port][pool] = none;
  episodes->ended(episodes->user, port, pool, &episode);
}

void pfc_episodes_end(pfc_episodes_t* episodes)
{
  for (unsigned port = 0; port < episodes->ports; port++)
    for (unsigned pool = 0; pool < NET_CLASSES; pool++)
      pfc_episode_end(episodes, port, pool);
}
