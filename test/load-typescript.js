import { register } from "node:module";

// Given to Node by `--import`, which threads and forked processes inherit: those of our sources and tests that are TypeScript
// then run on Node 20 too, which cannot strip types itself. Jest's transform reaches its main thread only.
if (!process.features.typescript && process.argv[1]?.endsWith(".ts")) {
  register("./typescript-hooks.js", import.meta.url);
}
