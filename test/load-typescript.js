import * as module from "node:module";
import { isMainThread } from "node:worker_threads";
import { loadSync } from "./typescript-hooks.js";

// Given to Node by `--import`, which threads inherit: the ones that our sources start then load TypeScript on each
// version of Node. Jest's own transform reaches the main thread only.
if (!isMainThread) {
  if (module.registerHooks) module.registerHooks({ load: loadSync });
  else module.register("./typescript-hooks.js", import.meta.url);
}
