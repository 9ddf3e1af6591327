import type { AttemptInput, AttemptResult } from "./attempt.ts";
import { createFile } from "./create-file.ts";
import { editFile } from "./edit-file.ts";

/** Algorithm 3, one round of the Developer's part: by what the task does to its file. */
export async function attemptChange(input: AttemptInput): Promise<AttemptResult> {
  const { task, before } = input;
  if (task.action === "delete") return { after: undefined, summary: task.title, replies: new Map() };
  return before === undefined ? createFile(input) : editFile(input, before);
}
