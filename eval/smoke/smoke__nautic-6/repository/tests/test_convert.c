#include <string.h>

#include "convert.h"
#include "tap.h"
#include "units.h"

int main(void)
{
	char sentence[100];

	convert_sentence(sentence, sizeof sentence, 5, UNIT_KILOMETRE, UNIT_MILE);
	ok(strcmp(sentence, "5 kilometres are 3.10686 miles") == 0, "converts kilometres to miles");
	convert_sentence(sentence, sizeof sentence, 1, UNIT_YARD, UNIT_FOOT);
	ok(strcmp(sentence, "1 yard is 3 feet") == 0, "says one yard");
	return tap_end();
}
