#include <string.h>

#include "history.h"
#include "tap.h"

int main(void)
{
	struct history *history = history_new(100);

	history_add(history, "a");
	history_add(history, "b");
	ok(history_count(history) == 2, "keeps what fits");
	ok(strcmp(history_get(history, 0), "a") == 0, "the oldest line is the first");
	ok(history_get(history, 2) == NULL, "there is no line after the newest");
	history_free(history);
	return tap_end();
}
