/* Scripts: see include/sgfabric/script.h.
 *
 * A script is an event of the top module with the last priority, so that it comes behind all others of its instant. One
 * that waits for a queue has a gauge put on the port: when a frame makes the queue as long as somebody wants it, such
 * an event is set for this instant, and decides. A port without a gauge looks at one flag for each frame. */
#include <sgfabric/script.h>

#include <inttypes.h>
#include <stdlib.h>

#include "attr/alloc.h"
#include "fabric/fabric_internal.h"
#include "nic/udp/udp.h"

enum { LAST_OF_AN_INSTANT = INT16_MAX };

/* A call at a date. */
typedef struct script {
  sgf_script_cb call;
  void* user;
  uint32_t next_free; /* of a place without one: the next such place, plus 1 */
} script_t;

struct fabric_wait {
  fabric_gauge_t* gauge;
  unsigned tc;
  int64_t level;
  sgf_script_cb call; /* NULL: an operation waits */
  void* user;
  sgf_op_t* op;
  fabric_wait_t* next;
  fabric_wait_t** link; /* what points to it */
};

struct fabric_gauge {
  net_gauge_t of_port;
  sgf_device_t* device;
  unsigned port;
  opp_msg_t* due;       /* at the end of an instant in which somebody's level may have been reached */
  opp_simtime_t called; /* the last instant in which somebody's was; -1: none yet */
  fabric_wait_t* waits; /* in order */
};

struct fabric_scripts {
  script_t* scripts; /* by the number that their messages carry */
  uint32_t script_count;
  uint32_t free; /* the first place without one, plus 1 */
  fabric_gauge_t** gauges;
  uint32_t gauge_count;
  bool runs; /* a script, now */
};

/* ---- Checks ------------------------------------------------------------------------------------------------------ */

static sgf_status_t check_sealed(const sgf_fabric_t* fabric, sgf_error_t* error)
{
  return fabric->sealed ? SGF_OK : sgf_error_set(error, SGF_STATE, "a script needs a sealed fabric");
}

static sgf_status_t check_class(const sgf_device_t* device, unsigned port, unsigned tc, sgf_error_t* error)
{
  if (check_sealed(device->fabric, error) != SGF_OK)
    return SGF_STATE;
  if (port >= device->port_count)
    return sgf_error_set(error, SGF_RANGE, "'%s' has no port %u; it has 0 to %u", device->name, port,
                         device->port_count - 1);
  if (tc >= NET_CLASSES)
    return sgf_error_set(error, SGF_RANGE, "there is no traffic class %u; they are 0 to %d", tc, NET_CLASSES - 1);
  return SGF_OK;
}

static sgf_status_t check_level(const sgf_device_t* device, unsigned port, unsigned tc, int64_t level,
                                sgf_error_t* error)
{
  const sgf_status_t status = check_class(device, port, tc, error);
  if (status == SGF_OK && level < 1)
    return sgf_error_set(error, SGF_RANGE, "a queue of %" PRId64 " B cannot be waited for; 1 B and more can", level);
  return status;
}

/* ---- Acting ------------------------------------------------------------------------------------------------------ */

sgf_status_t sgf_script_pause(sgf_device_t* device, unsigned port, unsigned tc, unsigned quanta, sgf_error_t* error)
{
  const sgf_status_t status = check_class(device, port, tc, error);
  if (status != SGF_OK)
    return status;
  if (quanta > PFC_MAX_QUANTA)
    return sgf_error_set(error, SGF_RANGE, "a pause of %u quanta cannot be sent; 0 to %d can", quanta, PFC_MAX_QUANTA);
  pfc_send(fabric_pfc_sender(device, port), tc, (uint16_t)quanta);
  return SGF_OK;
}

sgf_status_t sgf_script_set_rate(sgf_device_t* host, int64_t bps, sgf_error_t* error)
{
  sgf_fabric_t* fabric = host->fabric;
  if (check_sealed(fabric, error) != SGF_OK)
    return SGF_STATE;
  if (host->transport != &udp_transport)
    return sgf_error_set(error, SGF_RULE, "'%s' is no host with a udp NIC, whose rate can be set", host->name);
  if (bps < 0)
    return sgf_error_set(error, SGF_RANGE, "a NIC cannot send at %" PRId64 " bps", bps);
  udp_set_send_rate(fabric_nic(host), bps);
  fabric_be_patient(fabric, host);
  return SGF_OK;
}

/* ---- At a date --------------------------------------------------------------------------------------------------- */

static fabric_scripts_t* scripts_of(sgf_fabric_t* fabric)
{
  if (fabric->scripts == NULL)
    fabric->scripts = sgf_calloc(1, sizeof *fabric->scripts);
  return fabric->scripts;
}

static uint32_t add_script(fabric_scripts_t* scripts, script_t script)
{
  uint32_t number = scripts->script_count;
  if (scripts->free > 0) {
    number        = scripts->free - 1;
    scripts->free = scripts->scripts[number].next_free;
  } else {
    scripts->scripts = sgf_realloc(scripts->scripts, number + 1, sizeof *scripts->scripts);
    scripts->script_count++;
  }
  scripts->scripts[number] = script;
  return number;
}

sgf_status_t sgf_script_at(sgf_fabric_t* fabric, opp_simtime_t date, sgf_script_cb call, void* user, sgf_error_t* error)
{
  if (check_sealed(fabric, error) != SGF_OK)
    return SGF_STATE;
  if (date < opp_sim_clock(fabric->sim) || date >= OPP_TIME_MAX)
    return sgf_error_set(error, SGF_STATE, "a script cannot run at %" PRId64 " ps; the clock is at %" PRId64, date,
                         opp_sim_clock(fabric->sim));
  opp_msg_t* due = opp_timer_new(fabric->net, FABRIC_SCRIPT, LAST_OF_AN_INSTANT);
  due->bytes     = add_script(scripts_of(fabric), (script_t){.call = call, .user = user});
  opp_schedule_at(fabric->net, date, due);
  return SGF_OK;
}

/* The engine has to look at posts that come before those that it knows of. */
static void run(sgf_fabric_t* fabric, sgf_script_cb call, void* user)
{
  const opp_simtime_t post = fabric_next_post(fabric);
  fabric->scripts->runs    = true;
  call(user, fabric, opp_sim_clock(fabric->sim));
  fabric->scripts->runs = false;
  if (fabric_next_post(fabric) < post)
    opp_end_simulation(fabric->net); /* stop after this event */
}

void fabric_script_due(sgf_fabric_t* fabric, opp_msg_t* msg)
{
  fabric_scripts_t* scripts = fabric->scripts;
  const uint32_t number     = msg->bytes;
  const script_t script     = scripts->scripts[number];
  opp_msg_delete(msg);
  scripts->scripts[number].next_free = scripts->free;
  scripts->free                      = number + 1;
  run(fabric, script.call, script.user);
}

/* ---- When a queue is as long ------------------------------------------------------------------------------------- */

static void reached(void* user)
{
  const fabric_gauge_t* gauge = user;
  sgf_fabric_t* fabric        = gauge->device->fabric;
  if (!opp_msg_is_scheduled(gauge->due))
    opp_schedule_at(fabric->net, opp_sim_clock(fabric->sim), gauge->due);
}

static fabric_gauge_t* gauge_new(sgf_device_t* device, unsigned port)
{
  fabric_scripts_t* scripts = scripts_of(device->fabric);
  fabric_gauge_t* gauge     = sgf_calloc(1, sizeof *gauge);
  gauge->device             = device;
  gauge->port               = port;
  gauge->called             = -1;
  gauge->of_port.reached    = reached;
  gauge->of_port.user       = gauge;
  gauge->due                = opp_timer_new(device->fabric->net, FABRIC_GAUGE, LAST_OF_AN_INSTANT);
  gauge->due->bytes         = scripts->gauge_count;
  scripts->gauges           = sgf_realloc(scripts->gauges, scripts->gauge_count + 1, sizeof(fabric_gauge_t*));
  scripts->gauges[scripts->gauge_count++] = gauge;
  device->ports[port].gauge               = gauge;
  return gauge;
}

static void append(fabric_wait_t** link, fabric_wait_t* wait)
{
  while (*link != NULL)
    link = &(*link)->next;
  wait->next = NULL;
  wait->link = link;
  *link      = wait;
}

static void detach(fabric_wait_t* wait)
{
  *wait->link = wait->next;
  if (wait->next != NULL)
    wait->next->link = wait->link;
}

/* The least level of each class that somebody waits for. Without anybody the port keeps no gauge. */
static void settle(fabric_gauge_t* gauge)
{
  net_port_t* port = fabric_port_of(gauge->device, gauge->port);
  for (unsigned tc = 0; tc < NET_CLASSES; tc++)
    gauge->of_port.level[tc] = INT64_MAX;
  for (const fabric_wait_t* wait = gauge->waits; wait != NULL; wait = wait->next)
    if (wait->level < gauge->of_port.level[wait->tc])
      gauge->of_port.level[wait->tc] = wait->level;
  if ((gauge->waits != NULL) != port->gauged)
    net_port_gauge(port, gauge->waits != NULL ? &gauge->of_port : NULL);
}

static fabric_wait_t* wait_new(sgf_device_t* device, unsigned port, unsigned tc, int64_t level)
{
  fabric_gauge_t* gauge = device->ports[port].gauge;
  fabric_wait_t* wait   = sgf_calloc(1, sizeof *wait);
  wait->gauge           = gauge != NULL ? gauge : gauge_new(device, port);
  wait->tc              = tc;
  wait->level           = level;
  append(&wait->gauge->waits, wait);
  settle(wait->gauge);
  return wait;
}

void fabric_forget_wait(fabric_wait_t* wait)
{
  fabric_gauge_t* gauge = wait->gauge;
  detach(wait);
  free(wait);
  settle(gauge);
}

static bool is_over(const fabric_wait_t* wait)
{
  return net_port_held_bytes(fabric_port_of(wait->gauge->device, wait->gauge->port), wait->tc) >= wait->level;
}

static void finish(sgf_fabric_t* fabric, fabric_wait_t* wait)
{
  const fabric_wait_t over = *wait;
  detach(wait);
  free(wait);
  if (over.call != NULL)
    run(fabric, over.call, over.user);
  else
    fabric_complete(over.op, SGF_OK);
}

/* All events of this instant are done. Whoever's wait is over is set apart first, because calls may change the list. */
void fabric_gauge_due(sgf_fabric_t* fabric, const opp_msg_t* msg)
{
  fabric_gauge_t* gauge = fabric->scripts->gauges[msg->bytes];
  fabric_wait_t* over   = NULL;
  for (fabric_wait_t *wait = gauge->waits, *next; wait != NULL; wait = next) {
    next = wait->next;
    if (!is_over(wait))
      continue;
    detach(wait);
    append(&over, wait);
  }
  if (over != NULL)
    gauge->called = opp_sim_clock(fabric->sim);
  while (over != NULL)
    finish(fabric, over);
  settle(gauge);
}

/* What a script asks for where a call has been made at this instant waits for a frame: else one that asks for itself
 * again would be called for ever. */
static bool waits_for_frame(const fabric_gauge_t* gauge)
{
  const sgf_fabric_t* fabric = gauge->device->fabric;
  return fabric->scripts->runs && gauge->called == opp_sim_clock(fabric->sim);
}

sgf_status_t sgf_script_when_queue(sgf_device_t* device, unsigned port, unsigned tc, int64_t level, sgf_script_cb call,
                                   void* user, sgf_error_t* error)
{
  const sgf_status_t status = check_level(device, port, tc, level, error);
  if (status != SGF_OK)
    return status;
  fabric_wait_t* wait = wait_new(device, port, tc, level);
  wait->call          = call;
  wait->user          = user;
  if (is_over(wait) && !waits_for_frame(wait->gauge))
    reached(wait->gauge);
  return SGF_OK;
}

sgf_op_t* sgf_op_queue(sgf_device_t* device, unsigned port, unsigned tc, int64_t level, sgf_error_t* error)
{
  if (check_level(device, port, tc, level, error) != SGF_OK)
    return NULL;
  sgf_fabric_t* fabric = device->fabric;
  sgf_op_t* op         = fabric_op_new(fabric, FABRIC_LEVEL, opp_sim_clock(fabric->sim), 0);
  if (net_port_held_bytes(fabric_port_of(device, port), tc) >= level) {
    fabric_complete(op, SGF_OK);
    return op;
  }
  op->wait     = wait_new(device, port, tc, level);
  op->wait->op = op;
  return op;
}

/* Whatever its ports bring at their rates, and in each a frame that has almost arrived. */
opp_simtime_t fabric_level_bound(const sgf_op_t* op, opp_simtime_t now)
{
  const fabric_wait_t* wait  = op->wait;
  const sgf_device_t* device = wait->gauge->device;
  if (!sgf_device_is_switch(device))
    return now;
  int64_t missing = wait->level - wait->gauge->of_port.bytes[wait->tc];
  int64_t bps     = 0;
  for (unsigned i = 0; i < device->port_count; i++) {
    if (device->ports[i].inserted != NULL) /* which may let go at once what it keeps */
      return now;
    missing -= device->fabric->largest_frame;
    bps += device->ports[i].bps;
  }
  return missing > 0 ? now + opp_rate_duration(opp_rate(bps), 8 * missing) : now;
}

/* ---- End --------------------------------------------------------------------------------------------------------- */

void fabric_free_scripts(sgf_fabric_t* fabric)
{
  fabric_scripts_t* scripts = fabric->scripts;
  if (scripts == NULL)
    return;
  for (uint32_t i = 0; i < scripts->gauge_count; i++) {
    while (scripts->gauges[i]->waits != NULL) {
      fabric_wait_t* wait = scripts->gauges[i]->waits;
      detach(wait);
      free(wait);
    }
    free(scripts->gauges[i]);
  }
  free(scripts->gauges);
  free(scripts->scripts);
  free(scripts);
}
