/* Small fabrics built call by call, without SimGrid and without files, and what they report as text. */
#ifndef SGF_VALIDATION_FABRIC_SUPPORT_H
#define SGF_VALIDATION_FABRIC_SUPPORT_H

#include <sgfabric/fabric.h>
#include <stdarg.h>

#define GBPS INT64_C(1000000000)

enum { FABRIC_MAX_HOSTS = 16, FABRIC_MAX_SWITCHES = 8 };

/* A fabric and its devices. Frames of 400 Gb/s and 100 ns unless a test says otherwise. */
typedef struct fabric_rig {
  sgf_fabric_t* fabric;
  sgf_device_t* hosts[FABRIC_MAX_HOSTS]; /* h0, h1, ... */
  sgf_device_t* switches[FABRIC_MAX_SWITCHES];
  unsigned host_count;
  unsigned switch_count;
} fabric_rig_t;

/* Attributes as pairs of "prefix.suffix" and value, for every device that the prefix fits; "h0:prefix.suffix" for one
 * of them. */
#define SETTINGS(...) ((const char* const[]){__VA_ARGS__, NULL})

/* Hosts around the switch "tor", sealed. */
fabric_rig_t rig_star(unsigned hosts, opp_simtime_t delay, uint64_t seed, const char* const* settings);

/* Hosts in equal numbers behind leaf0, leaf1, ..., each leaf with `parallel` cables to each of spine0, ...; sealed. */
fabric_rig_t rig_leaf_spine(unsigned leaves, unsigned hosts_of_leaf, unsigned spines, unsigned parallel, uint64_t seed,
                            const char* const* settings);

void rig_free(fabric_rig_t* rig);

/* Add a host or a switch to a fabric that is not sealed; aborts on an error. */
sgf_device_t* rig_host(sgf_fabric_t* fabric, const char* name);
sgf_device_t* rig_switch(sgf_fabric_t* fabric, const char* name);
void rig_connect(sgf_fabric_t* fabric, sgf_device_t* a, sgf_device_t* b);

/* Post a write between two hosts of the rig. */
sgf_op_t* rig_write(const fabric_rig_t* rig, unsigned src, unsigned dst, uint64_t bytes, uint64_t tag,
                    opp_simtime_t date);

/* Whatever the fabric reports, a line for each thing; to be freed. */
char* report_text(const sgf_fabric_t* fabric);

/* A text that grows; zero-initialise, free `chars`. */
typedef struct text {
  char* chars;
  size_t size;
} text_t;

void text_add(text_t* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
void text_add_list(text_t* text, const char* format, va_list args) __attribute__((format(printf, 2, 0)));

#endif
