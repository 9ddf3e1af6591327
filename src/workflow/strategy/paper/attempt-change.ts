import type { Attempting, AttemptResult } from "./attempt.ts";
import { createFile } from "./create-file.ts";
import { editFile } from "./edit-file.ts";

/** Algorithm 3, one round of the Developer's part: by what the task does to its file. */
export async function attemptChange(attempting: Attempting): Promise<AttemptResult> {
  const { task, before } = attempting;
  if (task.action === "delete") return { after: undefined, summary: task.title, replies: new Map() };
  return before === undefined ? createFile(attempting) : editFile(attempting, before);
}
