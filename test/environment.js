import { AsyncLocalStorage } from "node:async_hooks";
import { ModernFakeTimers } from "@jest/fake-timers";
import { ModuleMocker } from "jest-mock";
import { ofPackages } from "./globals-of-packages.js";

const used = new Set();
for (const name of ["run", "enterWith"]) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...given) {
    used.add(this);
    return original.apply(this, given);
  };
}

const isSame = (a, b) => a !== undefined && a.value === b.value && a.get === b.get && a.set === b.set;

/**
 * An environment without a context of its own: what Node has loaded can then be used by the tests (`runtime.js`), an error is an
 * `Error`, and globals cost nothing to look up. After a test file, globals, environment and working
 * directory are as they were.
 *
 * It also switches off what Jest's runner leaves on: it makes an AsyncLocalStorage for each test file, and until Node 22 every
 * promise of a process carries a property for each one that was ever used. The fiftieth file of a worker took a third longer.
 */
// biome-ignore lint/style/noDefaultExport: Jest takes its environment as a default export
export default class OneRealmEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #globals = Object.getOwnPropertyDescriptors(globalThis);
  #environment = { ...process.env };
  #exit = process.exit;
  #directory = process.cwd();

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    for (const storage of used) storage.disable();
    used.clear();
    this.fakeTimersModern.dispose();
    const own = Reflect.ownKeys(globalThis).filter((key) => !(key in this.#globals) && !ofPackages.has(key));
    for (const key of own) Reflect.deleteProperty(globalThis, key);
    for (const key of Reflect.ownKeys(this.#globals)) {
      const was = this.#globals[key];
      if (was.configurable && !isSame(Object.getOwnPropertyDescriptor(globalThis, key), was)) {
        Object.defineProperty(globalThis, key, was);
      }
    }
    process.exit = this.#exit;
    process.chdir(this.#directory);
    for (const name of Object.keys(process.env)) if (!(name in this.#environment)) delete process.env[name];
    Object.assign(process.env, this.#environment);
  }

  exportConditions() {
    return ["node", "node-addons"];
  }

  getVmContext() {
    return undefined;
  }
}
