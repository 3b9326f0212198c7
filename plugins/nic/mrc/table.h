/* nic/mrc: ends of queue pairs by the address of the other host and the number of the pair. Open addressing; what is in
 * it stays. */
#ifndef MRC_TABLE_H
#define MRC_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* What an end begins with. */
typedef struct mrc_key {
  uint32_t address;
  uint32_t queue_pair;
} mrc_key_t;

typedef struct mrc_table {
  mrc_key_t** slots;
  uint32_t size;   /* a power of two, or 0 */
  mrc_key_t** all; /* in order of insertion */
  uint32_t count;
} mrc_table_t;

void* mrc_table_find(const mrc_table_t* table, uint32_t address, uint32_t queue_pair); /* NULL: it is not there */
void mrc_table_add(mrc_table_t* table, mrc_key_t* end);
void mrc_table_free(mrc_table_t* table); /* not what is in it */

#endif
