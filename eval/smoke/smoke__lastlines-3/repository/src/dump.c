#include "history.h"

void history_dump(const struct history *history, FILE *out)
{
	size_t count = history_count(history);

	fprintf(out, "last %zu line%s\n", count, count == 1 ? "" : "s");
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s\n", history_get(history, i));
}
