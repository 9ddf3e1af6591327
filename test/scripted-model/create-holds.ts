import type { ScriptedCall } from "./scripted-call.ts";

/** Calls that wait. */
export interface Hold {
  /** the first held call */
  readonly reached: Promise<ScriptedCall>;
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
