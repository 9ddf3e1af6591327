/**
 * For the short lives of processes in tests: V8 compiles WebAssembly (the database, the parsers) once, quickly, and not a
 * second time in the background. That is a third of what starting the bot costs.
 */
export const NODE_FLAGS: readonly string[] = ["--liftoff-only"];
