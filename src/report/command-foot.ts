import type { Verb } from "../model/command.ts";

/** One sentence that names commands, for the foot of a comment. */
export function commandFoot(verbs: readonly Verb[]): string {
  return `Commands that work now: ${verbs.map((verb) => `\`/magis ${verb}\``).join(", ")}.`;
}
