#include "history.h"

#include <stdlib.h>
#include <string.h>

#include "ring.h"

struct history {
	struct ring ring;
	size_t limit;
};

struct history *history_new(size_t limit)
{
	struct history *history = malloc(sizeof *history);

	if (history == NULL)
		return NULL;
	history->limit = limit;
	if (!ring_init(&history->ring, limit)) {
		free(history);
		return NULL;
	}
	return history;
}

void history_free(struct history *history)
{
	while (ring_count(&history->ring) > 0)
		free(ring_shift(&history->ring));
	ring_destroy(&history->ring);
	free(history);
}

int history_add(struct history *history, const char *line)
{
	size_t size = strlen(line) + 1;
	char *copy = malloc(size);

	if (copy == NULL)
		return 0;
	memcpy(copy, line, size);
	ring_push(&history->ring, copy);
	if (ring_count(&history->ring) >= history->limit)
		free(ring_shift(&history->ring));
	return 1;
}

size_t history_count(const struct history *history)
{
	return ring_count(&history->ring);
}

const char *history_get(const struct history *history, size_t index)
{
	return ring_at(&history->ring, index);
}
