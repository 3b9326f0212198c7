/* sgfabric explain: every number that a sealed fabric has derived from its attributes, before any traffic. */
#ifndef SGFABRIC_EXPLAIN_H
#define SGFABRIC_EXPLAIN_H

#include <sgfabric/fabric.h>

SGF_BEGIN_DECL

/* Sizes in bytes, rates in bits per second, times in picoseconds. */

enum { SGF_EXPLAIN_CLASSES = 8, SGF_EXPLAIN_CONDITIONS = 3 };

/* One of the three conditions that together keep a lossless class from any loss (spec/switch.md 10.6). */
typedef struct sgf_condition {
  bool holds;
  int64_t given;
  int64_t needed; /* condition 3: the number of other classes in the pool is `given`, `needed` is 0 */
} sgf_condition_t;

/* A pool of a switch (spec/switch.md 3). */
typedef struct sgf_switch_pool {
  int64_t size;                 /* 0: no such pool */
  int64_t raw_size;             /* before the last pool took the difference */
  int64_t queue_limit;          /* of a lossy egress queue, with nothing in the pool */
  int64_t retransmission_limit; /* the same for a trimmable retransmission (9.3); without the UET policy no other */
  bool dynamic_limit;           /* the limit follows the free bytes of the pool */
  int64_t static_limit;         /* base of the ECN thresholds */
  double ecn_lower;
  double ecn_upper;
  uint8_t classes;  /* bit tc: mapped to the pool */
  uint8_t lossless; /* bit tc: of these, the lossless ones */
} sgf_switch_pool_t;

typedef struct sgf_switch_facts {
  const sgf_device_t* device;
  unsigned connected_ports;
  int64_t total_bps;          /* of all ports together */
  int64_t switching_capacity; /* SwitchingCapacity; below total_bps: oversubscribed */
  bool uet_policy;
  bool trimming;
  int64_t buffer;
  int64_t headroom_per_port;
  int64_t headroom_total;
  int64_t sizing_total;
  sgf_switch_pool_t pools[SGF_EXPLAIN_CLASSES];
  int64_t xoff;
  int64_t xon;
  opp_simtime_t pause_time; /* of 65535 quanta, on the port where it is longest */
  opp_simtime_t refresh;    /* half of it */
  int64_t largest_packet;   /* charge size of the largest packet that a NIC of the fabric sends */
  int64_t largest_frame;    /* the same on the wire */
  int64_t pfc_frame_bytes;  /* PfcFrame.Bytes, of each pause that the switch sends */
  unsigned headroom_port;   /* port whose cable needs the most headroom */
  sgf_condition_t conditions[SGF_EXPLAIN_CLASSES][SGF_EXPLAIN_CONDITIONS]; /* of the lossless classes */
} sgf_switch_facts_t;

/* A pool of a NIC's buffers (spec/uet-nic.md 5.1, 6). */
typedef struct sgf_nic_class {
  int64_t egress; /* 0: no pool */
  int64_t ingress;
  int64_t xoff;
  int64_t xon;
  int64_t headroom; /* above Xoff */
  bool pauses;      /* PFC is on for the class */
  opp_simtime_t pause_time;
  opp_simtime_t refresh;
} sgf_nic_class_t;

typedef struct sgf_nic_facts {
  const sgf_device_t* device;
  int64_t link_bps;
  int64_t largest_packet; /* what a full data packet costs the receive pool */
  int64_t largest_frame;  /* on the wire; what it reserves in the transmit pool */
  int64_t window;         /* bytes in flight to one destination; 0: the transport has no such limit */
  sgf_nic_class_t classes[SGF_EXPLAIN_CLASSES];
  int64_t to_host_bps; /* PCIe (spec/uet-nic.md 7) */
  int64_t to_nic_bps;
  int64_t needed_bps; /* to receive full packets at the link's rate (7.6), rounded up */
  bool keeps_up;
  int64_t lane_bps; /* of the NIC side */
  uint64_t lanes;
  uint64_t lanes_needed; /* with lanes of that rate; may be more than the 16 there can be */
} sgf_nic_facts_t;

/* A number of the NIC's transport, by a name that says what it is. */
typedef enum sgf_unit { SGF_UNIT_COUNT, SGF_UNIT_BYTES, SGF_UNIT_TIME } sgf_unit_t;
typedef void (*sgf_fact_cb)(void* user, const char* name, sgf_unit_t unit, int64_t value);

/* Tell the numbers that are those of a host's transport alone, in an order that is the transport's. */
SGF_PUBLIC void sgf_explain_transport(const sgf_device_t* device, sgf_fact_cb tell, void* user);

/* Facts about a device of a sealed fabric. */
SGF_PUBLIC sgf_switch_facts_t sgf_explain_switch(const sgf_device_t* device);
SGF_PUBLIC sgf_nic_facts_t sgf_explain_nic(const sgf_device_t* device);

SGF_END_DECL
#endif
