/* A pair of buffers, headers and data, that is emptied in order at known dates. */
#include "pcie/pcie_internal.h"

#include <stdlib.h>

typedef struct held {
  opp_simtime_t leaves;
  int64_t through; /* payload since the start, up to and with this transfer */
} held_t;

static const held_t* held_at(const pcie_buffer_t* buffer, int64_t index)
{
  return pcie_ring_at(&buffer->transfers, index);
}

void pcie_buffer_init(pcie_buffer_t* buffer, int64_t header_bytes, int64_t data_bytes)
{
  *buffer = (pcie_buffer_t){.header_capacity = header_bytes / SGF_PCIE_HEADER,
                            .data_capacity   = data_bytes,
                            .transfers       = {.size = sizeof(held_t)}};
}

void pcie_buffer_free(pcie_buffer_t* buffer)
{
  free(buffer->transfers.things);
}

void pcie_buffer_release(pcie_buffer_t* buffer, opp_simtime_t now)
{
  while (buffer->transfers.count > 0 && held_at(buffer, 0)->leaves <= now) {
    buffer->left = held_at(buffer, 0)->through;
    pcie_ring_pop(&buffer->transfers);
  }
}

/* Transfers that must leave before no more than `through` of the payload is missing. */
static int64_t transfers_until(const pcie_buffer_t* buffer, int64_t through)
{
  if (through <= buffer->left)
    return 0;
  int64_t first = 0;
  int64_t last  = buffer->transfers.count - 1;
  while (first < last) {
    const int64_t middle = first + (last - first) / 2;
    if (held_at(buffer, middle)->through >= through)
      last = middle;
    else
      first = middle + 1;
  }
  return first + 1;
}

opp_simtime_t pcie_buffer_room(const pcie_buffer_t* buffer, opp_simtime_t now, int64_t headers, int64_t payload)
{
  const int64_t for_headers = buffer->transfers.count + headers - buffer->header_capacity;
  const int64_t for_data    = transfers_until(buffer, buffer->entered + payload - buffer->data_capacity);
  const int64_t leaving     = for_headers > for_data ? for_headers : for_data;
  if (leaving <= 0)
    return now;
  const opp_simtime_t date = held_at(buffer, leaving - 1)->leaves;
  return date > now ? date : now;
}

void pcie_buffer_enter(pcie_buffer_t* buffer, int64_t payload, opp_simtime_t leaves)
{
  buffer->entered += payload;
  held_t* held = pcie_ring_push(&buffer->transfers);
  *held        = (held_t){leaves, buffer->entered};
  if (pcie_buffer_headers(buffer) > buffer->header_peak)
    buffer->header_peak = pcie_buffer_headers(buffer);
  if (pcie_buffer_data(buffer) > buffer->data_peak)
    buffer->data_peak = pcie_buffer_data(buffer);
}

int64_t pcie_buffer_headers(const pcie_buffer_t* buffer)
{
  const int64_t count = buffer->transfers.count;
  return count < buffer->header_capacity ? count : buffer->header_capacity;
}

int64_t pcie_buffer_data(const pcie_buffer_t* buffer)
{
  return buffer->entered - buffer->left;
}
