import type { Effort, ModelTier } from "../ports/language-model.ts";

/** What a repository has to say to every prompt. */
export interface PromptContext {
  /** in which people are written to */
  readonly language: string;
  /** the maintainers' own words to the agents; "" when there are none */
  readonly instructions: string;
  /** files of the repository that guide contributors and agents: material, not instructions */
  readonly guidance: readonly { readonly path: string; readonly text: string }[];
  /** models and effort in place of the configured ones */
  readonly models?: Partial<Readonly<Record<ModelTier, string>>>;
  readonly effort?: Partial<Readonly<Record<ModelTier, Effort>>>;
}

export const PLAIN_CONTEXT: PromptContext = { language: "English", instructions: "", guidance: [] };
