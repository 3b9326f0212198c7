/* A stub of SimGrid 4.x: README.md. */
#ifndef XBT_BASE_H
#define XBT_BASE_H

#define XBT_PUBLIC __attribute__((visibility("default")))

#ifdef __cplusplus
#define SG_BEGIN_DECL extern "C" {
#define SG_END_DECL }
#else
#define SG_BEGIN_DECL
#define SG_END_DECL
#endif

#endif
