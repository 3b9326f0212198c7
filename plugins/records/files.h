/* Files and folders that results are written to. */
#ifndef RECORDS_FILES_H
#define RECORDS_FILES_H

#include <sgfabric/error.h>

#include <stdio.h>

/* The folders that lead to a file. */
sgf_status_t records_make_folders(const char* file, sgf_error_t* error);

/* Remove a file of an earlier execution; a device that stands at its place stays. */
void records_remove_file(const char* name);

/* NULL and an error if the file cannot be made. */
FILE* records_open_file(const char* name, sgf_error_t* error);

/* SGF_IO in `error` if something could not be written, now or before. */
void records_close_file(FILE* file, const char* name, sgf_error_t* error);

#endif
