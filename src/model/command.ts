/** The verbs, in the order in which help lists them. */
export const VERBS = ["resolve", "plan", "approve", "retry", "cancel", "status", "continue", "help"] as const;
export type Verb = (typeof VERBS)[number];

/** A command as it was written. `words` are the rest of the first line and all further lines: a hint for the agents. */
export type Command =
  | { readonly verb: "resolve" | "plan" | "approve"; readonly words: string }
  | { readonly verb: "retry" | "cancel" | "status" | "help" }
  /** `amount` in US dollars to add to the run's budget; absent: as much again as one run may cost */
  | { readonly verb: "continue"; readonly amount?: number }
  /** not understood: the text that stood where a verb should, and the verb that comes nearest to it */
  | { readonly verb: "unknown"; readonly text: string; readonly nearest: Verb };
