import type { AiPolicy } from "../data/plan.ts";
import { codeSpan, plain, webLink } from "../text/compose-markdown.ts";

/** Who made a change: for the one line of the pull request that discloses it. */
export interface Making {
  /** names, the strong one's first; none where they are not known */
  models: readonly string[];
  /** login of the person who asked; absent where they published it themselves */
  askedBy?: string | undefined;
  policy?: AiPolicy | undefined;
}

/** The fixed line of each pull request: AI made it, with which models, and who asked for it. */
export function disclosureLine({ models, askedBy, policy }: Making): string {
  const names = models.length === 0 ? "" : ` (${models.map(codeSpan).join(", ")})`;
  const asked = askedBy === undefined ? "" : `, asked for by ${plain(askedBy)}`;
  const rule = policy === undefined ? "" : ` (${codeSpan(policy.path)}, line ${policy.line}, asks to say so)`;
  return `Made with AI by MAGIS${names}${asked}${rule}.`;
}

/** The trailer that a repository asks for, e.g. `Assisted-by: MAGIS:claude-opus-5-5`. */
export function disclosureTrailer({ models, policy }: Pick<Making, "models" | "policy">): string | undefined {
  return policy?.trailer && `${policy.trailer}: ${["MAGIS", ...models.slice(0, 1)].join(":")}`;
}

/** Links the run's page on the dashboard, if there is one. */
export const pageSentence = (page: string | undefined): string =>
  page === undefined ? "" : `${webLink("The run's page", page)} has the details.`;
