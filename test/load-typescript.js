import * as module from "node:module";
import { isMainThread } from "node:worker_threads";
import { loadSync } from "./typescript-hooks.js";

// Given to Node by `--import`, which threads and forked processes inherit: the ones that our sources and tests start then load
// TypeScript on each version of Node. Jest's own transform reaches its main thread only.
if (!isMainThread || process.argv[1]?.endsWith(".ts")) {
  if (module.registerHooks) module.registerHooks({ load: loadSync });
  else module.register("./typescript-hooks.js", import.meta.url);
}
