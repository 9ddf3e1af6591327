#include "ring.h"
#include "tap.h"

int main(void)
{
	struct ring ring;
	int a, b, c;

	ok(ring_init(&ring, 2) && ring_count(&ring) == 0, "a new ring is empty");
	ring_push(&ring, &a);
	ok(!ring_is_full(&ring), "a ring of two is not full with one");
	ring_push(&ring, &b);
	ok(ring_is_full(&ring), "a ring of two is full with two");
	ok(ring_shift(&ring) == &a, "the oldest comes first");
	ring_push(&ring, &c);
	ok(ring_at(&ring, 0) == &b && ring_at(&ring, 1) == &c, "items go round the end");
	ok(ring_at(&ring, 2) == NULL, "there is nothing beyond the newest");
	ring_destroy(&ring);
	return tap_end();
}
