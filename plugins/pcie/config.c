#include "pcie/pcie_internal.h"

#include <string.h>

enum { MAX_READ_REQUEST = 1000000000, MAX_LANES = 16, FIRST_GENERATION = 3, LAST_GENERATION = 7 };
static const int64_t first_generation_lane_bps = 7880000000; /* doubles with each generation */

#define NIC_SIDE "HostInterface/NICSide/PCIeGen3.0/NicDeviceLayer/NicPCIeInterface/"
#define HOST_SIDE "HostInterface/HostSide/PCIeGen3.0/ScalaHostPCIeDeviceLayer/HostPCIeInterface/"
#define NIC_FIELD(field) offsetof(sgf_pcie_config_t, nic.field)
#define HOST_FIELD(field) offsetof(sgf_pcie_config_t, host.field)

/* spec/uet-nic.md 2.7, but for ConsumptionBps, which is our own. No range is documented for LaneBps, but a lane without
 * a rate carries nothing. */
static const sgf_attr_t attributes[] = {
    {NIC_SIDE "TransactionLayer/RXHeaderBufferSize", SGF_ATTR_BYTES, NIC_FIELD(rx_header_bytes), "16KB", "",
     "Headers of transfers that the NIC receives from the host."},
    {NIC_SIDE "TransactionLayer/TXHeaderBufferSize", SGF_ATTR_BYTES, NIC_FIELD(tx_header_bytes), "16KB", "",
     "Headers of transfers that the NIC sends to the host."},
    {NIC_SIDE "TransactionLayer/RXDataBufferSize", SGF_ATTR_BYTES, NIC_FIELD(rx_data_bytes), "256KB", "",
     "Payload of transfers that the NIC receives from the host."},
    {NIC_SIDE "TransactionLayer/TXDataBufferSize", SGF_ATTR_BYTES, NIC_FIELD(tx_data_bytes), "256KB", "",
     "Payload of transfers that the NIC sends to the host."},
    {NIC_SIDE "TransactionLayer/ConsumptionBps", SGF_ATTR_DATARATE, NIC_FIELD(consumption_bps), "0bps", "",
     "Rate at which the NIC takes payload out of its receive buffer; 0bps: at once."},
    {NIC_SIDE "PhysicalLayer/LaneBps", SGF_ATTR_DATARATE, NIC_FIELD(lane_bps), "31.52Gbps", "1Mbps..",
     "Rate of one lane from the NIC to the host."},
    {NIC_SIDE "PhysicalLayer/LaneCount", SGF_ATTR_UINT, NIC_FIELD(lane_count), "16", "1..16",
     "Lanes from the NIC to the host."},
    {HOST_SIDE "TransactionLayer/RXHeaderBufferSize", SGF_ATTR_BYTES, HOST_FIELD(rx_header_bytes), "16KB", "",
     "Headers of transfers that the host receives from the NIC."},
    {HOST_SIDE "TransactionLayer/TXHeaderBufferSize", SGF_ATTR_BYTES, HOST_FIELD(tx_header_bytes), "16KB", "",
     "Headers of transfers that the host sends to the NIC."},
    {HOST_SIDE "TransactionLayer/RXDataBufferSize", SGF_ATTR_BYTES, HOST_FIELD(rx_data_bytes), "256KB", "",
     "Payload of transfers that the host receives from the NIC."},
    {HOST_SIDE "TransactionLayer/TXDataBufferSize", SGF_ATTR_BYTES, HOST_FIELD(tx_data_bytes), "256KB", "",
     "Payload of transfers that the host sends to the NIC."},
    {HOST_SIDE "TransactionLayer/ConsumptionBps", SGF_ATTR_DATARATE, HOST_FIELD(consumption_bps), "0bps", "",
     "Rate at which the host takes payload out of its receive buffer, its memory's share of writes; 0bps: at once."},
    {HOST_SIDE "PhysicalLayer/LaneBps", SGF_ATTR_DATARATE, HOST_FIELD(lane_bps), "31.52Gbps", "1Mbps..",
     "Rate of one lane from the host to the NIC."},
    {HOST_SIDE "PhysicalLayer/LaneCount", SGF_ATTR_UINT, HOST_FIELD(lane_count), "16", "1..16",
     "Lanes from the host to the NIC."},
};

const sgf_attr_table_t sgf_pcie_attributes = {"PCIe host interface", attributes,
                                              sizeof attributes / sizeof attributes[0]};

/* spec/roce-nic.md 2 and spec/mrc-nic.md 2: the same attribute in two places. No maximum is documented. */
#define READ_REQUEST_SIZE(parent)                                                                                      \
  {                                                                                                                    \
    parent "ReadRequestSize", SGF_ATTR_BYTES, offsetof(sgf_pcie_config_t, read_request_bytes), "64B", "1B..1GB",       \
        "Size of one read request, not of the data fetched; above 512 B it takes several transfers."                   \
  }

static const sgf_attr_t handler_rows[] = {READ_REQUEST_SIZE("HostInterface/NICSide/NICPCIeHandler/")};
static const sgf_attr_t read_rows[]    = {READ_REQUEST_SIZE("HostInterface/NICSide/")};

const sgf_attr_table_t sgf_pcie_handler_attributes = {"PCIe read requests", handler_rows, 1};
const sgf_attr_table_t sgf_pcie_read_attributes    = {"PCIe read requests", read_rows, 1};

static const char* path_of(size_t offset)
{
  size_t row = 0;
  while (attributes[row].offset != offset)
    row++;
  return attributes[row].path;
}

/* Reads digits and moves past them. Numbers far out of every range here stay out of it instead of overflowing. */
static bool read_number(const char** text, int* number)
{
  const char* digit = *text;
  *number           = 0;
  for (; *digit >= '0' && *digit <= '9'; digit++)
    if (*number < 1000)
      *number = 10 * *number + (*digit - '0');
  bool found = digit > *text;
  *text      = digit;
  return found;
}

/* Moves past `word` if the text goes on with it. */
static bool read_word(const char** text, const char* word)
{
  size_t length = strlen(word);
  if (strncmp(*text, word, length) != 0)
    return false;
  *text += length;
  return true;
}

sgf_status_t sgf_pcie_set_shorthand(sgf_pcie_config_t* config, const char* text, sgf_error_t* error)
{
  const char* rest = text;
  int generation   = 0;
  int lanes        = 0;
  bool well_formed = read_word(&rest, "gen") && read_number(&rest, &generation) && read_word(&rest, " ") &&
                     read_word(&rest, "x") && read_number(&rest, &lanes) && *rest == '\0';
  if (!well_formed)
    return sgf_error_set(error, SGF_SYNTAX, "pcie=\"%s\": expected a generation and lanes, as in \"gen5 x16\"", text);
  if (generation < FIRST_GENERATION || generation > LAST_GENERATION)
    return sgf_error_set(error, SGF_RANGE, "pcie=\"%s\": the generation is not within %d..%d", text, FIRST_GENERATION,
                         LAST_GENERATION);
  if (lanes < 1 || lanes > MAX_LANES)
    return sgf_error_set(error, SGF_RANGE, "pcie=\"%s\": the lanes are not within 1..%d", text, MAX_LANES);

  int64_t lane_bps        = first_generation_lane_bps << (generation - FIRST_GENERATION);
  config->nic.lane_bps    = lane_bps;
  config->nic.lane_count  = (uint64_t)lanes;
  config->host.lane_bps   = lane_bps;
  config->host.lane_count = (uint64_t)lanes;
  return SGF_OK;
}

/* A buffer and the least it must hold for anything to get through it (3.5). */
typedef struct requirement {
  size_t offset; /* of the buffer's size in the configuration */
  int64_t bytes;
  const char* content;
} requirement_t;

static sgf_status_t check_buffer(const sgf_pcie_config_t* config, const requirement_t* requirement, sgf_error_t* error)
{
  int64_t size;
  memcpy(&size, (const char*)config + requirement->offset, sizeof size);
  if (size >= requirement->bytes)
    return SGF_OK;
  return sgf_error_set(error, SGF_RULE, "%s is %lld B, but %s takes %lld B: nothing could ever be accepted",
                       path_of(requirement->offset), (long long)size, requirement->content,
                       (long long)requirement->bytes);
}

static sgf_status_t check_consumption(int64_t bps, size_t offset, sgf_error_t* error)
{
  if (bps >= 0)
    return SGF_OK;
  return sgf_error_set(error, SGF_RANGE, "%s is %lld bit/s: not 0 or more", path_of(offset), (long long)bps);
}

static sgf_status_t check_lanes(int64_t lane_bps, uint64_t lane_count, size_t bps_offset, size_t count_offset,
                                sgf_error_t* error)
{
  if (lane_count < 1 || lane_count > MAX_LANES)
    return sgf_error_set(error, SGF_RANGE, "%s is %llu: not within 1..%d", path_of(count_offset),
                         (unsigned long long)lane_count, MAX_LANES);
  if (lane_bps < 1 || lane_bps > INT64_MAX / MAX_LANES)
    return sgf_error_set(error, SGF_RANGE, "%s is %lld bit/s: not within 1..%lld bit/s", path_of(bps_offset),
                         (long long)lane_bps, (long long)(INT64_MAX / MAX_LANES));
  return SGF_OK;
}

sgf_status_t pcie_check(const sgf_pcie_config_t* config, int64_t largest_segment, sgf_error_t* error)
{
  sgf_status_t status =
      check_lanes(config->nic.lane_bps, config->nic.lane_count, NIC_FIELD(lane_bps), NIC_FIELD(lane_count), error);
  if (status == SGF_OK)
    status = check_lanes(config->host.lane_bps, config->host.lane_count, HOST_FIELD(lane_bps), HOST_FIELD(lane_count),
                         error);
  if (status == SGF_OK)
    status = check_consumption(config->nic.consumption_bps, NIC_FIELD(consumption_bps), error);
  if (status == SGF_OK)
    status = check_consumption(config->host.consumption_bps, HOST_FIELD(consumption_bps), error);
  if (status != SGF_OK)
    return status;
  if (config->read_request_bytes < 0 || config->read_request_bytes > MAX_READ_REQUEST)
    return sgf_error_set(error, SGF_RANGE, "ReadRequestSize is %lld B: not within 1..%d B",
                         (long long)config->read_request_bytes, MAX_READ_REQUEST);
  if (largest_segment < 1)
    return sgf_error_set(error, SGF_RANGE, "the largest PCIe segment is %lld B: at least 1 B is needed",
                         (long long)largest_segment);

  int64_t headers                    = pcie_transfers(largest_segment) * SGF_PCIE_HEADER;
  int64_t transfer                   = pcie_first_transfer(largest_segment);
  const requirement_t requirements[] = {
      {NIC_FIELD(tx_header_bytes), headers, "the headers of one write"},
      {NIC_FIELD(tx_data_bytes), largest_segment, "the payload of one write"},
      {HOST_FIELD(tx_header_bytes), headers, "the headers of one completion"},
      {HOST_FIELD(tx_data_bytes), largest_segment, "the payload of one completion"},
      {NIC_FIELD(rx_header_bytes), SGF_PCIE_HEADER, "the header of one transfer"},
      {NIC_FIELD(rx_data_bytes), transfer, "the payload of one transfer"},
      {HOST_FIELD(rx_header_bytes), SGF_PCIE_HEADER, "the header of one transfer"},
      {HOST_FIELD(rx_data_bytes), transfer, "the payload of one transfer"},
  };
  for (size_t i = 0; i < sizeof requirements / sizeof requirements[0]; i++) {
    status = check_buffer(config, &requirements[i], error);
    if (status != SGF_OK)
      return status;
  }
  return SGF_OK;
}
