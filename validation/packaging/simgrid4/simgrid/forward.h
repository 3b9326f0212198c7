/* A stub of SimGrid 4.x: ../README.md. */
#ifndef SIMGRID_TYPES_H
#define SIMGRID_TYPES_H

#include <xbt/base.h>

typedef struct s4u_Actor s4u_Actor;
typedef struct s4u_Comm s4u_Comm;
typedef struct s4u_Host s4u_Host;
typedef struct s4u_Mailbox s4u_Mailbox;
typedef struct s4u_Semaphore s4u_Semaphore;

typedef s4u_Actor* sg_actor_t;
typedef const s4u_Actor* const_sg_actor_t;
typedef s4u_Comm* sg_comm_t;
typedef s4u_Host* sg_host_t;
typedef const s4u_Host* const_sg_host_t;
typedef s4u_Mailbox* sg_mailbox_t;
typedef const s4u_Mailbox* const_sg_mailbox_t;
typedef s4u_Semaphore* sg_sem_t;
typedef const s4u_Semaphore* const_sg_sem_t;

typedef long aid_t;

typedef enum {
  SG_OK,
  SG_ERROR_CANCELED,
  SG_ERROR_TIMEOUT,
  SG_ERROR_HOST,
  SG_ERROR_NETWORK,
  SG_ERROR_STORAGE,
  SG_ERROR_VM
} sg_error_t;

typedef void (*xbt_main_func_t)(int argc, char* argv[]);
typedef void (*void_f_int_pvoid_t)(int, void*);

#endif
