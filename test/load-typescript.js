import * as module from "node:module";
import threads, { isMainThread } from "node:worker_threads";
import { loadSync } from "./typescript-hooks.js";

// Given to Node by `--import`, which threads and forked processes inherit: the ones that our sources and tests start then load
// TypeScript on each version of Node. Jest's own transform reaches its main thread only.
if (!isMainThread || process.argv[1]?.endsWith(".ts")) {
  if (module.registerHooks) module.registerHooks({ load: loadSync });
  else module.register("./typescript-hooks.js", import.meta.url);
}

// A thread of the built program needs none of it: until Node 22, hooks are a thread of their own, and took half of its start.
if (isMainThread) {
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(file, options) {
      super(file, String(file).endsWith(".js") ? { execArgv: [], ...options } : options);
    }
  };
  module.syncBuiltinESMExports();
}
