#include "stock.h"

#include <stdlib.h>

#include "table.h"

struct stock {
	struct table levels;
};

struct stock *stock_new(void)
{
	struct stock *stock = malloc(sizeof *stock);

	if (stock == NULL)
		abort();
	table_init(&stock->levels);
	return stock;
}

void stock_free(struct stock *stock)
{
	table_destroy(&stock->levels);
	free(stock);
}

long stock_level(const struct stock *stock, const char *article)
{
	long *level = table_get(&stock->levels, article);

	return level != NULL ? *level : 0;
}

void stock_receive(struct stock *stock, const char *article, long pieces)
{
	table_set(&stock->levels, article, stock_level(stock, article) + pieces);
}

int stock_sell(struct stock *stock, const char *article, long pieces)
{
	long level = stock_level(stock, article);

	if (level < pieces)
		return 0;
	if (level == pieces)
		table_remove(&stock->levels, article);
	else
		table_set(&stock->levels, article, level - pieces);
	return 1;
}

size_t stock_articles(const struct stock *stock)
{
	return stock->levels.count;
}

size_t stock_report(const struct stock *stock, FILE *out)
{
	size_t lines = 0;

	for (size_t i = 0; i < stock->levels.capacity; i++) {
		const struct table_entry *entry = &stock->levels.slots[i];

		if (entry->name != NULL) {
			fprintf(out, "%-20s %6ld\n", entry->name, entry->value);
			lines++;
		}
	}
	return lines;
}
