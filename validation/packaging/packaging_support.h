/* Shell commands from a test, and an installation of the build. */
#ifndef SGF_VALIDATION_PACKAGING_SUPPORT_H
#define SGF_VALIDATION_PACKAGING_SUPPORT_H

/* What a shell prints, on both outputs, for a script that must succeed; to be freed. The script is printed when it
 * fails. */
__attribute__((format(printf, 1, 2))) char* shell(const char* script, ...);

/* Install the build below the folder of the test, under a name of the test's own, and move the whole to another place.
 * The prefix where it is then, an absolute path, to be freed. */
char* installed(const char* name);

/* `text` cut at its next newline, which *text moves behind; NULL at the end. */
char* next_line(char** text);

#endif
