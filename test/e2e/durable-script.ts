import { scriptFor } from "./script-for.ts";

export const DURABLE_FILES = {
  "greet.txt": "helo\nworld\nend\n",
  ".github/pull_request_template.md": "## Checklist\n",
};

/** One task of two rounds: the run makes a review with a thread that gets a reply and is resolved. */
export function durableScript() {
  const greet = {
    rounds: [
      { edits: [{ start: 1, end: 1, text: "Helo" }], comments: [{ line: 1, body: "It is Hello." }] },
      { edits: [{ start: 1, end: 1, text: "Hello" }] },
    ],
  };
  return scriptFor({ files: { "greet.txt": greet } });
}
