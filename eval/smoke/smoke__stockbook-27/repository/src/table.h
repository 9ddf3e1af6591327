#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>

/* A hash table from names to numbers, with open addressing and linear probing. */
struct table_entry {
	char *name; /* NULL: the slot is free */
	long value;
};

struct table {
	struct table_entry *slots;
	size_t capacity;
	size_t count;
};

void table_init(struct table *table);
void table_destroy(struct table *table);
/* NULL when the name is not there. */
long *table_get(const struct table *table, const char *name);
void table_set(struct table *table, const char *name, long value);
/* 0 when the name was not there. */
int table_remove(struct table *table, const char *name);

#endif
