/** The input of the Action that sets each variable. */
const INPUTS: Readonly<Record<string, string>> = {
  GITHUB_TOKEN: "github-token",
  ANTHROPIC_API_KEY: "anthropic-api-key",
  MAGIS_MODEL_STRONG: "model",
  MAGIS_MODEL_FAST: "fast-model",
  MAGIS_BUDGET_MONEY: "budget",
  MAGIS_CHECK: "check",
  MAGIS_CHECK_SANDBOX: "check-sandbox",
};

const NAMED = Object.keys(INPUTS).join("|");

/** As the command line says it. */
const UNSAFE = "--check-sandbox off (MAGIS_CHECK_SANDBOX)";

const MISSING = new RegExp(`^(?:${NAMED}) is missing: set it\\.`, "gm");

const VARIABLE = new RegExp(`\\b(?:${NAMED})\\b`, "g");

const SECRETS =
  "if the workflow takes it from a secret, add that to the repository (Settings, Secrets and variables, Actions)";

/** A fault as the Action's user knows it: by inputs, in place of the variables that the action sets from them. */
export function inputWords(fault: string): string {
  return fault
    .replaceAll(UNSAFE, "`check-sandbox: off`")
    .replace(MISSING, (found) => `${found.slice(0, -1)}, and ${SECRETS}.`)
    .replace(VARIABLE, (variable) => `\`${INPUTS[variable]}\``);
}
