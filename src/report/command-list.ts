import type { Verb } from "../model/command.ts";

const FORMS: Readonly<Record<Verb, string>> = {
  resolve: "resolve [hint]",
  plan: "plan [hint]",
  approve: "approve",
  retry: "retry",
  cancel: "cancel",
  status: "status",
  continue: "continue [+amount]",
  help: "help",
};

const ON_ISSUE: Readonly<Record<Verb, string>> = {
  resolve:
    "begin, from the issue to a pull request; what follows, on this line and the next ones, is a hint for the agents",
  plan: "make a plan and wait for your approval; with words while one waits: change it",
  approve: "carry out the plan that waits",
  retry: "go on with the run that ended without a result; what was paid for is not paid for again",
  cancel: "end what is working or waiting for its turn; what was found out is kept",
  status: "say how things stand",
  continue: "go on after the budget was used up, with `amount` US dollars more, or as much as a run may cost",
  help: "this list",
};

const ON_PULL_REQUEST: Partial<Readonly<Record<Verb, string>>> = {
  resolve: "answer all open feedback, also after a person has committed to the branch",
  retry: "the same",
};

/** Commands as a Markdown list, each with what it does in a few words. */
export function commandList(verbs: readonly Verb[], onPullRequest = false): string {
  const words = (verb: Verb) => (onPullRequest && ON_PULL_REQUEST[verb]) || ON_ISSUE[verb];
  return verbs.map((verb) => `- \`/magis ${FORMS[verb]}\`: ${words(verb)}`).join("\n");
}
