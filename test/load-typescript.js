import { register } from "node:module";

// Node loads this by `--import`, which threads and forked processes inherit: they then run our TypeScript on Node 20
// too, which cannot strip types itself. Jest transforms only what its main thread loads.
if (!process.features.typescript && process.argv[1]?.endsWith(".ts")) {
  register("./typescript-hooks.js", import.meta.url);
}
