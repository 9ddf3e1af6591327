#ifndef CONVERT_H
#define CONVERT_H

#include <stddef.h>

double convert(double number, int from, int to);
/* "5 kilometres are 3.10686 miles", cut to `size` bytes. */
void convert_sentence(char *sentence, size_t size, double number, int from, int to);

#endif
