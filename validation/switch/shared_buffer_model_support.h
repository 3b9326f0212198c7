/* A second shared buffer, to hold the first against: spec/switch.md 3, 5, 6 and 9 read over again, step by step, with
 * nothing but a list of the packets inside, the headroom in use and who is paused. All other counters are counted out
 * of the list when they are asked for. Slow, and small enough to be read beside the text. */
#ifndef SGF_VALIDATION_SHARED_BUFFER_MODEL_SUPPORT_H
#define SGF_VALIDATION_SHARED_BUFFER_MODEL_SUPPORT_H

#include <sgfabric/shared_buffer.h>

enum { MODEL_PORTS = 8, MODEL_PACKETS = 1024, MODEL_CHANGES = 4096 };

/* The tag of a packet (5.4 step 7), and where it waits. */
typedef struct model_packet {
  unsigned in;
  unsigned in_tc; /* class on arrival */
  unsigned out;
  unsigned tc; /* class now */
  int64_t charge;
  bool queued;
} model_packet_t;

/* A counter that was charged or released, and what it held then: at (port, pool), summed over the ports of that
 * direction, and over all ports. */
typedef struct model_change {
  sgf_sb_sampled_t what;
  unsigned port;
  unsigned pool;
  int64_t of_port;
  int64_t of_direction;
  int64_t of_all;
} model_change_t;

typedef struct model {
  sgf_shared_buffer_config_t config;
  unsigned ports;
  bool uplink[MODEL_PORTS];
  /* start-up */
  int64_t sizing_total;
  int64_t raw[SGF_SB_POOLS];
  int64_t size[SGF_SB_POOLS];
  int64_t static_limit[SGF_SB_POOLS];
  unsigned pool_of[SGF_SB_CLASSES];
  bool lossless[SGF_SB_CLASSES];
  /* run time */
  model_packet_t packets[MODEL_PACKETS];
  unsigned count;
  int64_t headroom[MODEL_PORTS][SGF_SB_POOLS];
  bool paused[MODEL_PORTS][SGF_SB_POOLS];
  bool left_paused[MODEL_PORTS][SGF_SB_POOLS]; /* O-11 has kept the present pause alive */
  uint64_t unresumed;
  bool sampled;
  model_change_t changes[MODEL_CHANGES]; /* since model_sample, while sampled */
  unsigned change_count;
} model_t;

/* Start-up; the configuration is one that no rule stops. */
void model_start(model_t* model, const sgf_shared_buffer_config_t* config, unsigned ports, const bool* uplink);

/* The calls of the shared buffer. A packet that is kept becomes the last of the list; the others name a packet of the
 * list, whose place the last one takes when it leaves. */
sgf_sb_arrival_t model_arrive(model_t* model, unsigned port, unsigned tc, int64_t charge);
sgf_sb_queueing_t model_queue(model_t* model, unsigned packet, unsigned out, sgf_sb_limit_t limit);
sgf_sb_queueing_t model_trim(model_t* model, unsigned packet, unsigned out, unsigned tc, int64_t new_charge);
bool model_depart(model_t* model, unsigned packet); /* also of a packet that was never queued: discarded */

int64_t model_occupancy(const model_t* model, unsigned port, unsigned pool);
int64_t model_pool_total(const model_t* model, unsigned pool);
int64_t model_egress_queue(const model_t* model, unsigned port, unsigned pool);
int64_t model_egress_total(const model_t* model, unsigned pool);
int64_t model_port_queued(const model_t* model, unsigned port);

/* Take samples from now on, or begin the next interval; and what the present one has seen. */
void model_sample(model_t* model);
sgf_sb_samples_t model_samples(const model_t* model, sgf_sb_sampled_t what, bool uplink, unsigned pool);
sgf_sb_samples_t model_port_samples(const model_t* model, sgf_sb_sampled_t what, unsigned port, unsigned pool);

#endif
