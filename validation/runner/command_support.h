/* Running the built command from a test, and the files it reads. */
#ifndef SGF_VALIDATION_COMMAND_SUPPORT_H
#define SGF_VALIDATION_COMMAND_SUPPORT_H

#include <jansson.h>
#include <stddef.h>

/* A list of arguments for command_run and command_json. */
#define ARGS(...) ((const char* const[]){__VA_ARGS__, NULL})

#define MAIN_PLATFORM SGF_SOURCE_DIR "/platforms/rack9.xml"
#define MAIN_DEPLOYMENT SGF_SOURCE_DIR "/deployments/incast8_d.xml"

/* Run the command; what it prints on both outputs goes to *out, to be freed. Returns its exit status. */
int command_run(const char* const* args, char** out);

/* Run it and look for a word in what it prints. */
void command_expect(const char* const* args, int status, const char* word);

/* What it prints when it succeeds, behind a new line, with each run of blanks as one and none at the beginning of a
 * line; to be freed. */
char* command_words(const char* const* args);

/* Run the command with --json added; the object on its standard output, to be released with json_decref, or NULL if
 * there is anything else on it. What goes to the other output is not looked at. */
json_t* command_json(const char* const* args, int* status);
json_t* command_object(const char* const* args); /* the same where it has to succeed */

/* Members of an object, which have to be there and of that type. */
json_int_t member_integer(const json_t* object, const char* key);
double member_real(const json_t* object, const char* key);
const char* member_text(const json_t* object, const char* key);

/* A text has a word in it; else it is shown. */
void text_expect(const char* text, const char* word);
/* Where a line is in a text, from the end of the line before it; NULL, and said: nowhere. */
const char* text_line(const char* text, const char* line);
/* All of a file, to be freed. */
char* text_read(const char* path);

/* A rack of hosts gpu0, gpu1, ... around the switch tor0, 400 Gb/s and 100 ns, as lines of a platform file. */
enum { RACK_PROPERTY = 5, RACK_FIRST_HOST = 6, RACK_MAX_LINES = 80, RACK_LINE_SIZE = 200 };
typedef struct rack {
  char lines[RACK_MAX_LINES][RACK_LINE_SIZE]; /* RACK_PROPERTY is that of a property, counted from 0 */
  size_t count;
  size_t hosts;
} rack_t;

rack_t rack_of(size_t hosts);
size_t rack_route_line(const rack_t* rack, size_t host); /* the line, from 0, of a host's route */

/* Write the rack, or a text, as a file of the build folder; the path is to be freed. The name is the test's own. */
char* rack_write(const rack_t* rack, const char* name);
char* text_write(const char* text, const char* name);

/* A deployment whose elements <actor> are given. */
char* deployment_write(const char* actors, const char* name);

/* Run actors on a rack of hosts, from files of that name, with further options of the command. */
json_t* actors_run(size_t hosts, const char* actors, const char* const* options, const char* name, int status);

#endif
