#ifndef HISTORY_H
#define HISTORY_H

#include <stddef.h>
#include <stdio.h>

struct history;

/* Keeps the last `limit` lines, at least 1; NULL when there is no memory. */
struct history *history_new(size_t limit);
void history_free(struct history *history);
/* Copies `line`; 0 when there is no memory. */
int history_add(struct history *history, const char *line);
size_t history_count(const struct history *history);
/* Line `index`, 0 is the oldest; NULL when there is none. */
const char *history_get(const struct history *history, size_t index);
/* Prints a heading and all lines. */
void history_dump(const struct history *history, FILE *out);

#endif
