#include "units.h"

/* Singular and plural, by unit. */
static const char *const NAMES[UNIT_COUNT][2] = {
	[UNIT_METRE] = { "metre", "metres" },
	[UNIT_KILOMETRE] = { "kilometre", "kilometres" },
	[UNIT_FOOT] = { "foot", "feet" },
	[UNIT_YARD] = { "yard", "yards" },
	[UNIT_MILE] = { "mile", "miles" },
	[UNIT_FATHOM] = { "fathom", "fathoms" },
};

const char *unit_name(int unit, double number)
{
	return NAMES[unit][number != 1];
}
