/* Prints results in the Test Anything Protocol. */
#ifndef TAP_H
#define TAP_H

#include <stdio.h>

static int tap_count, tap_failures;

static inline void ok(int passed, const char *name)
{
	tap_count++;
	if (!passed)
		tap_failures++;
	printf("%sok %d - %s\n", passed ? "" : "not ", tap_count, name);
	fflush(stdout);
}

static inline int tap_end(void)
{
	printf("1..%d\n", tap_count);
	return tap_failures != 0;
}

#endif
