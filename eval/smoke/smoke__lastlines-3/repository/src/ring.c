#include "ring.h"

#include <stdlib.h>

int ring_init(struct ring *ring, size_t capacity)
{
	ring->slots = capacity + 1;
	ring->first = ring->next = 0;
	ring->items = calloc(ring->slots, sizeof *ring->items);
	return ring->items != NULL;
}

void ring_destroy(struct ring *ring)
{
	free(ring->items);
	ring->items = NULL;
}

size_t ring_count(const struct ring *ring)
{
	return (ring->next + ring->slots - ring->first) % ring->slots;
}

int ring_is_full(const struct ring *ring)
{
	return ring_count(ring) == ring->slots - 1;
}

void ring_push(struct ring *ring, void *item)
{
	ring->items[ring->next] = item;
	ring->next = (ring->next + 1) % ring->slots;
}

void *ring_shift(struct ring *ring)
{
	void *item = ring->items[ring->first];

	ring->first = (ring->first + 1) % ring->slots;
	return item;
}

void *ring_at(const struct ring *ring, size_t index)
{
	if (index >= ring_count(ring))
		return NULL;
	return ring->items[(ring->first + index) % ring->slots];
}
