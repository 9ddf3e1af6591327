#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert.h"
#include "units.h"

int main(int argc, char **argv)
{
	char sentence[200];

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		for (int unit = 0; unit < UNIT_COUNT; unit++)
			printf("%s\n", unit_symbol(unit));
		return 0;
	}
	if (argc != 4) {
		fprintf(stderr, "usage: nautic NUMBER FROM TO\n");
		return 2;
	}
	for (int i = 2; i < 4; i++) {
		if (unit_find(argv[i]) < 0) {
			fprintf(stderr, "unknown unit: %s\n", argv[i]);
			return 1;
		}
	}
	convert_sentence(sentence, sizeof sentence, atof(argv[1]), unit_find(argv[2]), unit_find(argv[3]));
	printf("%s\n", sentence);
	return 0;
}
