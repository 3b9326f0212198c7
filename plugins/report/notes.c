/* What processes tell the command that has started them: a letter each, at the end of a file that the environment
 * names. Whatever the program starts inherits it, through shells, smpirun and os.execv alike. */
#define _GNU_SOURCE
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char variable[] = "SGFABRIC_NOTES";

sgf_status_t report_notes_open(report_notes_t* notes, sgf_error_t* error)
{
  const char* folder = getenv("TMPDIR");
  *notes             = (report_notes_t){.path = report_format("%s/sgfabric-notes-XXXXXX", folder ? folder : "/tmp")};
  notes->file        = mkostemp(notes->path, O_CLOEXEC);
  if (notes->file < 0 || setenv(variable, notes->path, 1) != 0)
    return sgf_error_set(error, SGF_IO, "%s: %s; TMPDIR may name another folder", notes->path, strerror(errno));
  return SGF_OK;
}

void report_note(report_note_t note)
{
  const char* path  = getenv(variable);
  const char letter = (char)note;
  const int file    = path != NULL ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
  if (file < 0)
    return;
  if (write(file, &letter, 1) != 1 && note == REPORT_ATTACHED)
    fprintf(stderr, "sgfabric: warning: %s: %s\n", path, strerror(errno));
  close(file);
}

size_t report_notes_count(const report_notes_t* notes, report_note_t note)
{
  char letters[256];
  size_t count = 0;
  off_t at     = 0;
  for (ssize_t got; (got = pread(notes->file, letters, sizeof letters, at)) > 0; at += got)
    for (ssize_t i = 0; i < got; i++)
      count += letters[i] == (char)note;
  return count;
}

void report_notes_close(report_notes_t* notes)
{
  if (notes->file >= 0) {
    close(notes->file);
    unlink(notes->path);
  }
  free(notes->path);
  *notes = (report_notes_t){.file = -1};
}
