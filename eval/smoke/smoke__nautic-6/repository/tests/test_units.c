#include <string.h>

#include "tap.h"
#include "units.h"

int main(void)
{
	int named = 1;

	ok(unit_find("yd") == UNIT_YARD, "finds a unit by its symbol");
	ok(unit_find("parsec") == -1, "knows what is no unit");
	ok(unit_metres(UNIT_FATHOM) == 1.8288, "a fathom has its length");
	for (int unit = 0; unit < UNIT_COUNT; unit++)
		named = named && unit_name(unit, 1) != NULL && unit_name(unit, 2) != NULL;
	ok(named, "every unit has its names");
	ok(strcmp(unit_name(UNIT_FOOT, 3), "feet") == 0, "feet are the plural of foot");
	return tap_end();
}
