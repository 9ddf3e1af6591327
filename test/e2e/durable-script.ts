import type { ScriptedCall } from "../scripted-model/scripted-call.ts";
import { scriptFor } from "./script-for.ts";

export const DURABLE_FILES = {
  "greet.txt": "helo\nworld\nend\n",
  ".github/pull_request_template.md": "## Checklist\n",
};

/**
 * One task of two rounds: the run posts a review with one thread, replies and resolves it. When the issue says
 * "look around", the agents use tools before they answer.
 */
export function durableScript() {
  const greet = {
    rounds: [
      { edits: [{ start: 1, end: 1, text: "Helo" }], comments: [{ line: 1, body: "It is Hello." }] },
      { edits: [{ start: 1, end: 1, text: "Hello" }] },
    ],
  };
  const read = { name: "read", input: { places: [{ path: "greet.txt" }] } };
  return scriptFor({
    files: { "greet.txt": greet },
    answers: {
      "p04-plan-work": looking([{ name: "search", input: { pattern: "^hel+o$" } }, read]),
      "p09-change-file": looking([read]),
      "p11-review-work": looking([{ name: "find_references", input: { name: "Helo" } }]),
    },
  });
}

function looking(tools: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[]) {
  return ({ text, looked }: ScriptedCall) =>
    text.includes("look around)") && looked.length === 0 ? { tools } : undefined;
}
