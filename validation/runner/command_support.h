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

/* Run the command with --json added; the object on its standard output, to be released with json_decref, or NULL if
 * there is anything else on it. What goes to the other output is not looked at. */
json_t* command_json(const char* const* args, int* status);

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

#endif
