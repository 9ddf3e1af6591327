#include "units.h"

#include <string.h>

/* In the order of enum unit. */
static const struct {
	const char *symbol;
	double metres;
} UNITS[] = {
	{ "m", 1 },
	{ "km", 1000 },
	{ "ft", 0.3048 },
	{ "yd", 0.9144 },
	{ "mi", 1609.344 },
	{ "ftm", 1.8288 },
};

_Static_assert(sizeof UNITS / sizeof *UNITS == UNIT_COUNT, "every unit has its row");

int unit_find(const char *symbol)
{
	for (int unit = 0; unit < UNIT_COUNT; unit++)
		if (strcmp(UNITS[unit].symbol, symbol) == 0)
			return unit;
	return -1;
}

const char *unit_symbol(int unit)
{
	return UNITS[unit].symbol;
}

double unit_metres(int unit)
{
	return UNITS[unit].metres;
}
