/* What records of single events and packets have in common: NICs that tell of them as they happen, each with a file to
 * tell to. */
#ifndef RECORDS_TELLERS_H
#define RECORDS_TELLERS_H

#include "records/results_internal.h"

typedef struct tellers tellers_t;

/* A NIC that tells of what happens to it. */
typedef struct teller {
  tellers_t* record;
  sgf_device_t* device;
} teller_t;

typedef struct tellers_form {
  const csv_record_t* record;
  bool (*tells)(const sgf_device_t* device);
  void (*observe)(sgf_device_t* device, teller_t* teller); /* NULL: no longer */
} tellers_form_t;

struct tellers {
  results_run_t* run;
  const tellers_form_t* form;
  void* user; /* the record's own */
  csv_t* csv;
  teller_t* all; /* by node id */
  size_t count;
};

/* NULL: no NIC tells of anything, or `error`. */
tellers_t* tellers_open(results_run_t* run, const tellers_form_t* form, void* user, sgf_error_t* error);
void tellers_close(void* tellers, sgf_error_t* error);

#endif
