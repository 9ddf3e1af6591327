import type { AcceptanceRow } from "../queue/visible.ts";
import { formatCount } from "../report/run/document.ts";
import type { Reply } from "./gate.ts";
import type { PageParts } from "./page-parts.ts";
import { dollars } from "./plots.ts";

const MOST = 500;

const MONTHS_HEAD = ["repository", "month", "the bot's", "people's"];

const HEAD = ["repository", "runs", "unfinished", "this month", "cost", "pull requests", "merged"];

/** What the bot did in each repository. */
export async function repositoriesPage({ templates, visitor, figures }: PageParts): Promise<Reply> {
  const repositories = await figures.repositories(MOST);
  const acceptance = await figures.acceptance(MOST);
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
    values: { head: HEAD, rows, months: MONTHS_HEAD, acceptance: acceptance.map(acceptanceCells) },
  });
}

function acceptanceCells({ name, month, merged, decided, peoplesMerged, peoplesDecided }: AcceptanceRow) {
  return [name, month, share(merged, decided), share(peoplesMerged, peoplesDecided)];
}

const share = (merged: number, decided: number) =>
  decided === 0 ? "none" : `${merged} of ${decided} (${Math.round((100 * merged) / decided)} %)`;
