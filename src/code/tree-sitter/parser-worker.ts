import { parentPort } from "node:worker_threads";
import { grammarMemoryBytes } from "./grammar.ts";
import { readSource, type SourceAnswer, type SourceRequest } from "./read-source.ts";

/** What the worker says: first that it is there, then a reply to each request. */
export type WorkerReply =
  | { kind: "ready" }
  /** `memory`: bytes that the grammars hold, which they never give back */
  | { kind: "answer"; answer: SourceAnswer; memory: number }
  /** a parser fell: this worker is done */
  | { kind: "fault"; reason: string };

// The entry of a worker thread, so it acts on being loaded. One request comes at a time.
parentPort?.on("message", (request: SourceRequest) => {
  readSource(request).then(
    (answer) => say({ kind: "answer", answer, memory: grammarMemoryBytes() }),
    (error: unknown) => say({ kind: "fault", reason: error instanceof Error ? error.message : String(error) }),
  );
});
say({ kind: "ready" });

function say(reply: WorkerReply): void {
  parentPort?.postMessage(reply);
}
