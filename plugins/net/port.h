/* net: the sending side of a port. Eight class queues, a queue for PFC frames ahead of them, one transmitter.
 *
 * Strict priority, TC7 first, or turns (turns.h), skipping the classes that the peer holds (spec/switch.md 5.8,
 * spec/uet-nic.md 5.4). Two events for each frame: the end of its serialisation, which the port's owner handles, and
 * its arrival at the other end of the cable. */
#ifndef NET_PORT_H
#define NET_PORT_H

#include "net/turns.h"

typedef struct net_queue {
  opp_msg_t* first;
  opp_msg_t* last;
} net_queue_t;

/* Hears of frames that start on this port's cable and may complete an operation when they arrive. */
typedef void (*net_watch_cb)(void* user, opp_msg_t* frame, opp_simtime_t arrival);

/* Looks at a frame of a class queue whose transmission begins now, and may mark it. Returns how long that takes; 0: as
 * long as the cable's rate says. */
typedef opp_simtime_t (*net_starting_cb)(opp_module_t* owner, uint32_t number, opp_msg_t* frame);

/* Bytes on the wire of the frames that a port holds, by class: queued, or being serialised. Kept only while somebody
 * wants to know (net_port_gauge). */
typedef struct net_gauge {
  int64_t bytes[NET_CLASSES];
  int64_t level[NET_CLASSES]; /* `reached` is called whenever a frame is queued and the class holds as much */
  void (*reached)(void* user);
  void* user;
} net_gauge_t;

/* What the owner has to know of a frame when its serialisation ends; by then the frame itself has long left the cache.
 */
typedef struct net_departure {
  uint32_t charge; /* the frame's tag */
  uint16_t in_port;
  uint8_t in_tc;
  uint8_t tc;
  uint8_t type; /* NET_FRAME_PFC: it is of no class, whatever its own type; it went ahead of them */
} net_departure_t;

/* Fields in order of use: two cache lines serve the frames of the two lowest classes, which carry all data by default.
 */
typedef struct net_port {
  opp_msg_t* on_wire;    /* the frame being serialised, already under way to the peer; NULL: idle */
  opp_msg_t* serialised; /* timer: end of its serialisation */
  opp_module_t* owner;
  opp_gate_t* gate;
  opp_channel_t* cable;
  net_departure_t departure; /* of the frame on the wire */
  uint8_t backlog;           /* bit tc: queue not empty */
  uint8_t held;              /* bit tc: the peer has paused this class */
  bool pfc_waits;            /* `pfc_queue` is not empty */
  bool watch_all : 1;        /* every frame, not only the closing ones */
  bool gauged : 1;           /* `gauge` is kept */
  net_starting_cb starting;  /* NULL: none */
  uint64_t frames;           /* serialised or being serialised, pauses too; and their bytes on the wire */
  uint64_t bytes;
  opp_simtime_t busy;
  net_turns_t* turns; /* the owner's; NULL: strict priority */
  net_queue_t queues[NET_CLASSES];
  net_queue_t pfc_queue; /* never held */
  net_watch_cb watch;
  void* watch_user;
  net_gauge_t* gauge;                          /* of whoever looks at this port; NULL: nobody does */
  opp_simtime_t backlogged_since[NET_CLASSES]; /* of a held class that has a frame: since when it has been both */
} net_port_t;

/* `kind` and `number` mark the timer that the owner gets at the end of each serialisation (its kind and its `bytes`
 * field). */
void net_port_init(net_port_t* port, opp_module_t* owner, opp_gate_t* gate, int kind, uint32_t number);

/* Queue a frame that the owner owns and start it if the port is idle. In a held class its arrival time is from now on
 * the date of this call; of other frames in a queue it is no later than that. */
void net_port_queue(net_port_t* port, opp_msg_t* frame, unsigned tc);
void net_port_queue_pfc(net_port_t* port, opp_msg_t* frame);

/* Take the first frame out of the queue of a class; NULL: it is empty. */
opp_msg_t* net_port_take(net_port_t* port, unsigned tc);

/* The end of a serialisation: the port is free. Returns the frame, which is under way: read it, do not keep it. */
opp_msg_t* net_port_end(net_port_t* port);

/* Start the next frame if the port is idle and one may go. */
void net_port_start(net_port_t* port);

/* Frames, pauses too, whose serialisation has ended, and their bytes on the wire. */
uint64_t net_port_sent_frames(const net_port_t* port);
uint64_t net_port_sent_bytes(const net_port_t* port);

/* Bytes on the wire of the frames of a class that are queued or being serialised. */
int64_t net_port_held_bytes(const net_port_t* port, unsigned tc);

/* Keep a gauge from now on, whose bytes are filled in here; NULL: none any more. */
void net_port_gauge(net_port_t* port, net_gauge_t* gauge);

/* Whether nothing is queued or on the wire. */
bool net_port_is_empty(const net_port_t* port);
size_t net_port_queue_length(const net_port_t* port, unsigned tc);

int64_t net_port_bps(const net_port_t* port);
opp_simtime_t net_port_duration(const net_port_t* port, int64_t bytes); /* of bytes at the cable's rate, rounded down */
opp_simtime_t net_port_delay(const net_port_t* port);

/* First in, first out, through the messages' own links. */
void net_queue_push(net_queue_t* queue, opp_msg_t* frame);
opp_msg_t* net_queue_pop(net_queue_t* queue);

#endif
