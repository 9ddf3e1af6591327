/**
 * For the short lives of processes in tests: V8 compiles WebAssembly (the database, the parsers) once, quickly, and not a
 * second time in the background, which is a third of what starting the bot costs, and JavaScript as it comes: a sixth less.
 */
export const NODE_FLAGS: readonly string[] = ["--liftoff-only", "--no-opt"];
