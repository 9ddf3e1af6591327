import { type House, PLAIN_HOUSE } from "../../llm/house.ts";
import type { RunRequest } from "../../model/run-request.ts";
import { createPathPolicy, type PathPolicy } from "../change/create-path-policy.ts";
import type { RunSettings } from "./run-tools.ts";

/** What holds for one run: the repository's decisions over the operator's. */
export function readHouse(
  { settings: own }: RunRequest,
  { settings }: { readonly settings: RunSettings },
): { readonly settings: RunSettings; readonly house: House; readonly policy: PathPolicy } {
  const policy = createPathPolicy(own ?? { ignore: [], protect: [], unprotect: [] });
  if (!own) return { settings, house: PLAIN_HOUSE, policy };
  const {
    candidates,
    reviewRounds,
    draft,
    branch,
    commit,
    signOff,
    baseBranch,
    models,
    effort,
    language,
    instructions,
  } = own;
  // An operator who repairs no checks does so nowhere.
  const ciRounds = Math.min(own.ciRounds, settings.ciRounds);
  const chosen = {
    candidates,
    reviewRounds,
    draft,
    branch,
    commit,
    signOff,
    ciRounds,
    ...(baseBranch && { baseBranch }),
  };
  return {
    settings: { ...settings, ...chosen },
    house: { language, instructions, guidance: [], models, effort },
    policy,
  };
}
