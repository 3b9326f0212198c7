/* Receiving: data goes to the host as it arrives; a message is delivered when all of it is there. */
#include "nic/udp/udp.h"

void udp_delivered(nic_t* nic, opp_msg_t* msg)
{
  net_frame_t* frame            = net_frame(msg);
  const udp_header_t* header    = udp_header(frame);
  const nic_delivery_t delivery = {
      .number = header->message, .bytes = header->bytes, .tag = header->tag, .src = frame->src};
  udp_end_remove(&udp_state(nic)->ends, header->message);
  opp_msg_delete(msg);
  nic->owner.delivered(nic->owner.user, nic, &delivery);
}

/* PCIe is one FIFO: when the write of the datagram that completes the message has crossed, so have those before it. */
void udp_written(nic_t* nic, opp_msg_t* msg, opp_simtime_t date)
{
  if (!udp_header(net_frame(msg))->completes) {
    opp_msg_delete(msg);
    return;
  }
  msg->kind = UDP_DELIVERED;
  opp_schedule_on_line(nic->module, udp_state(nic)->deliveries, date, msg);
}

void udp_received(nic_t* nic, opp_msg_t* msg)
{
  udp_header_t* header = udp_header(net_frame(msg));
  udp_end_t* end       = udp_end_for(&udp_state(nic)->ends, header->message);
  ++*nic->owner.progress;
  end->received += header->payload;
  header->completes = end->received == header->bytes;
  nic_write(nic, msg);
}
