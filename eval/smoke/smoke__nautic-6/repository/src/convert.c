#include "convert.h"

#include <stdio.h>

#include "units.h"

double convert(double number, int from, int to)
{
	return number * unit_metres(from) / unit_metres(to);
}

void convert_sentence(char *sentence, size_t size, double number, int from, int to)
{
	double result = convert(number, from, to);

	snprintf(sentence, size, "%g %s %s %g %s", number, unit_name(from, number), number == 1 ? "is" : "are",
		result, unit_name(to, result));
}
