import { formatCount } from "../cli/show/document.ts";
import type { Reply } from "./gate.ts";
import type { PageParts } from "./page-parts.ts";
import { dollars } from "./plots.ts";

const MOST = 500;

const HEAD = ["repository", "runs", "unfinished", "this month", "cost", "pull requests", "merged"];

/** What the bot did in each repository. */
export async function repositoriesPage({ templates, visitor, figures }: PageParts): Promise<Reply> {
  const repositories = await figures.repositories(MOST);
  const rows = repositories.map(({ name, runs, unfinished, money, moneyThisMonth, opened, merged }) => [
    name,
    formatCount(runs),
    formatCount(unfinished),
    dollars(moneyThisMonth),
    dollars(money),
    formatCount(opened),
    formatCount(merged),
  ]);
  return templates.page("repositories", visitor, {
    title: "Repositories",
    place: "Repositories",
    values: { head: HEAD, rows },
  });
}
