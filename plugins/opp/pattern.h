/* OMNeT++'s patterns of paths (spec/opp.md section 2): `?`, `*`, `**`, {a-f}, {^a-f}, {38..150}, [38..150], `\`. */
#ifndef SGFABRIC_OPP_PATTERN_H
#define SGFABRIC_OPP_PATTERN_H

#include <sgfabric/error.h>

typedef struct opp_pattern opp_pattern_t;

/* NULL with SGF_SYNTAX for an unclosed bracket or an empty range. Free with opp_pattern_free. */
opp_pattern_t* opp_pattern_new(const char* text, sgf_error_t* error);
void opp_pattern_free(opp_pattern_t* pattern);
bool opp_pattern_matches(const opp_pattern_t* pattern, const char* name);
bool opp_pattern_is_name(const opp_pattern_t* pattern); /* it has no wildcard */

#endif
