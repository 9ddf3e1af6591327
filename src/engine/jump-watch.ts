/** Two clocks in milliseconds: the wall clock, which may be set, and a steady one. */
export interface Clocks {
  readonly wall: () => number;
  readonly steady: () => number;
}

const CLOCKS: Clocks = { wall: () => Date.now(), steady: () => performance.now() };

/** A smaller difference between the clocks is drift. */
const JUMP_MS = 2_000;

/** Makes the function that gives by how many milliseconds the wall clock was set since its last call, or 0. */
export function createJumpWatch({ wall, steady }: Clocks = CLOCKS): () => number {
  let before = wall() - steady();
  return () => {
    const now = wall() - steady();
    const jump = now - before;
    before = now;
    return Math.abs(jump) < JUMP_MS ? 0 : Math.round(jump);
  };
}
