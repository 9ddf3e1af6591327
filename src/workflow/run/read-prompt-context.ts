import { PLAIN_CONTEXT, type PromptContext } from "../../llm/prompt-context.ts";
import type { RunRequest } from "../../model/run-request.ts";
import { createPathPolicy, type PathPolicy } from "../change/create-path-policy.ts";
import type { RunSettings } from "./run-tools.ts";

/** What holds for one run: the repository's decisions over the operator's. */
export function readPromptContext(
  { settings: own }: RunRequest,
  { settings }: { readonly settings: RunSettings },
): { readonly settings: RunSettings; readonly context: PromptContext; readonly policy: PathPolicy } {
  const policy = createPathPolicy(own ?? { ignore: [], protect: [], unprotect: [] });
  if (!own) return { settings, context: PLAIN_CONTEXT, policy };
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
    context: { language, instructions, guidance: [], models, effort },
    policy,
  };
}
