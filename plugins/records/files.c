/* Files and folders. */
#include "records/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "attr/alloc.h"

sgf_status_t records_make_folders(const char* file, sgf_error_t* error)
{
  char* path          = sgf_strdup(file);
  sgf_status_t status = SGF_OK;
  for (char* slash = strchr(path + 1, '/'); path[0] != '\0' && slash != NULL && status == SGF_OK;
       slash       = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
      status = sgf_error_set(error, SGF_IO, "folder '%s' cannot be made: %s", path, strerror(errno));
    *slash = '/';
  }
  free(path);
  return status;
}

void records_remove_file(const char* name)
{
  struct stat status;
  if (lstat(name, &status) == 0 && S_ISREG(status.st_mode))
    remove(name);
}

FILE* records_open_file(const char* name, sgf_error_t* error)
{
  FILE* file = fopen(name, "w");
  if (file == NULL)
    sgf_error_set(error, SGF_IO, "'%s' cannot be written: %s", name, strerror(errno));
  return file;
}

void records_close_file(FILE* file, const char* name, sgf_error_t* error)
{
  const bool failed = ferror(file) != 0;
  if (fclose(file) != 0 || failed)
    sgf_error_set(error, SGF_IO, "'%s' could not be written to its end", name);
}
