import { AsyncLocalStorage } from "node:async_hooks";
import { TestEnvironment } from "jest-environment-node";

const used = new Set();
for (const name of ["run", "enterWith"]) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...given) {
    used.add(this);
    return original.apply(this, given);
  };
}

/**
 * Node's own environment, which leaves nothing switched on behind it: Jest's runner makes an AsyncLocalStorage for each
 * test file, and until Node 22 every promise of a process carries a property for each one that was ever used. The
 * fiftieth file of a worker took a third longer for it.
 */
// biome-ignore lint/style/noDefaultExport: Jest takes its environment as a default export
export default class OneFileEnvironment extends TestEnvironment {
  async teardown() {
    for (const storage of used) storage.disable();
    used.clear();
    await super.teardown();
  }
}
