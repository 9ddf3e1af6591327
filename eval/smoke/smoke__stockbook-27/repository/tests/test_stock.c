#include "stock.h"
#include "tap.h"

int main(void)
{
	struct stock *stock = stock_new();
	char name[] = "article a";

	stock_receive(stock, "nail", 100);
	stock_receive(stock, "nail", 50);
	ok(stock_level(stock, "nail") == 150, "adds up what comes in");
	ok(!stock_sell(stock, "nail", 151), "sells no more than there is");
	ok(stock_sell(stock, "nail", 150) && stock_articles(stock) == 0, "an article sold out leaves the book");
	for (char letter = 'a'; letter <= 'z'; letter++) {
		name[8] = letter;
		stock_receive(stock, name, letter);
	}
	ok(stock_articles(stock) == 26 && stock_level(stock, "article q") == 'q', "grows");
	stock_free(stock);
	return tap_end();
}
