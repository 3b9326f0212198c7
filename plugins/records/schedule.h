/* When periodic rows are due: of many periods the next one, those of one instant in the order in which they were added
 * (spec/records.md 1.2, R-19). */
#ifndef RECORDS_SCHEDULE_H
#define RECORDS_SCHEDULE_H

#include <sgfabric/opp.h>

typedef struct schedule schedule_t;
typedef void (*schedule_cb)(void* user, opp_simtime_t date);

schedule_t* schedule_new(void);
void schedule_free(schedule_t* schedule);

/* Call `due` at `first` and then every `interval`, which is above 0. */
void schedule_add(schedule_t* schedule, opp_simtime_t first, opp_simtime_t interval, schedule_cb due, void* user);

/* Date of the next call; OPP_TIME_MAX: there is none. */
opp_simtime_t schedule_next(const schedule_t* schedule);

/* Make all calls up to and including `now`, each with its own date. Returns schedule_next. */
opp_simtime_t schedule_tick(schedule_t* schedule, opp_simtime_t now);

#endif
