/* SimGrid's versions: all that differs between 3.32 and 4.x is here.
 *
 * What this module and the command call has the same signature in both:
 *
 *   simgrid_init, _load_platform, _load_deployment, _register_function, _run, _run_until, _get_clock
 *   sg_actor_create, _create_, _on_exit, _daemonize, _join, _ref, _unref, _self, _self_get_pid, _sleep_for
 *   sg_host_list (free the array alone), _count, _by_name, _get_name, _is_on, _self, _self_get_name
 *   sg_sem_init, _acquire, _acquire_timeout, _release, _destroy
 *   xbt_assert, xbt_die, xbt_free, xbt_log_control_set, XBT_LOG_NEW_DEFAULT_CATEGORY
 *   sg_cfg_set_double; but the option "surf/precision" has become "precision/timing": COMPAT_PRECISION
 *
 * What 4.x has renamed or means to take away is not used:
 *
 *   3.32                                  4.x
 *   sg_comm_wait_all, sg_comm_wait_any    sg_activity_set_*
 *   sg_host_get_properties                sg_host_get_property_names (one by name: sg_host_get_property_value in both)
 *   sg_actor_get_properties               sg_actor_get_property_names (likewise)
 *   sg_host_get_route                     sg_host_get_route_links
 *   sg_host_get_actor_list                sg_host_get_actors
 *   sg_actor_attach                       sg_actor_attach_pthread
 *   sg_zone_get_sons                      sg_zone_get_childs
 *   sg_zone_get_hosts                     sg_zone_get_all_hosts
 *   xbt_dynar_t, xbt_dict_t               arrays
 *
 * validation/packaging/simgrid4.c compiles the module against declarations of 4.x, where only 3.32 is installed. */
#ifndef SIMGRID_COMPAT_H
#define SIMGRID_COMPAT_H

#include <simgrid/version.h>

/* The option that sets the timing precision; a name that the version does not know aborts. */
#if SIMGRID_VERSION >= 40000
#define COMPAT_PRECISION "precision/timing"
#else
#define COMPAT_PRECISION "surf/precision"
#endif

#endif
