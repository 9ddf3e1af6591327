import type { QaComment } from "../../src/data/work.ts";

export function sampleComment(changes: Partial<QaComment> = {}): QaComment {
  return {
    id: "t1-r1-1",
    taskId: "t1",
    round: 1,
    path: "src/money.js",
    line: 2,
    body: "Negative halves go the wrong way.",
    status: "open",
    ...changes,
  };
}
