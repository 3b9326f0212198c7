/* sgfabric attributes: constant tables that name, type, default, bound and explain every knob of a model.
 *
 * A model declares each attribute once, as one row of a table whose offset points into its configuration struct. The
 * same rows serve the platform reader, `--set`, the error messages and the reference documentation. Values are kept
 * exactly: sizes in bytes, rates in bits per second, times in picoseconds, fractions as the decimals that were written.
 */
#ifndef SGFABRIC_ATTR_H
#define SGFABRIC_ATTR_H

#include <sgfabric/error.h>

SGF_BEGIN_DECL

enum {
  SGF_LIST_ENTRIES = 8, /* a list has one entry per traffic class or pool, 0..7 (spec/switch.md 2.1) */
  SGF_TEXT_SIZE    = 64 /* bytes of a text, its end included */
};

/* A decimal number exactly as written: digits / scale, scale a power of ten. "0.9" is {9, 10}. */
typedef struct sgf_decimal {
  int64_t digits;
  int64_t scale;
} sgf_decimal_t;

/* Attribute types, the C type behind each, and what a value looks like (spec/switch.md 2.1, spec/uet-nic.md 2.1). */
typedef enum sgf_attr_type {
  SGF_ATTR_UINT,     /* uint64_t       whole number >= 0 */
  SGF_ATTR_BYTES,    /* int64_t        number with B, KB, MB, GB, KiB, MiB, GiB; whole bytes, at most 4,294,967,295 */
  SGF_ATTR_DATARATE, /* int64_t        bits per second: number with bps, Kbps, Mbps, Gbps, Tbps; whole bit/s */
  SGF_ATTR_TIMEVAL,  /* int64_t        picoseconds: number with ps, ns, us, ms, s; whole picoseconds */
  SGF_ATTR_DECIMAL,  /* sgf_decimal_t  decimal number ("double" in the documentation) */
  SGF_ATTR_BOOL,     /* bool           true or false */
  SGF_ATTR_CHOICE,   /* int            index of the text in `range`, whose entries are separated by '|' */
  SGF_ATTR_INT_LIST, /* int64_t[8]     eight whole numbers, comma-separated, with or without [ ] */
  SGF_ATTR_DECIMAL_LIST, /* sgf_decimal_t[8], same form */
  SGF_ATTR_TEXT,         /* char[SGF_TEXT_SIZE]  printable ASCII, or empty */
} sgf_attr_type_t;

/* One attribute. */
typedef struct sgf_attr {
  const char* path; /* documented path, components separated by '/': "NetworkInterface/IngressBufferManager/..." */
  sgf_attr_type_t type;
  size_t offset;       /* of the value in the configuration struct of the table */
  const char* initial; /* default, in the syntax of a value */
  const char* range; /* "" no bound; "A..B" inclusive, either end may be empty, same syntax as a value; the choices of a
                        CHOICE; for a list the bound of each entry; the form of a TEXT that is not empty, 9 for a digit
                        and any other character for itself */
  const char* help;  /* one sentence */
} sgf_attr_t;

/* The attributes of one configuration struct. */
typedef struct sgf_attr_table {
  const char* name; /* what the table describes, for messages and documentation: "UET NIC" */
  const sgf_attr_t* attrs;
  size_t count;
} sgf_attr_table_t;

/* A table and where its configuration struct lies in a larger block: a NIC is {common, PCIe, transport} in one block.
 */
typedef struct sgf_attr_section {
  const sgf_attr_table_t* table;
  size_t offset; /* of the table's configuration struct in the block */
} sgf_attr_section_t;

/* All attributes that a prefix of the XML dialect (`nic`, `switch`, `pcie`, `fabric`) answers to. */
typedef struct sgf_attr_set {
  const char* prefix;
  const sgf_attr_section_t* sections;
  size_t count;
  size_t block_size; /* bytes of the configuration block, for the caller to allocate */
} sgf_attr_set_t;

/* Where a look-up ended: the row and the offset of its value in the configuration block. */
typedef struct sgf_attr_ref {
  const sgf_attr_t* attr;
  size_t offset;
} sgf_attr_ref_t;

/* Fill `block` (block_size bytes) with every default. Fails only if a table is wrong: SGF_SYNTAX, .. as for assign. */
SGF_PUBLIC sgf_status_t sgf_attr_defaults(const sgf_attr_set_t* set, void* block, sgf_error_t* error);

/* Find the attribute whose path ends in `suffix`, on a component boundary; '.' and '/' both separate components and the
 * whole path wins over a suffix of another. SGF_UNKNOWN names the nearest paths, SGF_AMBIGUOUS lists the candidates
 * with the shortest suffix that tells each apart. */
SGF_PUBLIC sgf_status_t sgf_attr_find(const sgf_attr_set_t* set, const char* suffix, sgf_attr_ref_t* found,
                                      sgf_error_t* error);

/* Parse `text` and store it in `block`. On error the block is unchanged; the message names attribute, value and rule:
 * SGF_SYNTAX (not of the type, a list without eight entries), SGF_UNIT (no unit, unknown unit, another kind's unit),
 * SGF_RANGE (outside the bound, not in the closed set, not whole). */
SGF_PUBLIC sgf_status_t sgf_attr_assign(sgf_attr_ref_t ref, void* block, const char* text, sgf_error_t* error);

/* sgf_attr_find, then sgf_attr_assign. */
SGF_PUBLIC sgf_status_t sgf_attr_set_value(const sgf_attr_set_t* set, void* block, const char* suffix, const char* text,
                                           sgf_error_t* error);

/* Write a value in the syntax that sgf_attr_assign reads, with the largest unit that keeps it exact ("400Gbps", "4MB",
 * "[0.9, 0.1, 0, 0, 0, 0, 0, 0]"). Returns `buffer`, always terminated. */
SGF_PUBLIC const char* sgf_attr_format(sgf_attr_ref_t ref, const void* block, char* buffer, size_t size);

/* Single quantities in the syntax of the types above; `what` names the value in messages. */
SGF_PUBLIC sgf_status_t sgf_parse_bytes(const char* text, const char* what, int64_t* bytes, sgf_error_t* error);
SGF_PUBLIC sgf_status_t sgf_parse_datarate(const char* text, const char* what, int64_t* bps, sgf_error_t* error);
SGF_PUBLIC sgf_status_t sgf_parse_timeval(const char* text, const char* what, int64_t* ps, sgf_error_t* error);
SGF_PUBLIC sgf_status_t sgf_parse_uint(const char* text, const char* what, uint64_t* value, sgf_error_t* error);
SGF_PUBLIC sgf_status_t sgf_parse_decimal(const char* text, const char* what, sgf_decimal_t* value, sgf_error_t* error);

/* floor(fraction x whole), exact: no binary fraction on the way (spec/switch.md O-03, spec/uet-nic.md 5.1).
 * `whole` at most 2^32; a negative product is floored too. */
SGF_PUBLIC int64_t sgf_decimal_of(sgf_decimal_t fraction, int64_t whole);

/* a < b: negative, equal: 0, a > b: positive. Exact. */
SGF_PUBLIC int sgf_decimal_compare(sgf_decimal_t a, sgf_decimal_t b);

/* a + b and a - b, exact; scales up to 10^9, which is what sgf_parse_decimal accepts. */
SGF_PUBLIC sgf_decimal_t sgf_decimal_add(sgf_decimal_t a, sgf_decimal_t b);
SGF_PUBLIC sgf_decimal_t sgf_decimal_sub(sgf_decimal_t a, sgf_decimal_t b);
SGF_PUBLIC double sgf_decimal_value(sgf_decimal_t a);

/* The entry of `names` nearest to `name` by edit distance (letter case costs less than a letter), or NULL if none is
 * near enough to be what was meant. */
SGF_PUBLIC const char* sgf_nearest_name(const char* name, const char* const* names, size_t count);

SGF_END_DECL
#endif
