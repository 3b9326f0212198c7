/* NICs that tell of what happens to them: see tellers.h. */
#include "records/tellers.h"

#include <stdlib.h>

#include "attr/alloc.h"

static void list(tellers_t* tellers)
{
  const results_run_t* run = tellers->run;
  tellers->all             = sgf_calloc(run->device_count, sizeof *tellers->all);
  for (size_t i = 0; i < run->device_count; i++)
    if (tellers->form->tells(run->devices[i]))
      tellers->all[tellers->count++] = (teller_t){tellers, run->devices[i]};
}

static void free_record(tellers_t* tellers)
{
  free(tellers->all);
  free(tellers);
}

tellers_t* tellers_open(results_run_t* run, const tellers_form_t* form, void* user, sgf_error_t* error)
{
  tellers_t* tellers = sgf_calloc(1, sizeof *tellers);
  *tellers           = (tellers_t){.run = run, .form = form, .user = user};
  list(tellers);
  tellers->csv = tellers->count > 0 ? csv_open(form->record, &run->place, error) : NULL;
  if (tellers->csv == NULL) {
    free_record(tellers);
    return NULL;
  }
  for (size_t i = 0; i < tellers->count; i++)
    form->observe(tellers->all[i].device, &tellers->all[i]);
  return tellers;
}

void tellers_close(void* of, sgf_error_t* error)
{
  tellers_t* tellers = of;
  for (size_t i = 0; i < tellers->count; i++)
    tellers->form->observe(tellers->all[i].device, NULL);
  csv_close(tellers->csv, error);
  free_record(tellers);
}
