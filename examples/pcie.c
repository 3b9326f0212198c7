/* The PCIe link alone: a NIC and a copy engine share one link to host memory, without a fabric and without SimGrid.
 *
 *   pcie [RATE]      such as 200Gbps, at which the host takes in what is written; without it, at once
 *
 * Devices ask the port that they stand at; it serves them in the order in which they asked and keeps no list of who
 * asked for what: an answer goes back through the gate that the question came by. */
#include <inttypes.h>
#include <sgfabric/sgfabric.h>
#include <stdio.h>
#include <stdlib.h>

enum { REQUESTS = 1000, OUTSTANDING = 100, DEVICES = 2 };
enum { READ, WRITE }; /* kinds of message */

/* ---- The port: what is the link's business ---------------------------------------------------------------------- */

typedef struct port {
  sgf_pcie_t* link;
  opp_queue_t* writes; /* asked for; the first one waits for room in the transmit buffers, and all behind it too */
  opp_msg_t* room;     /* timer: there may be room */
} port_t;

static void port_initialize(opp_module_t* self, int stage)
{
  (void)stage;
  port_t* port = opp_module_state(self);
  port->writes = opp_packet_queue_new(self, "writes", NULL);
  port->room   = opp_msg_new(self, "room", 0);
}

static void answer(opp_module_t* self, opp_msg_t* request, opp_simtime_t date)
{
  const int device = opp_gate_index(opp_msg_arrival_gate(request));
  opp_send_delayed(self, request, date - opp_sim_time(self), opp_gate(self, "port$o", device));
}

static void accept_writes(opp_module_t* self)
{
  port_t* port            = opp_module_state(self);
  const opp_simtime_t now = opp_sim_time(self);
  while (!opp_queue_is_empty(port->writes)) {
    const int64_t bytes      = opp_packet_byte_length(opp_queue_front(port->writes));
    const opp_simtime_t room = sgf_pcie_write_room(port->link, now, bytes);
    if (room > now) {
      opp_reschedule_at(self, room, port->room);
      return;
    }
    answer(self, opp_queue_pop(port->writes), sgf_pcie_write(port->link, now, bytes));
  }
}

static void port_handle_message(opp_module_t* self, opp_msg_t* msg)
{
  port_t* port = opp_module_state(self);
  if (msg != port->room && opp_msg_kind(msg) == READ) {
    answer(self, msg, sgf_pcie_read(port->link, opp_sim_time(self), opp_packet_byte_length(msg)));
    return;
  }
  if (msg != port->room)
    opp_queue_insert(port->writes, msg);
  accept_writes(self);
}

static const opp_module_type_t port_type = {
    .name = "port", .state_size = sizeof(port_t), .initialize = port_initialize, .handle_message = port_handle_message};

/* ---- A device: 1000 requests, 100 of them outstanding ------------------------------------------------------------ */

typedef struct device {
  int kind;
  int64_t bytes; /* of each request */
  int asked, answered;
  opp_simtime_t first, last; /* answers */
  opp_msg_t* next;           /* timer: ask; one at a time, so that devices that begin together take turns */
} device_t;

static void device_initialize(opp_module_t* self, int stage)
{
  (void)stage;
  device_t* device = opp_module_state(self);
  device->next     = opp_msg_new(self, "next", 0);
  opp_schedule_after(self, 0, device->next);
}

static void device_handle_message(opp_module_t* self, opp_msg_t* msg)
{
  device_t* device = opp_module_state(self);
  if (msg == device->next) {
    opp_send(self, opp_packet_new(self, "request", device->kind, device->bytes), opp_gate(self, "port$o", 0));
    if (++device->asked < OUTSTANDING)
      opp_schedule_after(self, 0, msg);
    return;
  }
  device->last = opp_sim_time(self);
  if (device->answered++ == 0)
    device->first = device->last;
  if (device->asked == REQUESTS) {
    opp_msg_delete(msg);
    return;
  }
  device->asked++;
  opp_send(self, msg, opp_gate(self, "port$o", 0));
}

static const opp_module_type_t device_type = {.name           = "device",
                                              .state_size     = sizeof(device_t),
                                              .initialize     = device_initialize,
                                              .handle_message = device_handle_message};

/* ---- Both at work ------------------------------------------------------------------------------------------------ */

static const struct {
  const char* name;
  int64_t bytes;
} devices[DEVICES] = {{"nic", 4096}, {"engine", 1024}};

static double us(opp_simtime_t time)
{
  return (double)time / OPP_US;
}

static void print(const char* what, opp_module_t* const modules[], const sgf_pcie_stats_t* sender)
{
  int64_t all = 0;
  for (int i = 0; i < DEVICES; i++)
    all += REQUESTS * devices[i].bytes;
  for (int i = 0; i < DEVICES; i++) {
    const device_t* device = opp_module_state(modules[i]);
    const int64_t bytes    = device->answered * device->bytes;
    printf("%-6s %-6s %d of %" PRId64 " B, first %.6f us, last %.6f us: %.1f Gb/s, %.0f %% of the payload\n", what,
           devices[i].name, device->answered, device->bytes, us(device->first), us(device->last),
           8e-3 * (double)bytes / us(device->last), 100.0 * (double)bytes / (double)all);
  }
  printf("%-6s link   busy %.6f us, held up by the far end %.6f us; a write waited for room %.6f us\n", what,
         us(sender->busy), us(sender->credit_wait), us(sender->write_wait));
}

/* Both devices read, or both write. */
static bool run(const sgf_pcie_config_t* config, int kind)
{
  sgf_error_t error = {0};
  sgf_pcie_t* link  = sgf_pcie_new(config, devices[0].bytes, &error);
  if (link == NULL) {
    fprintf(stderr, "%s\n", error.text);
    return false;
  }
  opp_sim_t* sim     = opp_sim_new(1);
  opp_module_t* host = opp_module_new(sim, NULL, "host", -1, NULL);
  opp_module_t* port = opp_module_new(sim, host, "port", -1, &port_type);
  opp_module_t* modules[DEVICES];
  ((port_t*)opp_module_state(port))->link = link;
  opp_gate_add(port, "port", OPP_GATE_INOUT, true, DEVICES);
  for (int i = 0; i < DEVICES; i++) {
    modules[i]       = opp_module_new(sim, host, devices[i].name, -1, &device_type);
    device_t* device = opp_module_state(modules[i]);
    device->kind     = kind;
    device->bytes    = devices[i].bytes;
    opp_gate_add(modules[i], "port", OPP_GATE_INOUT, false, 1);
    opp_gate_connect(opp_gate(modules[i], "port$o", 0), opp_gate(port, "port$i", i), NULL);
    opp_gate_connect(opp_gate(port, "port$o", i), opp_gate(modules[i], "port$i", 0), NULL);
  }
  opp_sim_initialize(sim);
  opp_sim_run(sim, OPP_TIME_MAX);
  const sgf_pcie_stats_t sender = sgf_pcie_stats(link, kind == READ ? SGF_PCIE_HOST : SGF_PCIE_NIC, opp_sim_time(host));
  print(kind == READ ? "reads" : "writes", modules, &sender);
  const bool ok = opp_sim_error(sim)->status == SGF_OK;
  if (!ok)
    fprintf(stderr, "%s\n", opp_sim_error(sim)->text);
  opp_sim_finish(sim);
  opp_sim_free(sim);
  sgf_pcie_free(link);
  return ok;
}

int main(int argc, char* argv[])
{
  static const sgf_attr_section_t section = {&sgf_pcie_attributes, 0};
  static const sgf_attr_set_t set         = {"pcie", &section, 1, sizeof(sgf_pcie_config_t)};
  const char* const rate                  = "HostPCIeInterface.TransactionLayer.ConsumptionBps";
  sgf_pcie_config_t config;
  sgf_error_t error   = {0};
  sgf_status_t status = sgf_attr_defaults(&set, &config, &error);
  if (status == SGF_OK && argc > 1)
    status = sgf_attr_set_value(&set, &config, rate, argv[1], &error);
  if (status != SGF_OK) {
    fprintf(stderr, "%s\n", error.text);
    return EXIT_FAILURE;
  }
  return run(&config, WRITE) && run(&config, READ) ? EXIT_SUCCESS : EXIT_FAILURE;
}
