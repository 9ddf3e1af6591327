#ifndef STOCK_H
#define STOCK_H

#include <stdio.h>

struct stock;

struct stock *stock_new(void);
void stock_free(struct stock *stock);
void stock_receive(struct stock *stock, const char *article, long pieces);
/* 0 when there are not that many. An article that is sold out leaves the book. */
int stock_sell(struct stock *stock, const char *article, long pieces);
long stock_level(const struct stock *stock, const char *article);
/* How many articles there are. */
size_t stock_articles(const struct stock *stock);
/* A line for each article; the number of lines. */
size_t stock_report(const struct stock *stock, FILE *out);

#endif
