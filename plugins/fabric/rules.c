/* Rules that stop a run and take more than one device to break. */
#include "fabric/fabric_internal.h"

/* Classes by codepoint need NICs that write codepoints (spec/switch.md S-10). */
static sgf_status_t check_uet_policy(const sgf_fabric_t* fabric, sgf_error_t* error)
{
  const sgf_device_t* with_policy = NULL;
  for (size_t d = 0; d < fabric->device_count && with_policy == NULL; d++)
    if (sgf_device_is_switch(fabric->devices[d]) &&
        ((const switch_block_t*)fabric->devices[d]->block)->buffer.uet_policy)
      with_policy = fabric->devices[d];
  if (with_policy == NULL)
    return SGF_OK;
  for (uint32_t h = 0; h < fabric->host_count; h++)
    if (fabric->hosts[h]->transport->codepoints == NULL)
      return sgf_error_set(error, SGF_RULE,
                           "switch '%s': SharedBufferManager.UETPolicyEnabled is true, and the NIC '%s' of host '%s' "
                           "does not send the DSCP codepoints that it goes by",
                           with_policy->name, fabric->hosts[h]->transport->name, fabric->hosts[h]->name);
  return SGF_OK;
}

sgf_status_t fabric_check_rules(const sgf_fabric_t* fabric, sgf_error_t* error)
{
  return check_uet_policy(fabric, error);
}
