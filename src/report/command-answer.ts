import type { Verb } from "../model/command.ts";
import { codeSpan } from "../text/code-span.ts";
import { commandList } from "./command-list.ts";

/** Answers to commands that do nothing else; `verbs` are those that work now. */
export const commandAnswer = {
  help: (verbs: readonly Verb[], onPullRequest = false) =>
    `${now(verbs, onPullRequest)}\n\nOnly the first line of a comment is read as a command.`,
  unknown: (text: string, nearest: Verb, verbs: readonly Verb[], onPullRequest = false) =>
    `I do not know ${codeSpan(`/magis ${text}`)}. Did you mean \`/magis ${nearest}\`?\n\n${now(verbs, onPullRequest)}`,
  nothing: (why: string, verbs: readonly Verb[], onPullRequest = false) => `${why}\n\n${now(verbs, onPullRequest)}`,
} as const;

const now = (verbs: readonly Verb[], onPullRequest: boolean) =>
  `Commands that work now:\n\n${commandList(verbs, onPullRequest)}`;
