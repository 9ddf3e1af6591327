#include "hash.h"

size_t hash(const char *name)
{
	size_t sum = 0;

	while (*name != '\0')
		sum += (unsigned char)*name++;
	return sum;
}
