import type { Candidate } from "../../../../../src/model/plan.ts";
import { openRepositoryView } from "../../../../../src/workflow/strategy/lean/view/repository-view.ts";
import { viewTests } from "../../../../../src/workflow/strategy/lean/view/tests.ts";
import { MANAGER_BUDGETS } from "../../../../../src/workflow/strategy/lean/view/token-budgets.ts";
import { openWorkshop } from "../../../open-workshop.ts";

/** The tests shown to the Manager when the file at `path` may change. */
export async function viewing(
  files: Readonly<Record<string, string>>,
  path: string,
  { terms = { colour: 1 }, exact = [], changed = [], history = [], ...more }: Partial<Candidate> & Spoken = {},
) {
  const shop = await openWorkshop({ files });
  const repositoryView = await openRepositoryView(shop.tools);
  const issue = { title: Object.keys(terms).join(" "), body: "" };
  const spoken = { issue, terms: new Map(Object.entries(terms)), exact: new Set(exact) };
  const candidates = [{ ...shop.candidate(path), ...more }, ...changed.map((one) => shop.candidate(one))];
  const past = history.map(([message, ...paths], at) => ({ commit: `${at}`, message, paths }));
  return viewTests(candidates, {
    ...spoken,
    history: past,
    repositoryView,
    budgets: MANAGER_BUDGETS.tests,
    parser: shop.tools.parser,
  });
}

/** The issue's words, tests that may change, and the history. */
export interface Spoken {
  readonly terms?: Readonly<Record<string, number>>;
  readonly exact?: readonly string[];
  readonly changed?: readonly string[];
  /** past commits: message and changed paths */
  readonly history?: readonly (readonly [string, ...string[]])[];
}
