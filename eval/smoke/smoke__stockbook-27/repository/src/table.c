#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "hash.h"

static struct table_entry *entry_of(const struct table *table, const char *name)
{
	size_t i = hash(name) % table->capacity;

	while (table->slots[i].name != NULL && strcmp(table->slots[i].name, name) != 0)
		i = (i + 1) % table->capacity;
	return &table->slots[i];
}

static void resize(struct table *table, size_t capacity)
{
	struct table old = *table;

	table->slots = calloc(capacity, sizeof *table->slots);
	if (table->slots == NULL)
		abort();
	table->capacity = capacity;
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i].name != NULL)
			*entry_of(table, old.slots[i].name) = old.slots[i];
	free(old.slots);
}

void table_init(struct table *table)
{
	memset(table, 0, sizeof *table);
	resize(table, 16);
}

void table_destroy(struct table *table)
{
	for (size_t i = 0; i < table->capacity; i++)
		free(table->slots[i].name);
	free(table->slots);
}

long *table_get(const struct table *table, const char *name)
{
	struct table_entry *entry = entry_of(table, name);

	return entry->name != NULL ? &entry->value : NULL;
}

void table_set(struct table *table, const char *name, long value)
{
	struct table_entry *entry = entry_of(table, name);

	if (entry->name == NULL) {
		/* at least a quarter of the slots stays free */
		if ((table->count + 1) * 4 > table->capacity * 3) {
			resize(table, table->capacity * 2);
			entry = entry_of(table, name);
		}
		entry->name = malloc(strlen(name) + 1);
		if (entry->name == NULL)
			abort();
		strcpy(entry->name, name);
		table->count++;
	}
	entry->value = value;
}

int table_remove(struct table *table, const char *name)
{
	struct table_entry *entry = entry_of(table, name);

	if (entry->name == NULL)
		return 0;
	free(entry->name);
	entry->name = NULL;
	table->count--;
	return 1;
}
