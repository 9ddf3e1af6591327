import { viewCandidates } from "../../../../src/agents/lean/view/candidates.ts";
import { openRepositoryView } from "../../../../src/agents/lean/view/repository-view.ts";
import type { Candidate } from "../../../../src/data/plan.ts";
import { openWorkshop } from "../../../workflow/open-workshop.ts";

/** The tests shown to the Manager when the file at `path` may change. */
export async function viewing(
  files: Readonly<Record<string, string>>,
  path: string,
  { title = "colour", changed = [], history = [], ...more }: Partial<Candidate> & Spoken = {},
) {
  const shop = await openWorkshop({ files });
  const { parser } = shop.tools;
  const repositoryView = await openRepositoryView(shop.tools);
  const issue = { ...shop.tools.issue, title, body: "", discussion: [] };
  const candidates = [{ ...shop.candidate(path), ...more }, ...changed.map((one) => shop.candidate(one))];
  const past = history.map(([message, ...paths], at) => ({ commit: `${at}`, message, paths }));
  const repository = { history: async () => past, landed: async () => [] };
  return (await viewCandidates({ issue, candidates, repository, repositoryView, parser })).tests;
}

/** The issue's words, tests that may change, and the history. */
export interface Spoken {
  title?: string;
  changed?: readonly string[];
  /** past commits: message and changed paths */
  history?: readonly (readonly [string, ...string[]])[];
}
