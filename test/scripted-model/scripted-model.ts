import type { ServerResponse } from "node:http";
import type { Call, LookedUp } from "./script.ts";

/** One call over HTTP. */
export interface ScriptedCall extends Call {
  model: string;
  /** the system text */
  system: string;
  /** the earlier exchanges, oldest first */
  earlier: readonly EarlierTurns[];
  /** JSON Schema of a structured answer */
  schema?: Readonly<Record<string, unknown>>;
  /** names of the offered tools */
  tools: readonly string[];
  /** nothing can be looked up: there are no tools, none may be called, or one is forced */
  mustAnswer: boolean;
}

/** An earlier exchange: a wrong answer and the reply to it, or (with `looked`) tool calls. */
export interface EarlierTurns {
  /** the text, which may be missing beside tool calls */
  answer: string;
  /** the text, empty if there are only results */
  reply: string;
  /** the look-ups of an exchange that called tools, in order */
  looked?: readonly LookedUp[];
}

/** One request with a key and a body. */
export interface JournalEntry {
  path: string;
  body: unknown;
  /** undefined for a request that the API would refuse */
  call: ScriptedCall | undefined;
  /** the response, whose `statusCode` counts once `writableEnded` is true */
  response: Pick<ServerResponse, "statusCode" | "writableEnded">;
}

/** A running scripted model. */
export interface ScriptedModel {
  /** for ANTHROPIC_BASE_URL */
  url: string;
  journal: readonly JournalEntry[];
  /** sentences about calls without a script, wrong scripts and invalid requests */
  faults: readonly string[];
  /** Holds matching calls until they are released. */
  hold(matches: (call: ScriptedCall) => boolean): Hold;
  stop(): Promise<void>;
}

/** Calls that wait. */
interface Hold {
  /** the first held call */
  reached: Promise<ScriptedCall>;
  /** Releases the held calls, and later ones. */
  release(): void;
}

/** Decides which calls wait, and until when. */
export interface Holds {
  add(matches: (call: ScriptedCall) => boolean): Hold;
  /** Resolves when no hold stops `call` any more. */
  pass(call: ScriptedCall): Promise<void>;
  releaseAll(): void;
}

export function createHolds(): Holds {
  const holds = new Set<{ matches: (call: ScriptedCall) => boolean; held: (call: ScriptedCall) => Promise<void> }>();
  const releases = new Set<() => void>();
  return {
    add: (matches) => {
      let reach = (_call: ScriptedCall): void => {};
      let open = (): void => {};
      const reached = new Promise<ScriptedCall>((resolve) => {
        reach = resolve;
      });
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      const hold = {
        matches,
        held: (call: ScriptedCall) => {
          reach(call);
          return opened;
        },
      };
      const release = (): void => {
        holds.delete(hold);
        open();
      };
      holds.add(hold);
      releases.add(release);
      return { reached, release };
    },
    pass: async (call) => {
      await Promise.all([...holds].filter((hold) => hold.matches(call)).map((hold) => hold.held(call)));
    },
    releaseAll: () => {
      for (const release of releases) release();
    },
  };
}
