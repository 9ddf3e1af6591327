import type { Assignment } from "../../llm/manager.ts";
import type { OpenComment, OpenThread } from "../../model/feedback.ts";
import type { TaskAction } from "../../model/task.ts";
import { codeBlock } from "../../text/code-block.ts";
import { describeThread } from "./describe-thread.ts";

/** All that one file is to be changed for. */
export interface FileWork {
  readonly path: string;
  readonly action: TaskAction;
  readonly threads: readonly OpenThread[];
  readonly comments: readonly OpenComment[];
  /** the Manager's words on what the comments ask of this file */
  readonly wanted: readonly { readonly title: string; readonly description: string }[];
}

const OPENING =
  "Maintainers have reviewed the pull request. The file is shown as the pull request has it now; what they say about it follows. Make the changes that they ask for, keep everything else, and answer every one of them.";

/** The task of a file: the threads on it and what the Manager wants of it for comments. */
export function taskOfFile(id: string, { path, action, threads, comments, wanted }: FileWork): Assignment {
  const said = comments.map(({ id, author, body }) => `Comment ${id} of ${author}:\n\n${codeBlock(body, "")}`);
  const parts = [...threads.map(describeThread), ...said, ...wanted.map(({ description }) => description)];
  const answered = [...threads, ...comments].map((item) => item.id);
  return {
    id,
    path,
    action,
    title: wanted[0]?.title ?? `Answer the review of ${path}`,
    description: [OPENING, ...parts].join("\n\n"),
    ...(action === "modify" && { threads: answered }),
  };
}
