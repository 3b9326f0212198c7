/* sgfabric: what every public header needs to be used from C and C++ across a shared library. */
#ifndef SGFABRIC_EXPORT_H
#define SGFABRIC_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define SGF_BEGIN_DECL extern "C" {
#define SGF_END_DECL }
#else
#define SGF_BEGIN_DECL
#define SGF_END_DECL
#endif

/* The library is built with hidden visibility; what a public header declares is exported. */
#define SGF_PUBLIC __attribute__((visibility("default")))
#define SGF_PRINTF(text, first) __attribute__((format(printf, text, first)))

#endif
