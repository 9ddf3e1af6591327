#ifndef HASH_H
#define HASH_H

#include <stddef.h>

/* The sum of the bytes: short names, small tables. */
size_t hash(const char *name);

#endif
