/* attr: text files and the words of their lines, for those who read a format of their own. */
#ifndef SGFABRIC_ATTR_FILE_H
#define SGFABRIC_ATTR_FILE_H

#include <sgfabric/attr.h>
#include <stdio.h>

/* All of a stream with a zero behind it, to be freed; NULL if it cannot be read: errno says why. Reading ends as soon
 * as there are more than `most` bytes, which `*size` then tells. */
char* sgf_read_stream(FILE* stream, size_t most, size_t* size);

bool sgf_has_word(const char* line);

/* The next word of a line, between white space, and NULL behind the last. Cuts it off where it stands; `*rest` is what
 * follows. */
char* sgf_next_word(char** rest);

/* The number that a word is (NULL: there was none), from `least` to `most`. The reason of a refusal speaks of `what`.
 */
sgf_status_t sgf_word_number(const char* word, const char* what, uint64_t least, uint64_t most, uint64_t* number,
                             sgf_error_t* reason);

#endif
