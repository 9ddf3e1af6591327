#ifndef UNITS_H
#define UNITS_H

/* Units by number, in the order in which they are listed. */
enum unit {
	UNIT_METRE,
	UNIT_KILOMETRE,
	UNIT_FOOT,
	UNIT_YARD,
	UNIT_MILE,
	UNIT_FATHOM,
	UNIT_COUNT,
};

/* The unit of that symbol, -1 when there is none. */
int unit_find(const char *symbol);
const char *unit_symbol(int unit);
double unit_metres(int unit);
/* Its name in a sentence: "metre" for 1, "metres" for any other number. */
const char *unit_name(int unit, double number);

#endif
