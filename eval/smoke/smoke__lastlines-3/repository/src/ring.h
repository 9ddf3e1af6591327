#ifndef RING_H
#define RING_H

#include <stddef.h>

/* A ring of pointers. `items` has one slot more than the ring holds, so that full and empty differ. */
struct ring {
	void **items;
	size_t slots;
	size_t first;
	size_t next;
};

/* Room for `capacity` pointers; 0 when there is no memory. */
int ring_init(struct ring *ring, size_t capacity);
void ring_destroy(struct ring *ring);
size_t ring_count(const struct ring *ring);
int ring_is_full(const struct ring *ring);
/* The ring must not be full. */
void ring_push(struct ring *ring, void *item);
/* The oldest item, removed; the ring must not be empty. */
void *ring_shift(struct ring *ring);
/* The item that is `index` after the oldest; NULL when there is none. */
void *ring_at(const struct ring *ring, size_t index);

#endif
