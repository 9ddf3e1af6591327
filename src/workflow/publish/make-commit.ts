import { isMagisError } from "../../model/magis-error.ts";
import type { Log } from "../../ports/log.ts";
import type { CommitWay } from "../../report/pull-request-body.ts";
import { commitByApi } from "./commit-by-api.ts";
import { commitByPush } from "./commit-by-push.ts";
import { commitByStaging } from "./commit-by-staging.ts";
import type { CommitInput } from "./committing.ts";

const WAYS: readonly { readonly way: CommitWay; readonly make: (input: CommitInput) => Promise<string> }[] = [
  { way: "signed by GitHub", make: commitByStaging },
  { way: "signed by GitHub, through the API alone", make: commitByApi },
  { way: "pushed, unsigned", make: commitByPush },
];

/** A person's commits are made by nobody else. */
const OWN_WAY = [{ way: "pushed in a person's name", make: commitByPush }] as const;

/**
 * Makes the commit in the best way that the host takes: pushed objects with a commit that the host makes and signs,
 * everything through its API, a plain push. Never forced. Throws what the last way was refused with, and
 * GIT_BRANCH_MOVED at once.
 */
export async function makeCommit(
  input: CommitInput,
  log: Log,
): Promise<{ readonly id: string; readonly way: CommitWay }> {
  let refusal: unknown;
  for (const { way, make } of input.host.author ? OWN_WAY : WAYS) {
    try {
      return { id: await make(input), way };
    } catch (error) {
      if (!isMagisError(error, "HOST_REFUSED", "HOST_NOT_FOUND", "GIT_PUSH_REFUSED", "GIT_TOKEN_REFUSED")) throw error;
      log.warn({ error, way }, "the host did not take the commit this way");
      refusal = error;
    }
  }
  throw refusal;
}
