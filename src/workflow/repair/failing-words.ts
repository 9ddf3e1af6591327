import type { FailingWords } from "../../report/check-comment.ts";
import type { FailingChecks } from "./situation.ts";

/** What the comments say of failing checks. */
export function failingWords({ pull, ours, unknown, theirs, theirsId }: FailingChecks): FailingWords {
  return { head: pull.head, ours: ours.map(({ name }) => name), unknown, theirs, theirsId };
}
