import type { ModelRequest } from "../../src/ports/language-model.ts";

/** A small request to the scripted model, with `changes`. */
export function scriptedRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    promptId: "p04-define-task",
    tier: "strong",
    maxTokens: 2000,
    system: "You are the manager.",
    parts: [{ text: "The issue.", cache: true }, { text: "MAGIS prompt p04-define-task\n\nThe task." }],
    earlier: [],
    ...changes,
  };
}
