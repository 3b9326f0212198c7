/* The victims of a run, for people. */
#include "report.h"

#include <stdlib.h>

enum { SHOWN_VICTIMS = 10, SHOWN_SUMS = 3, SHOWN_FLOWS = 2 };

static char* name_of(const sgf_report_t* report, size_t flow)
{
  return report_format("%s -> %s", report->flows[flow].src, report->flows[flow].dst);
}

/* "tor0 port 3 -> gpu4", or a NIC alone. */
static char* place_of(const sgf_queue_place_t* place, bool is_root)
{
  const char* device = sgf_device_name(place->device);
  if (is_root && !sgf_device_is_switch(place->device))
    return report_format("%s", device);
  return report_format("%s port %u -> %s", device, place->port,
                       sgf_device_name(sgf_device_peer(place->device, place->port)));
}

/* The first ones. */
static char* flows_of(const sgf_report_t* report, const sgf_flow_share_t* flows, size_t count)
{
  char* text = report_format("%s", count == 0 ? "-" : "");
  for (size_t i = 0; i < count && i < SHOWN_FLOWS; i++) {
    char* name   = name_of(report, flows[i].flow);
    char* longer = report_format("%s%s%s", text, i > 0 ? ", " : "", name);
    free(name);
    free(text);
    text = longer;
  }
  if (count <= SHOWN_FLOWS)
    return text;
  char* longer = report_format("%s and %s more", text, report_count(count - SHOWN_FLOWS).at);
  free(text);
  return longer;
}

static void add_text(report_table_t* table, char* text)
{
  report_table_cell(table, "%s", text);
  free(text);
}

static void print_times(const report_victims_t* victims, const sgf_report_t* report, FILE* out)
{
  static const char* const titles[] = {"<victim", ">size", ">start", ">time", ">lost", ">time without", ">slow-down"};
  report_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  for (size_t i = 0; i < victims->list->count && i < SHOWN_VICTIMS; i++) {
    const sgf_victim_t* victim  = &victims->list->items[i];
    const sgf_flow_t* flow      = &report->flows[victim->flow];
    const opp_simtime_t without = victims->ends != NULL ? victims->ends[victim->flow] : -1;
    const double slow_down      = report_slow_down(victims, report, victim->flow);
    add_text(&table, name_of(report, victim->flow));
    report_table_cell(&table, "%s", report_bytes((double)flow->bytes).at);
    report_table_cell(&table, "%s", report_time((double)flow->start).at);
    report_table_cell(&table, "%s", flow->end >= 0 ? report_time((double)(flow->end - flow->start)).at : "never ends");
    report_table_cell(&table, "%s", report_time((double)victim->lost).at);
    if (victims->left_out[victim->flow])
      report_table_cell(&table, "left out");
    else
      report_table_cell(&table, "%s", without >= 0 ? report_time((double)(without - flow->start)).at : "");
    if (slow_down > 0)
      report_table_cell(&table, "%.2f", slow_down);
    else
      report_table_cell(&table, "%s", "");
  }
  report_table_print(&table, out);
}

static void print_places(const report_victims_t* victims, const sgf_report_t* report, FILE* out)
{
  static const char* const titles[] = {"<victim", "<held at",    ">class",        ">holds",
                                       ">lost",   "<because of", "<waiting with", "<caused by"};
  report_table_t table              = {.titles = titles, .columns = sizeof titles / sizeof *titles};
  for (size_t i = 0; i < victims->list->count && i < SHOWN_VICTIMS; i++) {
    const sgf_victim_t* victim = &victims->list->items[i];
    for (size_t s = 0; s < victim->sum_count && s < SHOWN_SUMS; s++) {
      const sgf_loss_sum_t* sum = &victim->sums[s];
      add_text(&table, name_of(report, victim->flow));
      add_text(&table, place_of(&sum->at, false));
      report_table_cell(&table, "%u", sum->at.tc);
      report_table_cell(&table, "%s", report_count(sum->holds).at);
      report_table_cell(&table, "%s", report_time((double)sum->lost).at);
      add_text(&table, place_of(&sum->root, true));
      add_text(&table, flows_of(report, sum->sharers, sum->sharer_count));
      add_text(&table, flows_of(report, sum->causers, sum->causer_count));
    }
  }
  report_table_print(&table, out);
}

void report_print_victims(const report_victims_t* victims, const sgf_report_t* report, FILE* out)
{
  const size_t count = victims->list->count;
  if (count == 0) {
    fputs("\nVictims: no flow waited for a pause that it did not cause\n", out);
    return;
  }
  fprintf(out, "\nVictims: %s waited for pauses that %s did not cause, %s in all\n", report_counted(count, "flow").at,
          count == 1 ? "it" : "they", report_counted(victims->list->hold_count, "hold").at);
  print_times(victims, report, out);
  if (count > SHOWN_VICTIMS)
    fprintf(out, "  ... and %s more\n", report_count(count - SHOWN_VICTIMS).at);
  fprintf(out, "  without: the same posts at the same dates (an open loop), but for %s\n",
          report_counted(victims->left_out_count, "flow").at);
  print_places(victims, report, out);
}
