import type { Task } from "../../src/data/plan.ts";

export function sampleTask(changes: Partial<Task> = {}): Task {
  const id = changes.id ?? "t1";
  return {
    id,
    path: "src/money.js",
    action: "modify",
    title: "Add roundCents",
    description: "Export `roundCents(cents)`, which gives whole cents, halves away from zero.",
    developer: { title: `Money developer ${id}`, description: "Knows integer amounts." },
    ...changes,
  };
}
