import type { Template } from "liquidjs";
import type { ModelTier } from "../ports/language-model.ts";

/** A prompt file, parsed: its header, and its body in parts of which all but the last are marked for caching. */
export interface Prompt {
  readonly id: string;
  /** the paper's name for it, for readers */
  readonly paper: string;
  readonly role: string;
  readonly tier: ModelTier;
  readonly maxTokens: number;
  /** the names of the values it takes; all of them, and no others */
  readonly inputs: readonly string[];
  /** the images of the issue are shown after its first part */
  readonly images: boolean;
  /** what the repository says to contributors stands before it; the fast tier has none */
  readonly guidance: boolean;
  readonly system: readonly Template[];
  readonly parts: readonly (readonly Template[])[];
}
