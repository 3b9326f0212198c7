/* What the tests of platform files share. */
#ifndef SGF_VALIDATION_SCENARIO_SUPPORT_H
#define SGF_VALIDATION_SCENARIO_SUPPORT_H

#include <sgfabric/scenario.h>

/* The two lines that SimGrid wants first. */
#define SCENARIO_HEAD "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"

/* A file of this test process with `size` bytes of `text`; overwritten by the next call, removed at exit. */
const char* scenario_file(const char* text, size_t size);

/* Load a platform from its text, with `set` (or NULL) as assignments, which ends with NULL. */
sgf_scenario_t* scenario_load(const char* text, const char* const* set, sgf_error_t* error);

/* The value of a device's attribute as it would be written, in a static buffer. */
const char* scenario_value(const sgf_scenario_t* scenario, const char* device, const char* suffix);

#endif
